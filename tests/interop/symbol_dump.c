/* SPDX-License-Identifier: MIT */
/*
 * Prints the symbol table of an ELF file: start, size and name of each function. With "-", it
 * prints the names of the addresses that standard input has, one in each line; "?" for none.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf_file.h"

static void print_all(const struct symbol_table *table)
{
	struct symbol symbol;

	for (size_t i = 0; i < symbol_table_count(table); i++)
		if (symbol_table_at(table, i, &symbol))
			printf("%016" PRIx64 " %" PRIx64 " %s\n", symbol.start, symbol.size,
			       symbol.name);
}

static void print_asked(const struct symbol_table *table)
{
	struct symbol symbol;
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		const uint64_t address = strtoull(line, NULL, 16);
		const bool found = symbol_table_find(table, address, &symbol);

		printf("%016" PRIx64 " %s\n", address, found ? symbol.name : "?");
	}
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct elf_file *file;

	if (argc < 2) {
		fprintf(stderr, "usage: symbol_dump FILE [-]\n");
		return 2;
	}
	file = elf_file_open(open(argv[1], O_RDONLY), argv[1], &err);
	if (!file) {
		fprintf(stderr, "symbol_dump: %s\n", err.text);
		return 1;
	}
	elf_file_list_symbols(file, &list);
	table = symbol_list_seal(&list);
	fprintf(stderr, "%s: %zu functions, %s, build id %s\n", argv[1], symbol_table_count(&table),
		symbol_table_is_whole(&table) ? "all" : "exported",
		elf_file_build_id(file) ? elf_file_build_id(file) : "none");
	if (argc > 2 && !strcmp(argv[2], "-"))
		print_asked(&table);
	else
		print_all(&table);
	symbol_table_release(&table);
	elf_file_close(file);
	return 0;
}
