/* SPDX-License-Identifier: MIT */
/*
 * One page: what happened, and what is likely wrong.
 */
#include <string.h>

#include "base/array.h"
#include "report/finding_rows.h"
#include "report/methods.h"
#include "report/peak.h"
#include "report/request_shapes.h"
#include "report/summary_part.h"

#define ROWS  5
#define VIEWS 8

static const struct option_spec options[] = {
	QUERY_OPTIONS(struct view_args, query),
	STACK_OPTIONS(struct view_args, stacks),
	OPTION_LAST,
};

struct runtime_part {
	const char *version;
	bool server_gc;
	bool concurrent_gc;
	const char *gc; /* for people */
};

static const struct result_field runtime_fields[] = {
	FIELD(struct runtime_part, version, "version", NULL, UNIT_TEXT),
	FIELD(struct runtime_part, server_gc, "server_gc", NULL, UNIT_FLAG),
	FIELD(struct runtime_part, concurrent_gc, "concurrent_gc", NULL, UNIT_FLAG),
	FIELD(struct runtime_part, gc, "gc", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};
static const struct result_shape runtime_shape = { runtime_fields,
						   ONE_LINE("Runtime", ".NET {version}, {gc}") };

struct cpu_part {
	uint64_t samples;
	int64_t cpu_ns;
	bool measured; /* what `cpu_ns` is: CPU time, or time in managed code */
	double mean_processors;
	uint64_t idle_ns, tracing_ns;
	const char *note;
	struct result_rows methods;
};

static const struct result_field cpu_fields[] = {
	FIELD(struct cpu_part, samples, "samples", NULL, UNIT_COUNT),
	FIELD(struct cpu_part, cpu_ns, "cpu_ns", NULL, UNIT_TIME,
	      KNOWN_IF(struct cpu_part, measured)),
	FIELD(struct cpu_part, mean_processors, "mean_processors", NULL, UNIT_REAL, .flags = MOST,
	      KNOWN_IF(struct cpu_part, measured)),
	FIELD(struct cpu_part, cpu_ns, "managed_ns", NULL, UNIT_TIME,
	      KNOWN_UNLESS(struct cpu_part, measured)),
	FIELD(struct cpu_part, idle_ns, "idle_ns", NULL, UNIT_TIME),
	FIELD(struct cpu_part, tracing_ns, "tracing_ns", NULL, UNIT_TIME),
	FIELD(struct cpu_part, note, "note", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	LIST(struct cpu_part, methods, "methods", NULL, &methods_by_cpu),
	FIELD_END,
};
static const struct result_shape cpu_shape = {
	cpu_fields, LINES({ "CPU", "{cpu_ns}, {mean_processors} processors", NULL, false },
			  { "Managed", "{managed_ns} in {samples|sample|samples}", NULL, false },
			  { "Note", "{note}", NULL, false })
};

#define FIGURES struct summary_figures

/* Each collection says how large the heap is, and how much was allocated since the one before. */
static bool has_collections(const void *row)
{
	return ((const FIGURES *)row)->gc.all.count;
}

static const struct result_field gc_fields[] = {
	FIELD(FIGURES, gc.all.count, "count", NULL, UNIT_COUNT),
	FIELD(FIGURES, gc.all.induced, "induced", NULL, UNIT_COUNT),
	FIELD(FIGURES, gc.generations[2].count, "gen2_count", NULL, UNIT_COUNT),
	FIELD(FIGURES, gc.all.pause_total_ns, "pause_total_ns", NULL, UNIT_TIME),
	FIELD(FIGURES, gc.all.pause_max_ns, "pause_max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(FIGURES, pause_percent, "pause_percent", NULL, UNIT_PERCENT, .flags = MOST),
	FIELD(FIGURES, gc.all.allocated, "allocated_bytes", NULL, UNIT_SIZE,
	      .known = has_collections),
	FIELD(FIGURES, gc.all.peak_max, "heap_peak_bytes", NULL, UNIT_SIZE, .flags = MOST,
	      .known = has_collections),
	FIELD_END,
};
static const struct result_shape gc_shape_of_summary = {
	gc_fields, ONE_LINE("GC", "{count|collection|collections}[, paused {pause_total_ns}, "
				  "{pause_percent} %; longest "
				  "{pause_max_ns}; heap {heap_peak_bytes}]")
};

struct share_row {
	const char *type;
	int64_t process_id;
	int64_t of_process; /* the same for people; -1: there is only one */
	uint64_t amount;    /* bytes, or a count */
	double percent;
};

static const struct result_field alloc_type_fields[] = {
	FIELD(struct share_row, type, "type", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct share_row, amount, "bytes", NULL, UNIT_SIZE),
	FIELD(struct share_row, percent, "percent", NULL, UNIT_PERCENT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};
static const struct result_shape alloc_type_shape = { alloc_type_fields,
						      ONE_LINE("", "{percent} %  {type}") };

struct alloc_part {
	uint64_t bytes, large_bytes;
	uint64_t per_second;
	struct peak peak;
	struct result_rows types;
};

#define PART struct alloc_part

static const struct result_field alloc_fields[] = {
	FIELD(PART, bytes, "bytes", NULL, UNIT_SIZE),
	FIELD(PART, per_second, "per_second_bytes", NULL, UNIT_SIZE, .flags = MOST),
	PEAK_FIELDS(PART, peak, "max_per_second_bytes", UNIT_SIZE),
	FIELD(PART, large_bytes, "large_bytes", NULL, UNIT_SIZE),
	LIST(PART, types, "types", "", &alloc_type_shape, .flags = INSET),
	FIELD_END,
};
static const struct result_shape alloc_shape = {
	alloc_fields, ONE_LINE("Allocated", "{bytes}, {per_second_bytes} per second" PEAK_TEXT)
};

static const struct result_field exception_type_fields[] = {
	FIELD(struct share_row, type, "type", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct share_row, amount, "count", NULL, UNIT_COUNT),
	FIELD(struct share_row, process_id, "process_id", NULL, UNIT_ID,
	      .flags = SHOWN_BY_PROCESS | NOT_NEGATIVE),
	FIELD(struct share_row, of_process, "of_process", NULL, UNIT_ID,
	      .flags = SHOWN_PEOPLE | NOT_NEGATIVE),
	FIELD_END,
};
static const struct result_shape exception_type_shape = {
	exception_type_fields, ONE_LINE("", "{count}  {type}[, process {of_process}]")
};

struct exception_part {
	uint64_t count;
	double per_second;
	struct peak peak;
	struct result_rows types;
};

#undef PART
#define PART struct exception_part

static const struct result_field exception_fields[] = {
	FIELD(PART, count, "count", NULL, UNIT_COUNT),
	FIELD(PART, per_second, "per_second", NULL, UNIT_RATE, .flags = MOST),
	PEAK_FIELDS(PART, peak, "max_per_second", UNIT_COUNT),
	LIST(PART, types, "types", "", &exception_type_shape, .flags = INSET),
	FIELD_END,
};
static const struct result_shape exception_shape = {
	exception_fields, ONE_LINE("Exceptions", "{count}, {per_second} per second" PEAK_TEXT)
};

static const struct result_field contention_fields[] = {
	FIELD(FIGURES, contention.count, "count", NULL, UNIT_COUNT),
	FIELD(FIGURES, contention.total_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(FIGURES, contention.max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD_END,
};
static const struct result_shape contention_shape = {
	contention_fields,
	ONE_LINE("Contention",
		 "{count|wait|waits} for locks, {total_ns} in total; longest {max_ns}")
};

/* That work was queued has a keyword of its own. */
static bool has_queue(const void *row)
{
	return ((const FIGURES *)row)->queue_count;
}

static const struct result_field pool_fields[] = {
	FIELD(FIGURES, workers_most, "workers_max", NULL, UNIT_COUNT, .flags = MOST),
	FIELD(FIGURES, starved, "starved", NULL, UNIT_COUNT),
	FIELD(FIGURES, cooperative, "cooperative_blocking", NULL, UNIT_COUNT),
	FIELD(FIGURES, queue_count, "queued", NULL, UNIT_COUNT, .known = has_queue),
	FIELD(FIGURES, queue_max_ns, "queue_max_ns", NULL, UNIT_TIME, .flags = MOST,
	      .known = has_queue),
	FIELD_END,
};
static const struct result_shape pool_shape = {
	pool_fields,
	ONE_LINE("Thread pool", "up to {workers_max|worker|workers}[, adjusted "
				"{cooperative_blocking|time|times} because workers were blocked]"
				"[, starved {starved|time|times}][; work waited up to "
				"{queue_max_ns}]")
};

static const struct result_field jit_fields[] = {
	FIELD(FIGURES, jit.all.count, "count", NULL, UNIT_COUNT),
	FIELD(FIGURES, jit.all.time_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(FIGURES, jit.triggers[JIT_FOREGROUND].count, "foreground_count", NULL, UNIT_COUNT),
	FIELD(FIGURES, jit.triggers[JIT_FOREGROUND].time_ns, "foreground_ns", NULL, UNIT_TIME),
	FIELD(FIGURES, jit_dynamic, "dynamic", NULL, UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape jit_shape = {
	jit_fields,
	ONE_LINE("Compiled",
		 "{count|method|methods}; the program waited for {foreground_count} of them, "
		 "{foreground_ns}")
};

#undef PART
#define PART struct request

static const struct result_field slow_fields[] = {
	FIELD(PART, start_ns, "start_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(PART, time_ns, "duration_ns", NULL, UNIT_TIME),
	COMPUTED("status", NULL, UNIT_TEXT, .make = make_request_status),
	FIELD_THROUGH(PART, group, struct request_group, name, "name", NULL, UNIT_TEXT),
	FIELD_THROUGH(PART, group, struct request_group, method, "method", NULL, UNIT_TEXT),
	FIELD_END,
};
static const struct result_shape slow_shape = {
	slow_fields, ONE_LINE("", "{duration_ns}  {status}  {method} {name}")
};

struct request_part {
	const struct request_group *all;
	double per_second;
	struct peak peak;
	struct result_rows slowest;
};

#undef PART
#define PART struct request_part

/* clang-format off */
#define ALL(member_, key_, ...) \
	FIELD_THROUGH(PART, all, struct request_group, member_, key_, NULL, __VA_ARGS__)
/* clang-format on */

static bool requests_are_timed(const void *row)
{
	return request_group_is_timed(((const struct request_part *)row)->all);
}

static bool requests_have_status(const void *row)
{
	return request_group_has_status(((const struct request_part *)row)->all);
}

static const struct result_field request_fields[] = {
	ALL(count, "count", UNIT_COUNT),
	FIELD(PART, per_second, "per_second", NULL, UNIT_RATE, .flags = MOST),
	PEAK_FIELDS(PART, peak, "max_per_second", UNIT_COUNT),
	ALL(failed, "failed", UNIT_COUNT, .known = requests_have_status),
	ALL(p50_ns, "p50_ns", UNIT_TIME, .flags = MOST, .known = requests_are_timed),
	ALL(p95_ns, "p95_ns", UNIT_TIME, .flags = MOST, .known = requests_are_timed),
	ALL(p99_ns, "p99_ns", UNIT_TIME, .flags = MOST, .known = requests_are_timed),
	ALL(max_ns, "max_ns", UNIT_TIME, .flags = MOST, .known = requests_are_timed),
	LIST(PART, slowest, "slowest", "", &slow_shape, .flags = INSET | SINGLE),
	FIELD_END,
};
static const struct result_shape request_shape_of_summary = {
	request_fields,
	ONE_LINE("Requests", "{count}, {per_second} per second" PEAK_TEXT "[, {failed} failed][; "
			     "p50 {p50_ns}, p95 {p95_ns}]")
};

/* Silence may mean that all is well, or that nobody listened. */
struct silence {
	struct result_rows views; /* texts */
};

static const struct result_field silence_fields[] = {
	FIELD(struct silence, views, "views", NULL, UNIT_TEXTS),
	FIELD_END,
};
static const struct result_shape silence_shape = {
	silence_fields, LINES({ "Not recorded", "{views}", "views", false })
};

struct summary_result {
	const char *command_line;
	int64_t duration_ns;
	uint64_t events;
	const struct runtime_part *runtime; /* NULL: not recorded, as the next ones */
	const struct cpu_part *cpu;
	const struct alloc_part *alloc;
	const struct exception_part *exceptions;
	const struct summary_figures *gc, *contention, *threadpool, *jit;
	const struct request_part *requests;
	struct silence silence;
	struct result_rows methods, findings;
	const char *no_findings;
	struct summary_figures figures;
};

#define RESULT struct summary_result

static const struct result_field fields[] = {
	FIELD(RESULT, command_line, "command_line", NULL, UNIT_TEXT),
	FIELD(RESULT, duration_ns, "duration_ns", NULL, UNIT_TIME, .flags = EXACT),
	FIELD(RESULT, events, "events", NULL, UNIT_COUNT),
	OBJECT_AT(RESULT, runtime, "runtime", &runtime_shape),
	OBJECT_AT(RESULT, cpu, "cpu", &cpu_shape, .flags = ON_CPU),
	OBJECT_AT(RESULT, gc, "gc", &gc_shape_of_summary),
	OBJECT_AT(RESULT, alloc, "alloc", &alloc_shape),
	OBJECT_AT(RESULT, exceptions, "exceptions", &exception_shape),
	OBJECT_AT(RESULT, contention, "contention", &contention_shape),
	OBJECT_AT(RESULT, threadpool, "threadpool", &pool_shape),
	OBJECT_AT(RESULT, jit, "jit", &jit_shape, .flags = STEADY),
	OBJECT_AT(RESULT, requests, "requests", &request_shape_of_summary),
	OBJECT(RESULT, silence, "not_recorded", &silence_shape),
	LIST(RESULT, methods, "methods", "", &methods_by_cpu, .flags = SHOWN_PEOPLE),
	LIST(RESULT, findings, "findings", "Findings", &finding_shape,
	     .flags = CARDS | SINGLE | CSV),
	FIELD(RESULT, no_findings, "no_findings", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Command", "{command_line}", NULL, false },
	{ "Duration", "{duration_ns}, {events|event|events} in the trace", NULL, false },
	{ "Findings", "{no_findings}", NULL, true },
	{ 0 },
};
const struct result_shape summary_shape = { fields, lines };

/* What the page is made of. */
struct summary_page {
	struct report *report;
	const struct summary_choice *choice;
	struct summary summary;
	struct summary_result *result;
	size_t rows; /* of each list */
	struct finding_view views[VIEWS];
};

static void *part(struct summary_page *page, size_t size)
{
	return arena_alloc(&page->report->arena, size);
}

static size_t at_most(const struct summary_page *page, size_t count)
{
	return count < page->rows ? count : page->rows;
}

static void add_runtime(struct summary_page *page)
{
	const struct runtime_info *runtime = page->summary.runtime;
	struct runtime_part *made = part(page, sizeof(*made));

	if (!runtime->recorded)
		return;
	*made = (struct runtime_part){
		.version = runtime->version,
		.server_gc = runtime->server_gc,
		.concurrent_gc = runtime->concurrent_gc,
		.gc = report_text(page->report, "%s%s GC",
				  runtime->concurrent_gc ? "concurrent " : "",
				  runtime->server_gc ? "server" : "workstation"),
	};
	page->result->runtime = made;
}

static void add_cpu(struct summary_page *page)
{
	struct cpu_part *made = part(page, sizeof(*made));
	struct calltree *tree = report_cpu_tree(page->report, NULL);
	struct call_rows rows = call_rows_by_name(tree, CALL_EXCLUSIVE | CALL_BY_WEIGHT);

	if (samples_has_cpu(&page->report->model.samples) || tree->total.weight) {
		*made = (struct cpu_part){
			.samples = tree->total.count,
			.cpu_ns = (int64_t)tree->total.weight,
			.measured = page->report->cpu_measured,
			.mean_processors = report_processors(page->report, tree->total.weight),
			.idle_ns = page->report->idle_ns,
			.tracing_ns = page->report->tracing_ns,
			.note = report_cpu_note(page->report),
			.methods = method_rows(page->report, tree, &rows, BY_AMOUNT, page->rows),
		};
		made->methods.total = 0; /* the view cpu has the others */
		page->result->cpu = made;
		page->result->methods = made->methods;
	}
	call_rows_release(&rows);
}

/* What is in the figures as it is. */
static void add_figures(struct summary_result *result)
{
	const struct summary_figures *figures = &result->figures;

	result->gc = figures->gc_recorded ? figures : NULL;
	result->contention = figures->contention_recorded ? figures : NULL;
	result->threadpool = figures->pools_recorded ? figures : NULL;
	result->jit = figures->jit_recorded ? figures : NULL;
}

static void add_alloc(struct summary_page *page)
{
	const struct summary_figures *figures = &page->result->figures;
	const struct alloc_table *table = &page->summary.alloc->tables[figures->alloc_source];
	struct alloc_part *made = part(page, sizeof(*made));
	const size_t count = at_most(page, table->type_count);
	struct share_row *types = REPORT_ROWS_NEW(page->report, struct share_row, count);

	for (size_t i = 0; i < count; i++)
		types[i] = (struct share_row){
			.type = *table->types[i]->name ? table->types[i]->name : "?",
			.amount = table->types[i]->all.bytes,
			.percent = report_percent(table->types[i]->all.bytes, table->all.bytes),
		};
	*made = (struct alloc_part){
		.bytes = figures->alloc_bytes,
		.large_bytes = figures->large_bytes,
		.per_second = summary_rate(figures, figures->alloc_bytes),
		.types = ROWS_OF(types, count),
	};
	made->peak = peak_of(page->report, &table->burst, (double)made->per_second);
	page->result->alloc = figures->alloc_recorded ? made : NULL;
}

static void add_exceptions(struct summary_page *page)
{
	const struct exception_stats *stats = page->summary.exceptions;
	struct exception_part *made = part(page, sizeof(*made));
	const size_t count = at_most(page, stats->type_count);
	struct share_row *types = REPORT_ROWS_NEW(page->report, struct share_row, count);

	for (size_t i = 0; i < count; i++)
		types[i] = (struct share_row){
			.type = *stats->types[i]->name ? stats->types[i]->name : "?",
			.process_id = stats->types[i]->process_id,
			.of_process =
				page->report->result.by_process ? stats->types[i]->process_id : -1,
			.amount = stats->types[i]->count,
		};
	*made = (struct exception_part){
		.count = stats->total,
		.per_second = report_per_second(page->report, stats->total),
		.types = ROWS_OF(types, count),
	};
	made->peak = peak_of(page->report, &stats->burst, made->per_second);
	page->result->exceptions = page->result->figures.exceptions_recorded ? made : NULL;
}

static void add_requests(struct summary_page *page)
{
	const struct requests *requests = page->summary.requests;
	const struct request_table *table =
		requests_server(requests) ? requests_server(requests) : requests_client(requests);
	struct request_part *made = part(page, sizeof(*made));

	if (!table)
		return;
	*made = (struct request_part){
		.all = &table->all,
		.per_second = report_per_second(page->report, table->all.count),
		.slowest = ROWS_AT(table->slowest, at_most(page, table->slowest_count)),
	};
	made->peak = peak_of(page->report, &table->burst, made->per_second);
	page->result->requests = made;
}

static bool is_known(const struct summary_page *page, const char *view)
{
	for (const char *const *at = page->choice->recorded; at && *at; at++)
		if (!strcmp(*at, view))
			return true;
	return false;
}

/* Views that the trace has an answer for, and that the summary has a part of. */
static void list_views(struct summary_page *page)
{
	const struct summary_result *result = page->result;
	const struct finding_view views[] = {
		{ "cpu", result->cpu },
		{ "gc", result->gc },
		{ "alloc", result->alloc },
		{ "exceptions", result->exceptions },
		{ "contention", result->contention },
		{ "threadpool", result->threadpool },
		{ "jit", result->jit },
		{ "requests", result->requests },
	};

	for (size_t i = 0; i < ARRAY_COUNT(views); i++)
		page->views[i] = (struct finding_view){
			.name = views[i].name,
			.recorded = views[i].recorded || is_known(page, views[i].name),
		};
}

static void list_silence(struct summary_page *page)
{
	const char **names = REPORT_ROWS_NEW(page->report, const char *, VIEWS);
	size_t count = 0;

	for (size_t i = 0; i < VIEWS; i++)
		if (!page->views[i].recorded)
			names[count++] = page->views[i].name;
	page->result->silence.views = ROWS_AT(names, count);
}

static void add_findings(struct summary_page *page)
{
	struct summary_result *result = page->result;

	result->findings = finding_rows_of(page->report, &result->figures, page->views, VIEWS);
	result->no_findings = result->findings.count ? NULL : "none";
}

const void *summary_part(struct report *report, const struct summary_choice *choice)
{
	struct summary_result *result = arena_new(&report->arena, struct summary_result);
	struct summary_page page = { .report = report,
				     .choice = choice,
				     .summary = summary_of(&report->pass),
				     .result = result };
	const struct calltree *filter = report_stack_filter(report);

	if (filter)
		summary_filter(&report->pass, filter);
	page.rows = report->setup.rows == REPORT_ROWS_UNSET ? ROWS : report->setup.rows;
	alloc_name_types(report, pass_find(&report->pass, &alloc_analysis));
	exceptions_name_types(report, pass_find(&report->pass, &exception_analysis));
	summary_figures_of(&page.summary, &report->model, &report->samples, &result->figures);
	result->duration_ns = ns_rounded(result->figures.seconds * 1e9);
	result->events = result->figures.events;
	if (report->process != MODEL_NONE)
		result->command_line = report->model.processes[report->process].command_line;
	add_runtime(&page);
	add_cpu(&page);
	add_figures(result);
	add_alloc(&page);
	add_exceptions(&page);
	add_requests(&page);
	list_views(&page);
	list_silence(&page);
	add_findings(&page);
	if (choice->no_methods)
		result->methods = (struct result_rows){ 0 };
	return result;
}

static const void *build(struct report *report)
{
	return summary_part(report, &(const struct summary_choice){ 0 });
}

const struct report_view view_summary = {
	.name = "summary",
	.summary = "what happened, and what is likely wrong",
	.missing = "the trace has no events",
	.options = options,
	.shape = &summary_shape,
	.analyses = summary_analyses,
	.build = build,
};
