/* SPDX-License-Identifier: MIT */
/*
 * A file of the cache of symbol tables: as it is; its table with the header that belongs to it, so
 * that the checksum does not end it all; and as the name of a file. Searches stay in the bytes,
 * names that are recognised are those that are written.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/cache_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_symbol(const struct symbol *symbol)
{
	if (strlen(symbol->name) > UINT32_MAX)
		abort();
}

static void search(const struct symbol_table *table, uint64_t address)
{
	struct symbol symbol;

	if (symbol_table_find(table, address, &symbol))
		use_symbol(&symbol);
	if (symbol_table_nearest(table, address, &symbol))
		use_symbol(&symbol);
}

static void use_table(const struct symbol_table *table)
{
	const size_t count = symbol_table_count(table);
	struct symbol symbol;

	for (size_t i = 0; i <= count && i < 1000; i++)
		if (symbol_table_at(table, i, &symbol)) {
			use_symbol(&symbol);
			search(table, symbol.start);
			search(table, symbol.start + symbol.size);
		}
	symbol_table_is_whole(table);
	search(table, 0);
	search(table, UINT64_MAX);
}

static void open_file(const void *bytes, size_t size, const struct cache_key *key)
{
	struct symbol_table table;

	if (!cache_file_over(bytes, size, key, &table))
		return;
	use_table(&table);
	symbol_table_release(&table);
}

/* A copy of exactly the size, so that a read past the end is seen. */
static void open_with_right_header(const uint8_t *data, size_t size, const struct cache_key *key)
{
	struct symbol_table table = { .bytes = data, .size = size };
	struct cache_header header;
	uint8_t *file = malloc(sizeof(header) + size);

	if (!file)
		abort();
	cache_header_make(&header, key, &table);
	memcpy(file, &header, sizeof(header));
	if (size)
		memcpy(file + sizeof(header), data, size);
	open_file(file, sizeof(header) + size, key);
	free(file);
}

static void read_name(const uint8_t *data, size_t size)
{
	char name[CACHE_NAME_SIZE] = "", again[CACHE_NAME_SIZE];
	struct cache_key key;
	bool unfinished;

	if (size >= sizeof(name))
		return;
	if (size)
		memcpy(name, data, size);
	if (!cache_key_of_name(&key, name, &unfinished))
		return;
	cache_key_name(&key, again);
	if (strncmp(name, again, strlen(again)) || unfinished == !strcmp(name, again) ||
	    strchr(name, '/'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cache_key key;

	if (!cache_key_make(&key, "0123456789abcdef", "symtab"))
		abort();
	open_file(data, size, &key);
	open_with_right_header(data, size, &key);
	read_name(data, size);
	return 0;
}
