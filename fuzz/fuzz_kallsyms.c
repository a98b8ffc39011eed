/* SPDX-License-Identifier: MIT */
/* The input is /proc/kallsyms, and once more the notes of the kernel. */
#include <string.h>

#include "base/alloc.h"
#include "input_file.h"
#include "symbols/kernel_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct symbol_table *table)
{
	struct symbol symbol;
	uint64_t end = 0;

	for (size_t i = 0; i < symbol_table_count(table); i++) {
		check(symbol_table_at(table, i, &symbol) && symbol.start >= end);
		check(symbol.start && symbol.size && symbol.size <= 1 << 20);
		check(strlen(symbol.name) > 0 && symbol_table_find(table, symbol.start, &symbol));
		end = symbol.start + symbol.size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_symbols symbols;
	struct pp_error err = { 0 };
	char *id = notes_build_id(data, size);

	check(!id || (*id && strlen(id) <= 128));
	xfree(id);
	check(!kernel_symbols_read(input_file(data, size), &symbols, &err));
	check(!symbols.hidden || !symbol_table_count(&symbols.table));
	check_table(&symbols.table);
	kernel_symbols_release(&symbols);
	return 0;
}
