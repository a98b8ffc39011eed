/* SPDX-License-Identifier: MIT */
/*
 * caller_tree.h - all that calls a name, or that it calls, as a tree with the name on top.
 *
 * In a tree of callers what lies below a node called it, so the leaves are where threads
 * begin. A sample whose stack has the name more than once counts once: for callers by
 * the occurrence nearest to the root, for callees by the one nearest to the leaf, as in
 * call_rows.h, whose rows are the children of the name here.
 *
 *	struct calltree callers = caller_tree(&tree, name, CALLER_TREE_CALLERS);
 *	...
 *	calltree_release(&callers);
 */
#ifndef ANALYZE_CALLER_TREE_H
#define ANALYZE_CALLER_TREE_H

#include "analyze/calltree.h"

enum caller_tree {
	CALLER_TREE_CALLERS,
	CALLER_TREE_CALLEES,
};

/* `total` is that of all samples. Names live as long as the tree it is made from. */
struct calltree caller_tree(const struct calltree *tree, uint32_t name, enum caller_tree which);

#endif
