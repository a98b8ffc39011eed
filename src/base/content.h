/* SPDX-License-Identifier: MIT */
/*
 * content.h - bytes that are kept once each, and what they stand for.
 *
 * The table is a map that is used for nothing else. Bytes are copied into the arena with a
 * NUL behind them, so that of text the copies are equal if their addresses are.
 *
 *	struct map texts = { 0 };
 *	const char *name = content_add(&texts, &arena, text, size)->bytes;
 *
 *	struct content *definition = content_add(&kinds, &arena, cursor.at, size);
 *	if (!definition->value)
 *		definition->value = read_kind(cursor);
 */
#ifndef BASE_CONTENT_H
#define BASE_CONTENT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/map.h"

struct content {
	struct content *next; /* of equal hash */
	void *value;	      /* the caller's; NULL at first */
	size_t size;
	char bytes[];
};

/* The known one, or a new one. */
struct content *content_add(struct map *table, struct arena *arena, const void *bytes, size_t size);

/* The same, but NULL if it was never added. */
struct content *content_find(const struct map *table, const void *bytes, size_t size);

#endif
