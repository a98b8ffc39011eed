/* SPDX-License-Identifier: MIT */
/*
 * The call tree as lines, a caller before what it calls. The hot path, marked with a star,
 * goes from the root to the largest callee each time, as long as that has more than its
 * caller's own and is worth a look.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/report_calls.h"

#define ROWS	 60
#define SMALLEST 1.0 /* percent of all that people are shown, unless they ask for more */
#define HOT_PART 10  /* a hot path ends where less than a tenth of all is left */
#define DEEPEST	 40  /* blanks in front of a name */

enum { /* columns of the sheet, and bits of some */
       COLUMN_PROCESS = 1,
       COLUMNS_EXCLUSIVE = 7 << 5,
       COLUMNS_OF_COUNTS = 1 << 3 | 1 << 6,
       COLUMNS_OF_TIMES = 1 << 4 | 1 << 7,
};

static const struct sheet_column columns[] = {
	{ "depth", "", SHEET_COUNT, SHEET_DATA },
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "inclusive_percent", "Incl %", SHEET_PERCENT, SHEET_PEOPLE },
	{ "inclusive", "Incl", SHEET_COUNT, 0 },
	{ "inclusive_ns", "Incl time", SHEET_TIME, 0 },
	{ "exclusive_percent", "Excl %", SHEET_PERCENT, SHEET_PEOPLE },
	{ "exclusive", "Excl", SHEET_COUNT, 0 },
	{ "exclusive_ns", "Excl time", SHEET_TIME, 0 },
	{ "hot", "Hot", SHEET_FLAG, 0 },
	{ "name", "", SHEET_TEXT, SHEET_DATA },
	{ "module", "", SHEET_TEXT, SHEET_DATA },
	{ "text", "Method", SHEET_TEXT, SHEET_METHOD | SHEET_PEOPLE },
	{ 0 },
};

struct walk {
	struct report *report;
	const struct calltree *tree;
	uint32_t *child;   /* by node: its first */
	uint32_t *sibling; /* by node: the next with the same caller; both largest first */
	bool *hot;
	struct sheet sheet;
	size_t left; /* rows */
};

static _Thread_local const struct walk *sorted_walk;

static uint64_t size_of(const struct walk *walk, const struct call_sum *sum)
{
	return report_call_size(walk->report, sum);
}

static int by_size(const void *left, const void *right)
{
	const struct calltree *tree = sorted_walk->tree;
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;
	const uint64_t size_a = size_of(sorted_walk, &tree->all[a]);
	const uint64_t size_b = size_of(sorted_walk, &tree->all[b]);

	if (size_a != size_b)
		return size_a < size_b ? -1 : 1;
	/* smaller ones are linked in first and so end up last */
	return -strcmp(tree->names[tree->nodes.nodes[a].frame].full,
		       tree->names[tree->nodes.nodes[b].frame].full);
}

static void link_children(struct walk *walk)
{
	const struct calltree *tree = walk->tree;
	const size_t count = tree->nodes.count;
	uint32_t *order = xcalloc(count + 1, sizeof(*order));

	walk->child = xcalloc(count + 1, sizeof(*walk->child));
	walk->sibling = xcalloc(count + 1, sizeof(*walk->sibling));
	walk->hot = xcalloc(count + 1, sizeof(*walk->hot));
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	sorted_walk = walk;
	if (count)
		qsort(order, count, sizeof(*order), by_size);
	for (size_t i = 0; i < count; i++) {
		const uint32_t node = order[i];
		const uint32_t parent = tree->nodes.nodes[node].parent;

		if (!node || !size_of(walk, &tree->all[node]))
			continue;
		walk->sibling[node] = walk->child[parent];
		walk->child[parent] = node;
	}
	free(order);
}

static void mark_hot(struct walk *walk)
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

/* Blanks for the depth, then the name. */
static const char *indented(struct walk *walk, const struct call_name *name, size_t depth)
{
	const char *text = report_call_text(walk->report, name, &walk->sheet.arena);
	const size_t blanks = depth < DEEPEST ? depth : DEEPEST;
	char *made = arena_alloc(&walk->sheet.arena, blanks + strlen(text) + 1);

	memset(made, ' ', blanks);
	memcpy(made + blanks, text, strlen(text) + 1);
	return made;
}

static void put_node(struct walk *walk, uint32_t node, size_t depth)
{
	const struct calltree *tree = walk->tree;
	const struct call_name *name = &tree->names[tree->nodes.nodes[node].frame];
	const struct call_sum *own = &tree->own[node];
	const struct call_sum *all = &tree->all[node];
	struct sheet *sheet = &walk->sheet;

	sheet_count(sheet, depth);
	if (name->process == MODEL_NONE)
		sheet_unknown(sheet);
	else
		sheet_number(sheet, walk->report->model.processes[name->process].id);
	sheet_percent(sheet, report_call_percent(walk->report, all, &tree->total));
	sheet_count(sheet, all->count);
	sheet_time(sheet, (int64_t)all->ns);
	sheet_percent(sheet, report_call_percent(walk->report, own, &tree->total));
	sheet_count(sheet, own->count);
	sheet_time(sheet, (int64_t)own->ns);
	sheet_flag(sheet, walk->hot[node]);
	sheet_text(sheet, name->name);
	sheet_text(sheet, name->module);
	sheet_text(sheet, indented(walk, name, depth));
	walk->left--;
}

/* In depth first order, without recursion: stacks may be very deep. */
static void put_nodes(struct walk *walk, uint64_t least)
{
	const struct calltree *tree = walk->tree;
	uint32_t node = walk->child[0];
	size_t depth = 0;

	while (node && walk->left) {
		const bool shown = size_of(walk, &tree->all[node]) >= least;

		if (shown)
			put_node(walk, node, depth);
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

void report_call_tree(struct report *report, struct calltree *tree)
{
	const bool data = report->args->json || report->args->csv;
	struct walk walk = { .report = report, .tree = tree, .left = report_rows(report, ROWS) };

	walk.sheet = (struct sheet){ .key = "tree", .columns = columns };
	if (!report->calls.by_process)
		walk.sheet.hidden |= 1u << COLUMN_PROCESS;
	if (report->args->callers) /* a caller's own time has no part in what it calls */
		walk.sheet.hidden |= COLUMNS_EXCLUSIVE;
	if (!data)
		walk.sheet.hidden |= report->view && report->view->by_time ? COLUMNS_OF_COUNTS
									   : COLUMNS_OF_TIMES;

	calltree_sum_up(tree);
	link_children(&walk);
	mark_hot(&walk);
	put_nodes(&walk,
		  data || report->args->rows != REPORT_ROWS_UNSET
			  ? 1
			  : (uint64_t)((double)size_of(&walk, &tree->total) * SMALLEST / 100 + 1));
	report_sheet(report, &walk.sheet);
	sheet_release(&walk.sheet);
	free(walk.child);
	free(walk.sibling);
	free(walk.hot);
}
