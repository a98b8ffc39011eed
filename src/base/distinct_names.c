/* SPDX-License-Identifier: MIT */
#include "base/distinct_names.h"

#include <stdbool.h>
#include <string.h>

#include "base/intern.h"

#define FEW 16 /* names that are compared with each other, which needs no memory */

/* All names; the value of one that is taken is the last number that was tried for it. */
struct name_set {
	struct map map;
	struct arena arena;
};

static struct interned *add(struct name_set *set, const char *name)
{
	return intern_add(&set->map, &set->arena, name, strlen(name));
}

static bool differ(const char **names, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (names[i] && names[j] && !strcmp(names[i], names[j]))
				return false;
	return true;
}

static void take(struct name_set *set, struct interned *name)
{
	size_t *number = arena_new(&set->arena, size_t);

	*number = 1;
	name->value = number;
}

static const char *numbered(struct name_set *set, const struct interned *name, struct arena *arena)
{
	size_t *number = name->value;
	const char *made;

	do
		made = arena_printf(&set->arena, "%s_%zu", name->bytes, ++*number);
	while (intern_find(&set->map, made, strlen(made)));
	take(set, add(set, made));
	return arena_text(arena, made, strlen(made));
}

void distinct_names(const char **names, size_t count, struct arena *arena)
{
	struct name_set set = { 0 };

	if (count <= FEW && differ(names, count))
		return;
	for (size_t i = 0; i < count; i++)
		if (names[i])
			add(&set, names[i]);
	for (size_t i = 0; i < count; i++) {
		struct interned *name = names[i] ? add(&set, names[i]) : NULL;

		if (name && name->value)
			names[i] = numbered(&set, name, arena);
		else if (name)
			take(&set, name);
	}
	map_release(&set.map);
	arena_release(&set.arena);
}
