/* SPDX-License-Identifier: MIT */
#include "analyze/call_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void sum(struct call_sum *to, const struct call_sum *from)
{
	to->count += from->count;
	to->ns += from->ns;
}

/* One row for each name, and the last for none. */
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

/* Rows without samples go. */
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
		sum(&rows[tree->nodes[leaf].frame].exclusive, &own[leaf]);
		for (uint32_t at = leaf; at; at = tree->nodes[at].parent) {
			const uint32_t name = tree->nodes[at].frame;

			if (stamps[name] != leaf)
				sum(&rows[name].inclusive, &own[leaf]);
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

static struct call_row *row_of(const struct calltree *tree, struct call_row *rows, uint32_t node)
{
	return &rows[node ? tree->nodes.nodes[node].frame : tree->name_count];
}

struct call_rows call_rows_callers(const struct calltree *tree, uint32_t name)
{
	struct call_row *rows = new_rows(tree);

	for (uint32_t leaf = 1; leaf < tree->nodes.count; leaf++) {
		uint32_t outermost = 0;

		if (!tree->own[leaf].count && !tree->own[leaf].ns)
			continue;
		for (uint32_t at = leaf; at; at = tree->nodes.nodes[at].parent)
			if (tree->nodes.nodes[at].frame == name)
				outermost = at;
		if (outermost)
			sum(&row_of(tree, rows, tree->nodes.nodes[outermost].parent)->inclusive,
			    &tree->own[leaf]);
	}
	return sorted_rows(tree, rows, CALL_INCLUSIVE);
}

struct call_rows call_rows_callees(const struct calltree *tree, uint32_t name)
{
	struct call_row *rows = new_rows(tree);

	for (uint32_t leaf = 1; leaf < tree->nodes.count; leaf++) {
		uint32_t below = 0;
		uint32_t at = leaf;

		if (!tree->own[leaf].count && !tree->own[leaf].ns)
			continue;
		for (; at && tree->nodes.nodes[at].frame != name; at = tree->nodes.nodes[at].parent)
			below = at;
		if (!at || !below)
			continue; /* not on the stack, or the leaf itself */
		sum(&row_of(tree, rows, below)->inclusive, &tree->own[leaf]);
		if (below == leaf)
			sum(&row_of(tree, rows, below)->exclusive, &tree->own[leaf]);
	}
	return sorted_rows(tree, rows, CALL_INCLUSIVE);
}

void call_rows_release(struct call_rows *rows)
{
	free(rows->rows);
	*rows = (struct call_rows){ 0 };
}
