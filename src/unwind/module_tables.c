/* SPDX-License-Identifier: MIT */
#include "unwind/module_tables.h"

#include "base/intern.h"

struct unwind_module *module_tables_find(const struct module_tables *tables, const void *key,
					 size_t size)
{
	const struct interned *found = intern_find(&tables->by_key, key, size);

	return found ? found->value : NULL;
}

void module_tables_add(struct module_tables *tables, const void *key, size_t size,
		       struct unwind_module *module)
{
	struct interned *interned = intern_add(&tables->by_key, &tables->arena, key, size);
	struct unwind_module *before = interned->value;

	interned->value = unwind_module_ref(module);
	unwind_module_unref(before);
}

/* Drops those that have no more references than `most`. */
static size_t drop(struct module_tables *tables, unsigned most)
{
	size_t dropped = 0;

	for (size_t i = 0; i < tables->by_key.capacity; i++)
		for (struct interned *entry = tables->by_key.slots[i].value; entry;
		     entry = entry->next) {
			struct unwind_module *module = entry->value;

			if (!module || module->references > most)
				continue;
			unwind_module_unref(module);
			entry->value = NULL;
			dropped++;
		}
	return dropped;
}

size_t module_tables_drop_unused(struct module_tables *tables)
{
	return drop(tables, 1);
}

void module_tables_release(struct module_tables *tables)
{
	drop(tables, UINT32_MAX);
	map_release(&tables->by_key);
	arena_release(&tables->arena);
}
