/* SPDX-License-Identifier: MIT */
/*
 * What was recorded at which stacks, in one tree: CPU samples, allocations, waits for locks and
 * exceptions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/allocations.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "analyze/plumbing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "report/methods.h"
#include "report/view_profile.h"

int profile_cutoff(const struct profile_args *args, double *percent, struct pp_error *err)
{
	char *end;

	*percent = PROFILE_CUTOFF;
	if (!args->cutoff)
		return 0;
	errno = 0;
	*percent = strtod(args->cutoff, &end);
	if (end == args->cutoff || (*end && strcmp(end, "%") != 0) || errno ||
	    !(*percent >= 0 && *percent <= 100))
		return error_set(err, PP_ERROR_USAGE,
				 "--cutoff takes a percentage from 0 to 100, not '%s'",
				 args->cutoff);
	return 0;
}

static void add_at(struct profile_tree *tree, struct recorded_stack stack, enum cost cost,
		   uint64_t amount)
{
	const uint32_t now = model_stack_now(&tree->report->model, stack);

	cost_tree_add(&tree->costs, calltree_node(tree->calls, now), cost, amount);
}

/* CPU time of threads without samples is not that of any call. */
static void add_cpu(struct profile_tree *tree)
{
	if (!samples_has_any(&tree->report->model.samples))
		return;
	for (uint32_t i = 0; !i || i < tree->calls->nodes.count; i++) {
		cost_tree_add(&tree->costs, i, COST_CPU, tree->calls->own[i].weight);
		cost_tree_add(&tree->costs, i, COST_SAMPLES, tree->calls->own[i].count);
	}
	tree->seen[COST_CPU] = tree->calls->total.weight || tree->calls->total.count;
}

static void add_allocations(struct profile_tree *tree)
{
	const struct alloc_stats *stats = pass_find(&tree->report->pass, &alloc_analysis);
	const struct alloc_table *table = &stats->tables[alloc_main_source(stats)];

	for (size_t i = 0; i < table->site_count; i++)
		add_at(tree, table->sites[i]->stack, COST_BYTES, table->sites[i]->sum.bytes);
	tree->seen[COST_BYTES] = table->all.count;
}

static void add_waits(struct profile_tree *tree)
{
	const struct contention_stats *stats = pass_find(&tree->report->pass, &contention_analysis);
	const struct contention_table *table = &stats->tables[CONTENTION_LOCKS];

	for (size_t i = 0; i < table->site_count; i++)
		add_at(tree, table->sites[i]->stack, COST_WAITED, table->sites[i]->sum.total_ns);
	tree->seen[COST_WAITED] = table->seen;
}

static void add_exceptions(struct profile_tree *tree)
{
	const struct exception_stats *stats = pass_find(&tree->report->pass, &exception_analysis);

	for (size_t i = 0; i < stats->site_count; i++)
		add_at(tree, stats->sites[i]->stack, COST_THROWN, stats->sites[i]->count);
	tree->seen[COST_THROWN] = stats->seen;
}

/* The first that there is any of. */
static void choose_main(struct profile_tree *tree)
{
	const struct profile_args *args = tree->report->args;

	for (int i = COST_THROWN; i >= 0; i--) {
		if (tree->costs.all[0].of[i])
			tree->main = (enum cost)i;
		tree->has[i] = tree->seen[i] || args->asked[i];
	}
	tree->has[COST_SAMPLES] = tree->has[COST_CPU];
}

/* By name. */
static bool *find_own(const struct calltree *calls)
{
	bool *own = xcalloc(calls->name_count + 1, sizeof(*own));
	struct own_code code;

	own_code_init(&code);
	for (size_t i = 0; i < calls->name_count; i++)
		own[i] = own_code_has(&code, calls->names[i].module);
	own_code_release(&code);
	return own;
}

static bool *find_plumbing(const struct calltree *calls)
{
	bool *plumbing = xcalloc(calls->name_count + 1, sizeof(*plumbing));
	struct pattern_list patterns = { 0 };
	struct pp_error never = { 0 };

	pattern_list_parse(&patterns, plumbing_frames, &never);
	for (size_t i = 0; i < calls->name_count; i++)
		plumbing[i] = pattern_list_matches(&patterns, calls->names[i].full);
	pattern_list_release(&patterns);
	return plumbing;
}

static void fold(struct profile_tree *tree)
{
	const struct profile_args *args = tree->report->args;
	bool *plumbing = find_plumbing(tree->calls);
	struct cost_tree *costs = &tree->costs;

	if (!args->common.stacks.fold && !args->common.stacks.no_fold)
		cost_tree_fold(costs, &(const struct cost_folding){ .own = tree->own,
								    .plumbing = plumbing,
								    .leading = !args->root });
	for (uint32_t i = 1; i < costs->nodes.count; i++) {
		if (costs->nodes.nodes[i].frame == costs->leading)
			tree->leading += costs->folded[i];
		else
			tree->plumbing += costs->folded[i];
	}
	xfree(plumbing);
}

static int start_at_root(struct profile_tree *tree)
{
	const struct profile_args *args = tree->report->args;
	const uint32_t name = args->root ? calltree_find(tree->calls, args->root) : MODEL_NONE;

	if (!args->root)
		return 0;
	cost_tree_start_at(&tree->costs, name);
	if (!costs_any(&tree->costs.all[0]))
		return error_set(tree->report->err, PP_ERROR_USAGE,
				 "no method '%s' is on a stack that was recorded", args->root);
	tree->root = tree->calls->names[name].name;
	return 0;
}

int profile_tree_make(struct profile_tree *tree, struct report *report)
{
	*tree = (struct profile_tree){ .report = report };
	if (profile_cutoff(report->args, &tree->cutoff, report->err))
		return -1;
	tree->calls = report_cpu_tree(report, NULL);
	cost_tree_init(&tree->costs, tree->calls);
	tree->own = find_own(tree->calls);
	add_cpu(tree);
	add_allocations(tree);
	add_waits(tree);
	add_exceptions(tree);
	cost_tree_sum_up(&tree->costs);
	choose_main(tree);
	if (start_at_root(tree))
		return -1;
	fold(tree);
	tree->total = tree->costs.all[0];
	return 0;
}

void profile_tree_release(struct profile_tree *tree)
{
	cost_tree_release(&tree->costs);
	xfree(tree->own);
}
