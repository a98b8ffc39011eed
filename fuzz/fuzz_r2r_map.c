/* SPDX-License-Identifier: MIT */
/* The input is the map of an R2R image: no function is where what identifies it is. */
#include <string.h>

#include "input_file.h"
#include "symbols/r2r_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct r2r_map_header header;
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct map_totals totals;
	struct pp_error err = { 0 };
	struct symbol symbol;

	check(!r2r_map_read(input_file(data, size), &header, &list, &totals, &err));
	table = symbol_list_seal(&list);
	for (size_t i = 0; i < symbol_table_count(&table); i++) {
		check(symbol_table_at(&table, i, &symbol) && strlen(symbol.name) > 0);
		check(symbol_table_find(&table, symbol.start, &symbol));
	}
	symbol_table_release(&table);
	return 0;
}
