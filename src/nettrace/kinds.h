/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - the kinds of events that the metadata has defined.
 *
 * Two definitions with the same bytes are one kind, so that a stream which
 * says everything again at each sequence point costs no more memory.
 */
#ifndef NETTRACE_KINDS_H
#define NETTRACE_KINDS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/map.h"
#include "perfpipe/event.h"

struct kinds {
	struct arena *arena;
	struct map by_id;      /* what the ids of events stand for now */
	struct map by_content; /* definitions -> their kinds */
	struct pp_kind **list; /* by index */
	size_t count;
	size_t capacity;
};

void kinds_release(struct kinds *kinds);

/* The kind that these very bytes defined before; NULL if none did. */
struct pp_kind *kinds_known(const struct kinds *kinds, struct cursor definition);

/* A new kind for these bytes, empty but for its index. */
struct pp_kind *kinds_add(struct kinds *kinds, struct cursor definition);

#endif
