/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - the kinds of events that the metadata defines.
 *
 * Two definitions with the same bytes are one kind, so that a stream which repeats them at each
 * sequence point needs no more memory.
 */
#ifndef NETTRACE_KINDS_H
#define NETTRACE_KINDS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/map.h"
#include "perfpipe/event.h"

struct kinds {
	struct arena *arena;
	struct map by_id;      /* current meaning of the ids that events use */
	struct map by_content; /* definition -> kind */
	struct pp_kind **list; /* by index */
	size_t count;
	size_t capacity;
};

void kinds_release(struct kinds *kinds);

/* The kind that the same bytes defined before, or NULL. */
struct pp_kind *kinds_known(const struct kinds *kinds, struct cursor definition);

/* A new kind for these bytes, with only its index set. */
struct pp_kind *kinds_add(struct kinds *kinds, struct cursor definition);

#endif
