/* SPDX-License-Identifier: MIT */
/*
 * From a trace to the answer on one page: the summary, the methods that cost most, and one call
 * tree with all costs.
 */
#include "report/view_profile.h"

#include <string.h>

#include "analyze/summary.h"
#include "base/text.h"
#include "report/summary_part.h"

static const struct option_spec options[] = {
	PROFILE_OPTIONS(struct profile_args, ),
	OPTION_LAST,
};

struct profile_totals {
	struct costs costs;
	bool has[COSTS];
};

#define TOTALS struct profile_totals

/* clang-format off */
#define TOTAL(cost_, key_, unit_) \
	FIELD(TOTALS, costs.of[cost_], key_, NULL, unit_, KNOWN_IF(TOTALS, has[cost_]))
/* clang-format on */

static const struct result_field total_fields[] = {
	TOTAL(COST_CPU, "cpu_ns", UNIT_TIME),
	TOTAL(COST_SAMPLES, "samples", UNIT_COUNT),
	TOTAL(COST_BYTES, "allocated_bytes", UNIT_SIZE),
	TOTAL(COST_WAITED, "waited_ns", UNIT_TIME),
	TOTAL(COST_THROWN, "exceptions", UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape total_shape = { total_fields, LINES({ 0 }) };

struct profile_result {
	const char *collection;
	const char *collected;	    /* the same for people */
	const char *nothing[COSTS]; /* for people: there is none of it; or NULL */
	const void *summary;
	struct profile_totals all;
	double cutoff;
	const char *root;
	uint64_t leading, plumbing, small, deep; /* calls folded */
	const char *folded;			 /* the same for people; or NULL */
	struct result_rows methods, tree;
};

#define RESULT struct profile_result

static const struct result_field fields[] = {
	FIELD(RESULT, collection, "collection", NULL, UNIT_TEXT),
	FIELD(RESULT, collected, "collected", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	OBJECT_AT(RESULT, summary, "summary", &summary_shape, .flags = NO_CSV),
	FIELD(RESULT, nothing[COST_CPU], "no_cpu", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, nothing[COST_BYTES], "no_bytes", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, nothing[COST_WAITED], "no_waits", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, nothing[COST_THROWN], "no_throws", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	OBJECT(RESULT, all, "all", &total_shape, .flags = SINGLE),
	FIELD(RESULT, cutoff, "cutoff_percent", NULL, UNIT_PERCENT, .flags = WHEN),
	FIELD(RESULT, root, "root", NULL, UNIT_TEXT),
	FIELD(RESULT, leading, "leading_folded", NULL, UNIT_COUNT, .flags = WHEN),
	FIELD(RESULT, plumbing, "plumbing_folded", NULL, UNIT_COUNT, .flags = WHEN),
	FIELD(RESULT, small, "small_folded", NULL, UNIT_COUNT, .flags = WHEN),
	FIELD(RESULT, folded, "folded", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	LIST(RESULT, methods, "methods", "Top methods", &profile_method_shape, .flags = SINGLE),
	LIST(RESULT, tree, "tree", "Call tree", &profile_tree_shape, .flags = SINGLE | TREE | CSV),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Collected", "{collected}", NULL, false },  { "Samples", "{no_cpu}", NULL, false },
	{ "Allocated", "{no_bytes}", NULL, false },   { "Contention", "{no_waits}", NULL, false },
	{ "Exceptions", "{no_throws}", NULL, false }, { "Root", "{root}", NULL, true },
	{ "Folded", "{folded}", NULL, true },	      { 0 },
};
static const struct result_shape shape = { fields, lines };

/* Samples that the kernel took, not the runtime, whose threads' times were read. */
static bool kernel_sampled(const struct report *report)
{
	for (size_t i = 0; i < report->model.process_count; i++)
		if (report->model.processes[i].measured)
			return false;
	return report->cpu_measured;
}

static void say_collection(const struct report *report, struct profile_result *result)
{
	result->collection = "eventpipe";
	result->collected = "by the runtime, through EventPipe";
	if (kernel_sampled(report)) {
		result->collection = "kernel";
		result->collected = "by the kernel, which sampled what was on-CPU";
	} else if (report->cpu_measured && samples_has_any(&report->model.samples)) {
		result->collected = "by the runtime's sampler, through EventPipe; CPU time is the "
				    "kernel's account of each thread";
	} else if (samples_has_any(&report->model.samples)) {
		result->collected = "by the runtime's sampler, through EventPipe";
	}
}

static void put_part(struct buffer *text, uint64_t count, const char *what)
{
	if (!count)
		return;
	buffer_printf(text, "%s%s %s", text->size ? ", " : "", text_count(count).text,
		      text->size   ? ""
		      : count == 1 ? "call "
				   : "calls ");
	buffer_text(text, what);
}

/* "12 calls leading to own code, 3 of plumbing, 204 below 2 %" */
static const char *folded_text(struct report *report, const struct profile_tree *tree)
{
	struct buffer text = { 0 };

	put_part(&text, tree->leading, "leading to own code");
	put_part(&text, tree->plumbing, "of plumbing");
	put_part(&text, tree->small, report_text(report, "below %g %%", tree->cutoff));
	put_part(&text, tree->deep, "below the depth shown");
	return buffer_keep(&text, &report->arena);
}

/* What was asked for, and did not happen, is not what was not recorded. */
static void say_nothing(const struct profile_tree *tree, const char *nothing[static COSTS])
{
	static const char *const texts[COSTS] = {
		[COST_CPU] = "none was taken",
		[COST_BYTES] = "too little to be sampled",
		[COST_WAITED] = "no lock was waited for",
		[COST_THROWN] = "none was thrown",
	};
	const struct model_losses *losses = &tree->report->model.losses;

	if (losses->cut || losses->events) /* nobody knows what is missing */
		return;
	for (int i = 0; i < COST_SAMPLES; i++)
		if (tree->has[i] && !tree->seen[i])
			nothing[i] = texts[i];
}

static const void *summary_of_profile(struct report *report)
{
	static const char *const views[COSTS] = {
		[COST_CPU] = "cpu",
		[COST_BYTES] = "alloc",
		[COST_WAITED] = "contention",
		[COST_THROWN] = "exceptions",
	};
	const struct profile_args *args = report->args;
	const char *recorded[COSTS + 1] = { 0 };
	size_t count = 0;

	for (int i = 0; i < COST_SAMPLES; i++)
		if (args->asked[i])
			recorded[count++] = views[i];
	return summary_part(
		report, &(const struct summary_choice){ .no_methods = true, .recorded = recorded });
}

static const void *build(struct report *report)
{
	struct profile_result *result = arena_new(&report->arena, struct profile_result);
	struct profile_tree tree;

	if (profile_tree_make(&tree, report)) {
		profile_tree_release(&tree);
		return NULL;
	}
	say_collection(report, result);
	result->summary = summary_of_profile(report);
	result->methods = profile_methods(&tree);
	result->tree = profile_rows(&tree);
	result->all.costs = tree.total;
	memcpy(result->all.has, tree.has, sizeof(tree.has));
	result->cutoff = tree.cutoff;
	result->root = tree.root;
	result->leading = tree.leading;
	result->plumbing = tree.plumbing;
	result->small = tree.small;
	say_nothing(&tree, result->nothing);
	result->folded = folded_text(report, &tree);
	profile_tree_release(&tree);
	return result;
}

static int prepare(struct report *report)
{
	const struct profile_args *args = report->args;
	double cutoff;

	report->calls.native_calls = true;
	return profile_cutoff(args, &cutoff, report->err);
}

const struct report_view view_profile = {
	.name = "profile",
	.summary = "the summary, the top methods and one call tree with all costs",
	.missing = "the trace has no events",
	.options = options,
	.args_size = sizeof(struct profile_args),
	.shape = &shape,
	.metrics = 0,
	.analyses = summary_analyses,
	.prepare = prepare,
	.build = build,
};
