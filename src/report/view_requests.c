/* SPDX-License-Identifier: MIT */
#include "clr/providers.h"
#include "report/report.h"
#include "report/request_shapes.h"

#define ROWS	     20
#define SLOWEST_ROWS 10
#define GROUP_ROWS   10

/* Requests that are answered, or those that are made. */
struct request_side {
	const char *title;
	const char *source;
	const struct request_group *all;
	uint64_t began_before;
	uint64_t untimed; /* no event says to which request it belongs */
	uint64_t connections;
	const char *no_status; /* where statuses come from, if none were recorded; or NULL */
	struct result_rows groups, slowest;
};

static bool is_timed(const void *row)
{
	return request_group_is_timed(((const struct request_side *)row)->all);
}

static bool has_status(const void *row)
{
	return request_group_has_status(((const struct request_side *)row)->all);
}

static bool status_entry(const void *row, size_t index, struct result_entry *entry,
			 struct arena *arena)
{
	return request_status_entry(((const struct request_side *)row)->all, index, entry, arena);
}

static bool wait_entry(const void *row, size_t index, struct result_entry *entry,
		       struct arena *arena)
{
	(void)arena;
	return request_wait_entry(((const struct request_side *)row)->all->waits_ns, index, entry);
}

#define SIDE struct request_side

/* clang-format off */
#define ALL(member_, key_, ...) \
	FIELD_THROUGH(SIDE, all, struct request_group, member_, key_, NULL, __VA_ARGS__)
/* clang-format on */

static const struct result_field side_fields[] = {
	FIELD(SIDE, title, "title", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(SIDE, source, "source", NULL, UNIT_TEXT),
	ALL(count, "count", UNIT_COUNT),
	ALL(failed, "failed", UNIT_COUNT, .known = has_status),
	ALL(unfinished, "unfinished", UNIT_COUNT),
	ALL(timed, "timed", UNIT_COUNT),
	ALL(total_ns, "total_ns", UNIT_TIME),
	ALL(p50_ns, "p50_ns", UNIT_TIME, .flags = MOST, .known = is_timed),
	ALL(p95_ns, "p95_ns", UNIT_TIME, .flags = MOST, .known = is_timed),
	ALL(p99_ns, "p99_ns", UNIT_TIME, .flags = MOST, .known = is_timed),
	ALL(max_ns, "max_ns", UNIT_TIME, .flags = MOST, .known = is_timed),
	COMPUTED("statuses", NULL, UNIT_MAP, .entry = status_entry),
	COMPUTED("waits_ns", NULL, UNIT_MAP, .entry = wait_entry),
	FIELD(SIDE, began_before, "began_before", NULL, UNIT_COUNT),
	FIELD(SIDE, untimed, "untimed", NULL, UNIT_COUNT, .flags = SHOWN_PEOPLE),
	FIELD(SIDE, connections, "connections", NULL, UNIT_COUNT, .flags = SHOWN_PEOPLE),
	FIELD(SIDE, no_status, "no_status", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	LIST(SIDE, groups, "groups", "", &request_group_shape, .flags = CSV),
	LIST(SIDE, slowest, "slowest", "Slowest", &request_shape, .flags = SINGLE),
	FIELD_END,
};

static const struct result_line side_lines[] = {
	{ "{title}", "{count}[, {failed} failed]", NULL, false },
	{ "Time", "p50 {p50_ns}, p95 {p95_ns}, p99 {p99_ns}, longest {max_ns}", NULL, false },
	{ "Statuses", "not recorded: {no_status}", NULL, false },
	{ "Unfinished", "{unfinished}, whose end is missing", "unfinished", false },
	{ "Earlier", "{began_before}, whose start is missing", "began_before", false },
	{ "Untimed",
	  "{untimed}, whose events cannot be told apart without activities; "
	  "record System.Threading.Tasks.TplEventSource:0x80 as well",
	  "untimed", false },
	{ "Connections", "{connections}", "connections", false },
	{ 0 },
};
static const struct result_shape side_shape = { side_fields, side_lines };

struct request_result {
	const struct request_side *server, *client; /* NULL: none */
	const char *none;			    /* for people; or NULL */
	uint64_t connections;
	struct result_rows operations, server_connections, activities;
};

#define RESULT struct request_result

static const struct result_field fields[] = {
	FIELD(RESULT, none, "none", "Requests", UNIT_TEXT, .flags = SHOWN_PEOPLE),
	OBJECT_AT(RESULT, server, "server", &side_shape),
	OBJECT_AT(RESULT, client, "client", &side_shape),
	FIELD(RESULT, connections, "connections", NULL, UNIT_COUNT),
	LIST(RESULT, operations, "operations", "Network", &operation_shape),
	LIST(RESULT, server_connections, "server_connections",
	     "Server connections: wait for a client (accept), lifetime (open)", &operation_shape),
	LIST(RESULT, activities, "activities", "Activities", &activity_group_shape),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

static struct result_rows group_rows(struct report *report, const struct request_table *table,
				     size_t for_people)
{
	return report_first(report, ROWS_AT(table->groups, table->group_count), for_people);
}

/* An exception stands in for a status, but not for those of other requests. */
static bool lacks_statuses(const struct request_group *all)
{
	return all->status_count && all->statuses[all->status_count - 1].code < 0;
}

static const char *status_remedy(const struct requests *requests, const struct request_table *table)
{
	if (!lacks_statuses(&table->all))
		return NULL;
	if (table == requests_server(requests))
		return "record " DIAGNOSTIC_SOURCE_PROVIDER " as well, as --profile aspnet does";
	return "HttpClient reports them from .NET 8 on";
}

static const struct request_side *side_of(struct report *report, const struct requests *requests,
					  const struct request_table *table, const char *title,
					  uint64_t connections)
{
	struct request_side *side;

	if (!table)
		return NULL;
	side = arena_new(&report->arena, struct request_side);
	*side = (struct request_side){
		.title = title,
		.source = requests_source_name(requests, table),
		.all = &table->all,
		.began_before = table->began_before,
		.untimed = table->all.count - table->all.unfinished - table->all.timed,
		.connections = connections,
		.no_status = status_remedy(requests, table),
		.groups = group_rows(report, table, ROWS),
		.slowest = report_first(report, ROWS_AT(table->slowest, table->slowest_count),
					SLOWEST_ROWS),
	};
	return side;
}

static const void *build(struct report *report)
{
	const struct requests *requests = pass_find(&report->pass, &request_analysis);
	struct request_result *result = arena_new(&report->arena, struct request_result);

	if (!requests->seen)
		return NULL;
	result->server = side_of(report, requests, requests_server(requests), "Incoming", 0);
	result->client = side_of(report, requests, requests_client(requests), "Outgoing",
				 requests->connections);
	result->none = result->server || result->client ? NULL : "none";
	result->connections = requests->connections;
	result->operations = group_rows(report, &requests->tables[REQUEST_OPERATION], GROUP_ROWS);
	result->server_connections =
		group_rows(report, &requests->tables[REQUEST_CONNECTION], GROUP_ROWS);
	result->activities = group_rows(report, &requests->tables[REQUEST_ACTIVITY], GROUP_ROWS);
	return result;
}

static const struct view_event events[] = {
	{ ASPNETCORE_HOSTING_PROVIDER, "Request/*" },
	{ KESTREL_PROVIDER, "Request/*" },
	{ KESTREL_PROVIDER, "Connection/*" },
	{ KESTREL_PROVIDER, "TlsHandshake/*" },
	{ HTTP_PROVIDER, "Request/*" },
	{ NAME_RESOLUTION_PROVIDER, "Resolution/*" },
	{ NET_SECURITY_PROVIDER, "Handshake/*" },
	{ SOCKETS_PROVIDER, "Connect/*" },
	{ SOCKETS_PROVIDER, "Accept/*" },
	{ DIAGNOSTIC_SOURCE_PROVIDER, "Activity*" },
	{ DIAGNOSTIC_SOURCE_PROVIDER, "RecursiveActivity*" },
	{ 0 },
};

const struct report_view view_requests = {
	.name = "requests",
	.summary = "incoming and outgoing requests, and what they waited for",
	.events = events,
	.missing = "the trace has no request events",
	.remedy = "perfpipe collect -p PID --profile aspnet,http",
	.native_aot =
		"the trace has no request events, which a program compiled with NativeAOT has only "
		"with EventSourceSupport",
	.options = view_query_options,
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &request_analysis, NULL },
	.build = build,
};
