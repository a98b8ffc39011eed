/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analyze/threadpool.h"
#include "clr/providers.h"
#include "report/report.h"

#define ROWS 15

/* How long something waited, or lasted. */
struct times {
	uint64_t count;
	int64_t total_ns, mean_ns, p50_ns, p95_ns, p99_ns, max_ns;
};

#define ROW struct times

static const struct result_field times_fields[] = {
	FIELD(ROW, count, "count", NULL, UNIT_COUNT),
	FIELD(ROW, total_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(ROW, mean_ns, "mean_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(ROW, p50_ns, "p50_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(ROW, p95_ns, "p95_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(ROW, p99_ns, "p99_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD(ROW, max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD_END,
};
static const struct result_line no_lines[] = { { 0 } };
static const struct result_shape times_shape = { times_fields, no_lines };

struct timeline_row {
	int64_t time_ns;
	uint32_t workers;
	uint32_t items;
	uint32_t starved;
};

#undef ROW
#define ROW struct timeline_row

static const struct result_field timeline_fields[] = {
	FIELD(ROW, time_ns, "time_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, workers, "workers", NULL, UNIT_COUNT),
	FIELD(ROW, items, "items", NULL, UNIT_COUNT),
	FIELD(ROW, starved, "starved", NULL, UNIT_COUNT),
	FIELD_END,
};

static const struct result_chart worker_chart = {
	.kind = CHART_TIMELINE,
	.title = "Workers",
	.label = "time_ns",
	.series = { { "workers", "Workers", '#' } },
	.marks = "starved",
	.marks_title = "starved",
};

struct pool_row {
	const struct pool *pool;
	double items_per_second;
	const char *queued;					 /* "Tasks" or "Work items" */
	const struct times *queue, *work, *io, *tasks, *blocked; /* NULL: not recorded */
	const char *remedy; /* where queues were not recorded */
	const char *title;  /* of one among several processes; or NULL */
	struct result_rows timeline;
};

static const struct pool *pool_of(const void *row)
{
	return ((const struct pool_row *)row)->pool;
}

static const struct result_field reason_field = { .key = "reason",
						  .unit = UNIT_ENUM,
						  .map = "ThreadAdjustmentReason" };

static bool reason_entry(const void *row, size_t index, struct result_entry *entry,
			 struct arena *arena)
{
	const struct pool *pool = pool_of(row);

	for (uint32_t i = 0; i < POOL_REASONS; i++) {
		const char *name;

		if (!pool->reasons[i] || index-- > 0)
			continue;
		name = result_enum_name(&reason_field, i, arena);
		*entry = (struct result_entry){
			.key = name ? name : "?",
			.value = { .unit = UNIT_COUNT, .known = true, .count = pool->reasons[i] },
		};
		return true;
	}
	return false;
}

#undef ROW
#define ROW struct pool_row

/* clang-format off */
#define POOL(member_, key_, ...) \
	FIELD_THROUGH(ROW, pool, struct pool, member_, key_, NULL, __VA_ARGS__)
/* clang-format on */

/* That work was queued has a keyword of its own. */
static bool has_items(const void *row)
{
	return !((const ROW *)row)->remedy;
}

static const struct result_field pool_fields[] = {
	POOL(process_id, "process_id", UNIT_ID),
	POOL(workers_least, "workers_min", UNIT_COUNT, .flags = MOST,
	     KNOWN_IF(struct pool, has_workers)),
	POOL(workers_most, "workers_max", UNIT_COUNT, .flags = MOST,
	     KNOWN_IF(struct pool, has_workers)),
	POOL(started, "started", UNIT_COUNT),
	POOL(stopped, "stopped", UNIT_COUNT),
	POOL(min_workers, "workers_limit_min", UNIT_COUNT, .flags = WHEN,
	     KNOWN_IF(struct pool, has_limits)),
	POOL(max_workers, "workers_limit_max", UNIT_COUNT, .flags = WHEN,
	     KNOWN_IF(struct pool, has_limits)),
	POOL(adjustment_count, "adjustments", UNIT_COUNT),
	POOL(reasons[POOL_STARVATION], "starved", UNIT_COUNT),
	POOL(reasons[POOL_COOPERATIVE_BLOCKING], "for_blocked", UNIT_COUNT, .flags = SHOWN_PEOPLE),
	COMPUTED("reasons", NULL, UNIT_MAP, .entry = reason_entry),
	FIELD(ROW, items_per_second, "items_per_second", NULL, UNIT_RATE, .flags = MOST,
	      .known = has_items),
	POOL(throughput_most, "items_per_second_max", UNIT_RATE, .flags = MOST),
	FIELD(ROW, queued, "queued", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	OBJECT_AT(ROW, queue, "queue", &times_shape, .flags = SHOWN_PEOPLE),
	FIELD(ROW, remedy, "remedy", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	OBJECT_AT(ROW, work, "work", &times_shape),
	OBJECT_AT(ROW, io, "io", &times_shape),
	OBJECT_AT(ROW, tasks, "tasks", &times_shape),
	POOL(task_waits, "task_waits", UNIT_COUNT),
	OBJECT_AT(ROW, blocked, "blocked", &times_shape),
	POOL(line_step_ns, "interval_ns", UNIT_TIME, .flags = WHEN | NOT_NEGATIVE),
	FIELD(ROW, title, "title", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	LIST(ROW, timeline, "timeline", NULL, SHAPE(timeline_fields), .flags = SINGLE,
	     .chart = &worker_chart),
	FIELD_END,
};

static const struct result_line pool_lines[] = {
	{ "Process", "{title}", NULL, false },
	{ "Workers", "{workers_min} to {workers_max}; {started} started, {stopped} stopped", NULL,
	  false },
	{ "Limits", "{workers_limit_min} to {workers_limit_max|worker|workers}", NULL, false },
	{ "Adjusted", "{adjustments|time|times}[: {reasons}]", NULL, false },
	{ "", "{for_blocked} of them because workers were blocked, waiting for tasks",
	  "for_blocked", false },
	{ "Starved", "{starved|time|times}: work waited and no worker was free", "starved", false },
	{ "{queued}", "{queue.count}, {items_per_second} per second", NULL, false },
	{ "Queued",
	  "mean {queue.mean_ns}, p50 {queue.p50_ns}, p95 {queue.p95_ns}, longest {queue.max_ns}",
	  NULL, false },
	{ "Queued", "not recorded; perfpipe collect records it with", "remedy", false },
	{ "", "{remedy}", NULL, false },
	{ "I/O queued", "mean {io.mean_ns}, p50 {io.p50_ns}, p95 {io.p95_ns}, longest {io.max_ns}",
	  NULL, false },
	{ "Throughput", "{items_per_second_max} items per second at most", "items_per_second_max",
	  false },
	{ "Blocked",
	  "workers waited for tasks {task_waits|time|times}[, {blocked.total_ns} in total]",
	  "task_waits", false },
	{ 0 },
};
static const struct result_shape pool_shape = { pool_fields, pool_lines };

struct adjustment_row {
	int64_t process_id;
	struct pool_adjustment adjustment;
};

#undef ROW
#define ROW struct adjustment_row

static const struct result_field adjustment_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, adjustment.time_ns, "time_ns", "Time", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, adjustment.workers, "workers", "Workers", UNIT_COUNT),
	FIELD(ROW, adjustment.throughput, "per_second", "Items/s", UNIT_RATE),
	FIELD(ROW, adjustment.reason, "reason", "Reason", UNIT_ENUM,
	      .map = "ThreadAdjustmentReason", .flags = WIDE),
	FIELD_END,
};

struct pool_result {
	struct result_rows pools, adjustments;
};

static const struct result_field fields[] = {
	LIST(struct pool_result, pools, "pools", "", &pool_shape, .flags = CARDS | MERGED),
	LIST(struct pool_result, adjustments, "adjustments", "", SHAPE(adjustment_fields),
	     .flags = CSV | SINGLE),
	FIELD_END,
};
static const struct result_shape shape = { fields, no_lines };

static bool is_asked_for(const struct report *report, const struct pool *pool)
{
	return event_query_asks_for(&report->samples.events, pool->process_id);
}

/* Where nothing is known of workers they are as many as before. */
static struct result_rows timeline_of(struct report *report, const struct pool *pool)
{
	struct timeline_row *rows = REPORT_ROWS_NEW(report, struct timeline_row, pool->line_count);
	uint32_t last = 0;

	for (size_t i = 0; i < pool->line_count; i++) {
		const struct pool_step *step = &pool->line[i];

		rows[i] = (struct timeline_row){
			.time_ns = ns_plus(pool->line_start_ns, (int64_t)i * pool->line_step_ns),
			.workers = step->has_workers && step->workers_most > last
					   ? step->workers_most
					   : last,
			.items = step->items,
			.starved = step->starved,
		};
		last = step->has_workers ? step->workers_last : last;
	}
	return ROWS_OF(rows, pool->line_count);
}

static const struct times *times_of(struct report *report, const struct histogram *spread)
{
	struct times *times = arena_new(&report->arena, struct times);

	if (!spread->count)
		return NULL;
	*times = (struct times){
		.count = spread->count,
		.total_ns = (int64_t)spread->total_ns,
		.mean_ns = (int64_t)(spread->total_ns / spread->count),
		.p50_ns = (int64_t)histogram_percentile(spread, 50),
		.p95_ns = (int64_t)histogram_percentile(spread, 95),
		.p99_ns = (int64_t)histogram_percentile(spread, 99),
		.max_ns = (int64_t)spread->max_ns,
	};
	return times;
}

static struct pool_row row_of(struct report *report, const struct pool *pool)
{
	const struct histogram *queue = pool_queue(pool);

	return (struct pool_row){
		.pool = pool,
		.items_per_second = report_per_second(report, queue->count),
		.queued = queue == &pool->queues[POOL_TASKS] ? "Tasks" : "Work items",
		.queue = times_of(report, queue),
		.work = times_of(report, &pool->queues[POOL_WORK]),
		.io = times_of(report, &pool->queues[POOL_IO]),
		.tasks = times_of(report, &pool->queues[POOL_TASKS]),
		.blocked = times_of(report, &pool->blocked),
		.remedy = queue->count ? NULL
				       : "--providers "
					 "System.Diagnostics.Eventing.FrameworkEventSource:0x2:5",
		.title = report->process == MODEL_NONE
				 ? report_text(report, "%lld", (long long)pool->process_id)
				 : NULL,
		.timeline = timeline_of(report, pool),
	};
}

static struct result_rows adjustments_of(struct report *report, const struct pool_stats *stats)
{
	const size_t most = report_rows(report, ROWS);
	struct adjustment_row *rows;
	size_t all = 0;
	size_t count = 0;

	for (size_t i = 0; i < stats->pool_count; i++)
		all += stats->pools[i]->adjustment_count;
	rows = REPORT_ROWS_NEW(report, struct adjustment_row, all);
	for (size_t i = 0; i < stats->pool_count; i++) {
		const struct pool *pool = stats->pools[i];

		for (size_t j = 0; is_asked_for(report, pool) && j < pool->adjustment_count; j++)
			rows[count++] =
				(struct adjustment_row){ pool->process_id, pool->adjustments[j] };
	}
	return result_rows_first(ROWS_OF(rows, count), most);
}

static const void *build(struct report *report)
{
	const struct pool_stats *stats = pass_find(&report->pass, &pool_analysis);
	struct pool_result *result = arena_new(&report->arena, struct pool_result);
	struct pool_row *rows = REPORT_ROWS_NEW(report, struct pool_row, stats->pool_count);
	size_t count = 0;

	if (!stats->seen)
		return NULL;
	for (size_t i = 0; i < stats->pool_count; i++)
		if (is_asked_for(report, stats->pools[i]))
			rows[count++] = row_of(report, stats->pools[i]);
	result->pools = ROWS_OF(rows, count);
	result->adjustments = adjustments_of(report, stats);
	return result;
}

static const struct view_event events[] = {
	{ CLR_RUNTIME_PROVIDER, "ThreadPoolWorkerThread/*" },
	{ CLR_RUNTIME_PROVIDER, "ThreadPoolWorkerThreadAdjustment/Sample" },
	{ CLR_RUNTIME_PROVIDER, "ThreadPoolWorkerThreadAdjustment/Adjustment" },
	{ CLR_RUNTIME_PROVIDER, "ThreadPool/Enqueue" },
	{ CLR_RUNTIME_PROVIDER, "ThreadPool/Dequeue" },
	{ CLR_RUNTIME_PROVIDER, "ThreadPool/IOEnqueue" },
	{ CLR_RUNTIME_PROVIDER, "ThreadPool/IODequeue" },
	{ FRAMEWORK_PROVIDER, "ThreadPool*" },
	{ 0 },
};

const struct report_view view_threadpool = {
	.name = "threadpool",
	.summary = "thread pool workers, and how long work waits for them",
	.events = events,
	.missing = "the trace has no thread pool events",
	.remedy = "perfpipe collect -p PID --profile threadpool",
	.options = view_query_options,
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &pool_analysis, NULL },
	.build = build,
};
