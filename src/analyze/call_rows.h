/* SPDX-License-Identifier: MIT */
/*
 * call_rows.h - a call tree by name, and around one name.
 *
 * A sample counts once for a name that is on its stack more than once: for callers it
 * is the occurrence nearest to the root, for callees the one nearest to the leaf.
 * So all callers add up to the name's inclusive figure, and so do all callees and
 * the name itself.
 */
#ifndef ANALYZE_CALL_ROWS_H
#define ANALYZE_CALL_ROWS_H

#include "analyze/calltree.h"

struct call_row {
	uint32_t name; /* MODEL_NONE: none, as the caller of what begins a thread */
	struct call_sum exclusive;
	struct call_sum inclusive;
};

struct call_rows {
	struct call_row *rows;
	size_t count;
};

enum call_order {
	CALL_EXCLUSIVE = 0, /* largest first */
	CALL_INCLUSIVE = 1,
	CALL_BY_TIME = 2, /* a bit: by time, not by count */
};

/* Every name that samples have. */
struct call_rows call_rows_by_name(const struct calltree *tree, unsigned order);

/* Adds the sums of a tree's nodes to the rows of their frames; a frame counts once for a node. */
void call_rows_sum(const struct stack_tree *tree, const struct call_sum *own, struct call_row *rows,
		   size_t row_count);

/* What calls the name, and what it calls; exclusive is the part of a callee alone. */
struct call_rows call_rows_callers(const struct calltree *tree, uint32_t name);
struct call_rows call_rows_callees(const struct calltree *tree, uint32_t name);

void call_rows_release(struct call_rows *rows);

#endif
