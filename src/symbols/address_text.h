/* SPDX-License-Identifier: MIT */
/*
 * address_text.h - addresses of code in any line of text: arguments, crash logs, stacks.
 *
 *	401136 0x401140					both
 *	#1 0x55d0a1b2c3d4 in main (/usr/bin/app+0x1234)	0x1234 in /usr/bin/app
 *	libfoo.so(+0x1234) [0x7f12a0b1c2d3]		0x1234 in libfoo.so
 *	/lib/libc.so.6(abort+0xd7) [0x7f12a0b1c2d3]	0x7f12a0b1c2d3 of /lib/libc.so.6
 *	[<ffffffff81234567>] do_idle+0x12/0x34		0xffffffff81234567
 *
 * Distances from a symbol (abort+0xd7) are not addresses. Where a frame has both an address and an
 * offset in its module, only the offset is found: it holds for every process.
 */
#ifndef SYMBOLS_ADDRESS_TEXT_H
#define SYMBOLS_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_address {
	size_t at; /* of the number in the line, with its 0x */
	size_t size;
	uint64_t address;
	size_t module_at;   /* of the path or name of its module */
	size_t module_size; /* 0: the line names none */
	bool module_offset; /* `address` counts from the start of that module */
};

/*
 * The addresses in a line, from left to right; a line feed ends it as a NUL does. Returns how many
 * there are, of which it stores the first `most`.
 */
size_t address_text_find(const char *line, struct text_address *found, size_t most);

#endif
