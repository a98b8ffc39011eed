/* SPDX-License-Identifier: MIT */
#include "export/stack_table.h"

#include <stdlib.h>

#include "base/alloc.h"

void stack_table_init(struct stack_table *all, const struct export_source *source)
{
	*all = (struct stack_table){ .source = source };
	all->known = xcalloc(source->part_count + 1, sizeof(*all->known));
	for (size_t i = 0; i < source->part_count; i++)
		all->known[i] =
			xcalloc((size_t)source->parts[i]->stacks.count + 1, sizeof(**all->known));
}

void stack_table_release(struct stack_table *all)
{
	for (size_t i = 0; i < all->source->part_count; i++)
		free(all->known[i]);
	free(all->known);
	free(all->path);
	stack_tree_release(&all->tree);
}

uint32_t stack_table_node(struct stack_table *all, uint32_t part, uint32_t stack, uint32_t leaf)
{
	const struct export_stacks *stacks = &all->source->parts[part]->stacks;
	uint32_t *known = all->known[part];
	uint32_t node = STACK_EMPTY;
	size_t count = 0;

	for (uint32_t at = stack; at; at = export_caller(stacks, at)) {
		if (known[at]) {
			node = known[at];
			break;
		}
		all->path = xgrow(all->path, count, &all->path_capacity, sizeof(*all->path));
		all->path[count++] = at;
	}
	while (count) {
		const uint32_t at = all->path[--count];

		node = stack_tree_child(&all->tree, node, export_frame(stacks, at));
		known[at] = node;
	}
	return leaf == EXPORT_NONE ? node : stack_tree_child(&all->tree, node, leaf);
}
