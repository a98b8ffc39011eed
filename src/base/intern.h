/* SPDX-License-Identifier: MIT */
/*
 * intern.h - bytes that are kept once each, and what they stand for.
 *
 * The table is a map that is used for nothing else. Bytes are copied into the arena with a
 * NUL behind them, so that of text the copies are equal if their addresses are.
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
	struct interned *next; /* of equal hash */
	void *value;	       /* the caller's; NULL at first */
	size_t size;
	char bytes[];
};

/* The known one, or a new one. */
struct interned *intern_add(struct map *table, struct arena *arena, const void *bytes, size_t size);

/* The same, but NULL if it was never added. */
struct interned *intern_find(const struct map *table, const void *bytes, size_t size);

#endif
