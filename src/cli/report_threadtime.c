/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/span_rows.h"
#include "analyze/task_time.h"
#include "analyze/thread_time.h"
#include "base/alloc.h"
#include "cli/report_calls.h"

#define ROWS 25

static const struct sheet_column thread_columns[] = {
	{ "process_id", "Process", SHEET_ID, SHEET_DATA },
	{ "thread_id", "Thread", SHEET_ID, 0 },
	{ "samples", "Samples", SHEET_COUNT, 0 },
	{ "wall_ns", "Wall", SHEET_TIME, 0 },
	{ "cpu_ns", "CPU", SHEET_TIME, 0 },
	{ "blocked_ns", "Blocked", SHEET_TIME, 0 },
	{ "unknown_ns", "Unknown", SHEET_TIME, SHEET_DATA },
	{ "name", "Name", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static const struct sheet_column span_columns[] = {
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "total_ns", "Total", SHEET_TIME, 0 },
	{ "longest_ns", "Longest", SHEET_TIME, 0 },
	{ "cpu_ns", "CPU", SHEET_TIME, 0 },
	{ "blocked_ns", "Blocked", SHEET_TIME, 0 },
	{ "await_ns", "Awaited", SHEET_TIME, 0 },
	{ "unknown_ns", "Unknown", SHEET_TIME, 0 },
	{ "unfinished", "Unfinished", SHEET_COUNT, 0 },
	{ "provider", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "", SHEET_TEXT, SHEET_DATA },
	{ "text", "Activity", SHEET_TEXT, SHEET_WIDE | SHEET_PEOPLE },
	{ 0 },
};

static void show_threads(struct report *report, const struct thread_time *time)
{
	const struct model *model = &report->model;
	struct sheet sheet = { .key = "threads", .columns = thread_columns };

	for (size_t i = 0; i < time->thread_count; i++) {
		const struct thread_row *row = &time->threads[i];
		const struct model_thread *thread = &model->threads[i];

		if (!row->samples && !row->cpu_ns)
			continue;
		sheet_number(&sheet, model->processes[thread->process].id);
		sheet_number(&sheet, thread->id);
		sheet_count(&sheet, row->samples);
		sheet_time(&sheet, (int64_t)(row->cpu_ns + row->blocked_ns + row->unknown_ns));
		sheet_time(&sheet, (int64_t)row->cpu_ns);
		sheet_time(&sheet, (int64_t)row->blocked_ns);
		sheet_time(&sheet, (int64_t)row->unknown_ns);
		sheet_text(&sheet, thread->name);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

/* Time in which nobody ran, where the trace has tasks: from an await until it goes on. */
static void add_awaits(struct report *report, struct calltree *tree)
{
	const struct model *model = &report->model;

	for (size_t i = 0; i < model->task_count; i++) {
		const struct model_sample as_sample = task_as_sample(&model->tasks[i]);

		if (task_is_awaited(model, &report->samples, &model->tasks[i]))
			calltree_add_time(tree, &as_sample, (uint64_t)as_sample.weight_ns);
	}
}

/* Counts are of samples; marks add time only. */
static void add_samples(struct report *report, struct calltree *tree)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_EVENT);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(&report->samples, model, &sample, true);

		if (ns >= 0 && sample_is_event(&sample))
			calltree_add_time(tree, &sample, (uint64_t)ns);
		else if (ns >= 0)
			calltree_add(tree, &sample, (uint64_t)ns);
	}
	sample_walk_end(&walk);
}

static void show_methods(struct report *report)
{
	const struct model *model = &report->model;
	struct calltree tree;
	struct call_rows rows;

	report->calls.by_process = report_process(report) == MODEL_NONE && model->process_count > 1;
	calltree_init(&tree, model, &report->calls);
	add_samples(report, &tree);
	add_awaits(report, &tree);
	calltree_finish(&tree);
	rows = call_rows_by_name(
		&tree, CALL_BY_TIME | (report->args->inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE));

	if (report->args->tree)
		report_call_tree(report, &tree);
	else
		report_call_rows(report, &tree, &rows, "methods", report_rows(report, ROWS));
	call_rows_release(&rows);
	calltree_release(&tree);
}

/* "Shop-Orders/Place": names are a provider's own. */
static const char *span_text(const struct span_row *row, struct arena *arena)
{
	const size_t size = strlen(row->provider) + strlen(row->name) + sizeof("/");
	char *text = arena_alloc(arena, size);

	snprintf(text, size, "%s/%s", row->provider, row->name);
	return text;
}

static void show_spans(struct report *report)
{
	struct span_rows spans = span_rows_of(&report->model, &report->samples);
	struct sheet sheet = { .key = "activities", .columns = span_columns };

	for (size_t i = 0; i < spans.count; i++) {
		sheet_count(&sheet, spans.rows[i].count);
		sheet_time(&sheet, (int64_t)spans.rows[i].total_ns);
		sheet_time(&sheet, (int64_t)spans.rows[i].longest_ns);
		sheet_time(&sheet, (int64_t)spans.rows[i].time.cpu_ns);
		sheet_time(&sheet, (int64_t)spans.rows[i].time.blocked_ns);
		sheet_time(&sheet, (int64_t)spans.rows[i].time.await_ns);
		sheet_time(&sheet, (int64_t)spans.rows[i].time.unknown_ns);
		sheet_count(&sheet, spans.rows[i].unfinished);

		sheet_text(&sheet, spans.rows[i].provider);
		sheet_text(&sheet, spans.rows[i].name);
		sheet_text(&sheet, span_text(&spans.rows[i], &sheet.arena));
	}
	if (spans.count || report->args->json)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
	span_rows_release(&spans);
}

static void show(struct report *report)
{
	struct thread_time time = thread_time_of(&report->model, &report->samples, true);
	struct task_time tasks = task_time_of(&report->model, &report->samples);

	report_count(report, "samples", "Samples", time.total.samples);
	report_time(report, "cpu_ns", "CPU", (int64_t)time.total.cpu_ns);
	report_time(report, "blocked_ns", "Blocked", (int64_t)time.total.blocked_ns);
	report_time(report, "await_ns", "Awaited", (int64_t)tasks.await_ns);

	show_threads(report, &time);
	if (!report->args->csv) {
		show_methods(report);
		show_spans(report);
	}
	task_time_release(&tasks);
	thread_time_release(&time);
}

const struct report_view report_threadtime = {
	.name = "threadtime",
	.summary = "what threads did: run, or wait, and where",
	.missing = "it has no samples",
	.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
	.marks = true,
	.tasks = true,
	.by_time = true,
	.available = report_has_samples,
	.show = show,
};
