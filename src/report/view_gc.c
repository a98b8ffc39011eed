/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "analyze/gc.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/duration.h"
#include "clr/providers.h"
#include "report/gc_shape.h"
#include "report/time_steps.h"

#define ROWS  25
#define STEPS 240 /* of the heap's time line */

struct gc_args {
	struct view_args common;
	const char *over;
};

static const struct option_spec options[] = {
	PROCESS_OPTIONS(struct gc_args, common.query),
	OPTION(0, "over", struct gc_args, over, "T", "list only pauses longer than this: 10ms"),
	OPTION_LAST,
};

struct generation_row {
	uint32_t generation;
	struct gc_sum sum;
};

static void get_pause_mean(const void *row, struct result_value *value)
{
	const struct gc_sum *sum = &((const struct generation_row *)row)->sum;

	value->number = sum->count ? sum->pause_total_ns / (int64_t)sum->count : 0;
}

#define ROW struct generation_row

static const struct result_field generation_fields[] = {
	FIELD(ROW, generation, "generation", "Gen", UNIT_ID, .flags = KEY),
	FIELD(ROW, sum.count, "count", "Count", UNIT_COUNT),
	FIELD(ROW, sum.induced, "induced", "Induced", UNIT_COUNT),
	FIELD(ROW, sum.pause_total_ns, "pause_total_ns", "Paused", UNIT_TIME, .flags = MAIN),
	COMPUTED("pause_mean_ns", "Mean", UNIT_TIME, .flags = MOST, .get = get_pause_mean),
	FIELD(ROW, sum.pause_max_ns, "pause_max_ns", "Longest", UNIT_TIME, .flags = MOST),
	FIELD(ROW, sum.suspend_max_ns, "suspend_max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(ROW, sum.stopped_ns, "stopped_ns", NULL, UNIT_TIME),
	FIELD(ROW, sum.promoted, "promoted_bytes", "Promoted", UNIT_SIZE),
	FIELD(ROW, sum.allocated, "allocated_bytes", "Allocated", UNIT_SIZE),
	FIELD(ROW, sum.allocated_per_second_max, "allocated_per_second_max_bytes", NULL, UNIT_SIZE,
	      .flags = MOST),
	FIELD(ROW, sum.peak_max, "heap_peak_bytes", "Peak", UNIT_SIZE, .flags = MOST),
	FIELD_END,
};

/* Pauses of about one length. */
struct pause_bucket {
	const char *label;
	int64_t from_ns;
	int64_t to_ns; /* INT64_MAX: any */
	uint64_t count;
};

static bool has_end(const void *row)
{
	return ((const struct pause_bucket *)row)->to_ns != INT64_MAX;
}

#undef ROW
#define ROW struct pause_bucket

static const struct result_field bucket_fields[] = {
	FIELD(ROW, label, "label", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(ROW, from_ns, "from_ns", NULL, UNIT_TIME),
	FIELD(ROW, to_ns, "to_ns", NULL, UNIT_TIME, .known = has_end),
	FIELD(ROW, count, "count", NULL, UNIT_COUNT),
	FIELD_END,
};

static const struct result_chart pause_chart = {
	.kind = CHART_BARS,
	.title = "GC pauses",
	.label = "label",
	.series = { { "count", "Collections", '#' } },
};

struct heap_step {
	int64_t time_ns;
	bool known;
	uint64_t before;
	uint64_t after;
};

#undef ROW
#define ROW struct heap_step

static const struct result_field heap_fields[] = {
	FIELD(ROW, time_ns, "time_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, before, "before_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, known)),
	FIELD(ROW, after, "after_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, known)),
	FIELD_END,
};

static const struct result_chart heap_chart = {
	.kind = CHART_TIMELINE,
	.title = "Heap",
	.label = "time_ns",
	.series = { { "before_bytes", "before collections", '.' },
		    { "after_bytes", "after collections", '#' } },
};

struct gc_result {
	struct generation_row all; /* first, for get_pause_mean() */
	double pause_percent;
	bool stopped_longer; /* than pauses say */
	uint64_t incomplete;
	double allocated_per_second;
	bool is_over; /* asked for */
	int64_t over_ns;
	uint64_t over_count;
	struct result_rows generations, pause_histogram, heap_timeline;
	struct result_rows gcs, in_order, longest; /* as data, and either for people */
};

_Static_assert(offsetof(struct gc_result, all) == 0, "get_pause_mean() takes either");

#define RESULT struct gc_result

/* Each collection says how large the heap is, and how much was allocated since the one before. */
static bool has_collections(const void *row)
{
	return ((const RESULT *)row)->all.sum.count;
}

static const struct result_field fields[] = {
	FIELD(RESULT, all.sum.count, "count", NULL, UNIT_COUNT),
	FIELD(RESULT, all.sum.induced, "induced", NULL, UNIT_COUNT),
	FIELD(RESULT, incomplete, "incomplete", NULL, UNIT_COUNT),
	FIELD(RESULT, all.sum.pause_total_ns, "pause_total_ns", NULL, UNIT_TIME),
	FIELD(RESULT, pause_percent, "pause_percent", NULL, UNIT_PERCENT, .flags = MOST),
	COMPUTED("pause_mean_ns", NULL, UNIT_TIME, .flags = MOST, .get = get_pause_mean),
	FIELD(RESULT, all.sum.pause_max_ns, "pause_max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(RESULT, all.sum.suspend_max_ns, "suspend_max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(RESULT, all.sum.stopped_ns, "stopped_ns", NULL, UNIT_TIME),
	FIELD(RESULT, stopped_longer, "stopped_longer", NULL, UNIT_FLAG, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, all.sum.allocated, "allocated_bytes", NULL, UNIT_SIZE,
	      .known = has_collections),
	FIELD(RESULT, allocated_per_second, "allocated_per_second_bytes", NULL, UNIT_SIZE,
	      .flags = MOST, .known = has_collections),
	FIELD(RESULT, all.sum.allocated_per_second_max, "allocated_per_second_max_bytes", NULL,
	      UNIT_SIZE, .flags = MOST, .known = has_collections),
	FIELD(RESULT, all.sum.promoted, "promoted_bytes", NULL, UNIT_SIZE),
	FIELD(RESULT, all.sum.peak_max, "heap_peak_bytes", NULL, UNIT_SIZE, .flags = MOST,
	      .known = has_collections),
	FIELD(RESULT, over_ns, "over_ns", NULL, UNIT_TIME, .flags = WHEN | NOT_NEGATIVE),
	FIELD(RESULT, over_count, "over_count", NULL, UNIT_COUNT, KNOWN_IF(RESULT, is_over)),
	LIST(RESULT, generations, "generations", "", SHAPE(generation_fields)),
	LIST(RESULT, pause_histogram, "pause_histogram", NULL, SHAPE(bucket_fields),
	     .flags = SINGLE, .chart = &pause_chart),
	LIST(RESULT, heap_timeline, "heap_timeline", NULL, SHAPE(heap_fields), .flags = SINGLE,
	     .chart = &heap_chart),
	LIST(RESULT, gcs, "gcs", NULL, &gc_shape, .flags = SINGLE | CSV),
	LIST(RESULT, in_order, "in_order", "", &gc_shape, .flags = SHOWN_PEOPLE),
	LIST(RESULT, longest, "longest", "Longest pauses", &gc_shape, .flags = SHOWN_PEOPLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Collections", "{count}, {induced} induced", NULL, false },
	{ "Incomplete", "{incomplete}, not in the sums: some of their events are missing",
	  "incomplete", false },
	{ "Paused", "{pause_total_ns}, {pause_percent} % of the time; longest {pause_max_ns}", NULL,
	  false },
	{ "Stopped",
	  "{stopped_ns} in total; not all of it counts as pauses, see perfpipe-report(1)",
	  "stopped_longer", false },
	{ "Allocated", "{allocated_bytes}, {allocated_per_second_bytes} per second",
	  "allocated_bytes", false },
	{ "Promoted", "{promoted_bytes}", NULL, false },
	{ "Peak heap", "{heap_peak_bytes}", NULL, false },
	{ "Over", "{over_count} paused longer than {over_ns}", NULL, false },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

/* A pause belongs to the first that it is shorter than. */
static const struct pause_bucket buckets[] = {
	{ "under 0.1 ms", 0, 100000, 0 },
	{ "0.1 - 0.2 ms", 100000, 200000, 0 },
	{ "0.2 - 0.5 ms", 200000, 500000, 0 },
	{ "0.5 - 1 ms", 500000, 1000000, 0 },
	{ "1 - 2 ms", 1000000, 2000000, 0 },
	{ "2 - 5 ms", 2000000, 5000000, 0 },
	{ "5 - 10 ms", 5000000, 10000000, 0 },
	{ "10 - 20 ms", 10000000, 20000000, 0 },
	{ "20 - 50 ms", 20000000, 50000000, 0 },
	{ "50 - 100 ms", 50000000, 100000000, 0 },
	{ "100 - 200 ms", 100000000, 200000000, 0 },
	{ "200 - 500 ms", 200000000, 500000000, 0 },
	{ "0.5 - 1 s", 500000000, 1000000000, 0 },
	{ "1 s and more", 1000000000, INT64_MAX, 0 },
};

#define BUCKETS ARRAY_COUNT(buckets)

/* Without those that are empty at both ends. */
static struct result_rows histogram_of(struct report *report, const struct gc_stats *stats)
{
	struct pause_bucket *rows = REPORT_ROWS_NEW(report, struct pause_bucket, BUCKETS);
	size_t first = BUCKETS;
	size_t last = 0;

	for (size_t i = 0; i < BUCKETS; i++)
		rows[i] = buckets[i];
	for (size_t i = 0; i < stats->count; i++) {
		size_t bucket = 0;

		if (!stats->list[i].wanted || stats->list[i].pause_ns < 0)
			continue;
		while (bucket < BUCKETS - 1 && stats->list[i].pause_ns >= rows[bucket].to_ns)
			bucket++;
		rows[bucket].count++;
		first = bucket < first ? bucket : first;
		last = bucket > last ? bucket : last;
	}
	return first == BUCKETS ? ROWS_OF(rows, 0) : ROWS_OF(rows + first, last - first + 1);
}

/* The largest heap in each step; the ends of the time shown are steps of their own. */
static struct result_rows heap_of(struct report *report, const struct gc_stats *stats)
{
	const struct time_steps steps = time_steps_of(report, STEPS);
	const int64_t to_ns = event_query_to(&report->samples.events, report->model.last_ns);
	struct heap_step *rows = REPORT_ROWS_NEW(report, struct heap_step, stats->count + 2);
	size_t at = SIZE_MAX;
	size_t count = 0;

	rows[count++] = (struct heap_step){ .time_ns = steps.from_ns };
	for (size_t i = 0; i < stats->count; i++) {
		const struct gc *gc = &stats->list[i];
		const size_t step = time_steps_find(&steps, gc->start_ns);

		if (!gc->wanted || !gc->has_stats)
			continue;
		if (step != at)
			rows[count++] =
				(struct heap_step){ .time_ns = gc->start_ns, .known = true };
		at = step;
		if (gc->heap_before > rows[count - 1].before)
			rows[count - 1].before = gc->heap_before;
		if (gc->heap_after > rows[count - 1].after)
			rows[count - 1].after = gc->heap_after;
	}
	if (count == 1)
		return ROWS_OF(rows, 0);
	rows[count++] = (struct heap_step){ .time_ns = to_ns };
	return ROWS_OF(rows, count);
}

static struct result_rows generations_of(struct report *report, const struct gc_summary *summary)
{
	struct generation_row *rows = REPORT_ROWS_NEW(report, struct generation_row, 3);

	for (uint32_t i = 0; i < 3; i++)
		rows[i] = (struct generation_row){ i, summary->generations[i] };
	return ROWS_OF(rows, summary->all.count ? 3 : 0);
}

static int by_pause(const void *left, const void *right)
{
	const struct gc *a = *(const struct gc *const *)left;
	const struct gc *b = *(const struct gc *const *)right;

	if (a->pause_ns != b->pause_ns)
		return a->pause_ns < b->pause_ns ? 1 : -1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* In order of time; of more than are shown, the longest pauses. */
static void list_collections(struct report *report, const struct gc_stats *stats,
			     struct gc_result *result)
{
	const struct gc **list = REPORT_ROWS_NEW(report, const struct gc *, stats->count);
	const size_t most = report_rows(report, ROWS);
	size_t count = 0;

	for (size_t i = 0; i < stats->count; i++)
		if (stats->list[i].wanted &&
		    (!result->is_over || stats->list[i].pause_ns > result->over_ns))
			list[count++] = &stats->list[i];
	result->over_count = count;
	if (count > most)
		qsort(list, count, sizeof(const struct gc *), by_pause);
	result->gcs = result_rows_first(ROWS_AT(list, count), most);
	if (count > most)
		result->longest = result->gcs;
	else
		result->in_order = result->gcs;
}

static const void *build(struct report *report)
{
	const struct gc_args *args = report->args;
	const struct gc_stats *stats = pass_find(&report->pass, &gc_analysis);
	struct gc_result *result = arena_new(&report->arena, struct gc_result);
	const double seconds = report_seconds(report);
	struct gc_summary summary = { 0 };

	result->over_ns = -1;
	result->is_over = args->over != NULL;
	if (args->over &&
	    duration_parse_positive(args->over, "over", &result->over_ns, report->err))
		return NULL;
	if (!gc_was_recorded(stats))
		return NULL;
	for (size_t i = 0; i < stats->count; i++)
		if (stats->list[i].wanted)
			gc_summary_add(&summary, &stats->list[i]);
	report_matches(report, "garbage collection", summary.all.count + summary.incomplete,
		       stats->count);
	result->all.sum = summary.all;
	result->incomplete = summary.incomplete;
	result->stopped_longer = summary.all.stopped_ns > summary.all.pause_total_ns;
	result->pause_percent =
		seconds > 0 ? (double)summary.all.pause_total_ns / 1e7 / seconds : 0;
	result->allocated_per_second = seconds > 0 ? (double)summary.all.allocated / seconds : 0;
	result->generations = generations_of(report, &summary);
	result->pause_histogram = histogram_of(report, stats);
	result->heap_timeline = heap_of(report, stats);
	list_collections(report, stats, result);
	return result;
}

/* What is wrong with the arguments is said before a long trace is read. */
static int prepare(struct report *report)
{
	const struct gc_args *args = report->args;
	int64_t over_ns;

	return args->over ? duration_parse_positive(args->over, "over", &over_ns, report->err) : 0;
}

static const struct view_event events[] = {
	{ CLR_RUNTIME_PROVIDER, "GC/Start" },
	{ CLR_RUNTIME_PROVIDER, "GC/Stop" },
	{ CLR_RUNTIME_PROVIDER, "GC/SuspendEEStart" },
	{ CLR_RUNTIME_PROVIDER, "GC/SuspendEEStop" },
	{ CLR_RUNTIME_PROVIDER, "GC/RestartEEStop" },
	{ CLR_RUNTIME_PROVIDER, "GC/HeapStats" },
	{ CLR_RUNTIME_PROVIDER, "GC/PerHeapHistory" },
	{ CLR_RUNTIME_PROVIDER, "GC/GlobalHeapHistory" },
	{ CLR_RUNTIME_PROVIDER, "GC/AllocationTick" },
	{ 0 },
};

const struct report_view view_gc = {
	.name = "gc",
	.summary = "garbage collections: reasons, pauses and what they left",
	.events = events,
	.missing = "the trace has no garbage collection events",
	.remedy = "perfpipe collect -p PID --profile gc-verbose",
	.options = options,
	.args_size = sizeof(struct gc_args),
	.shape = &shape,
	.prepare = prepare,
	.analyses = (const struct analysis *const[]){ &gc_analysis, NULL },
	.build = build,
};
