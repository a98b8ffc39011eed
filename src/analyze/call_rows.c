/* SPDX-License-Identifier: MIT */
#include "analyze/call_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* One row for each name, and the last for none. */
struct adding {
	const struct calltree *tree;
	struct call_row *rows;
	uint32_t *stamps; /* by name: the leaf that counted for it last */
};

static void sum(struct call_sum *to, const struct call_sum *from)
{
	to->count += from->count;
	to->ns += from->ns;
}

static struct adding begin(const struct calltree *tree)
{
	struct adding a = { .tree = tree };

	a.rows = xcalloc(tree->name_count + 1, sizeof(*a.rows));
	a.stamps = xcalloc(tree->name_count + 1, sizeof(*a.stamps));
	for (uint32_t i = 0; i < tree->name_count; i++)
		a.rows[i].name = i;
	a.rows[tree->name_count].name = MODEL_NONE;
	return a;
}

/* qsort() has no place for the names: they are compared through this. */
static _Thread_local const struct calltree *sorted_tree;
static _Thread_local unsigned sorted_by;

static int compare(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static uint64_t size_of(const struct call_sum *sum)
{
	return sorted_by & CALL_BY_TIME ? sum->ns : sum->count;
}

static const char *name_of(const struct call_row *row)
{
	return row->name == MODEL_NONE ? "" : sorted_tree->names[row->name].full;
}

static int by_size(const void *left, const void *right)
{
	const struct call_row *a = left;
	const struct call_row *b = right;
	const int exclusive = compare(size_of(&a->exclusive), size_of(&b->exclusive));
	const int inclusive = compare(size_of(&a->inclusive), size_of(&b->inclusive));
	const int first = sorted_by & CALL_INCLUSIVE ? inclusive : exclusive;
	const int second = sorted_by & CALL_INCLUSIVE ? exclusive : inclusive;

	if (first || second)
		return first ? first : second;
	return strcmp(name_of(a), name_of(b));
}

/* Rows without samples go. */
static struct call_rows end(struct adding *a, unsigned order)
{
	struct call_rows rows = { .rows = a->rows };

	for (size_t i = 0; i <= a->tree->name_count; i++)
		if (a->rows[i].inclusive.count || a->rows[i].inclusive.ns)
			rows.rows[rows.count++] = a->rows[i];
	sorted_tree = a->tree;
	sorted_by = order;
	qsort(rows.rows, rows.count, sizeof(*rows.rows), by_size);
	free(a->stamps);
	return rows;
}

struct call_rows call_rows_by_name(const struct calltree *tree, unsigned order)
{
	struct adding a = begin(tree);

	for (uint32_t leaf = 1; leaf < tree->nodes.count; leaf++) {
		const struct call_sum *own = &tree->own[leaf];

		if (!own->count && !own->ns)
			continue;
		sum(&a.rows[tree->nodes.nodes[leaf].frame].exclusive, own);
		for (uint32_t at = leaf; at; at = tree->nodes.nodes[at].parent) {
			const uint32_t name = tree->nodes.nodes[at].frame;

			if (a.stamps[name] != leaf)
				sum(&a.rows[name].inclusive, own);
			a.stamps[name] = leaf;
		}
	}
	return end(&a, order);
}

static struct call_row *row_of(struct adding *a, uint32_t node)
{
	return &a->rows[node ? a->tree->nodes.nodes[node].frame : a->tree->name_count];
}

struct call_rows call_rows_callers(const struct calltree *tree, uint32_t name)
{
	struct adding a = begin(tree);

	for (uint32_t leaf = 1; leaf < tree->nodes.count; leaf++) {
		uint32_t outermost = 0;

		if (!tree->own[leaf].count && !tree->own[leaf].ns)
			continue;
		for (uint32_t at = leaf; at; at = tree->nodes.nodes[at].parent)
			if (tree->nodes.nodes[at].frame == name)
				outermost = at;
		if (outermost)
			sum(&row_of(&a, tree->nodes.nodes[outermost].parent)->inclusive,
			    &tree->own[leaf]);
	}
	return end(&a, CALL_INCLUSIVE);
}

struct call_rows call_rows_callees(const struct calltree *tree, uint32_t name)
{
	struct adding a = begin(tree);

	for (uint32_t leaf = 1; leaf < tree->nodes.count; leaf++) {
		uint32_t below = 0;
		uint32_t at = leaf;

		if (!tree->own[leaf].count && !tree->own[leaf].ns)
			continue;
		for (; at && tree->nodes.nodes[at].frame != name; at = tree->nodes.nodes[at].parent)
			below = at;
		if (!at || !below)
			continue; /* not on the stack, or the leaf itself */
		sum(&row_of(&a, below)->inclusive, &tree->own[leaf]);
		if (below == leaf)
			sum(&row_of(&a, below)->exclusive, &tree->own[leaf]);
	}
	return end(&a, CALL_INCLUSIVE);
}

void call_rows_release(struct call_rows *rows)
{
	free(rows->rows);
	*rows = (struct call_rows){ 0 };
}
