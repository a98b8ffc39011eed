/* SPDX-License-Identifier: MIT */
/*
 * string_table.h - texts by number, for formats that refer to texts by number.
 *
 * The text "" has the number 0, as pprof and OTLP require.
 *
 *	struct string_table table;
 *	string_table_init(&table);
 *	uint32_t name = string_table_number(&table, "main");	(added if it is new)
 *	string_table_release(&table);
 */
#ifndef EXPORT_STRING_TABLE_H
#define EXPORT_STRING_TABLE_H

#include "base/intern.h"

struct string_table {
	const char **list;
	size_t count, capacity;
	struct map by_text; /* of base/intern.h: number + 1 */
	struct arena arena;
};

void string_table_init(struct string_table *table);
void string_table_release(struct string_table *table);
uint32_t string_table_number(struct string_table *table, const char *text); /* NULL is "" */

#endif
