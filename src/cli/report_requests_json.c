/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/report_requests.h"

static void put_time(struct json *json, const char *key, bool known, int64_t time_ns)
{
	if (known)
		json_put_i64(json, key, time_ns);
	else
		json_put_null(json, key);
}

/* The figures that a group and all groups have. */
static void put_sum(struct json *json, const struct request_group *group)
{
	char text[REQUEST_STATUS_TEXT];

	json_put_u64(json, "failed", group->failed);
	json_put_u64(json, "unfinished", group->unfinished);
	json_put_u64(json, "timed", group->timed);
	json_put_i64(json, "total_ns", group->total_ns);
	put_time(json, "p50_ns", group->timed, group->p50_ns);
	put_time(json, "p95_ns", group->timed, group->p95_ns);
	put_time(json, "p99_ns", group->timed, group->p99_ns);
	put_time(json, "max_ns", group->timed, group->max_ns);
	json_open_object(json, "statuses");
	for (size_t i = 0; i < group->status_count; i++)
		json_put_u64(json, request_status_text(group->statuses[i].code, text),
			     group->statuses[i].count);
	json_close(json);
}

static void put_waits(struct json *json, const int64_t *waits_ns)
{
	json_open_object(json, "waits_ns");
	for (enum request_wait i = 0; i < REQUEST_WAITS; i++)
		if (waits_ns[i])
			json_put_i64(json, request_wait_name(i), waits_ns[i]);
	json_close(json);
}

static void put_groups(struct report *report, const struct request_table *table, const char *key,
		       const char *method)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;

	json_open_array(json, key);
	for (size_t i = 0; i < table->group_count && i < most; i++) {
		const struct request_group *group = table->groups[i];

		json_open_object(json, NULL);
		json_put_text(json, "name", group->name);
		json_put_text(json, method, *group->method ? group->method : NULL);
		json_put_u64(json, "count", group->count);
		put_sum(json, group);
		put_waits(json, group->waits_ns);
		json_close(json);
	}
	json_close(json);
}

static void put_slow(struct json *json, const struct request *request)
{
	const bool failed = request->failed && request->status == REQUEST_NO_STATUS;
	char text[REQUEST_STATUS_TEXT];

	json_open_object(json, NULL);
	json_put_text(json, "name", request->group->name);
	json_put_text(json, "method", *request->group->method ? request->group->method : NULL);
	json_put_i64(json, "start_ns", request->start_ns);
	json_put_i64(json, "time_ns", request->time_ns);
	json_put_text(json, "status",
		      request_status_text(failed ? REQUEST_EXCEPTION : request->status, text));
	json_put_bool(json, "failed", request->failed || request->status >= 500);
	json_put_i64(json, "process_id", request->process_id);
	json_put_i64(json, "thread_id", request->thread_id);
	json_put_text(json, "activity", request->key.size ? request->key.text : NULL);
	json_put_text(json, "trace_id", *request->trace_id ? request->trace_id : NULL);
	json_put_text(json, "span_id", *request->span_id ? request->span_id : NULL);
	put_waits(json, request->waits_ns);
	json_put_u64(json, "calls", request->calls);
	json_put_text(json, "slowest_call", request->call);
	put_time(json, "slowest_call_ns", request->call, request->call_ns);
	json_put_u64(json, "exceptions", request->exceptions);
	json_close(json);
}

static void put_table(struct report *report, const struct request_table *table)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;

	json_put_text(json, "source", requests_source_name(report->analysis, table));
	json_put_u64(json, "total", table->all.count);
	put_sum(json, &table->all);
	put_waits(json, table->all.waits_ns);
	json_put_u64(json, "began_before", table->began_before);
	put_groups(report, table, "groups", "method");
	json_open_array(json, "slowest");
	for (size_t i = 0; i < table->slowest_count && i < most; i++)
		put_slow(json, table->slowest[i]);
	json_close(json);
}

/* Those that are answered stand at the top, or else those that are made. */
void report_requests_json(struct report *report)
{
	const struct requests *requests = report->analysis;
	const struct request_table *server = requests_server(requests);
	const struct request_table *client = requests_client(requests);
	struct json *json = &report->json;

	put_table(report, server ? server : client ? client : &requests->tables[REQUEST_HOSTING]);
	if (server && client) {
		json_open_object(json, "client");
		put_table(report, client);
		json_close(json);
	}
	json_put_u64(json, "connections", requests->connections);
	put_groups(report, &requests->tables[REQUEST_OPERATION], "operations", "operation");
	put_groups(report, &requests->tables[REQUEST_ACTIVITY], "activities", "activity_source");
}
