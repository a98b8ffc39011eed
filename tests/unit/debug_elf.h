/* SPDX-License-Identifier: MIT */
/*
 * debug_elf.h - ELF files with nothing but what decides whether they belong together.
 *
 *	debug_elf_write("usr/bin/app", &(struct debug_elf){ .build_id = "0123abcd", .code = true });
 */
#ifndef DEBUG_ELF_H
#define DEBUG_ELF_H

#include <stdbool.h>
#include <stdint.h>

struct debug_elf {
	const char *build_id; /* hexadecimal; NULL: none, like the others */
	bool code, symtab, lines;
	bool object; /* by its header, an object file */
	const char *debug_link;
	uint32_t debug_crc;
	const char *alt_link;
	const char *alt_build_id;
};

/* Creates the folders of the path. Asserts by cmocka. */
void debug_elf_write(const char *path, const struct debug_elf *elf);

/* As .gnu_debuglink has it. */
uint32_t debug_elf_crc(const char *path);

#endif
