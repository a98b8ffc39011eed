/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analyze/call_rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "clr/providers.h"
#include "report/methods.h"
#include "report/time_steps.h"

#define ROWS 25

struct cpu_args {
	struct view_args common;
	bool tree;
	const char *callers;
	const char *callees;
	const char *by;
	bool when;
};

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct cpu_args, common.query),
	ACTIVITY_OPTION(struct cpu_args, common.stacks),
	OPTION(0, "tree", struct cpu_args, tree, NULL, "show a call tree"),
	OPTION(0, "callers", struct cpu_args, callers, "METHOD", "show what calls this method"),
	OPTION(0, "callees", struct cpu_args, callees, "METHOD", "show what this method calls"),
	OPTION(0, "by", struct cpu_args, by, "method|module|class|thread",
	       "what to list (default: method)"),
	OPTION(0, "when", struct cpu_args, when, NULL, "add a timeline to each row"),
	INCLUSIVE_OPTION(struct cpu_args, common.inclusive),
	STACK_OPTIONS(struct cpu_args, common.stacks),
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
	const char *callers_of; /* or NULL */
	const char *callees_of; /* or NULL */
	struct call_row around; /* the figures of that method */
	struct result_rows timeline, methods, modules, classes, threads;
	struct result_rows tree, callers, callees, caller_tree, callee_tree;
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

static bool is_around(const void *row)
{
	const struct cpu_result *result = row;

	return result->callers_of || result->callees_of;
}

static void get_method(const void *row, struct result_value *value)
{
	const struct cpu_result *result = row;

	value->text = result->callers_of ? result->callers_of : result->callees_of;
}

/* clang-format off */
#define ROWS_OF_VIEW(member_, shape_) \
	LIST(struct cpu_result, member_, #member_, "", &(shape_), .flags = OPTIONAL | CSV)
#define SINGLE_ROWS(member_, shape_, flags_) \
	LIST(struct cpu_result, member_, #member_, "", &(shape_), .flags = OPTIONAL | CSV | SINGLE | (flags_))
/* clang-format on */

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
	COMPUTED("method", NULL, UNIT_TEXT, .known = is_around, .get = get_method),
	FIELD(struct cpu_result, callers_of, "callers_of", "Callers of", UNIT_TEXT,
	      .flags = SHOWN_PEOPLE),
	FIELD(struct cpu_result, callees_of, "callees_of", "Callees of", UNIT_TEXT,
	      .flags = SHOWN_PEOPLE),
	FIELD(struct cpu_result, around.inclusive.ns, "inclusive_ns", "Inclusive", UNIT_TIME,
	      .known = is_around),
	FIELD(struct cpu_result, around.exclusive.ns, "exclusive_ns", "Exclusive", UNIT_TIME,
	      .known = is_around),
	FIELD(struct cpu_result, around.inclusive.count, "inclusive", NULL, UNIT_COUNT,
	      .known = is_around),
	FIELD(struct cpu_result, around.exclusive.count, "exclusive", NULL, UNIT_COUNT,
	      .known = is_around),
	LIST(struct cpu_result, timeline, "timeline", NULL, SHAPE(step_fields),
	     .flags = SINGLE | SHOWN_ON_PAGE, .chart = &step_chart),
	ROWS_OF_VIEW(methods, methods_by_cpu),
	ROWS_OF_VIEW(modules, methods_by_cpu),
	ROWS_OF_VIEW(classes, methods_by_cpu),
	ROWS_OF_VIEW(threads, thread_shape),
	SINGLE_ROWS(callers, methods_by_cpu, 0),
	SINGLE_ROWS(callees, methods_by_cpu, 0),
	SINGLE_ROWS(tree, tree_by_time, TREE),
	SINGLE_ROWS(caller_tree, tree_of_callers, TREE),
	SINGLE_ROWS(callee_tree, tree_by_time, TREE),
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
	{ "Callers of", "{callers_of}", NULL, false },
	{ "Callees of", "{callees_of}", NULL, false },
	{ "Inclusive", "{inclusive_ns}", NULL, false },
	{ "Exclusive", "{exclusive_ns}", NULL, false },
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
		rows[i].percent = report_percent((uint64_t)rows[i].cpu_ns, tree->total.ns);
		rows[i].measured = report->cpu_measured;
		if (rows[i].samples || rows[i].cpu_ns)
			rows[count++] = rows[i];
	}
	qsort(rows, count, sizeof(*rows), by_time);
	return report_first(report, ROWS_OF(rows, count), ROWS);
}

static struct result_rows named_rows(struct report *report, const struct calltree *tree)
{
	const struct cpu_args *args = report->args;
	struct call_rows rows = call_rows_by_name(
		tree, (args->common.inclusive ? CALL_INCLUSIVE : CALL_EXCLUSIVE) | CALL_BY_TIME);
	struct result_rows made =
		method_rows(report, tree, &rows, BY_AMOUNT, report_rows(report, ROWS));

	if (args->when)
		method_rows_add_when(report, tree, &rows, &made);
	call_rows_release(&rows);
	return made;
}

/* Callers add up to the inclusive figure. */
static struct call_row figures_of(const struct calltree *tree, uint32_t name)
{
	struct call_rows rows = call_rows_by_name(tree, CALL_INCLUSIVE);
	struct call_row found = { 0 };

	for (size_t i = 0; i < rows.count; i++)
		if (rows.rows[i].name == name)
			found = rows.rows[i];
	call_rows_release(&rows);
	return found;
}

static struct result_rows rows_around(struct report *report, const struct calltree *tree,
				      uint32_t name, bool callers)
{
	struct call_rows rows =
		call_rows_around(tree, name, callers ? CALLER_TREE_CALLERS : CALLER_TREE_CALLEES);
	const struct result_rows made =
		method_rows(report, tree, &rows, BY_AMOUNT, report_rows(report, ROWS));

	call_rows_release(&rows);
	return made;
}

static struct result_rows tree_around(struct report *report, const struct calltree *tree,
				      uint32_t name, bool callers)
{
	struct calltree *around = report_new_tree(report);

	calltree_release(around);
	*around = caller_tree(tree, name, callers ? CALLER_TREE_CALLERS : CALLER_TREE_CALLEES);
	return tree_rows(report, around, BY_AMOUNT);
}

static int build_around(struct report *report, const struct calltree *tree,
			struct cpu_result *result)
{
	const struct cpu_args *args = report->args;
	const bool callers = args->callers != NULL;
	const uint32_t name = calltree_find(tree, callers ? args->callers : args->callees);

	if (name == MODEL_NONE)
		return error_set(report->err, PP_ERROR_USAGE,
				 "no sample has a method '%s'; perfpipe report FILE cpu lists them",
				 callers ? args->callers : args->callees);
	result->around = figures_of(tree, name);
	if (callers)
		result->callers_of = tree->names[name].full;
	else
		result->callees_of = tree->names[name].full;
	if (callers && args->tree)
		result->caller_tree = tree_around(report, tree, name, true);
	else if (args->tree)
		result->callee_tree = tree_around(report, tree, name, false);
	else if (callers)
		result->callers = rows_around(report, tree, name, true);
	else
		result->callees = rows_around(report, tree, name, false);
	return 0;
}

static void build_rows(struct report *report, struct calltree *tree, struct cpu_result *result)
{
	const struct cpu_args *args = report->args;
	const char *by = args->by ? args->by : "method";

	if (!strcmp(by, "thread"))
		result->threads = thread_rows(report, tree);
	else if (args->tree)
		result->tree = tree_rows(report, tree, BY_AMOUNT);
	else if (!strcmp(by, "module"))
		result->modules = named_rows(report, tree);
	else if (!strcmp(by, "class"))
		result->classes = named_rows(report, tree);
	else
		result->methods = named_rows(report, tree);
}

static void add_totals(const struct report *report, const struct calltree *tree,
		       struct cpu_result *result)
{
	result->samples = tree->total.count;
	result->cpu_ns = (int64_t)tree->total.ns;
	result->measured = report->cpu_measured;
	result->mean_processors = report_processors(report, tree->total.ns);
	result->idle_ns = (int64_t)report->idle_ns;
	result->tracing_ns = (int64_t)report->tracing_ns;
	result->note = report_cpu_note(report);
}

static const void *build(struct report *report)
{
	const struct cpu_args *args = report->args;
	struct cpu_result *result = arena_new(&report->arena, struct cpu_result);
	struct time_steps steps;
	struct calltree *tree;

	if (!samples_has_cpu(&report->model.samples) && !report->cpu_measured)
		return NULL;
	steps = time_steps_of(report, TIME_STEPS);
	tree = report_cpu_tree(report, &steps);
	report_matches_cpu(report, tree->total.count + tree->total.ns);
	result->timeline = time_steps_rows(&steps);
	add_totals(report, tree, result);
	if (!args->callers && !args->callees)
		build_rows(report, tree, result);
	else if (build_around(report, tree, result))
		return NULL;
	return result;
}

/* Modules and classes are groups by another name. */
static int prepare(struct report *report)
{
	const struct cpu_args *args = report->args;
	const char *patterns = NULL;

	if (args->callers && args->callees)
		return error_set(report->err, PP_ERROR_USAGE,
				 "--callers and --callees cannot be combined");
	if (args->tree && args->by && !strcmp(args->by, "thread"))
		return error_set(report->err, PP_ERROR_USAGE,
				 "--by thread and --tree cannot be combined");
	if (args->tree)
		report_prepare_tree(report);
	if (args->by && !strcmp(args->by, "module"))
		patterns = "{%}!->$1";
	else if (args->by && !strcmp(args->by, "class"))
		patterns = "{%!*}.%(->$1;{%!*}::->$1";
	if (!patterns)
		return 0;
	grouping_release(&report->calls.group);
	return grouping_parse(&report->calls.group, patterns, report->err);
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
	.args_size = sizeof(struct cpu_args),
	.shape = &shape,
	.metrics = ON_CPU,
	.prepare = prepare,
	.build = build,
};
