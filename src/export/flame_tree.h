/* SPDX-License-Identifier: MIT */
/*
 * flame_tree.h - all samples of a source as one tree: what flame graphs and folded stacks are.
 *
 * Frames are the source's. A sample's leaf is a node of its own, and so is the process of
 * each root where there are several. Callers have smaller numbers than what they call.
 *
 *	struct flame_tree tree = flame_tree_of(source);
 *	...
 *	flame_tree_release(&tree);
 */
#ifndef EXPORT_FLAME_TREE_H
#define EXPORT_FLAME_TREE_H

#include "export/source.h"

struct flame_tree {
	struct stack_tree nodes; /* node 0 is all; it has no frame */
	uint64_t *own;		 /* by node: weight of samples that end there */
	uint64_t *all;		 /* by node: and of those below */
};

struct flame_tree flame_tree_of(struct export_source *source);
void flame_tree_release(struct flame_tree *tree);

#endif
