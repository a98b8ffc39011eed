/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <stdlib.h>

#include "analyze/caller_tree.h"
#include "base/alloc.h"
#include "base/error.h"
#include "cli/report_calls.h"

#define ROWS 25

static bool available(const struct report *report)
{
	return samples_has_cpu(&report->model.samples);
}

static const struct sheet_column thread_columns[] = {
	{ "process_id", "Process", SHEET_ID, SHEET_DATA },
	{ "thread_id", "Thread", SHEET_ID, 0 },
	{ "percent", "%", SHEET_PERCENT, SHEET_PEOPLE },
	{ "exclusive", "Samples", SHEET_COUNT, 0 },
	{ "exclusive_ns", "Time", SHEET_TIME, 0 },
	{ "name", "Name", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static _Thread_local const struct call_sum *sorted_sums;

static int by_count(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;

	if (sorted_sums[a].count != sorted_sums[b].count)
		return sorted_sums[a].count < sorted_sums[b].count ? 1 : -1;
	return (a > b) - (a < b);
}

static void show_threads(struct report *report, const struct calltree *tree)
{
	const struct model *model = &report->model;
	struct call_sum *sums = xcalloc(model->thread_count + 1, sizeof(*sums));
	uint32_t *order = xcalloc(model->thread_count + 1, sizeof(*order));
	struct sheet sheet = { .key = "threads", .columns = thread_columns };
	size_t most = report_rows(report, ROWS);
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = sample_query_weight(&report->samples, model, &sample);

		if (ns < 0 || !sample_is_cpu(&sample) ||
		    calltree_node(tree, sample.stack) == MODEL_NONE)
			continue;
		sums[sample.thread].count++;
		sums[sample.thread].ns += (uint64_t)ns;
	}
	sample_walk_end(&walk);
	for (uint32_t i = 0; i < model->thread_count; i++)
		order[i] = i;
	sorted_sums = sums;
	qsort(order, model->thread_count, sizeof(*order), by_count);
	for (size_t i = 0; i < model->thread_count && sums[order[i]].count && most; i++, most--) {
		const struct model_thread *thread = &model->threads[order[i]];

		sheet_number(&sheet, model->processes[thread->process].id);
		sheet_number(&sheet, thread->id);
		sheet_percent(&sheet, report_percent(sums[order[i]].count, tree->total.count));
		sheet_count(&sheet, sums[order[i]].count);
		sheet_time(&sheet, (int64_t)sums[order[i]].ns);
		sheet_text(&sheet, thread->name);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
	free(sums);
	free(order);
}

/* What the method has itself: callers add up to its inclusive figure, callees and its own to it. */
static void report_around(struct report *report, const struct calltree *tree, uint32_t name)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_INCLUSIVE);

	if (report->args->json)
		json_put_text(&report->json, "method", tree->names[name].full);
	for (size_t i = 0; i < rows.count; i++)
		if (rows.rows[i].name == name) {
			report_count(report, "inclusive", "Inclusive",
				     rows.rows[i].inclusive.count);
			report_count(report, "exclusive", "Exclusive",
				     rows.rows[i].exclusive.count);
		}
	call_rows_release(&rows);
}

static void show_around_tree(struct report *report, const struct calltree *tree, uint32_t name)
{
	struct calltree around = caller_tree(
		tree, name, report->args->callers ? CALLER_TREE_CALLERS : CALLER_TREE_CALLEES);

	report_call_tree(report, &around);
	calltree_release(&around);
}

static void show_around_rows(struct report *report, const struct calltree *tree, uint32_t name)
{
	const bool callers = report->args->callers != NULL;
	struct call_rows rows =
		callers ? call_rows_callers(tree, name) : call_rows_callees(tree, name);

	report_call_rows(report, tree, &rows, callers ? "callers" : "callees",
			 report_rows(report, ROWS));
	call_rows_release(&rows);
}

static void show_around(struct report *report, const struct calltree *tree)
{
	const struct report_args *args = report->args;
	const uint32_t name = calltree_find(tree, args->callers ? args->callers : args->callees);

	if (name == MODEL_NONE) {
		error_set(report->err, PP_ERROR_USAGE,
			  "no sample has a method called '%s'; report FILE cpu lists their names",
			  args->callers ? args->callers : args->callees);
		return;
	}
	if (!args->json && !args->csv) {
		fprintf(report->out, "%-11s ", args->callers ? "Callers of" : "Callees of");
		report_line(report, tree->names[name].full);
	}
	report_around(report, tree, name);
	if (args->tree)
		show_around_tree(report, tree, name);
	else
		show_around_rows(report, tree, name);
}

static void show_rows(struct report *report, const struct calltree *tree, const char *key)
{
	struct call_rows rows =
		call_rows_by_name(tree, report->args->inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE);

	report_call_rows(report, tree, &rows, key, report_rows(report, ROWS));
	call_rows_release(&rows);
}

/* Modules and classes are groups by another name. */
static int group_by(struct report *report)
{
	const char *by = report->args->by;
	const char *patterns = NULL;

	if (by && !strcmp(by, "module"))
		patterns = "{%}!->$1";
	else if (by && !strcmp(by, "class"))
		patterns = "{%!*}.%(->$1;{%!*}::->$1";
	if (!patterns)
		return 0;
	grouping_release(&report->calls.group);
	return grouping_parse(&report->calls.group, patterns, report->err);
}

static void show(struct report *report)
{
	const struct report_args *args = report->args;
	struct calltree tree;

	if (group_by(report))
		return;
	report_calltree(report, &tree, false);
	report_count(report, "samples", "Samples", tree.total.count);
	report_time(report, "cpu_ns", "CPU time", (int64_t)tree.total.ns);
	if (args->callers || args->callees)
		show_around(report, &tree);
	else if (args->by && !strcmp(args->by, "thread"))
		show_threads(report, &tree);
	else if (args->tree)
		report_call_tree(report, &tree);
	else if (args->by && !strcmp(args->by, "module"))
		show_rows(report, &tree, "modules");
	else if (args->by && !strcmp(args->by, "class"))
		show_rows(report, &tree, "classes");
	else
		show_rows(report, &tree, "methods");
	calltree_release(&tree);
}

const struct report_view report_cpu = {
	.name = "cpu",
	.summary = "samples on a processor, by method",
	.missing = "it has no CPU samples",
	.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
	.available = available,
	.show = show,
};
