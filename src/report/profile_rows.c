/* SPDX-License-Identifier: MIT */
/*
 * Methods and the call tree of a profile as rows. A call is shown if any of its costs is at least
 * the cutoff's part of all; those below it that share a caller become one row where that is worth
 * one, and are counted in any case.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/sparkline.h"
#include "base/alloc.h"
#include "report/methods.h"
#include "report/view_profile.h"

#define METHOD_ROWS 10
#define TREE_ROWS   100

#define ROW struct profile_row

/* clang-format off */
#define COST(part_, cost_, key_, title_, ...) \
	FIELD(ROW, part_.of[cost_], key_, title_, __VA_ARGS__, KNOWN_IF(ROW, has[cost_]))
#define NAME_FIELDS \
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS | NOT_NEGATIVE), \
	FIELD(ROW, name, "name", NULL, UNIT_TEXT, .flags = KEY | METHOD), \
	FIELD(ROW, module, "module", NULL, UNIT_TEXT, .flags = KEY)
#define PERCENT(title_) \
	FIELD(ROW, percent, "percent", title_, UNIT_PERCENT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY | NO_ZERO)
#define TIME(part_, key_, title_, flags_) \
	COST(part_, COST_CPU, key_, title_, UNIT_TIME, .flags = SHOWN_IF_ANY | NO_ZERO | (flags_))
#define COUNTS \
	COST(exclusive, COST_SAMPLES, "exclusive", NULL, UNIT_COUNT), \
	COST(inclusive, COST_SAMPLES, "inclusive", NULL, UNIT_COUNT)
#define OTHER_COSTS(part_, prefix_, flags_) \
	COST(part_, COST_BYTES, prefix_ "allocated_bytes", "Alloc", UNIT_SIZE, .flags = (flags_)), \
	COST(part_, COST_WAITED, prefix_ "waited_ns", "Waited", UNIT_TIME, .flags = (flags_)), \
	COST(part_, COST_THROWN, prefix_ "exceptions", "Thrown", UNIT_COUNT, .flags = (flags_))
#define LAST_FIELDS \
	FIELD(ROW, own, "own", "Own", UNIT_FLAG, .flags = STRONG), \
	FIELD(ROW, text, "text", "Method", UNIT_TEXT, .flags = SHOWN_PEOPLE | METHOD), \
	FIELD_END
/* clang-format on */

static const struct result_field method_fields[] = {
	NAME_FIELDS,
	PERCENT("Excl %"),
	TIME(exclusive, "exclusive_ns", "Excl", 0),
	TIME(inclusive, "inclusive_ns", "Incl", 0),
	COUNTS,
	OTHER_COSTS(exclusive, "exclusive_", SHOWN_IF_ANY | NO_ZERO),
	OTHER_COSTS(inclusive, "", SHOWN_DATA),
	LAST_FIELDS,
};

static const struct result_field tree_fields[] = {
	FIELD(ROW, depth, "depth", NULL, UNIT_COUNT, .flags = WHEN),
	FIELD(ROW, kind, "kind", NULL, UNIT_TEXT),
	NAME_FIELDS,
	PERCENT("CPU %"),
	TIME(inclusive, "inclusive_ns", "CPU", 0),
	TIME(exclusive, "exclusive_ns", "Excl", SHOWN_IF_ROOM),
	COUNTS,
	OTHER_COSTS(inclusive, "", SHOWN_IF_ANY | NO_ZERO),
	OTHER_COSTS(exclusive, "exclusive_", SHOWN_DATA),
	FIELD(ROW, calls, "calls_folded", NULL, UNIT_COUNT),
	FIELD(ROW, when, "when", "When", UNIT_TEXT, .flags = SHOWN_IF_ANY),
	LAST_FIELDS,
};

const struct result_shape profile_method_shape = { method_fields, NULL };
const struct result_shape profile_tree_shape = { tree_fields, NULL };

/* Calls below the cutoff that have the same caller. */
struct small_calls {
	struct costs costs;
	uint64_t count;
};

struct row_walk {
	struct profile_tree *tree;
	bool *shown;		   /* by node, as those up to `small` */
	uint32_t *depth;	   /* 1: the root calls it */
	uint32_t *child, *sibling; /* those shown, largest first */
	struct small_calls *small; /* of callees */
	uint32_t *row_of;	   /* row + 1 */
	ROW *rows;
	size_t count, capacity;
};

static ROW new_row(const struct profile_tree *tree, const char *kind, const struct costs *exclusive,
		   const struct costs *inclusive)
{
	ROW row = {
		.kind = kind, .process_id = -1, .exclusive = *exclusive, .inclusive = *inclusive
	};

	memcpy(row.has, tree->has, sizeof(row.has));
	return row;
}

static ROW method_row(struct profile_tree *tree, uint32_t number, const struct costs *exclusive,
		      const struct costs *inclusive)
{
	const struct call_name *name = &tree->calls->names[number];
	const struct call_sum none = { 0 };
	const struct method_row named = method_row_of(tree->report, name, &none, &none);
	ROW row = new_row(tree, "method", exclusive, inclusive);

	row.process_id = named.process_id;
	row.own = tree->own[number];
	row.name = named.name;
	row.module = named.module;
	row.text = named.text;
	return row;
}

static int by_cost(const struct costs *a, const struct costs *b, enum cost first)
{
	for (int i = -1; i < COSTS; i++) {
		const int cost = i < 0 ? (int)first : i;

		if (a->of[cost] != b->of[cost])
			return a->of[cost] < b->of[cost] ? 1 : -1;
	}
	return 0;
}

/* By name, of one cost: all that its calls cost, each counted once however deep it recurses. */
static void sum_cost(const struct profile_tree *tree, const struct cost_tree *costs, enum cost cost,
		     ROW *rows)
{
	const size_t names = tree->calls->name_count;
	struct call_sum *own = xcalloc((size_t)costs->nodes.count + 1, sizeof(*own));
	struct call_row *sums = xcalloc(names + 1, sizeof(*sums));

	for (uint32_t i = 1; i < costs->nodes.count; i++)
		own[i].weight = costs->own[i].of[cost];
	call_rows_sum(&costs->nodes, own, sums, names);
	for (size_t i = 0; i < names; i++) {
		rows[i].exclusive.of[cost] = sums[i].exclusive.weight;
		rows[i].inclusive.of[cost] = sums[i].inclusive.weight;
	}
	xfree(own);
	xfree(sums);
}

static int by_exclusive(const void *left, const void *right, void *context)
{
	const ROW *a = left;
	const ROW *b = right;
	const struct profile_tree *tree = context;
	int order = by_cost(&a->exclusive, &b->exclusive, tree->main);

	if (!order)
		order = by_cost(&a->inclusive, &b->inclusive, tree->main);
	return order ? order : strcmp(a->text, b->text);
}

struct result_rows profile_methods(struct profile_tree *tree)
{
	const size_t names = tree->calls->name_count;
	const size_t most = report_rows(tree->report, METHOD_ROWS);
	const struct costs none = { 0 };
	ROW *rows = REPORT_ROWS_NEW(tree->report, ROW, names);
	size_t count = 0;

	for (uint32_t i = 0; i < names; i++)
		rows[i] = method_row(tree, i, &none, &none);
	for (int cost = 0; cost < COSTS; cost++)
		sum_cost(tree, &tree->costs, (enum cost)cost, rows);
	for (size_t i = 0; i < names; i++) {
		rows[i].percent = report_percent(rows[i].exclusive.of[COST_CPU],
						 tree->costs.all[0].of[COST_CPU]);
		if (costs_any(&rows[i].exclusive))
			rows[count++] = rows[i];
	}
	if (count)
		qsort_r(rows, count, sizeof(*rows), by_exclusive, tree);
	return FIRST_ROWS(rows, count < most ? count : most, count);
}

static bool is_worth(const struct profile_tree *tree, const struct costs *costs)
{
	for (int i = 0; i < COST_SAMPLES; i++)
		if (costs->of[i] &&
		    (double)costs->of[i] >= (double)tree->total.of[i] * tree->cutoff / 100)
			return true;
	return false;
}

static void hide(struct row_walk *walk, uint32_t node, bool too_deep)
{
	const struct cost_tree *costs = &walk->tree->costs;
	struct small_calls *small = &walk->small[costs->nodes.nodes[node].parent];

	small->count++;
	if (too_deep)
		walk->tree->deep++;
	else
		costs_add(&small->costs, &costs->all[node]);
}

/* Callers first: what is below a call that is not shown is not shown either. */
static void choose_shown(struct row_walk *walk)
{
	struct profile_tree *tree = walk->tree;
	const struct profile_args *args = tree->report->args;
	const struct cost_tree *costs = &tree->costs;

	walk->shown[0] = true;
	for (uint32_t i = 1; i < costs->nodes.count; i++) {
		const uint32_t caller = costs->nodes.nodes[i].parent;
		const bool worth = is_worth(tree, &costs->all[i]);
		bool too_deep;

		walk->depth[i] = walk->depth[caller] + 1;
		too_deep = args->depth && walk->depth[i] > args->depth;
		walk->shown[i] = walk->shown[caller] && worth && !too_deep;
		tree->small += costs_any(&costs->all[i]) && !worth;
		if (walk->shown[caller] && !walk->shown[i] && costs_any(&costs->all[i]))
			hide(walk, i, too_deep);
	}
}

static const char *name_at(const struct profile_tree *tree, uint32_t node)
{
	const uint32_t name = tree->costs.nodes.nodes[node].frame;

	return name == tree->costs.leading ? "" : tree->calls->names[name].full;
}

/* What leads to own code comes last, with the other rows that stand for several calls. */
static int by_inclusive(const void *left, const void *right, void *context)
{
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;
	const struct profile_tree *tree = context;
	const struct cost_tree *costs = &tree->costs;
	const bool leads_a = costs->nodes.nodes[a].frame == costs->leading;
	const bool leads_b = costs->nodes.nodes[b].frame == costs->leading;
	int order = (int)leads_a - (int)leads_b;

	if (!order)
		order = by_cost(&costs->all[a], &costs->all[b], tree->main);
	return order ? order : strcmp(name_at(tree, a), name_at(tree, b));
}

static void link_shown(struct row_walk *walk)
{
	const struct cost_tree *costs = &walk->tree->costs;
	uint32_t *order = xcalloc((size_t)costs->nodes.count + 1, sizeof(*order));
	size_t count = 0;

	for (uint32_t i = 1; i < costs->nodes.count; i++)
		if (walk->shown[i])
			order[count++] = i;
	if (count)
		qsort_r(order, count, sizeof(*order), by_inclusive, walk->tree);
	while (count--) { /* the last is linked in first, and ends up last */
		const uint32_t caller = costs->nodes.nodes[order[count]].parent;

		walk->sibling[order[count]] = walk->child[caller];
		walk->child[caller] = order[count];
	}
	xfree(order);
}

static void add_row(struct row_walk *walk, ROW row, size_t depth)
{
	row.depth = depth;
	row.percent = report_percent(row.inclusive.of[COST_CPU], walk->tree->total.of[COST_CPU]);
	walk->rows = xgrow(walk->rows, walk->count, &walk->capacity, sizeof(*walk->rows));
	walk->rows[walk->count++] = row;
}

static void add_node(struct row_walk *walk, uint32_t node)
{
	struct profile_tree *tree = walk->tree;
	const struct cost_tree *costs = &tree->costs;
	const uint32_t name = costs->nodes.nodes[node].frame;
	ROW row;

	if (name == costs->leading) {
		row = new_row(tree, "leading", &costs->own[node], &costs->all[node]);
		row.text = report_text(tree->report, "... %u leading to own code",
				       costs->folded[node]);
	} else {
		row = method_row(tree, name, &costs->own[node], &costs->all[node]);
	}
	row.calls = costs->folded[node];
	add_row(walk, row, walk->depth[node] - 1);
	walk->row_of[node] = (uint32_t)walk->count;
}

/* After the callees that are shown. */
static void add_small(struct row_walk *walk, uint32_t node)
{
	const struct small_calls *small = &walk->small[node];
	struct profile_tree *tree = walk->tree;
	ROW row;

	if (walk->rows && walk->row_of[node])
		walk->rows[walk->row_of[node] - 1].calls += small->count;
	if (!small->count || !is_worth(tree, &small->costs))
		return;
	row = new_row(tree, "small", &small->costs, &small->costs);
	row.calls = small->count;
	row.text = report_text(tree->report, "... %llu more", (unsigned long long)small->count);
	add_row(walk, row, walk->depth[node]);
}

static void add_no_stack(struct row_walk *walk)
{
	struct profile_tree *tree = walk->tree;
	const struct costs *none = &tree->costs.own[0];
	ROW row = new_row(tree, "no-stack", none, none);

	if (!costs_any(none) || !is_worth(tree, none))
		return;
	row.text = "(no stack)";
	add_row(walk, row, 0);
}

/* Depth first, without recursion: stacks may be very deep. */
static void add_nodes(struct row_walk *walk)
{
	const struct stack_node *nodes = walk->tree->costs.nodes.nodes;
	uint32_t node = nodes ? walk->child[0] : 0;

	while (node) {
		add_node(walk, node);
		if (walk->child[node]) {
			node = walk->child[node];
			continue;
		}
		add_small(walk, node);
		while (node && !walk->sibling[node]) {
			node = nodes[node].parent;
			add_small(walk, node);
		}
		node = node ? walk->sibling[node] : 0;
	}
	if (!walk->count)
		add_small(walk, 0);
	add_no_stack(walk);
}

static struct sparkline *new_lines(const struct report *report, size_t count)
{
	struct sparkline *lines = xcalloc(count + 1, sizeof(*lines));

	for (size_t i = 0; i < count; i++) {
		lines[i].from_ns =
			event_query_from(&report->samples.events, report->model.first_ns);
		lines[i].to_ns = event_query_to(&report->samples.events, report->model.last_ns);
	}
	return lines;
}

/* When the calls of each row were on-CPU. */
static void add_timelines(struct row_walk *walk)
{
	struct profile_tree *tree = walk->tree;
	const struct report *report = tree->report;
	struct sparkline *lines = new_lines(report, walk->count);
	struct sample_walk samples;
	struct model_sample sample;

	sample_walk_begin(&samples, &report->model.samples, UNTIL_SAMPLE);
	while (sample_walk_next(&samples, &sample)) {
		const uint32_t call = calltree_node(tree->calls, sample.stack);
		const uint32_t leaf = call == MODEL_NONE ? MODEL_NONE : tree->costs.places[call];

		if (leaf == MODEL_NONE || !sample_is_cpu(&sample) ||
		    !sample_query_passes(&report->samples, &report->model, &sample))
			continue;
		for (uint32_t at = leaf; at; at = tree->costs.nodes.nodes[at].parent)
			if (walk->row_of[at])
				sparkline_add(&lines[walk->row_of[at] - 1], sample.time_ns,
					      sample.weight);
	}
	sample_walk_end(&samples);
	for (size_t i = 0; i < walk->count; i++) {
		char text[SPARKLINE_BUCKETS + 1];

		sparkline_text(&lines[i], text);
		walk->rows[i].when =
			walk->rows[i].name ? report_text(tree->report, "%s", text) : NULL;
	}
	xfree(lines);
}

static void release(struct row_walk *walk)
{
	xfree(walk->shown);
	xfree(walk->depth);
	xfree(walk->child);
	xfree(walk->sibling);
	xfree(walk->small);
	xfree(walk->row_of);
	xfree(walk->rows);
}

struct result_rows profile_rows(struct profile_tree *tree)
{
	const struct profile_args *args = tree->report->args;
	const size_t nodes = (size_t)tree->costs.nodes.count + 1;
	const size_t most = report_rows(tree->report, TREE_ROWS);
	struct row_walk walk = { .tree = tree,
				 .shown = xcalloc(nodes, sizeof(bool)),
				 .depth = xcalloc(nodes, sizeof(uint32_t)),
				 .child = xcalloc(nodes, sizeof(uint32_t)),
				 .sibling = xcalloc(nodes, sizeof(uint32_t)),
				 .small = xcalloc(nodes, sizeof(struct small_calls)),
				 .row_of = xcalloc(nodes, sizeof(uint32_t)) };
	ROW *rows;
	size_t count;

	choose_shown(&walk);
	link_shown(&walk);
	add_nodes(&walk);
	if (args->timeline)
		add_timelines(&walk);
	count = walk.count < most ? walk.count : most;
	rows = REPORT_ROWS_NEW(tree->report, ROW, count);
	if (count)
		memcpy(rows, walk.rows, count * sizeof(*rows));
	count = walk.count;
	release(&walk);
	return FIRST_ROWS(rows, count < most ? count : most, count);
}
