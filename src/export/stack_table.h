/* SPDX-License-Identifier: MIT */
/*
 * stack_table.h - the stacks of all parts as one tree of the source's frames, for formats that
 * number stacks: what has the same frames is one node, whichever process or trace it is from.
 *
 * Only what is asked for is in it. A sample's leaf is a node like any other.
 *
 *	struct stack_table all;
 *	stack_table_init(&all, source);
 *	uint32_t node = stack_table_node(&all, thread->part, sample.stack, sample.leaf);
 *	all.tree.nodes[node].frame, .parent	(callers have smaller numbers; 0 is no stack)
 *	stack_table_release(&all);
 */
#ifndef EXPORT_STACK_TABLE_H
#define EXPORT_STACK_TABLE_H

#include "export/source.h"

struct stack_table {
	const struct export_source *source;
	struct stack_tree tree;
	uint32_t **known; /* by part and node of it: the node here, or 0 */
	uint32_t *path;
	size_t path_capacity;
};

void stack_table_init(struct stack_table *all, const struct export_source *source);
void stack_table_release(struct stack_table *all);
uint32_t stack_table_node(struct stack_table *all, uint32_t part, uint32_t stack, uint32_t leaf);

#endif
