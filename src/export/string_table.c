/* SPDX-License-Identifier: MIT */
#include "export/string_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void string_table_init(struct string_table *table)
{
	*table = (struct string_table){ 0 };
	table->strings.arena = &table->arena;
	string_table_number(table, "");
}

void string_table_release(struct string_table *table)
{
	free(table->list);
	strings_release(&table->strings);
	map_release(&table->numbers);
	arena_release(&table->arena);
}

uint32_t string_table_number(struct string_table *table, const char *text)
{
	const char *kept =
		strings_intern(&table->strings, text ? text : "", text ? strlen(text) : 0);
	const void *known = map_find(&table->numbers, (uintptr_t)kept);

	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	table->list = xgrow(table->list, table->count, &table->capacity, sizeof(*table->list));
	table->list[table->count] = kept;
	map_put(&table->numbers, (uintptr_t)kept, (void *)(uintptr_t)(table->count + 1));
	return (uint32_t)table->count++;
}
