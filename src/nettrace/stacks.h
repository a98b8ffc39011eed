/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - keeps each distinct call stack once.
 *
 * Ids are valid until the next sequence point; stacks live as long as the trace.
 */
#ifndef NETTRACE_STACKS_H
#define NETTRACE_STACKS_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/map.h"
#include "nettrace/table_limit.h"
#include "perfpipe/event.h"

struct stacks {
	struct arena *arena;
	struct table_limit *limit; /* or NULL */
	bool left_out;		   /* nobody asks for stacks, so none is kept */
	int pointer_size;	   /* 4 or 8; else unknown: 8 if a stack's size allows it */
	struct map by_id;
	struct map by_content;
	size_t count;
};

/* The stack with these addresses; NULL if it is empty. */
const struct pp_stack *stacks_intern(struct stacks *stacks, struct cursor addresses);

/*
 * A stack block: the first id, a count, then each stack with its size. False if it is truncated;
 * the stacks before that are defined nevertheless.
 */
bool stacks_define(struct stacks *stacks, struct cursor c);

/* The stack with this id; NULL if it is empty or undefined. */
const struct pp_stack *stacks_find(const struct stacks *stacks, uint32_t id);

#endif
