/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a symbol table, as of a damaged file of the cache: no search leaves them. And the
 * same bytes as a list of symbols, of which a table is made that finds each of them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "symbols/symbol_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void search(const struct symbol_table *table, uint64_t address)
{
	struct symbol found;

	if (symbol_table_find(table, address, &found) &&
	    (found.start > address || address - found.start >= found.size ||
	     strlen(found.name) >= table->size))
		abort();
	if (symbol_table_nearest(table, address, &found) && strlen(found.name) >= table->size)
		abort();
}

static void search_all(const struct symbol_table *table)
{
	const size_t count = symbol_table_count(table);
	struct symbol symbol;

	for (size_t i = 0; i < count; i++) {
		if (!symbol_table_at(table, i, &symbol))
			continue;
		search(table, symbol.start);
		search(table, symbol.start + symbol.size);
		search(table, symbol.start - 1);
	}
	search(table, 0);
	search(table, UINT64_MAX);
}

/* What no tree is needed for: does any symbol of the list cover the address? */
static void check_sealed(struct cursor at)
{
	struct symbol_list list = { 0 };
	struct symbol_table table, opened;
	struct pp_error err = { 0 };
	struct symbol found;
	struct cursor again = at;

	while (!at.failed) {
		const uint64_t start = cursor_varint64(&at);
		const uint64_t length = cursor_u16(&at);
		const char name[2] = { (char)cursor_u8(&at) };

		if (!at.failed)
			symbol_list_add(&list, &(struct symbol){ .start = start,
								 .size = length,
								 .limit = UINT64_MAX,
								 .name = name,
								 .rank = (uint8_t)name[0] & 3 });
	}
	table = symbol_list_seal(&list);
	if (symbol_table_open(&opened, table.bytes, table.size, &err))
		abort();
	while (!again.failed) {
		const uint64_t start = cursor_varint64(&again);
		const uint16_t length = cursor_u16(&again);

		cursor_u8(&again);
		if (!again.failed && length && !symbol_table_find(&opened, start, &found))
			abort();
	}
	search_all(&table);
	symbol_table_release(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_table table;
	struct pp_error err = { 0 };

	if (!symbol_table_open(&table, data, size, &err))
		search_all(&table);
	else if (!err.text[0])
		abort();
	check_sealed(cursor_over(data, size));
	return 0;
}
