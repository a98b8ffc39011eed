/* SPDX-License-Identifier: MIT */
#include "analyze/call_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* One row per name, and a last one for none. */
static struct call_row *new_rows(const struct calltree *tree)
{
	struct call_row *rows = xcalloc(tree->name_count + 1, sizeof(*rows));

	for (uint32_t i = 0; i < tree->name_count; i++)
		rows[i].name = i;
	rows[tree->name_count].name = MODEL_NONE;
	return rows;
}

struct call_order_by {
	const struct calltree *tree;
	unsigned order;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int compare_sums(const struct call_sum *a, const struct call_sum *b, unsigned order)
{
	return order & CALL_BY_TIME ? compare(a->ns, b->ns) : compare(a->count, b->count);
}

static const char *name_of(const struct calltree *tree, const struct call_row *row)
{
	return row->name == MODEL_NONE ? "" : tree->names[row->name].full;
}

static int by_size(const void *left, const void *right, void *by)
{
	const struct call_row *a = left;
	const struct call_row *b = right;
	const struct call_order_by *how = by;
	const int exclusive = compare_sums(&a->exclusive, &b->exclusive, how->order);
	const int inclusive = compare_sums(&a->inclusive, &b->inclusive, how->order);
	const int first = how->order & CALL_INCLUSIVE ? inclusive : exclusive;
	const int second = how->order & CALL_INCLUSIVE ? exclusive : inclusive;

	if (first || second)
		return first ? first : second;
	return strcmp(name_of(how->tree, a), name_of(how->tree, b));
}

/* Without the rows that have no samples. */
static struct call_rows sorted_rows(const struct calltree *tree, struct call_row *rows,
				    unsigned order)
{
	struct call_rows sorted = { .rows = rows };

	for (size_t i = 0; i <= tree->name_count; i++)
		if (rows[i].inclusive.count || rows[i].inclusive.ns)
			rows[sorted.count++] = rows[i];
	qsort_r(rows, sorted.count, sizeof(*rows), by_size, &(struct call_order_by){ tree, order });
	return sorted;
}

void call_rows_sum(const struct stack_tree *tree, const struct call_sum *own, struct call_row *rows,
		   size_t row_count)
{
	uint32_t *stamps = xcalloc(row_count + 1, sizeof(*stamps)); /* the leaf that counted last */

	for (uint32_t leaf = 1; leaf < tree->count; leaf++) {
		if (!own[leaf].count && !own[leaf].ns)
			continue;
		call_sum_add(&rows[tree->nodes[leaf].frame].exclusive, &own[leaf]);
		for (uint32_t at = leaf; at; at = tree->nodes[at].parent) {
			const uint32_t name = tree->nodes[at].frame;

			if (stamps[name] != leaf)
				call_sum_add(&rows[name].inclusive, &own[leaf]);
			stamps[name] = leaf;
		}
	}
	free(stamps);
}

struct call_rows call_rows_by_name(const struct calltree *tree, unsigned order)
{
	struct call_row *rows = new_rows(tree);

	call_rows_sum(&tree->nodes, tree->own, rows, tree->name_count);
	return sorted_rows(tree, rows, order);
}

/*
 * Where a node's samples go in the new tree; 0: nowhere. Here like its caller; the first with the
 * name is placed at the end of its callers.
 */
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

/* The same below its caller, and at the top wherever the name appears again. */
static uint32_t place_by_callees(struct calltree *around, const struct stack_node *nodes,
				 uint32_t node, const uint32_t *places)
{
	const uint32_t name = around->nodes.nodes[1].frame;
	const uint32_t place = places[nodes[node].parent];

	if (nodes[node].frame == name)
		return 1;
	return place ? stack_tree_child(&around->nodes, place, nodes[node].frame) : 0;
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
		places[i] = which == CALLER_TREE_CALLERS
				    ? place_by_callers(&around, tree->nodes.nodes, i, places)
				    : place_by_callees(&around, tree->nodes.nodes, i, places);
	around.own = xcalloc((size_t)around.nodes.count + 1, sizeof(*around.own));
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		if (places[i])
			call_sum_add(&around.own[places[i]], &tree->own[i]);
	stack_tree_seal(&around.nodes);
	free(places);
	return around;
}

struct call_rows call_rows_around(const struct calltree *tree, uint32_t name,
				  enum caller_tree which)
{
	struct calltree around = caller_tree(tree, name, which);
	struct call_row *rows = new_rows(tree);

	calltree_sum_up(&around);
	for (uint32_t i = 2; i < around.nodes.count; i++) {
		if (around.nodes.nodes[i].parent != 1)
			continue;
		rows[around.nodes.nodes[i].frame].inclusive = around.all[i];
		if (which == CALLER_TREE_CALLEES)
			rows[around.nodes.nodes[i].frame].exclusive = around.own[i];
	}
	if (which == CALLER_TREE_CALLERS)
		rows[tree->name_count].inclusive = around.own[1];
	calltree_release(&around);
	return sorted_rows(tree, rows, CALL_INCLUSIVE);
}

void call_rows_release(struct call_rows *rows)
{
	free(rows->rows);
	*rows = (struct call_rows){ 0 };
}
