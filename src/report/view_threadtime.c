/* SPDX-License-Identifier: MIT */
#include "analyze/span_time.h"
#include "analyze/task_time.h"
#include "analyze/thread_time.h"
#include "clr/providers.h"
#include "report/call_view.h"

#define ROWS 25

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct call_view_args, common.query),
	ACTIVITY_OPTION(struct call_view_args, common.stacks),
	CALL_OPTIONS(struct call_view_args),
	OPTION_LAST,
};

struct thread_time_row {
	int64_t process_id;
	int64_t thread_id;
	const char *name;
	uint64_t wall_ns;
	struct thread_row time;
	bool measured; /* what the times are: see TIME_FIELDS */
};

/* Where it was measured, CPU time, ready and blocked; else what the sampler marks. */
/* clang-format off */
#define TIME_FIELDS(type_, cpu_, ready_, blocked_) \
	FIELD(type_, cpu_, "cpu_ns", "CPU", UNIT_TIME, KNOWN_IF(type_, measured), .flags = SHOWN_IF_ANY | ON_CPU), \
	FIELD(type_, ready_, "ready_ns", "Ready", UNIT_TIME, KNOWN_IF(type_, measured), .flags = SHOWN_IF_ANY), \
	FIELD(type_, blocked_, "blocked_ns", "Blocked", UNIT_TIME, KNOWN_IF(type_, measured), .flags = SHOWN_IF_ANY), \
	FIELD(type_, cpu_, "managed_ns", "Managed", UNIT_TIME, KNOWN_UNLESS(type_, measured), .flags = SHOWN_IF_ANY | ON_CPU), \
	FIELD(type_, blocked_, "native_or_waiting_ns", "Native or waiting", UNIT_TIME, KNOWN_UNLESS(type_, measured), .flags = SHOWN_IF_ANY)
/* clang-format on */

#define ROW struct thread_time_row

static const struct result_field thread_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, thread_id, "thread_id", "Thread", UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(ROW, time.samples, "samples", "Samples", UNIT_COUNT),
	FIELD(ROW, wall_ns, "wall_ns", "Wall", UNIT_TIME),
	TIME_FIELDS(ROW, time.cpu_ns, time.ready_ns, time.blocked_ns),
	FIELD(ROW, time.unknown_ns, "unknown_ns", NULL, UNIT_TIME),
	FIELD(ROW, name, "name", "Name", UNIT_TEXT, .flags = WIDE),
	FIELD_END,
};

struct activity_row {
	const char *text;
	struct span_row span;
	bool measured;
};

#undef ROW
#define ROW struct activity_row

static const struct result_field activity_fields[] = {
	FIELD(ROW, span.count, "count", "Count", UNIT_COUNT),
	FIELD(ROW, span.total_ns, "total_ns", "Total", UNIT_TIME, .flags = MAIN),
	FIELD(ROW, span.longest_ns, "max_ns", "Longest", UNIT_TIME, .flags = MOST),
	TIME_FIELDS(ROW, span.time.cpu_ns, span.time.ready_ns, span.time.blocked_ns),
	FIELD(ROW, span.time.await_ns, "await_ns", "Awaited", UNIT_TIME),
	FIELD(ROW, span.time.unknown_ns, "unknown_ns", "Unknown", UNIT_TIME),
	FIELD(ROW, span.unfinished, "unfinished", "Unfinished", UNIT_COUNT),
	FIELD(ROW, span.name, "name", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, span.provider, "provider", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(ROW, text, "text", "Activity", UNIT_TEXT, .flags = SHOWN_PEOPLE | WIDE),
	FIELD_END,
};

struct thread_time_result {
	struct thread_row total;
	bool measured;
	const char *note;
	uint64_t await_ns;
	bool has_tasks; /* tasks were recorded */
	struct result_rows threads, activities;
	struct call_lists calls;
};

#define RESULT struct thread_time_result

static const struct result_field fields[] = {
	FIELD(RESULT, total.samples, "samples", "Samples", UNIT_COUNT),
	TIME_FIELDS(RESULT, total.cpu_ns, total.ready_ns, total.blocked_ns),
	FIELD(RESULT, await_ns, "await_ns", "Awaited", UNIT_TIME, KNOWN_IF(RESULT, has_tasks)),
	FIELD(RESULT, note, "note", "Note", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	AROUND_TIME(RESULT, calls, OPTIONAL | SHOWN_IF_ANY),
	LIST(RESULT, threads, "threads", "", SHAPE(thread_fields), .flags = CSV | MERGED),
	LIST(RESULT, calls.methods, "methods", "", &methods_by_time, .flags = OPTIONAL),
	CALL_LISTS(RESULT, calls, "", time),
	LIST(RESULT, activities, "activities", "", SHAPE(activity_fields)),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

static struct result_rows thread_rows(struct report *report, const struct thread_time *time)
{
	const struct model *model = &report->model;
	struct thread_time_row *rows =
		REPORT_ROWS_NEW(report, struct thread_time_row, time->thread_count);
	size_t count = 0;

	for (size_t i = 0; i < time->thread_count; i++) {
		const struct thread_row *row = &time->threads[i];
		const struct model_thread *thread = &model->threads[i];

		if (!row->samples && !row->cpu_ns && !row->ready_ns && !row->blocked_ns)
			continue;
		rows[count++] = (struct thread_time_row){
			.process_id = model->processes[thread->process].id,
			.thread_id = thread->id,
			.name = thread->name,
			.wall_ns = row->cpu_ns + row->ready_ns + row->blocked_ns + row->unknown_ns,
			.time = *row,
			.measured = report->cpu_measured,
		};
	}
	return report_first(report, ROWS_OF(rows, count), SIZE_MAX);
}

/*
 * Time in which nobody ran, where the trace has tasks: from an await until it goes on. Returns how
 * much.
 */
static uint64_t add_awaits(struct report *report, struct calltree *tree)
{
	const struct model *model = &report->model;
	uint64_t await_ns = 0;
	struct task_walk walk;
	struct model_task task;

	task_walk_begin(&walk, &model->tasks);
	while (task_walk_next(&walk, &task)) {
		const struct model_sample as_sample = task_as_sample(&task);

		if (task_is_awaited(model, &report->samples, &task) &&
		    calltree_add_time(tree, &as_sample, (uint64_t)as_sample.weight))
			await_ns += (uint64_t)as_sample.weight;
	}
	task_walk_end(&walk);
	return await_ns;
}

/* Counts are of samples; marks add time only. Waiting where nobody knows has no method. */
static void add_samples(struct report *report, struct calltree *tree)
{
	const struct model *model = &report->model;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_EVENT);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(&report->samples, model, &sample, true);

		if (ns < 0 || (sample.kind == SAMPLE_EXTERNAL && sample.stack == STACK_EMPTY))
			continue;
		if (sample_is_event(&sample))
			calltree_add_time(tree, &sample, (uint64_t)ns);
		else
			calltree_add(tree, &sample, (uint64_t)ns);
	}
	sample_walk_end(&walk);
}

static void build_methods(struct report *report, struct thread_time_result *result)
{
	struct calltree *tree = report_new_tree(report);

	add_samples(report, tree);
	result->await_ns = add_awaits(report, tree);
	calltree_finish(tree);
	call_view_title(report, "thread time");
	call_view_build(report, tree, BY_AMOUNT, ROWS, &result->calls);
}

static struct result_rows activity_rows(struct report *report, const struct sample_query *query)
{
	struct span_rows spans = span_rows_of(&report->model, query);
	struct activity_row *rows = REPORT_ROWS_NEW(report, struct activity_row, spans.count);
	const size_t count = spans.count;

	for (size_t i = 0; i < count; i++)
		rows[i] = (struct activity_row){
			.text = report_text(report, "%s/%s", spans.rows[i].provider,
					    spans.rows[i].name),
			.span = spans.rows[i],
			.measured = report->cpu_measured,
		};
	span_rows_release(&spans);
	return report_first(report, ROWS_OF(rows, count), SIZE_MAX);
}

static const void *build(struct report *report)
{
	struct thread_time_result *result = arena_new(&report->arena, struct thread_time_result);
	struct sample_query query = report->samples;
	struct thread_time time;

	if (!samples_has_any(&report->model.samples) && !report->cpu_measured)
		return NULL;
	query.stacks = report_stack_filter(report);
	time = thread_time_of(&report->model, &query, true);
	report_matches_samples(report, time.total.samples + time.total.cpu_ns +
					       time.total.ready_ns + time.total.blocked_ns);
	result->total = time.total;
	result->measured = report->cpu_measured;
	result->note = report_cpu_note(report);
	result->has_tasks = task_list_count(&report->model.tasks);
	result->threads = thread_rows(report, &time);
	build_methods(report, result);
	result->activities = activity_rows(report, &query);
	thread_time_release(&time);
	return call_view_check(report, &result->calls, 1) ? NULL : result;
}

static const struct view_event events[] = { { SAMPLE_PROFILER_PROVIDER, "Thread/Sample" },
					    { UNIVERSAL_EVENTS_PROVIDER, "cswitch" },
					    { THREAD_TIMES_PROVIDER, THREAD_TIMES_NAME },
					    { 0 } };

const struct report_view view_threadtime = {
	.name = "threadtime",
	.summary = "where threads spent their time, running or waiting",
	.events = events,
	.missing = "the trace has no samples",
	.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
	.native_aot = REPORT_NO_SAMPLER,
	.never_native_aot = true,
	.options = options,
	.args_size = sizeof(struct call_view_args),
	.shape = &shape,
	.fill = { .marks = true,
		  .tasks = true,
		  .sample_tasks = true,
		  .activities = true,
		  .sample_activities = true },
	.prepare = call_view_prepare,
	.build = build,
};
