/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - call stacks, each kept once however often it occurs.
 *
 * The ids that events use are good until the next sequence point; the stacks
 * themselves live as long as the trace.
 */
#ifndef NETTRACE_STACKS_H
#define NETTRACE_STACKS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/map.h"
#include "perfpipe/event.h"

struct stacks {
	struct arena *arena;
	int pointer_size; /* 4 or 8; else not known: 8 where a stack's size allows it */
	struct map by_id;
	struct map by_content;
	size_t count;
};

void stacks_release(struct stacks *stacks);

/* The stack of these addresses; NULL for an empty one. */
const struct pp_stack *stacks_intern(struct stacks *stacks, struct cursor addresses);

/*
 * A stack block: first id, count, then each with its size. False if it does not
 * hold what it says; the stacks before that are there all the same.
 */
bool stacks_define(struct stacks *stacks, struct cursor c);

/* The stack of that id; NULL if it is empty or not there. */
const struct pp_stack *stacks_find(const struct stacks *stacks, uint32_t id);

#endif
