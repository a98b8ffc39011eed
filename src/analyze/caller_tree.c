/* SPDX-License-Identifier: MIT */
#include "analyze/caller_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Where a node's samples go in the new tree; 0: nowhere. */
typedef uint32_t place_of(struct calltree *around, const struct stack_node *nodes, uint32_t node,
			  const uint32_t *places);

/* Like its caller, or at the callers of the first that has the name. */
static uint32_t place_by_callers(struct calltree *around, const struct stack_node *nodes,
				 uint32_t node, const uint32_t *places)
{
	const uint32_t name = around->nodes.nodes[1].frame;
	uint32_t place = places[nodes[node].parent];

	if (place || nodes[node].frame != name)
		return place;
	for (uint32_t at = node; at; at = nodes[at].parent)
		place = stack_tree_child(&around->nodes, place, nodes[at].frame);
	return place;
}

/* Below its caller, and on top again wherever the name is met again. */
static uint32_t place_by_callees(struct calltree *around, const struct stack_node *nodes,
				 uint32_t node, const uint32_t *places)
{
	const uint32_t name = around->nodes.nodes[1].frame;
	const uint32_t place = places[nodes[node].parent];

	if (nodes[node].frame == name)
		return 1;
	return place ? stack_tree_child(&around->nodes, place, nodes[node].frame) : 0;
}

static place_of *const place_by[] = {
	[CALLER_TREE_CALLERS] = place_by_callers,
	[CALLER_TREE_CALLEES] = place_by_callees,
};

static void sum(struct call_sum *to, const struct call_sum *from)
{
	to->count += from->count;
	to->ns += from->ns;
}

struct calltree caller_tree(const struct calltree *tree, uint32_t name, enum caller_tree which)
{
	struct calltree around = { .model = tree->model, .query = tree->query };
	uint32_t *places = xcalloc((size_t)tree->nodes.count + 1, sizeof(*places));

	around.total = tree->total;
	around.name_count = around.name_capacity = tree->name_count;
	around.names = xcalloc(tree->name_count + 1, sizeof(*around.names));
	memcpy(around.names, tree->names, tree->name_count * sizeof(*around.names));
	stack_tree_child(&around.nodes, 0, name);
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		places[i] = place_by[which](&around, tree->nodes.nodes, i, places);
	around.own = xcalloc((size_t)around.nodes.count + 1, sizeof(*around.own));
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		if (places[i])
			sum(&around.own[places[i]], &tree->own[i]);
	stack_tree_seal(&around.nodes);
	free(places);
	return around;
}
