/* SPDX-License-Identifier: MIT */
/*
 * cost_tree.h - a call tree whose nodes carry several costs: CPU time, bytes allocated, exceptions
 * thrown, time waited for locks.
 *
 * It begins as a copy of a call tree, whose names it uses. Then it can be started at one method,
 * and calls can be folded; the costs of all nodes always add up to those of the whole tree.
 *
 *	cost_tree_init(&tree, calls);
 *	cost_tree_add(&tree, calltree_node(calls, stack), COST_BYTES, bytes);
 *	...
 *	cost_tree_fold(&tree, &folding);
 *	for each node: tree.own[node], tree.all[node]
 *	cost_tree_release(&tree);
 */
#ifndef ANALYZE_COST_TREE_H
#define ANALYZE_COST_TREE_H

#include "analyze/calltree.h"

enum cost {
	COST_CPU,    /* nanoseconds */
	COST_BYTES,  /* allocated */
	COST_WAITED, /* for locks: nanoseconds */
	COST_THROWN, /* exceptions */
	COST_SAMPLES,
	COSTS,
};

struct costs {
	uint64_t of[COSTS];
};

struct cost_tree {
	const struct calltree *calls;
	struct stack_tree nodes; /* frames are numbers of its names, or `leading` */
	uint32_t leading;	 /* frame of all folded calls that lead to own code */
	struct costs *own;	 /* by node; that of node 0 has no stack */
	struct costs *all;	 /* by node, with all below it; after cost_tree_sum_up() */
	uint32_t *folded;	 /* by node: calls that were folded into it */
	uint32_t *places;	 /* by node of `calls`: the node with its costs, or MODEL_NONE */
};

void cost_tree_init(struct cost_tree *tree, const struct calltree *calls);
void cost_tree_release(struct cost_tree *tree);

/* `node` is one of `calls`; nothing is added for MODEL_NONE. */
void cost_tree_add(struct cost_tree *tree, uint32_t node, enum cost cost, uint64_t amount);

void cost_tree_sum_up(struct cost_tree *tree);

/* What to fold, by name of `calls`. */
struct cost_folding {
	const bool *own;      /* the program's own code */
	const bool *plumbing; /* folded into the caller, unless a stack begins with it */
	bool leading;	      /* fold what leads to own code */
};

/*
 * Folds plumbing, and calls outside of own code that lead to it: those become one node, and what
 * they call is called by the root. To be done once; sums up before and after.
 */
void cost_tree_fold(struct cost_tree *tree, const struct cost_folding *folding);

/*
 * Starts at a name: the outermost calls of it become one node below the root, and all that is not
 * called by it is left out. Sums up after.
 */
void cost_tree_start_at(struct cost_tree *tree, uint32_t name);

static inline bool costs_any(const struct costs *costs)
{
	for (int i = 0; i < COSTS; i++)
		if (costs->of[i])
			return true;
	return false;
}

static inline void costs_add(struct costs *to, const struct costs *more)
{
	for (int i = 0; i < COSTS; i++)
		to->of[i] += more->of[i];
}

#endif
