/* SPDX-License-Identifier: MIT */
#include "cli/report_threadpool.h"

#include "base/decimal.h"
#include "cli/report_sites.h"
#include "cli/text.h"
#include "clr/enums.h"

#define ROWS 15

#define QUEUE_REMEDY "--providers System.Diagnostics.Eventing.FrameworkEventSource:0x2:5"

static bool available(const struct report *report)
{
	const struct pool_stats *stats = report->analysis;

	return stats->seen > 0;
}

static bool is_chosen(const struct report *report, const struct pool *pool)
{
	return !report->samples.events.has_process ||
	       pool->process_id == report->samples.events.process_id;
}

static const char *reason_name(uint32_t reason, char text[static VALUE_MAP_TEXT])
{
	return value_map_name(value_map_find("ThreadAdjustmentReason"), reason, text);
}

static double per_second(const struct report *report, uint64_t count)
{
	const double seconds = report_seconds(report);

	return seconds > 0 ? (double)count / seconds : 0;
}

enum { COLUMN_PROCESS = 0 };

static const struct sheet_column adjustment_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "time_ns", "Time", SHEET_TIME, 0 },
	{ "workers", "Workers", SHEET_COUNT, 0 },
	{ "per_second", "Items/s", SHEET_PERCENT, 0 },
	{ "reason", "Reason", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static void put_adjustments(struct sheet *sheet, const struct pool *pool, size_t most)
{
	char text[VALUE_MAP_TEXT];

	for (size_t i = 0; i < pool->adjustment_count && i < most; i++) {
		const struct pool_adjustment *adjustment = &pool->adjustments[i];

		sheet_number(sheet, pool->process_id);
		sheet_time(sheet, adjustment->time_ns);
		sheet_count(sheet, adjustment->workers);
		sheet_percent(sheet, adjustment->throughput);
		sheet_text(sheet, reason_name(adjustment->reason, text));
	}
}

static void show_adjustments(struct report *report)
{
	const struct pool_stats *stats = report->analysis;
	const size_t most = report_rows(report, ROWS);
	struct sheet sheet = { .key = "adjustments", .columns = adjustment_columns };

	if (report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << COLUMN_PROCESS;
	else
		sheet.title = "Adjustments";
	for (size_t i = 0; i < stats->pool_count; i++)
		if (is_chosen(report, stats->pools[i]))
			put_adjustments(&sheet, stats->pools[i], most);
	if (sheet_rows(&sheet) || report->args->json || report->args->csv)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void say(const struct report *report, const char *title)
{
	fprintf(report->out, "%-11s ", title);
}

static void show_workers(const struct report *report, const struct pool *pool)
{
	FILE *out = report->out;

	if (pool->workers_told) {
		say(report, "Workers");
		fprintf(out, "%s to ", text_count(pool->workers_least).text);
		fprintf(out, "%s; ", text_count(pool->workers_most).text);
		fprintf(out, "%s started, ", text_count(pool->started).text);
		fprintf(out, "%s stopped\n", text_count(pool->stopped).text);
	}
	if (pool->has_limits) {
		say(report, "Limits");
		fprintf(out, "%s to ", text_count(pool->min_workers).text);
		fprintf(out, "%s workers\n", text_count(pool->max_workers).text);
	}
}

/* "5: 3 Starvation, 2 Warmup", as many as there are. */
static void show_reasons(const struct report *report, const struct pool *pool)
{
	const char *before = ": ";
	char text[VALUE_MAP_TEXT];

	say(report, "Adjusted");
	fprintf(report->out, "%s time%s", text_count(pool->adjustment_count).text,
		pool->adjustment_count == 1 ? "" : "s");
	for (uint32_t i = 0; i < POOL_REASONS; i++)
		if (pool->reasons[i]) {
			const char *name = reason_name(i, text);

			fprintf(report->out, "%s%s %s", before, text_count(pool->reasons[i]).text,
				name ? name : "?");
			before = ", ";
		}
	putc('\n', report->out);
	if (pool->reasons[POOL_STARVATION]) {
		say(report, "Starved");
		fprintf(report->out, "%s: work waited and no worker was free\n",
			text_count(pool->reasons[POOL_STARVATION]).text);
	}
}

static void show_spread(const struct report *report, const char *title,
			const struct histogram *spread)
{
	FILE *out = report->out;

	say(report, title);
	fprintf(out, "%s on average; half within ",
		text_duration(spread->total_ns / spread->count).text);
	fprintf(out, "%s, 95 %% ", text_duration(histogram_percentile(spread, 50)).text);
	fprintf(out, "%s; longest ", text_duration(histogram_percentile(spread, 95)).text);
	fprintf(out, "%s\n", text_duration(spread->max_ns).text);
}

static void show_queue(const struct report *report, const struct pool *pool)
{
	const struct histogram *queue = pool_queue(pool);
	const bool tasks = queue == &pool->queues[POOL_TASKS];

	if (queue->count) {
		say(report, tasks ? "Tasks" : "Work items");
		fprintf(report->out, "%s, %.1f a second\n", text_count(queue->count).text,
			per_second(report, queue->count));
		show_spread(report, "Queued", queue);
	} else {
		say(report, "Queued");
		fprintf(report->out,
			"not recorded; this makes perfpipe collect do it:\n            %s\n",
			QUEUE_REMEDY);
	}
	if (pool->queues[POOL_IO].count)
		show_spread(report, "I/O queued", &pool->queues[POOL_IO]);
	if (pool->throughput_samples) {
		say(report, "Throughput");
		fprintf(report->out, "%.1f items a second at most\n", pool->throughput_most);
	}
	if (pool->task_waits) {
		say(report, "Blocked");
		fprintf(report->out, "%s waits of workers for a task",
			text_count(pool->task_waits).text);
		if (pool->blocked.count)
			fprintf(report->out, ", %s in all",
				text_duration(pool->blocked.total_ns).text);
		putc('\n', report->out);
	}
}

static void show_for_people(struct report *report)
{
	const struct pool_stats *stats = report->analysis;

	for (size_t i = 0; i < stats->pool_count; i++) {
		const struct pool *pool = stats->pools[i];

		if (!is_chosen(report, pool))
			continue;
		if (report_process(report) == MODEL_NONE)
			fprintf(report->out, "\n%-11s %lld\n", "Process",
				(long long)pool->process_id);
		show_workers(report, pool);
		show_reasons(report, pool);
		show_queue(report, pool);
		report_pool_chart(report, pool);
	}
	show_adjustments(report);
}

static void put_real(struct json *json, const char *key, double real)
{
	json_begin_value(json, key);
	buffer_real(json->out, real, false);
}

static void json_spread(struct json *json, const char *key, const struct histogram *spread)
{
	if (!spread->count) {
		json_put_null(json, key);
		return;
	}
	json_open_object(json, key);
	json_put_u64(json, "count", spread->count);
	json_put_u64(json, "total_ns", spread->total_ns);
	json_put_u64(json, "p50_ns", histogram_percentile(spread, 50));
	json_put_u64(json, "p95_ns", histogram_percentile(spread, 95));
	json_put_u64(json, "p99_ns", histogram_percentile(spread, 99));
	json_put_u64(json, "max_ns", spread->max_ns);
	json_close(json);
}

static void json_line(struct json *json, const struct pool *pool)
{
	uint32_t last = 0;

	json_put_i64(json, "interval_ns", pool->line_step_ns);
	json_open_array(json, "timeline");
	for (size_t i = 0; i < pool->line_count; i++) {
		const struct pool_step *step = &pool->line[i];

		json_open_object(json, NULL);
		json_put_i64(json, "time_ns",
			     ns_plus(pool->line_start_ns, (int64_t)i * pool->line_step_ns));
		json_put_u64(json, "workers",
			     step->told && step->workers_most > last ? step->workers_most : last);
		json_put_u64(json, "items", step->items);
		json_put_u64(json, "starved", step->starved);
		json_close(json);
		last = step->told ? step->workers_last : last;
	}
	json_close(json);
}

static void json_pool(struct report *report, const struct pool *pool)
{
	struct json *json = &report->json;
	char text[VALUE_MAP_TEXT];

	json_put_u64(json, "workers_least", pool->workers_least);
	json_put_u64(json, "workers_most", pool->workers_most);
	json_put_u64(json, "started", pool->started);
	json_put_u64(json, "stopped", pool->stopped);
	if (pool->has_limits) {
		json_put_u64(json, "min_workers", pool->min_workers);
		json_put_u64(json, "max_workers", pool->max_workers);
	}
	json_put_u64(json, "starved", pool->reasons[POOL_STARVATION]);
	json_open_object(json, "reasons");
	for (uint32_t i = 0; i < POOL_REASONS; i++) {
		const char *name = pool->reasons[i] ? reason_name(i, text) : NULL;

		if (pool->reasons[i])
			json_put_u64(json, name ? name : "?", pool->reasons[i]);
	}
	json_close(json);
	put_real(json, "items_per_second", per_second(report, pool_queue(pool)->count));
	put_real(json, "throughput_most", pool->throughput_most);
	json_spread(json, "work", &pool->queues[POOL_WORK]);
	json_spread(json, "io", &pool->queues[POOL_IO]);
	json_spread(json, "tasks", &pool->queues[POOL_TASKS]);
	json_put_u64(json, "task_waits", pool->task_waits);
	json_spread(json, "blocked", &pool->blocked);
	json_line(json, pool);
}

static void show_json(struct report *report)
{
	const struct pool_stats *stats = report->analysis;
	struct json *json = &report->json;

	json_open_array(json, "pools");
	for (size_t i = 0; i < stats->pool_count; i++)
		if (is_chosen(report, stats->pools[i])) {
			json_open_object(json, NULL);
			json_put_i64(json, "process_id", stats->pools[i]->process_id);
			json_pool(report, stats->pools[i]);
			json_close(json);
		}
	json_close(json);
	show_adjustments(report);
}

static void show(struct report *report)
{
	if (report->args->json)
		show_json(report);
	else if (report->args->csv)
		show_adjustments(report);
	else
		show_for_people(report);
}

const struct report_view report_threadpool = {
	.name = "threadpool",
	.summary = "the thread pool's workers, and how long work waits for them",
	.missing = "it has no events of the thread pool",
	.remedy = "perfpipe collect -p PID --profile threadpool",
	.analysis = &pool_analysis,
	.available = available,
	.show = show,
};
