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
	return order & CALL_BY_WEIGHT ? compare(a->weight, b->weight) : compare(a->count, b->count);
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
		if (rows[i].inclusive.count || rows[i].inclusive.weight)
			rows[sorted.count++] = rows[i];
	qsort_r(rows, sorted.count, sizeof(*rows), by_size, &(struct call_order_by){ tree, order });
	return sorted;
}

void call_rows_sum(const struct stack_tree *tree, const struct call_sum *own, struct call_row *rows,
		   size_t row_count)
{
	uint32_t *stamps = xcalloc(row_count + 1, sizeof(*stamps)); /* the leaf that counted last */

	for (uint32_t leaf = 1; leaf < tree->count; leaf++) {
		if (!own[leaf].count && !own[leaf].weight)
			continue;
		call_sum_add(&rows[tree->nodes[leaf].frame].exclusive, &own[leaf]);
		for (uint32_t at = leaf; at; at = tree->nodes[at].parent) {
			const uint32_t name = tree->nodes[at].frame;

			if (stamps[name] != leaf)
				call_sum_add(&rows[name].inclusive, &own[leaf]);
			stamps[name] = leaf;
		}
	}
	xfree(stamps);
}

struct call_rows call_rows_by_name(const struct calltree *tree, unsigned order)
{
	struct call_row *rows = new_rows(tree);

	call_rows_sum(&tree->nodes, tree->own, rows, tree->name_count);
	return sorted_rows(tree, rows, order);
}

/* Where the samples of a node go in the new tree: a place for each occurrence of the name. */
struct shares {
	uint32_t count;
	uint32_t places[];
};

struct around {
	struct calltree *made;
	const struct stack_node *nodes; /* of the old tree */
	const struct shares **shares;	/* by its nodes */
	struct arena arena;
	uint64_t turn; /* the occurrence that gets the next remainder */
};

static struct shares *new_shares(struct around *a, uint32_t most)
{
	return arena_alloc(&a->arena, sizeof(struct shares) + most * sizeof(uint32_t));
}

static bool is_name(const struct around *a, uint32_t node)
{
	return a->nodes[node].frame == a->made->nodes.nodes[1].frame;
}

/* Those of its caller, and at the end of its callers if it has the name. */
static const struct shares *share_by_callers(struct around *a, uint32_t node)
{
	const struct shares *before = a->shares[a->nodes[node].parent];
	struct shares *shares;
	uint32_t place = 0;

	if (!is_name(a, node) || before->count == CALL_OCCURRENCES)
		return before;
	for (uint32_t at = node; at; at = a->nodes[at].parent)
		place = stack_tree_child(&a->made->nodes, place, a->nodes[at].frame);
	shares = new_shares(a, before->count + 1);
	memcpy(shares->places, before->places, before->count * sizeof(*before->places));
	shares->count = before->count;
	shares->places[shares->count++] = place;
	return shares;
}

/* At the top if it has the name, and below those of its caller. */
static const struct shares *share_by_callees(struct around *a, uint32_t node)
{
	const struct shares *before = a->shares[a->nodes[node].parent];
	struct shares *shares;

	if (!is_name(a, node) && !before->count)
		return before;
	shares = new_shares(a, before->count + 1);
	shares->count = 0;
	if (is_name(a, node))
		shares->places[shares->count++] = 1;
	for (uint32_t i = 0; i < before->count && shares->count < CALL_OCCURRENCES; i++)
		shares->places[shares->count++] =
			stack_tree_child(&a->made->nodes, before->places[i], a->nodes[node].frame);
	return shares;
}

/* The share of an occurrence: remainders go to one after the other, so that none is favoured. */
static uint64_t share_of(uint64_t whole, uint64_t occurrence, uint64_t count)
{
	return whole / count + (occurrence % count < whole % count);
}

static void share_samples(struct around *a, const struct shares *shares, const struct call_sum *own)
{
	for (uint32_t i = 0; i < shares->count; i++) {
		const uint64_t occurrence = shares->count - a->turn % shares->count + i;
		const struct call_sum share = {
			.count = share_of(own->count, occurrence, shares->count),
			.weight = share_of(own->weight, occurrence, shares->count),
		};

		call_sum_add(&a->made->own[shares->places[i]], &share);
	}
	if (shares->count)
		a->turn += own->count % shares->count;
}

static void share_nodes(struct around *a, const struct calltree *tree, enum caller_tree which)
{
	a->shares[0] = new_shares(a, 0);
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		a->shares[i] = which == CALLER_TREE_CALLERS ? share_by_callers(a, i)
							    : share_by_callees(a, i);
	a->made->own = xcalloc((size_t)a->made->nodes.count + 1, sizeof(*a->made->own));
	for (uint32_t i = 1; i < tree->nodes.count; i++)
		share_samples(a, a->shares[i], &tree->own[i]);
}

struct calltree caller_tree(const struct calltree *tree, uint32_t name, enum caller_tree which)
{
	struct calltree made = { .model = tree->model, .query = tree->query };
	struct around a = { .made = &made, .nodes = tree->nodes.nodes };

	made.total = tree->total;
	made.name_count = made.name_capacity = tree->name_count;
	made.names = xcalloc(tree->name_count + 1, sizeof(*made.names));
	memcpy(made.names, tree->names, tree->name_count * sizeof(*made.names));
	stack_tree_child(&made.nodes, 0, name);
	a.shares = xcalloc((size_t)tree->nodes.count + 1, sizeof(*a.shares));
	share_nodes(&a, tree, which);
	stack_tree_seal(&made.nodes);
	xfree(a.shares);
	arena_release(&a.arena);
	return made;
}

struct call_rows call_rows_around(const struct calltree *tree, uint32_t name,
				  enum caller_tree which, unsigned order)
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
	return sorted_rows(tree, rows, CALL_INCLUSIVE | order);
}

void call_rows_release(struct call_rows *rows)
{
	xfree(rows->rows);
	*rows = (struct call_rows){ 0 };
}
