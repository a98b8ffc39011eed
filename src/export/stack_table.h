/* SPDX-License-Identifier: MIT */
/*
 * stack_table.h - the stacks of all parts as one tree of the source's frames, for formats that
 * number stacks: equal stacks are one node, whichever process or trace they are from.
 *
 * A stack is added when it is first asked for. A sample's leaf is a node like any other.
 *
 *	struct stack_table table;
 *	stack_table_init(&table, source);
 *	uint32_t node = stack_table_node(&table, thread->part, sample.stack, sample.leaf);
 *	table.tree.nodes[node].frame, .parent	(callers have smaller numbers; 0 is no stack)
 *	stack_table_release(&table);
 *
 * Stacks of a part may have a root of their own, such as a frame for their process. They are then
 * added at once, in the part's order:
 *
 *	stack_table_begin_root(&table, part);	(forgets the nodes of the part's stacks)
 *	stack_table_mark(&table, thread);	(for each thread below the root)
 *	stack_table_end_root(&table, part, root);
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

void stack_table_init(struct stack_table *table, const struct export_source *source);
void stack_table_release(struct stack_table *table);
uint32_t stack_table_node(struct stack_table *table, uint32_t part, uint32_t stack, uint32_t leaf);

void stack_table_begin_root(struct stack_table *table, uint32_t part);
void stack_table_mark(struct stack_table *table, const struct export_thread *thread);
void stack_table_end_root(struct stack_table *table, uint32_t part, uint32_t root);

#endif
