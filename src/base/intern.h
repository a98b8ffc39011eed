/* SPDX-License-Identifier: MIT */
/*
 * intern.h - keeps each distinct string of bytes once, with a value.
 *
 * The map belongs to this table alone. Bytes are copied into the arena with a NUL
 * after them, so strings are equal if their addresses are.
 *
 *	struct map texts = { 0 };
 *	const char *name = intern_add(&texts, &arena, text, size)->bytes;
 *
 *	struct interned *definition = intern_add(&kinds, &arena, cursor.at, size);
 *	if (!definition->value)
 *		definition->value = arena_new(&arena, struct pp_kind);
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

#include "base/arena.h"
#include "base/map.h"

struct interned {
	struct interned *next; /* with the same hash */
	void *value;	       /* the caller's, initially NULL */
	size_t size;
	char bytes[];
};

struct interned *intern_add(struct map *table, struct arena *arena, const void *bytes, size_t size);

/* NULL if it was never added. */
struct interned *intern_find(const struct map *table, const void *bytes, size_t size);

#endif
