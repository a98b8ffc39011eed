/* SPDX-License-Identifier: MIT */
/*
 * call_rows.h - a call tree by name, and the callers or callees of one name.
 *
 * A sample counts once for a name that is on its stack more than once. Its callers and callees
 * share the sample: with N occurrences each one counts for 1/N, as in PerfView. So all callers
 * add up to the name's inclusive figure, and so do all callees and the name's own share.
 * Samples are whole numbers: what does not divide goes to the occurrences in turn. Of more
 * than CALL_OCCURRENCES those nearest to the root share for callers, those nearest to the leaf
 * for callees.
 *
 *	struct call_rows rows = call_rows_by_name(&tree, CALL_EXCLUSIVE);
 *	struct calltree callers = caller_tree(&tree, rows.rows[0].name, CALLER_TREE_CALLERS);
 *	...
 *	calltree_release(&callers);
 *	call_rows_release(&rows);
 */
#ifndef ANALYZE_CALL_ROWS_H
#define ANALYZE_CALL_ROWS_H

#include "analyze/calltree.h"

#define CALL_OCCURRENCES 64

struct call_row {
	uint32_t name; /* MODEL_NONE: none, the caller of a thread's first frame */
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
	CALL_BY_WEIGHT = 2, /* a bit: by weight, not by count */
};

/* Every name of a sample's frame. */
struct call_rows call_rows_by_name(const struct calltree *tree, unsigned order);

/* Adds the sums of a tree's nodes to the rows of their frames; a frame counts once for a node. */
void call_rows_sum(const struct stack_tree *tree, const struct call_sum *own, struct call_row *rows,
		   size_t row_count);

enum caller_tree {
	CALLER_TREE_CALLERS,
	CALLER_TREE_CALLEES,
};

/*
 * All that call the name or that it calls; `exclusive` is only of callees. In order of their
 * inclusive count, or of weight with CALL_BY_WEIGHT.
 */
struct call_rows call_rows_around(const struct calltree *tree, uint32_t name,
				  enum caller_tree which, unsigned order);

/*
 * The same with all levels, as a tree with the name at its top. In a tree of callers, those below a
 * node called it, so that threads begin at the leaves. `total` is that of all samples. Names live
 * as long as those of `tree`.
 */
struct calltree caller_tree(const struct calltree *tree, uint32_t name, enum caller_tree which);

void call_rows_release(struct call_rows *rows);

#endif
