/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/providers.h"
#include "analyze/sparkline.h"
#include "report/call_view.h"
#include "report/figure_text.h"
#include "report/time_steps.h"

#define ROWS 25

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct call_view_args, common.query),
	ACTIVITY_OPTION(struct call_view_args, common.stacks),
	CALL_OPTIONS(struct call_view_args),
	OPTION(0, "when", struct call_view_args, when, NULL, "add a timeline to each row"),
	OPTION_LAST,
};

struct thread_samples {
	int64_t process_id;
	int64_t thread_id;
	const char *name;
	double percent;
	uint64_t samples;
	int64_t cpu_ns;
	bool measured; /* what `cpu_ns` is: CPU time, or time in managed code */
};

static const struct result_field thread_fields[] = {
	FIELD(struct thread_samples, process_id, "process_id", "Process", UNIT_ID,
	      .flags = SHOWN_BY_PROCESS),
	FIELD(struct thread_samples, thread_id, "thread_id", "Thread", UNIT_ID,
	      .flags = NOT_NEGATIVE),
	FIELD(struct thread_samples, percent, "percent", "%", UNIT_PERCENT, .flags = SHOWN_PEOPLE),
	FIELD(struct thread_samples, cpu_ns, "cpu_ns", "CPU", UNIT_TIME,
	      KNOWN_IF(struct thread_samples, measured), .flags = SHOWN_IF_ANY),
	FIELD(struct thread_samples, cpu_ns, "managed_ns", "Managed", UNIT_TIME,
	      KNOWN_UNLESS(struct thread_samples, measured), .flags = SHOWN_IF_ANY),
	FIELD(struct thread_samples, samples, "samples", "Samples", UNIT_COUNT),
	FIELD(struct thread_samples, name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};
static const struct result_shape thread_shape = { thread_fields, NULL };

struct cpu_result {
	uint64_t samples;
	int64_t cpu_ns;
	bool measured; /* what `cpu_ns` is: CPU time, or time in managed code */
	double mean_processors;
	int64_t idle_ns, tracing_ns; /* of it */
	const char *note;
	const char *when; /* what its characters mean; or NULL */
	struct result_rows timeline;
	struct call_lists calls;
};

#define ROW struct time_step

static const struct result_field step_fields[] = {
	FIELD(ROW, time_ns, "time_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, spent_ns[0], "cpu_ns", NULL, UNIT_TIME, KNOWN_IF(ROW, measured)),
	FIELD(ROW, processors[0], "mean_processors", NULL, UNIT_REAL, KNOWN_IF(ROW, measured)),
	FIELD(ROW, spent_ns[0], "managed_ns", NULL, UNIT_TIME, KNOWN_UNLESS(ROW, measured)),
	FIELD(ROW, processors[0], "mean_threads", NULL, UNIT_REAL, KNOWN_UNLESS(ROW, measured)),
	FIELD_END,
};

static const struct result_chart step_chart = {
	.kind = CHART_TIMELINE,
	.title = "Processors in use, or threads in managed code if that is all that is known",
	.label = "time_ns",
	.series = { { "mean_processors", "processors", '#' }, { "mean_threads", "threads", '#' } },
};

static const struct result_field fields[] = {
	FIELD(struct cpu_result, samples, "samples", "Samples", UNIT_COUNT),
	FIELD(struct cpu_result, cpu_ns, "cpu_ns", "CPU time", UNIT_TIME,
	      KNOWN_IF(struct cpu_result, measured), .flags = SHOWN_IF_ANY),
	FIELD(struct cpu_result, mean_processors, "mean_processors", "Processors", UNIT_REAL,
	      KNOWN_IF(struct cpu_result, measured), .flags = SHOWN_IF_ANY | MOST),
	FIELD(struct cpu_result, cpu_ns, "managed_ns", "Managed", UNIT_TIME,
	      KNOWN_UNLESS(struct cpu_result, measured), .flags = SHOWN_IF_ANY),
	FIELD(struct cpu_result, idle_ns, "idle_ns", "Idle workers", UNIT_TIME, .flags = ON_CPU),
	FIELD(struct cpu_result, tracing_ns, "tracing_ns", "Tracing", UNIT_TIME, .flags = ON_CPU),
	FIELD(struct cpu_result, note, "note", "Note", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(struct cpu_result, when, "when_legend", "When", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	AROUND_TIME(struct cpu_result, calls, 0),
	LIST(struct cpu_result, timeline, "timeline", NULL, SHAPE(step_fields),
	     .flags = SINGLE | SHOWN_ON_PAGE, .chart = &step_chart),
	CALL_LIST(struct cpu_result, calls, methods, "", methods_by_cpu, 0),
	CALL_LIST(struct cpu_result, calls, threads, "", thread_shape, 0),
	CALL_LISTS(struct cpu_result, calls, "", cpu),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "CPU time",
	  "{cpu_ns}, {mean_processors} processors[, {idle_ns} of it in idle workers]"
	  "[, {tracing_ns} of it for tracing]",
	  NULL, false },
	{ "Managed",
	  "{managed_ns} in {samples|sample|samples}[, {idle_ns} of it in idle workers]"
	  "[, {tracing_ns} of it for tracing]",
	  NULL, false },
	{ "Note", "{note}", NULL, false },
	{ "When", "{when_legend}", NULL, false },
	AROUND_LINES("inclusive_ns", "exclusive_ns"),
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

static int by_time(const void *left, const void *right)
{
	const struct thread_samples *a = left;
	const struct thread_samples *b = right;

	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns < b->cpu_ns ? 1 : -1;
	return (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

static void count_samples(const struct report *report, const struct calltree *tree,
			  struct thread_samples *rows)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = sample_query_weight(&report->samples, model, &sample);

		if (ns < 0 || !sample_is_cpu(&sample) ||
		    calltree_node(tree, sample.stack) == MODEL_NONE)
			continue;
		rows[sample.thread].samples += !sample.part;
		rows[sample.thread].cpu_ns = ns_plus(rows[sample.thread].cpu_ns, ns);
	}
	sample_walk_end(&walk);
}

static struct result_rows thread_rows(struct report *report, const struct calltree *tree)
{
	const struct model *model = &report->model;
	struct thread_samples *rows =
		REPORT_ROWS_NEW(report, struct thread_samples, model->thread_count);
	size_t count = 0;

	count_samples(report, tree, rows);
	for (size_t i = 0; i < model->thread_count; i++) {
		const struct model_thread *thread = &model->threads[i];

		rows[i].process_id = model->processes[thread->process].id;
		rows[i].thread_id = thread->id;
		rows[i].name = thread->name;
		rows[i].percent = report_percent((uint64_t)rows[i].cpu_ns, tree->total.weight);
		rows[i].measured = report->cpu_measured;
		if (rows[i].samples || rows[i].cpu_ns)
			rows[count++] = rows[i];
	}
	qsort(rows, count, sizeof(*rows), by_time);
	return report_first(report, ROWS_OF(rows, count), ROWS);
}

static void add_totals(const struct report *report, const struct calltree *tree,
		       struct cpu_result *result)
{
	result->samples = tree->total.count;
	result->cpu_ns = (int64_t)tree->total.weight;
	result->measured = report->cpu_measured;
	result->mean_processors = report_processors(report, tree->total.weight);
	result->idle_ns = (int64_t)report->idle_ns;
	result->tracing_ns = (int64_t)report->tracing_ns;
	result->note = report_cpu_note(report);
}

static const char *when_legend(struct report *report)
{
	const double length_ns = (double)sample_query_length_ns(&report->samples, &report->model);

	return report_text(
		report, "each character is %s: " SPARKLINE_LEGEND,
		figure_number_text(UNIT_TIME, length_ns / SPARKLINE_BUCKETS, &report->arena));
}

static const void *build(struct report *report)
{
	const struct call_view_args *args = report->args;
	struct cpu_result *result = arena_new(&report->arena, struct cpu_result);
	struct time_steps steps;
	struct calltree *tree;

	if (!samples_has_cpu(&report->model.samples) && !report->cpu_measured)
		return NULL;
	steps = time_steps_of(report, TIME_STEPS);
	tree = report_cpu_tree(report, &steps);
	report_matches_cpu(report, tree->total.count + tree->total.weight);
	result->timeline = time_steps_rows(&steps);
	add_totals(report, tree, result);
	result->when = args->when ? when_legend(report) : NULL;
	call_view_title(report, "CPU time");
	call_view_build(report, tree, BY_AMOUNT, ROWS, &result->calls);
	if (call_view_is_by_thread(report))
		result->calls.threads = thread_rows(report, tree);
	return call_view_check(report, &result->calls, 1) ? NULL : result;
}

const struct view_event sample_events[] = { { SAMPLE_PROFILER_PROVIDER, "Thread/Sample" },
					    { UNIVERSAL_EVENTS_PROVIDER, "cpu" },
					    { THREAD_TIMES_PROVIDER, THREAD_TIMES_NAME },
					    { 0 } };

const struct report_view view_cpu = {
	.name = "cpu",
	.summary = "CPU time, by method",
	.events = sample_events,
	.missing = "the trace has no CPU samples",
	.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
	.native_aot = REPORT_NO_SAMPLER,
	.never_native_aot = true,
	.options = options,
	.args_size = sizeof(struct call_view_args),
	.shape = &shape,
	.metrics = ON_CPU,
	.prepare = call_view_prepare,
	.build = build,
};
