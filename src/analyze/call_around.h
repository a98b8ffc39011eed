/* SPDX-License-Identifier: MIT */
/*
 * call_around.h - all that calls a name, or that it calls, as a tree with the name on top.
 *
 * In a tree of callers what lies below a node called it, so the leaves are where threads
 * begin. A sample whose stack has the name more than once counts once: for callers by
 * the occurrence nearest to the root, for callees by the one nearest to the leaf, as in
 * call_rows.h, whose rows are the children of the name here.
 *
 *	struct calltree callers = call_around(&tree, name, CALL_AROUND_CALLERS);
 *	...
 *	calltree_release(&callers);
 */
#ifndef ANALYZE_CALL_AROUND_H
#define ANALYZE_CALL_AROUND_H

#include "analyze/calltree.h"

enum call_around {
	CALL_AROUND_CALLERS,
	CALL_AROUND_CALLEES,
};

/* `total` is that of all samples. Names live as long as the tree it is made from. */
struct calltree call_around(const struct calltree *tree, uint32_t name, enum call_around which);

#endif
