/* SPDX-License-Identifier: MIT */
/*
 * The call tree as rows, a caller before what it calls. The hot path goes from the root to the
 * largest callee each time, as long as that has more than its caller's own and is worth a look.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/methods.h"

#define ROWS	 60
#define SMALLEST 1.0 /* percent of all that people are shown, unless they ask for more */
#define HOT_PART 10  /* a hot path ends where less than a tenth of all is left */

struct tree_walk {
	struct report *report;
	const struct calltree *tree;
	enum method_order order;
	uint32_t *child;   /* by node: its first */
	uint32_t *sibling; /* by node: the next with the same caller; both largest first */
	bool *hot;
	struct method_row *rows;
	size_t count, capacity;
	size_t left; /* rows */
};

static uint64_t size_of(const struct tree_walk *walk, const struct call_sum *sum)
{
	return walk->order == BY_AMOUNT ? sum->weight : sum->count;
}

static int by_size(const void *left, const void *right, void *context)
{
	const struct tree_walk *walk = context;
	const struct calltree *tree = walk->tree;
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;
	const uint64_t size_a = size_of(walk, &tree->all[a]);
	const uint64_t size_b = size_of(walk, &tree->all[b]);

	if (size_a != size_b)
		return size_a < size_b ? -1 : 1;
	/* smaller ones are linked in first and so end up last */
	return -strcmp(tree->names[tree->nodes.nodes[a].frame].full,
		       tree->names[tree->nodes.nodes[b].frame].full);
}

static void link_children(struct tree_walk *walk)
{
	const struct calltree *tree = walk->tree;
	const size_t count = tree->nodes.count;
	uint32_t *order = xcalloc(count + 1, sizeof(*order));

	walk->child = xcalloc(count + 1, sizeof(*walk->child));
	walk->sibling = xcalloc(count + 1, sizeof(*walk->sibling));
	walk->hot = xcalloc(count + 1, sizeof(*walk->hot));
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (count)
		qsort_r(order, count, sizeof(*order), by_size, walk);
	for (size_t i = 0; i < count; i++) {
		const uint32_t node = order[i];
		const uint32_t parent = tree->nodes.nodes[node].parent;

		if (!node || !size_of(walk, &tree->all[node]))
			continue;
		walk->sibling[node] = walk->child[parent];
		walk->child[parent] = node;
	}
	xfree(order);
}

static void mark_hot(struct tree_walk *walk)
{
	const struct calltree *tree = walk->tree;
	const uint64_t least = size_of(walk, &tree->total) / HOT_PART;
	uint64_t own = size_of(walk, &tree->own[0]);

	for (uint32_t node = walk->child[0]; node; node = walk->child[node]) {
		const uint64_t all = size_of(walk, &tree->all[node]);

		if (all <= own || all < least)
			break;
		walk->hot[node] = true;
		own = size_of(walk, &tree->own[node]);
	}
}

static void add_node(struct tree_walk *walk, uint32_t node, size_t depth)
{
	const struct calltree *tree = walk->tree;
	const struct call_name *name = &tree->names[tree->nodes.nodes[node].frame];

	walk->rows = xgrow(walk->rows, walk->count, &walk->capacity, sizeof(*walk->rows));
	walk->rows[walk->count] =
		method_row_of(walk->report, name, &tree->own[node], &tree->all[node]);
	method_row_set_percents(&walk->rows[walk->count], &tree->total, walk->order);
	walk->rows[walk->count].depth = depth;
	walk->rows[walk->count++].hot = walk->hot[node];
	walk->left--;
}

/* In depth first order, without recursion: stacks may be very deep. */
static void add_nodes(struct tree_walk *walk, uint64_t least)
{
	const struct calltree *tree = walk->tree;
	uint32_t node = walk->child[0];
	size_t depth = 0;

	while (node && walk->left) {
		const bool shown = size_of(walk, &tree->all[node]) >= least;

		if (shown)
			add_node(walk, node, depth);
		if (shown && walk->child[node]) {
			node = walk->child[node];
			depth++;
			continue;
		}
		while (node && !walk->sibling[node]) {
			node = tree->nodes.nodes[node].parent;
			depth -= node != 0;
		}
		node = node ? walk->sibling[node] : 0;
	}
}

/* What is worth a look; of whoever asks for a number of rows, or for all, everything is. */
static uint64_t smallest(const struct tree_walk *walk)
{
	const struct report_setup *setup = &walk->report->setup;

	if (!setup->brief || setup->rows != REPORT_ROWS_UNSET)
		return 1;
	return (uint64_t)((double)size_of(walk, &walk->tree->total) * SMALLEST / 100 + 1);
}

struct result_rows tree_rows(struct report *report, struct calltree *tree, enum method_order order)
{
	struct tree_walk walk = {
		.report = report, .tree = tree, .order = order, .left = report_rows(report, ROWS)
	};
	struct method_row *rows;

	calltree_sum_up(tree);
	link_children(&walk);
	mark_hot(&walk);
	add_nodes(&walk, smallest(&walk));
	rows = REPORT_ROWS_NEW(report, struct method_row, walk.count);
	if (walk.count)
		memcpy(rows, walk.rows, walk.count * sizeof(*rows));
	xfree(walk.rows);
	xfree(walk.child);
	xfree(walk.sibling);
	xfree(walk.hot);
	return ROWS_OF(rows, walk.count);
}
