/* SPDX-License-Identifier: MIT */
#include "export/string_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void string_table_init(struct string_table *table)
{
	*table = (struct string_table){ 0 };
	string_table_number(table, "");
}

void string_table_release(struct string_table *table)
{
	xfree(table->list);
	map_release(&table->by_text);
	arena_release(&table->arena);
}

uint32_t string_table_number(struct string_table *table, const char *text)
{
	struct interned *known =
		intern_add(&table->by_text, &table->arena, text, text ? strlen(text) : 0);

	if (!known->value) {
		table->list =
			xgrow(table->list, table->count, &table->capacity, sizeof(*table->list));
		table->list[table->count++] = known->bytes;
		known->value = (void *)(uintptr_t)table->count;
	}
	return (uint32_t)((uintptr_t)known->value - 1);
}
