/* SPDX-License-Identifier: MIT */
/*
 * pairs.h - strings and pairs of strings as version 6 encodes them: a varint32 size, then UTF-8.
 */
#ifndef NETTRACE_PAIRS_H
#define NETTRACE_PAIRS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "perfpipe/event.h"

/* "" if the cursor fails. */
const char *cursor_string(struct cursor *c, struct arena *arena);
struct pp_pair cursor_pair(struct cursor *c, struct arena *arena);

/* A growing list of pairs in an arena; zero is a valid empty one. */
struct pair_list {
	struct pp_pair *pairs;
	size_t count;
	size_t capacity;
};

void pair_list_add(struct pair_list *list, struct pp_pair pair, struct arena *arena);

#endif
