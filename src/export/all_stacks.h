/* SPDX-License-Identifier: MIT */
/*
 * all_stacks.h - the stacks of all parts as one tree of the source's frames, for formats that
 * number stacks: what has the same frames is one node, whichever process or trace it is from.
 *
 * Only what is asked for is in it. A sample's leaf is a node like any other.
 *
 *	struct all_stacks all;
 *	all_stacks_init(&all, source);
 *	uint32_t node = all_stacks_node(&all, thread->part, sample.stack, sample.leaf);
 *	all.tree.nodes[node].frame, .parent	(callers have smaller numbers; 0 is no stack)
 *	all_stacks_release(&all);
 */
#ifndef EXPORT_ALL_STACKS_H
#define EXPORT_ALL_STACKS_H

#include "export/source.h"

struct all_stacks {
	const struct export_source *source;
	struct stack_tree tree;
	uint32_t **known; /* by part and node of it: the node here, or 0 */
	uint32_t *path;
	size_t path_capacity;
};

void all_stacks_init(struct all_stacks *all, const struct export_source *source);
void all_stacks_release(struct all_stacks *all);
uint32_t all_stacks_node(struct all_stacks *all, uint32_t part, uint32_t stack, uint32_t leaf);

#endif
