/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/decimal.h"
#include "cli/report_requests.h"
#include "cli/report_summary.h"

static void put_real(struct json *json, const char *key, double real)
{
	json_begin_value(json, key);
	buffer_real(json->out, real, false);
}

static double per_second(const struct summary_page *page, uint64_t count)
{
	return page->figures.seconds > 0 ? (double)count / page->figures.seconds : 0;
}

/* Opens an object, or puts null where nothing was told; false then. */
static bool open_if(struct json *json, const char *key, bool told)
{
	if (told)
		json_open_object(json, key);
	else
		json_put_null(json, key);
	return told;
}

static void put_runtime(struct json *json, const struct runtime_info *runtime)
{
	char version[64];

	if (!open_if(json, "runtime", runtime->recorded))
		return;
	snprintf(version, sizeof(version), "%u.%u.%u", runtime->version[0], runtime->version[1],
		 runtime->version[2]);
	json_put_text(json, "version", version);
	json_put_bool(json, "server_gc", runtime->server_gc);
	json_put_bool(json, "concurrent_gc", runtime->concurrent_gc);
	json_close(json);
}

static void put_cpu(struct report *report, const struct summary_page *page)
{
	struct json *json = &report->json;

	if (!open_if(json, "cpu", page->calls.total.count))
		return;
	json_put_u64(json, "samples", page->calls.total.count);
	json_put_u64(json, "cpu_ns", page->calls.total.ns);
	put_real(json, "processors", per_second(page, page->calls.total.ns) / 1e9);
	report_call_rows(report, &page->calls, &page->methods, "methods", page->rows);
	json_close(json);
}

static void put_gc(struct json *json, const struct summary_figures *figures)
{
	const struct gc_sum *all = &figures->gc.all;

	if (!open_if(json, "gc", figures->gc_recorded))
		return;
	json_put_u64(json, "count", all->count);
	json_put_u64(json, "induced", all->induced);
	json_put_u64(json, "gen2_count", figures->gc.generations[2].count);
	json_put_i64(json, "pause_total_ns", all->pause_total_ns);
	json_put_i64(json, "pause_max_ns", all->pause_max_ns);
	put_real(json, "pause_percent", figures->pause_percent);
	json_put_i64(json, "allocated", all->allocated);
	json_put_u64(json, "heap_peak", all->peak_max);
	json_close(json);
}

static void put_alloc(struct json *json, const struct summary_page *page)
{
	const struct summary_figures *figures = &page->figures;
	const struct alloc_table *table = &page->summary->alloc->tables[figures->alloc_source];

	if (!open_if(json, "alloc", figures->alloc_recorded))
		return;
	json_put_u64(json, "bytes", figures->alloc_bytes);
	put_real(json, "bytes_per_second", per_second(page, figures->alloc_bytes));
	json_put_u64(json, "large_bytes", figures->large_bytes);
	json_open_array(json, "types");
	for (size_t i = 0; i < table->type_count && i < page->rows; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "type", table->types[i]->name);
		json_put_u64(json, "bytes", table->types[i]->all.bytes);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

static void put_exceptions(struct report *report, const struct summary_page *page)
{
	struct json *json = &report->json;
	const struct exception_stats *stats = page->summary->exceptions;

	if (!open_if(json, "exceptions", page->figures.exceptions_recorded))
		return;
	json_put_u64(json, "total", stats->total);
	put_real(json, "per_second", per_second(page, stats->total));
	json_open_array(json, "types");
	for (size_t i = 0; i < stats->type_count && i < page->rows; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "type", stats->types[i]->name);
		json_put_u64(json, "count", stats->types[i]->count);
		if (report_process(report) == MODEL_NONE)
			json_put_i64(json, "process_id", stats->types[i]->process_id);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

static void put_waits(struct json *json, const struct summary_figures *figures)
{
	if (open_if(json, "contention", figures->contention_recorded)) {
		json_put_u64(json, "count", figures->contention.count);
		json_put_u64(json, "total_ns", figures->contention.total_ns);
		json_put_u64(json, "max_ns", figures->contention.max_ns);
		json_close(json);
	}
	if (open_if(json, "threadpool", figures->pools_recorded)) {
		json_put_u64(json, "workers_most", figures->workers_most);
		json_put_u64(json, "starved", figures->starved);
		json_put_u64(json, "cooperative_blocking", figures->cooperative);
		json_put_u64(json, "queued", figures->queue_count);
		json_put_u64(json, "queue_max_ns", figures->queue_max_ns);
		json_close(json);
	}
}

static void put_jit(struct json *json, const struct summary_figures *figures)
{
	const struct jit_sum *waited = &figures->jit.triggers[JIT_FOREGROUND];

	if (!open_if(json, "jit", figures->jit_recorded))
		return;
	json_put_u64(json, "count", figures->jit.all.count);
	json_put_i64(json, "time_ns", figures->jit.all.time_ns);
	json_put_u64(json, "foreground_count", waited->count);
	json_put_i64(json, "foreground_ns", waited->time_ns);
	json_put_u64(json, "dynamic", figures->jit_dynamic);
	json_close(json);
}

static void put_request(struct json *json, const struct request *request)
{
	char status[REQUEST_STATUS_TEXT];

	json_open_object(json, NULL);
	json_put_text(json, "name", request->group->name);
	json_put_text(json, "method", request->group->method);
	json_put_text(json, "status", request_status_text(request->status, status));
	json_put_i64(json, "start_ns", request->start_ns);
	json_put_i64(json, "time_ns", request->time_ns);
	json_close(json);
}

static void put_requests(struct json *json, const struct summary_page *page)
{
	const struct request_table *table = page->requests;

	if (!open_if(json, "requests", table))
		return;
	json_put_u64(json, "total", table->all.count);
	json_put_u64(json, "failed", table->all.failed);
	json_put_i64(json, "p50_ns", table->all.p50_ns);
	json_put_i64(json, "p95_ns", table->all.p95_ns);
	json_put_i64(json, "p99_ns", table->all.p99_ns);
	json_put_i64(json, "max_ns", table->all.max_ns);
	json_open_array(json, "slowest");
	for (size_t i = 0; i < table->slowest_count && i < page->rows; i++)
		put_request(json, table->slowest[i]);
	json_close(json);
	json_close(json);
}

void report_summary_json(struct report *report, const struct summary_page *page)
{
	const uint32_t process = report_process(report);
	struct json *json = &report->json;

	json_put_text(json, "process_name",
		      process == MODEL_NONE ? NULL : report->model.processes[process].name);
	json_put_text(json, "command_line",
		      process == MODEL_NONE ? NULL : report->model.processes[process].command_line);
	put_runtime(json, page->summary->runtime);
	json_put_u64(json, "duration_ns", (uint64_t)(page->figures.seconds * 1e9 + 0.5));
	json_put_u64(json, "events", page->figures.events);
	put_cpu(report, page);
	put_gc(json, &page->figures);
	put_alloc(json, page);
	put_exceptions(report, page);
	put_waits(json, &page->figures);
	put_jit(json, &page->figures);
	put_requests(json, page);
	report_findings_json(report, page);
}
