/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as an ELF file: it is refused with a sentence, or all that is in it can be read, and
 * every function that is listed is found again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "symbols/elf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void find_all(const struct symbol_table *table)
{
	const size_t count = symbol_table_count(table);
	struct symbol symbol, found;

	for (size_t i = 0; i < count; i++) {
		if (!symbol_table_at(table, i, &symbol) ||
		    !symbol_table_nearest(table, symbol.start, &found) ||
		    found.start != symbol.start)
			abort();
		if (symbol.size && (!symbol_table_find(table, symbol.start, &found) ||
				    strcmp(found.name, symbol.name) != 0))
			abort();
	}
}

static void read_all(struct elf_file *file)
{
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct elf_link link;
	uint64_t address;
	uint32_t crc;

	elf_file_build_id(file);
	elf_file_debug_link(file, &link);
	elf_file_alt_link(file, &link);
	elf_file_address(file, 0, &address);
	elf_file_has_code(file);
	elf_file_has_lines(file);
	elf_file_has_symtab(file);
	elf_file_crc(file, &crc);
	elf_file_list_symbols(file, &list);
	table = symbol_list_seal(&list);
	find_all(&table);
	symbol_table_release(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pp_error err = { 0 };
	uint8_t *bytes = xcalloc(1, size ? size : 1);
	struct elf_file *file;

	if (size)
		memcpy(bytes, data, size);
	file = elf_file_over(bytes, size, "input", &err);
	if (file)
		read_all(file);
	else if (!err.text[0])
		abort();
	elf_file_close(file);
	return 0;
}
