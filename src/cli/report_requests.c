/* SPDX-License-Identifier: MIT */
#include "cli/report_requests.h"

#include <string.h>

#include "cli/text.h"

#define ROWS	     20
#define SLOWEST_ROWS 10
#define GROUP_ROWS   10

/* Something was told, even if the options ask for none of it. */
static bool available(const struct report *report)
{
	const struct requests *requests = report->analysis;

	return requests->seen > 0;
}

const char *request_status_text(int code, char text[static REQUEST_STATUS_TEXT])
{
	if (code == REQUEST_EXCEPTION)
		return "exception";
	if (code == REQUEST_NO_STATUS)
		return "unknown";
	snprintf(text, REQUEST_STATUS_TEXT, "%d", code);
	return text;
}

/* "200", or "200 x38, 500 x2". */
static const char *statuses_text(const struct request_group *group, struct arena *arena)
{
	char text[REQUEST_STATUS_TEXT];
	struct buffer all = { 0 };
	const char *made;

	for (size_t i = 0; i < group->status_count; i++) {
		const char *status = request_status_text(group->statuses[i].code, text);

		if (group->status_count == 1 && group->statuses[i].code == REQUEST_NO_STATUS)
			break;
		if (i)
			buffer_bytes(&all, ", ", 2);
		buffer_bytes(&all, status, strlen(status));
		if (group->status_count > 1) {
			const struct text_figure count = text_count(group->statuses[i].count);

			buffer_bytes(&all, " x", 2);
			buffer_bytes(&all, count.text, strlen(count.text));
		}
	}
	made = all.size ? arena_text(arena, (const char *)all.bytes, all.size) : NULL;
	buffer_release(&all);
	return made;
}

enum { COLUMN_SOURCE = 0, COLUMN_FAILED = 7, COLUMN_STATUS = 9, COLUMN_METHOD = 10 };

static const struct sheet_column group_columns[] = {
	{ "source", "", SHEET_TEXT, SHEET_DATA },
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "p50_ns", "p50", SHEET_TIME, 0 },
	{ "p95_ns", "p95", SHEET_TIME, 0 },
	{ "p99_ns", "p99", SHEET_TIME, 0 },
	{ "max_ns", "Longest", SHEET_TIME, 0 },
	{ "total_ns", "", SHEET_TIME, SHEET_DATA },
	{ "failed", "Failed", SHEET_COUNT, 0 },
	{ "unfinished", "", SHEET_COUNT, SHEET_DATA },
	{ "statuses", "Status", SHEET_TEXT, 0 },
	{ "method", "", SHEET_TEXT, SHEET_DATA },
	{ "name", "Name", SHEET_TEXT, SHEET_PATH },
	{ 0 },
};

static void put_time(struct sheet *sheet, const struct request_group *group, int64_t time_ns)
{
	if (group->timed)
		sheet_time(sheet, time_ns);
	else
		sheet_unknown(sheet);
}

/* "GET /orders/17" for people, who have no column for the method. */
static const char *whole_name(const struct report *report, const struct request_group *group,
			      struct arena *arena)
{
	const size_t method = strlen(group->method);
	const size_t name = strlen(group->name);
	char *text;

	if (!method || report->args->csv)
		return group->name;
	if (!name)
		return group->method;
	text = arena_alloc(arena, method + name + 2);
	memcpy(text, group->method, method);
	text[method] = ' ';
	memcpy(text + method + 1, group->name, name);
	return text;
}

static void put_group(struct sheet *sheet, const struct report *report, const char *source,
		      const struct request_group *group)
{
	sheet_text(sheet, source);
	sheet_count(sheet, group->count);
	put_time(sheet, group, group->p50_ns);
	put_time(sheet, group, group->p95_ns);
	put_time(sheet, group, group->p99_ns);
	put_time(sheet, group, group->max_ns);
	sheet_time(sheet, group->total_ns);
	sheet_count(sheet, group->failed);
	sheet_count(sheet, group->unfinished);
	sheet_text(sheet, statuses_text(group, &sheet->arena));
	sheet_text(sheet, group->method);
	sheet_text(sheet, whole_name(report, group, &sheet->arena));
}

/* Of what is no request it would say that it failed, once more. */
static bool knows_statuses(const struct requests *requests, const struct request_table *table)
{
	if (table >= &requests->tables[REQUEST_OPERATION])
		return false;
	for (size_t i = 0; i < table->all.status_count; i++)
		if (table->all.statuses[i].code != REQUEST_NO_STATUS)
			return true;
	return false;
}

static void show_groups(struct report *report, const struct request_table *table, const char *title,
			size_t rows)
{
	const char *source = requests_source_name(report->analysis, table);
	const size_t most = report_rows(report, rows);
	struct sheet sheet = { .key = "groups", .title = title, .columns = group_columns };

	if (!knows_statuses(report->analysis, table) && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_STATUS;
	if (!table->all.failed && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_FAILED;
	for (size_t i = 0; i < table->group_count && i < most; i++)
		put_group(&sheet, report, source, table->groups[i]);
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

/* The longest wait that was not told yet, unless it is below a hundredth of the time. */
static enum request_wait next_wait(const struct request *request, unsigned told)
{
	enum request_wait longest = REQUEST_WAITS;

	for (enum request_wait i = 0; i < REQUEST_WAITS; i++)
		if (!(told >> i & 1) && request->waits_ns[i] > request->time_ns / 100 &&
		    (longest == REQUEST_WAITS || request->waits_ns[i] > request->waits_ns[longest]))
			longest = i;
	return longest;
}

/* "answer 54.2 ms, queue 22.9 ms", the longest first. */
static const char *waits_text(const struct request *request, int most, struct arena *arena)
{
	struct buffer all = { 0 };
	unsigned told = 0;
	const char *made;
	enum request_wait wait;

	for (int i = 0; i < most && (wait = next_wait(request, told)) < REQUEST_WAITS; i++) {
		const char *name = request_wait_name(wait);
		const struct text_figure time = text_duration((uint64_t)request->waits_ns[wait]);

		told |= 1u << wait;
		buffer_bytes(&all, ", ", all.size ? 2 : 0);
		buffer_bytes(&all, name, strlen(name));
		buffer_u8(&all, ' ');
		buffer_bytes(&all, time.text, strlen(time.text));
	}
	made = all.size ? arena_text(arena, (const char *)all.bytes, all.size) : NULL;
	buffer_release(&all);
	return made;
}

enum { SLOW_PROCESS = 0, SLOW_TRACE = 4 };

static const struct sheet_column slow_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },   { "start_ns", "Start", SHEET_TIME, 0 },
	{ "time_ns", "Time", SHEET_TIME, 0 },	    { "status", "Status", SHEET_TEXT, 0 },
	{ "trace_id", "Trace", SHEET_TEXT, 0 },	    { "waited", "Waited for", SHEET_TEXT, 0 },
	{ "name", "Name", SHEET_TEXT, SHEET_PATH }, { 0 },
};

#define NARROW 120 /* columns of a line from which ids of traces, and all waits, have room */

static bool is_narrow(const struct report *report)
{
	return report->width && report->width < NARROW;
}

static void put_slow(struct sheet *sheet, const struct report *report,
		     const struct request *request)
{
	char text[REQUEST_STATUS_TEXT];
	const bool known = request->status != REQUEST_NO_STATUS || request->failed;
	const int status =
		request->status == REQUEST_NO_STATUS ? REQUEST_EXCEPTION : request->status;

	sheet_number(sheet, request->process_id);
	sheet_time(sheet, request->start_ns);
	sheet_time(sheet, request->time_ns);
	sheet_text(sheet, known ? request_status_text(status, text) : NULL);
	sheet_text(sheet, *request->trace_id ? request->trace_id : NULL);
	sheet_text(sheet,
		   waits_text(request, is_narrow(report) ? 2 : REQUEST_WAITS, &sheet->arena));
	sheet_text(sheet, whole_name(report, request->group, &sheet->arena));
}

static void show_slowest(struct report *report, const struct request_table *table)
{
	const size_t most = report_rows(report, SLOWEST_ROWS);
	struct sheet sheet = { .key = "slowest", .title = "Slowest", .columns = slow_columns };

	if (report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << SLOW_PROCESS;
	if (is_narrow(report))
		sheet.hidden |= 1u << SLOW_TRACE;
	for (size_t i = 0; i < table->slowest_count && i < most; i++)
		put_slow(&sheet, report, table->slowest[i]);
	if (table->slowest_count)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void say_times(const struct report *report, const struct request_group *all)
{
	FILE *out = report->out;

	if (!all->timed)
		return;
	fprintf(out, "%-11s p50 %s, ", "Time", text_duration((uint64_t)all->p50_ns).text);
	fprintf(out, "p95 %s, ", text_duration((uint64_t)all->p95_ns).text);
	fprintf(out, "p99 %s, ", text_duration((uint64_t)all->p99_ns).text);
	fprintf(out, "longest %s\n", text_duration((uint64_t)all->max_ns).text);
}

static void show_facts(const struct report *report, const char *title,
		       const struct request_table *table)
{
	const struct request_group *all = &table->all;
	FILE *out = report->out;

	fprintf(out, "%-11s %s", title, text_count(all->count).text);
	if (all->failed)
		fprintf(out, ", %s failed", text_count(all->failed).text);
	putc('\n', out);
	say_times(report, all);
	if (all->unfinished)
		fprintf(out, "%-11s %s, whose end is missing\n", "Unfinished",
			text_count(all->unfinished).text);
	if (table->began_before)
		fprintf(out, "%-11s %s, whose beginning is missing\n", "Earlier",
			text_count(table->began_before).text);
	if (all->timed < all->count - all->unfinished)
		fprintf(out,
			"%-11s %s, since events do not say to which request they belong;\n"
			"%-11s record System.Threading.Tasks.TplEventSource:0x80 with them\n",
			"No time", text_count(all->count - all->unfinished - all->timed).text, "");
}

static void show_for_people(struct report *report, const struct request_table *server,
			    const struct request_table *client)
{
	const struct requests *requests = report->analysis;
	const struct request_table *other[] = { &requests->tables[REQUEST_OPERATION],
						&requests->tables[REQUEST_ACTIVITY] };
	static const char *const titles[] = { "Network", "Activities" };

	if (server) {
		show_facts(report, "Answered", server);
		show_groups(report, server, NULL, ROWS);
		show_slowest(report, server);
	}
	if (client) {
		if (server)
			putc('\n', report->out);
		show_facts(report, "Made", client);
		if (requests->connections)
			fprintf(report->out, "%-11s %s\n", "Connections",
				text_count(requests->connections).text);
		show_groups(report, client, NULL, ROWS);
		show_slowest(report, client);
	}
	if (!server && !client)
		fprintf(report->out, "%-11s none\n", "Requests");
	for (size_t i = 0; i < 2; i++)
		if (other[i]->all.count)
			show_groups(report, other[i], titles[i], GROUP_ROWS);
}

static void show_csv(struct report *report, const struct request_table *server,
		     const struct request_table *client)
{
	const struct requests *requests = report->analysis;

	if (server)
		show_groups(report, server, NULL, ROWS);
	if (client)
		show_groups(report, client, NULL, ROWS);
	if (!server && !client) /* the line of titles at least */
		show_groups(report, &requests->tables[REQUEST_HOSTING], NULL, ROWS);
}

static void show(struct report *report)
{
	const struct request_table *server;
	const struct request_table *client;

	server = requests_server(report->analysis);
	client = requests_client(report->analysis);
	if (report->args->json)
		report_requests_json(report);
	else if (report->args->csv)
		show_csv(report, server, client);
	else
		show_for_people(report, server, client);
}

const struct report_view report_requests = {
	.name = "requests",
	.summary = "requests answered and made, and what they waited for",
	.missing = "it has no events of requests",
	.remedy = "perfpipe collect -p PID --profile aspnet,http",
	.analysis = &request_analysis,
	.available = available,
	.show = show,
};
