/* SPDX-License-Identifier: MIT */
/*
 * bench_symbols load FILE: reads the symbol table of an ELF file, once.
 * bench_symbols find FILE LOOKUPS: the same, and then looks up random addresses between its first
 * and its last function. bench_symbols open FILE: puts the table into a cache, and opens
 * it from there. The last two print the least CPU time of several passes as JSON.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "symbols/elf_file.h"
#include "symbols/symbol_cache.h"

#define PASSES	 7
#define BUILD_ID "0123456789abcdef"

static int load(const char *path, struct symbol_table *table)
{
	struct pp_error err = { 0 };
	struct symbol_list list = { 0 };
	struct elf_file *file = elf_file_open(open(path, O_RDONLY), path, &err);

	if (!file) {
		fprintf(stderr, "bench_symbols: %s\n", err.text);
		return 1;
	}
	elf_file_list_symbols(file, &list);
	*table = symbol_list_seal(&list);
	elf_file_close(file);
	return 0;
}

/* On the CPU: other programs must not show, even in passes of a tenth of a second. */
static int64_t cpu_time_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void print_best(int64_t best_ns, uint64_t divisor, const struct symbol_table *table,
		       size_t found)
{
	printf("{\"best_seconds\":%.12f,\"functions\":%zu,\"found\":%zu}\n",
	       (double)best_ns / 1e9 / (double)divisor, symbol_table_count(table), found);
}

/* Between the first and the last function; NULL if there is none. */
static uint64_t *random_addresses(const struct symbol_table *table, size_t count)
{
	uint64_t *addresses = calloc(count, sizeof(*addresses));
	uint64_t state = 88172645463325252u;
	struct symbol first, last;

	if (!addresses || !symbol_table_at(table, 0, &first) ||
	    !symbol_table_at(table, symbol_table_count(table) - 1, &last)) {
		free(addresses);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		addresses[i] =
			first.start + next_random(&state) % (last.start + last.size - first.start);
	return addresses;
}

static int find(const struct symbol_table *table, size_t lookups)
{
	uint64_t *addresses = random_addresses(table, lookups);
	int64_t best_ns = INT64_MAX;
	struct symbol symbol;
	size_t found = 0;

	if (!addresses)
		return 1;
	for (int pass = 0; pass < PASSES; pass++) {
		const int64_t begin_ns = cpu_time_ns();

		found = 0;
		for (size_t i = 0; i < lookups; i++)
			found += symbol_table_find(table, addresses[i], &symbol);
		if (cpu_time_ns() - begin_ns < best_ns)
			best_ns = cpu_time_ns() - begin_ns;
	}
	print_best(best_ns, lookups, table, found);
	free(addresses);
	return 0;
}

/* Up to the first name, which shows that it can be used. */
static bool get(const struct symbol_cache *cache, uint64_t address)
{
	struct symbol_table table;
	struct symbol symbol;
	bool good;

	if (!symbol_cache_get(cache, BUILD_ID, "symtab", &table))
		return false;
	good = symbol_table_find(&table, address, &symbol) && *symbol.name;
	symbol_table_release(&table);
	return good;
}

static int open_again(const struct symbol_table *table)
{
	char folder[] = "/tmp/bench_symbols.XXXXXX";
	const struct symbol_cache cache = { .folder = mkdtemp(folder) };
	struct cache_cleared cleared;
	struct pp_error err = { 0 };
	int64_t best_ns = INT64_MAX;
	struct symbol middle;
	bool good = symbol_cache_put(&cache, BUILD_ID, "symtab", table) &&
		    symbol_table_at(table, symbol_table_count(table) / 2, &middle);

	for (int pass = 0; pass < PASSES && good; pass++) {
		const int64_t begin_ns = cpu_time_ns();

		good = get(&cache, middle.start);
		if (cpu_time_ns() - begin_ns < best_ns)
			best_ns = cpu_time_ns() - begin_ns;
	}
	if (good)
		print_best(best_ns, 1, table, 1);
	symbol_cache_clear(&cache, NULL, &cleared, &err);
	rmdir(folder);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct symbol_table table;
	int failed = 0;

	if (argc < 3 || load(argv[2], &table))
		return 2;
	if (!strcmp(argv[1], "find"))
		failed = find(&table, argc > 3 ? strtoul(argv[3], NULL, 10) : 1000000);
	else if (!strcmp(argv[1], "open"))
		failed = open_again(&table);
	symbol_table_release(&table);
	return failed;
}
