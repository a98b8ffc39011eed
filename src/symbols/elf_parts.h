/* SPDX-License-Identifier: MIT */
/*
 * elf_parts.h - the inside of an ELF file, for those who read its sections.
 */
#ifndef SYMBOLS_ELF_PARTS_H
#define SYMBOLS_ELF_PARTS_H

#include <gelf.h>

#include "base/heap.h"
#include "symbols/elf_file.h"

#define ELF_SEGMENTS_MOST 4096
#define ELF_BUILD_ID_MOST 64 /* bytes; a SHA-1 has 20 */

struct elf_section {
	Elf_Scn *handle;
	const char *name;
	GElf_Shdr header;
};

/* A section of strings: all that end in it. */
struct elf_strings {
	const char *bytes;
	size_t size;
};

struct elf_file {
	Elf *handle;
	int fd;
	void *image; /* of elf_file_over() */
	size_t size;
	char *name;
	char *build_id;
	const char *alt_name; /* of .gnu_debugaltlink; in its section */
	char *alt_build_id;
	GElf_Ehdr header;
	struct elf_section *sections; /* by their index; the first one is none */
	size_t section_count;
	GElf_Phdr *segments;
	size_t segment_count;
	struct heap_drop *handle_drop, *fd_drop;
};

/* The first section of a type and, unless NULL, a name, that has bytes in the file; or NULL. */
const struct elf_section *elf_file_section(const struct elf_file *file, uint32_t type,
					   const char *name);

/* All bytes of a section in this machine's byte order; NULL if they are not in the file. */
Elf_Data *elf_section_data(const struct elf_section *section);

/* libelf's own call looks for the end of strings each time, which hostile files make slow. */
struct elf_strings elf_file_strings(const struct elf_file *file, size_t section);

static inline const char *elf_string(const struct elf_strings *strings, uint64_t offset)
{
	return offset < strings->size ? strings->bytes + offset : "";
}

static inline bool elf_section_is_code(const struct elf_section *section)
{
	return section->header.sh_flags & SHF_ALLOC && section->header.sh_flags & SHF_EXECINSTR;
}

void elf_file_read_alt_link(struct elf_file *file);
char *elf_build_id_text(const uint8_t *bytes, size_t size); /* xfree() */

/* Of a file without sections: what would be .dynsym and .dynstr. */
bool elf_dynamic_symbols(const struct elf_file *file, Elf_Data **symbols,
			 struct elf_strings *names);

/* "memcpy@plt" for each entry of the PLT. */
void elf_plt_list_symbols(const struct elf_file *file, struct symbol_list *list);

/* What .gnu_debugdata unpacks to: an ELF file with a symbol table. NULL if there is none. */
struct elf_file *elf_minidebug_open(const struct elf_file *file);

#endif
