/* SPDX-License-Identifier: MIT */
/* The input is a perf map. Whatever its lines overlap, the pieces must not, and all are found. */
#include <string.h>

#include "input_file.h"
#include "symbols/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_piece(const struct symbol_table *table, const struct symbol *piece)
{
	struct symbol found;

	check(piece->size && strlen(piece->name) > 0);
	check(symbol_table_find(table, piece->start + piece->size - 1, &found));
	check(found.start == piece->start && !strcmp(found.name, piece->name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct map_totals totals;
	struct pp_error err = { 0 };
	struct symbol piece;
	uint64_t end = 0;

	check(!perf_map_read(input_file(data, size), &list, &totals, &err));
	table = symbol_list_seal(&list);
	check(symbol_table_count(&table) <= 2 * totals.functions);
	for (size_t i = 0; i < symbol_table_count(&table); i++) {
		check(symbol_table_at(&table, i, &piece) && piece.start >= end);
		check_piece(&table, &piece);
		end = piece.start + piece.size;
	}
	symbol_table_release(&table);
	return 0;
}
