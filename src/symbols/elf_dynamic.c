/* SPDX-License-Identifier: MIT */
/*
 * elf_dynamic.c - the exported symbols of a file without sections, as the dynamic linker finds
 * them.
 *
 * Nothing says how many there are, except hash tables, of several formats. But all tables are
 * listed, and linkers leave nothing between them: the symbols end where the next table begins.
 */
#include <string.h>

#include "base/array.h"
#include "symbols/elf_parts.h"

struct dynamic_tables {
	uint64_t symbols, symbols_end;
	uint64_t strings, strings_size;
};

static bool is_table(int64_t tag)
{
	static const int64_t tags[] = { DT_STRTAB, DT_HASH,    DT_GNU_HASH, DT_VERSYM,
					DT_VERDEF, DT_VERNEED, DT_RELA,	    DT_REL,
					DT_RELR,   DT_JMPREL,  DT_INIT,	    DT_INIT_ARRAY };

	for (size_t i = 0; i < ARRAY_COUNT(tags); i++)
		if (tags[i] == tag)
			return true;
	return false;
}

/* The bytes of the file that are loaded at an address, up to `end`, if they are all there. */
static Elf_Data *loaded_bytes(const struct elf_file *file, uint64_t address, uint64_t end,
			      Elf_Type type)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];
		const uint64_t at = address - segment->p_vaddr;

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    at >= segment->p_filesz)
			continue;
		if (end - address > segment->p_filesz - at)
			end = address + (segment->p_filesz - at);
		return elf_getdata_rawchunk(file->handle, (int64_t)(segment->p_offset + at),
					    end - address, type);
	}
	return NULL;
}

static void read_tags(Elf_Data *data, struct dynamic_tables *tables)
{
	GElf_Dyn entry;

	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag == DT_SYMTAB)
			tables->symbols = entry.d_un.d_ptr;
		if (entry.d_tag == DT_STRTAB)
			tables->strings = entry.d_un.d_ptr;
		if (entry.d_tag == DT_STRSZ)
			tables->strings_size = entry.d_un.d_val;
	}
	tables->symbols_end = UINT64_MAX;
	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (is_table(entry.d_tag) && entry.d_un.d_ptr > tables->symbols &&
		    entry.d_un.d_ptr < tables->symbols_end)
			tables->symbols_end = entry.d_un.d_ptr;
}

static Elf_Data *dynamic_segment(const struct elf_file *file)
{
	for (size_t i = 0; i < file->segment_count; i++)
		if (file->segments[i].p_type == PT_DYNAMIC && file->segments[i].p_filesz)
			return elf_getdata_rawchunk(file->handle,
						    (int64_t)file->segments[i].p_offset,
						    file->segments[i].p_filesz, ELF_T_DYN);
	return NULL;
}

bool elf_dynamic_symbols(const struct elf_file *file, Elf_Data **symbols, struct elf_strings *names)
{
	Elf_Data *data = dynamic_segment(file), *strings;
	struct dynamic_tables tables = { 0 };
	const char *last;

	if (!data)
		return false;
	read_tags(data, &tables);
	if (!tables.symbols || !tables.strings || tables.strings_size > UINT64_MAX - tables.strings)
		return false;
	*symbols = loaded_bytes(file, tables.symbols, tables.symbols_end, ELF_T_SYM);
	strings = loaded_bytes(file, tables.strings, tables.strings + tables.strings_size,
			       ELF_T_BYTE);
	last = strings && strings->d_size ? memrchr(strings->d_buf, '\0', strings->d_size) : NULL;
	if (!*symbols || !last)
		return false;
	*names = (struct elf_strings){ strings->d_buf,
				       (size_t)(last + 1 - (const char *)strings->d_buf) };
	return true;
}
