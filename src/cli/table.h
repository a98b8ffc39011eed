/* SPDX-License-Identifier: MIT */
/*
 * table.h - rows under titles, each column as wide as it needs.
 *
 * Cells are given left to right, row by row, made safe and copied. Blanks
 * never end a line, and titles are bold on a terminal.
 *
 *	static const struct table_column columns[] = {
 *		{ "Provider", TABLE_LEFT }, { "Events", TABLE_RIGHT }, { 0 }
 *	};
 *	struct table table = { .columns = columns, .indent = 2 };
 *	table_cell(&table, provider->name);
 *	table_cell(&table, text_count(provider->count).text);
 *	table_print(&table, stdout);
 *	table_release(&table);
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
};

struct table_column {
	const char *title; /* NULL ends the columns; "" in all of them gives no title line */
	enum table_align align;
};

struct table {
	const struct table_column *columns;
	unsigned indent; /* blanks before each line */
	size_t width;	 /* the last column is cut to fit into lines of this; 0: it is not */
	struct arena arena;
	char **cells;
	size_t count;
	size_t capacity;
};

void table_cell(struct table *table, const char *text);
void table_print(const struct table *table, FILE *out);
void table_release(struct table *table);

#endif
