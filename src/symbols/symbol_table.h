/* SPDX-License-Identifier: MIT */
/*
 * symbol_table.h - the functions of a file by address.
 *
 * A table is one block of bytes without pointers, so that it can be a mapped file of the cache. It
 * is built once, from symbols in any order; of several symbols at one address the best name stays:
 * a global one before a weak one before a local one, one with a size before one without, then the
 * one with the fewest underscores in front, and the shortest. Names are kept as they are, not
 * demangled.
 *
 * A function covers the bytes of its size; one without a size (assembler code, kallsyms) covers
 * those up to the next function or the end of its section, but only a few of a stripped file. What
 * no function covers has no name, only a nearest function.
 *
 *	struct symbol_list list = { 0 };
 *
 *	symbol_list_add(&list, &(struct symbol){ .start = 0x1000, .size = 16, .name = "main" });
 *	table = symbol_list_seal(&list);
 *	if (symbol_table_find(&table, 0x1004, &symbol))
 *		puts(symbol.name);
 *	symbol_table_release(&table);
 */
#ifndef SYMBOLS_SYMBOL_TABLE_H
#define SYMBOLS_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

enum symbol_rank { /* the smaller the better */
		   SYMBOL_GLOBAL,
		   SYMBOL_WEAK,
		   SYMBOL_LOCAL,
		   SYMBOL_MADE_UP, /* such as that of a PLT entry */
};

struct symbol {
	uint64_t start;
	uint64_t size;	/* 0: up to the next one */
	uint64_t limit; /* where one without a size ends at the latest; UINT64_MAX: nowhere */
	const char *name;
	enum symbol_rank rank;
};

/* While it is built. */
struct symbol_list {
	struct listed_symbol *symbols;
	size_t count, capacity;
	char *names;
	size_t names_size, names_capacity;
	bool whole; /* has all functions of the file, not only the exported ones */
};

/* Allocates for about as many symbols, with names of that size in all: an optimisation. */
void symbol_list_reserve(struct symbol_list *list, size_t count, size_t names_size);

/* Copies the name. */
void symbol_list_add(struct symbol_list *list, const struct symbol *symbol);

struct symbol_table {
	const uint8_t *bytes;
	size_t size;
	void (*release)(void *bytes, size_t size); /* of the bytes; NULL: nobody */
};

/* Frees the list. A table without any symbol is valid, too. */
struct symbol_table symbol_list_seal(struct symbol_list *list);
void symbol_list_release(struct symbol_list *list);

/* Over bytes of a file, which may be hostile: they are checked, so that no search leaves them. */
int symbol_table_open(struct symbol_table *table, const void *bytes, size_t size,
		      struct pp_error *err);
void symbol_table_release(struct symbol_table *table);

/* The function that covers the address; `name` points into the table. */
bool symbol_table_find(const struct symbol_table *table, uint64_t address, struct symbol *found);

/* The last function that starts at or before it, covering or not. */
bool symbol_table_nearest(const struct symbol_table *table, uint64_t address, struct symbol *found);

size_t symbol_table_count(const struct symbol_table *table);
bool symbol_table_at(const struct symbol_table *table, size_t number, struct symbol *found);
bool symbol_table_is_whole(const struct symbol_table *table);

#endif
