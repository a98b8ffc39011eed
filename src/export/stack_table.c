/* SPDX-License-Identifier: MIT */
#include "export/stack_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MARKED UINT32_MAX /* in place of a node */

void stack_table_init(struct stack_table *table, const struct export_source *source)
{
	*table = (struct stack_table){ .source = source };
	table->known = xcalloc(source->part_count + 1, sizeof(*table->known));
	for (size_t i = 0; i < source->part_count; i++)
		table->known[i] =
			xcalloc((size_t)source->parts[i]->stacks.count + 1, sizeof(**table->known));
}

void stack_table_release(struct stack_table *table)
{
	for (size_t i = 0; i < table->source->part_count; i++)
		xfree(table->known[i]);
	xfree(table->known);
	xfree(table->path);
	stack_tree_release(&table->tree);
}

uint32_t stack_table_node(struct stack_table *table, uint32_t part, uint32_t stack, uint32_t leaf)
{
	const struct export_stacks *stacks = &table->source->parts[part]->stacks;
	uint32_t *known = table->known[part];
	uint32_t node = known[STACK_EMPTY];
	size_t count = 0;

	for (uint32_t at = stack; at; at = export_caller(stacks, at)) {
		if (known[at]) {
			node = known[at];
			break;
		}
		table->path =
			xgrow(table->path, count, &table->path_capacity, sizeof(*table->path));
		table->path[count++] = at;
	}
	while (count) {
		const uint32_t at = table->path[--count];

		node = stack_tree_child(&table->tree, node, export_frame(stacks, at));
		known[at] = node;
	}
	return leaf == EXPORT_NONE ? node : stack_tree_child(&table->tree, node, leaf);
}

void stack_table_begin_root(struct stack_table *table, uint32_t part)
{
	const struct export_stacks *stacks = &table->source->parts[part]->stacks;

	memset(table->known[part], 0, ((size_t)stacks->count + 1) * sizeof(**table->known));
}

void stack_table_mark(struct stack_table *table, const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(table->source, thread);
	struct export_sample sample;

	while (export_walk_next(&walk, &sample))
		table->known[thread->part][sample.stack] = MARKED;
}

void stack_table_end_root(struct stack_table *table, uint32_t part, uint32_t root)
{
	const struct export_stacks *stacks = &table->source->parts[part]->stacks;
	uint32_t *known = table->known[part];

	for (uint32_t i = stacks->count; i-- > 1;)
		if (known[i])
			known[export_caller(stacks, i)] = MARKED;
	known[STACK_EMPTY] = root;
	for (uint32_t i = 1; i < stacks->count; i++)
		if (known[i])
			known[i] = stack_tree_child(&table->tree, known[export_caller(stacks, i)],
						    export_frame(stacks, i));
}
