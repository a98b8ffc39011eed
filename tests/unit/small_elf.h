/* SPDX-License-Identifier: MIT */
/*
 * small_elf.h - ELF files of a few hundred bytes, of any class and byte order.
 *
 *	static const struct small_symbol symbols[] = { { "main", .value = 0x1000, .size = 16 } };
 *	bytes = small_elf_build(&(struct small_elf){ .symbols = symbols, .count = 1 }, &size);
 *
 * Code is at SMALL_ELF_CODE, and data after it. xfree() the bytes.
 */
#ifndef SMALL_ELF_H
#define SMALL_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SMALL_ELF_CODE	    0x1000
#define SMALL_ELF_CODE_SIZE 0x100
#define SMALL_ELF_BUILD_ID  "0123456789abcdef"

enum small_section { SMALL_CODE, SMALL_DATA, SMALL_NOWHERE };

struct small_symbol {
	const char *name;
	uint64_t value, size;
	unsigned char type; /* 0: STT_NOTYPE */
	unsigned char bind; /* 0: STB_LOCAL */
	enum small_section section;
};

struct small_elf {
	bool is_32_bit, is_big_endian;
	bool is_stripped; /* the symbols are in .dynsym */
	size_t kept;	  /* of these, so many are in .symtab, too; 0: there is none */
	bool no_build_id;
	unsigned type;	  /* 0: ET_DYN */
	unsigned machine; /* 0: EM_X86_64 */
	const struct small_symbol *symbols;
	size_t count;
	const char *section; /* one more, of these bytes */
	const void *bytes;
	size_t size;
};

uint8_t *small_elf_build(const struct small_elf *from, size_t *size);

#endif
