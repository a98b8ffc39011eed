/* SPDX-License-Identifier: MIT */
/*
 * flame_tree.h - all samples of a source as one tree, of which flame graphs and folded stacks are
 * made.
 *
 * Frames are the source's. A sample's leaf is a node of its own and, where there are several
 * processes, so is each process. Callers have smaller numbers than what they call.
 *
 * A graph also has the weights by thread and state, and differs in its nodes: plumbing is folded,
 * unless --fold or --no-fold is given, and that a thread was running is not a leaf.
 *
 *	struct flame_tree tree = flame_graph_of(source);
 *	for each weight: use(weight->node, weight->thread, weight->state, weight->weight);
 *	flame_tree_release(&tree);
 */
#ifndef EXPORT_FLAME_TREE_H
#define EXPORT_FLAME_TREE_H

#include "export/source.h"

/* What the threads of samples did. Views other than threadtime have one state only. */
enum flame_state {
	FLAME_RUNNING,
	FLAME_WAITING,
	FLAME_AWAITING, /* not a thread, but a method until it continues */
	FLAME_STATES,
};

#define FLAME_NO_THREAD 0 /* of what awaits; others are a thread of the source + 1 */

/* Of samples that end in a node. */
struct flame_weight {
	uint32_t node;
	uint32_t thread;
	enum flame_state state;
	uint64_t weight;
};

struct flame_tree {
	struct stack_tree nodes; /* node 0 is the root, which has no frame */
	uint64_t *own;		 /* by node: weight of samples that end there; not of a graph */
	struct flame_weight *weights; /* of a graph */
	size_t weight_count, weight_capacity;
};

struct flame_tree flame_tree_of(struct export_source *source);
struct flame_tree flame_graph_of(struct export_source *source);
void flame_tree_release(struct flame_tree *tree);

/* The weight of each node and all below it, for one state or, with FLAME_STATES, all; to be freed.
 */
uint64_t *flame_tree_sum(const struct flame_tree *tree, enum flame_state state);

#endif
