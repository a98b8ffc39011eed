/* SPDX-License-Identifier: MIT */
/*
 * table_limit.h - how much memory the definitions of a trace may take.
 *
 * A stream that defines new events, threads, stacks and labels for ever is well-formed. A table
 * asks before each definition, and leaves it out if that would be too much; the reader then ends
 * with an error. What is counted is the memory of the tables as it is, and for the definition to
 * come more than any of its size can need.
 */
#ifndef NETTRACE_TABLE_LIMIT_H
#define NETTRACE_TABLE_LIMIT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"

#define TABLE_LIMIT_MAPS   7
#define TABLE_LIMIT_ARENAS 3

struct table_limit {
	size_t most; /* bytes */
	const struct arena *arenas[TABLE_LIMIT_ARENAS];
	const struct map *maps[TABLE_LIMIT_MAPS];
	bool passed; /* a definition was left out */
};

/* Whether a definition of `size` bytes may be added; NULL has no limit. */
bool table_limit_allows(struct table_limit *limit, size_t size);

#endif
