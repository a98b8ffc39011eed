/* SPDX-License-Identifier: MIT */
/*
 * pairs.h - text and pairs of text as version 6 writes them in its tables: a
 * varint32 byte count and UTF-8.
 */
#ifndef NETTRACE_PAIRS_H
#define NETTRACE_PAIRS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "perfpipe/event.h"

/* "" where the cursor fails. */
const char *cursor_string(struct cursor *c, struct arena *arena);
struct pp_pair cursor_pair(struct cursor *c, struct arena *arena);

/* A growing list of pairs in an arena; zero is an empty one. */
struct pair_list {
	struct pp_pair *pairs;
	size_t count;
	size_t capacity;
};

void pair_list_add(struct pair_list *list, struct pp_pair pair, struct arena *arena);

#endif
