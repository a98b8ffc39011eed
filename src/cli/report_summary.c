/* SPDX-License-Identifier: MIT */
#include "cli/report_summary.h"

#include <string.h>

#include "cli/report_requests.h"
#include "cli/text.h"

/* Analyses of the pass, in memory that goes with it. */
static void want(struct report *report)
{
	struct summary *summary = arena_new(&report->pass.arena, struct summary);

	summary_want(summary, &report->pass);
	report->analysis = summary;
}

static void say(const struct report *report, const char *title)
{
	fprintf(report->out, "%-11s ", title);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static double per_second(const struct summary_page *page, uint64_t count)
{
	return page->figures.seconds > 0 ? (double)count / page->figures.seconds : 0;
}

static void show_process(const struct report *report, const struct summary_page *page)
{
	const struct runtime_info *runtime = page->summary->runtime;
	const uint32_t process = report_process(report);

	if (process != MODEL_NONE && report->model.processes[process].command_line) {
		say(report, "Command");
		text_put(report->out, report->model.processes[process].command_line);
		putc('\n', report->out);
	}
	if (runtime->recorded) {
		say(report, "Runtime");
		fprintf(report->out, ".NET %u.%u.%u, %s%s GC\n", runtime->version[0],
			runtime->version[1], runtime->version[2],
			runtime->concurrent_gc ? "concurrent " : "",
			runtime->server_gc ? "server" : "workstation");
	}
	say(report, "Length");
	fprintf(report->out, "%s, ", text_duration((uint64_t)(page->figures.seconds * 1e9)).text);
	fprintf(report->out, "%s events in the trace\n", text_count(page->figures.events).text);
}

static void show_cpu(const struct report *report, const struct summary_page *page)
{
	if (!page->calls.total.count)
		return;
	say(report, "CPU");
	fprintf(report->out, "%s in ", text_duration(page->calls.total.ns).text);
	fprintf(report->out, "%s samples, %.2f processors\n",
		text_count(page->calls.total.count).text,
		per_second(page, page->calls.total.ns) / 1e9);
}

static void show_gc(const struct report *report, const struct summary_page *page)
{
	const struct gc_sum *all = &page->figures.gc.all;
	FILE *out = report->out;

	if (!page->figures.gc_recorded)
		return;
	say(report, "GC");
	fprintf(out, "%s collection%s", text_count(all->count).text, plural(all->count));
	if (all->count) {
		fprintf(out, ", paused %s, %.2f %%",
			text_duration((uint64_t)all->pause_total_ns).text,
			page->figures.pause_percent);
		fprintf(out, "; longest %s", text_duration((uint64_t)all->pause_max_ns).text);
		fprintf(out, "; heap %s", text_size(all->peak_max).text);
	}
	putc('\n', out);
}

static void show_alloc(const struct report *report, const struct summary_page *page)
{
	const struct summary_figures *figures = &page->figures;
	const struct alloc_table *table = &page->summary->alloc->tables[figures->alloc_source];
	FILE *out = report->out;

	if (!figures->alloc_recorded)
		return;
	say(report, "Allocated");
	fprintf(out, "%s, ", text_size(figures->alloc_bytes).text);
	fprintf(out, "%s a second\n", text_size(summary_rate(figures, figures->alloc_bytes)).text);
	for (size_t i = 0; i < table->type_count && i < page->rows; i++) {
		fprintf(out, "%12s%5.1f %%  ", "",
			report_percent(table->types[i]->all.bytes, table->all.bytes));
		text_put(out, *table->types[i]->name ? table->types[i]->name : "?");
		putc('\n', out);
	}
}

static void show_exceptions(const struct report *report, const struct summary_page *page)
{
	const struct exception_stats *stats = page->summary->exceptions;

	if (!page->figures.exceptions_recorded)
		return;
	say(report, "Exceptions");
	fprintf(report->out, "%s, %.1f a second\n", text_count(stats->total).text,
		per_second(page, stats->total));
	for (size_t i = 0; i < stats->type_count && i < page->rows; i++) {
		fprintf(report->out, "%12s%7s  ", "", text_count(stats->types[i]->count).text);
		text_put(report->out, *stats->types[i]->name ? stats->types[i]->name : "?");
		if (report_process(report) == MODEL_NONE)
			fprintf(report->out, ", process %lld",
				(long long)stats->types[i]->process_id);
		putc('\n', report->out);
	}
}

static void show_waits(const struct report *report, const struct summary_figures *figures)
{
	FILE *out = report->out;

	if (figures->contention_recorded) {
		say(report, "Contention");
		fprintf(out, "%s wait%s for locks, ", text_count(figures->contention.count).text,
			plural(figures->contention.count));
		fprintf(out, "%s", text_duration(figures->contention.total_ns).text);
		fprintf(out, "; longest %s\n", text_duration(figures->contention.max_ns).text);
	}
	if (figures->pools_recorded) {
		say(report, "Thread pool");
		fprintf(out, "up to %s worker%s, ", text_count(figures->workers_most).text,
			plural(figures->workers_most));
		fprintf(out, "starved %s time%s", text_count(figures->starved).text,
			plural(figures->starved));
		if (figures->queue_count)
			fprintf(out, "; work waited up to %s",
				text_duration(figures->queue_max_ns).text);
		putc('\n', out);
	}
}

static void show_jit(const struct report *report, const struct summary_figures *figures)
{
	const struct jit_sum *waited = &figures->jit.triggers[JIT_FOREGROUND];

	if (!figures->jit_recorded)
		return;
	say(report, "Compiled");
	fprintf(report->out, "%s methods; the program waited for ",
		text_count(figures->jit.all.count).text);
	fprintf(report->out, "%s of them, ", text_count(waited->count).text);
	fprintf(report->out, "%s\n", text_duration((uint64_t)waited->time_ns).text);
}

static void show_slowest(const struct report *report, const struct request *request)
{
	char status[REQUEST_STATUS_TEXT];

	fprintf(report->out, "%12s%9s  %s  ", "",
		request->time_ns < 0 ? "?" : text_duration((uint64_t)request->time_ns).text,
		request_status_text(request->status, status));
	text_put(report->out, request->group->method);
	putc(' ', report->out);
	text_put(report->out, request->group->name);
	putc('\n', report->out);
}

static void show_requests(const struct report *report, const struct summary_page *page)
{
	const struct request_table *table = page->requests;
	FILE *out = report->out;

	if (!table)
		return;
	say(report, "Requests");
	fprintf(out, "%s, %.1f a second, ", text_count(table->all.count).text,
		per_second(page, table->all.count));
	fprintf(out, "%s failed; half within ", text_count(table->all.failed).text);
	fprintf(out, "%s, ", text_duration((uint64_t)table->all.p50_ns).text);
	fprintf(out, "95 %% %s\n", text_duration((uint64_t)table->all.p95_ns).text);
	for (size_t i = 0; i < table->slowest_count && i < page->rows; i++)
		show_slowest(report, table->slowest[i]);
}

/* Silence may mean that all is well or that nobody listened. */
static void show_missing(const struct report *report, const struct summary_page *page)
{
	const struct summary_figures *figures = &page->figures;
	const struct {
		bool told;
		const char *view;
	} views[] = {
		{ page->calls.total.count, "cpu" },
		{ figures->gc_recorded, "gc" },
		{ figures->alloc_recorded, "alloc" },
		{ figures->exceptions_recorded, "exceptions" },
		{ figures->contention_recorded, "contention" },
		{ figures->pools_recorded, "threadpool" },
		{ figures->jit_recorded, "jit" },
		{ page->requests, "requests" },
	};
	const char *before = "";

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		if (views[i].told)
			continue;
		if (!*before)
			say(report, "Not told");
		fprintf(report->out, "%s%s", before, views[i].view);
		before = ", ";
	}
	if (*before)
		putc('\n', report->out);
}

static void show_for_people(struct report *report, const struct summary_page *page)
{
	show_process(report, page);
	show_cpu(report, page);
	show_gc(report, page);
	show_alloc(report, page);
	show_exceptions(report, page);
	show_waits(report, &page->figures);
	show_jit(report, &page->figures);
	show_requests(report, page);
	show_missing(report, page);
	if (page->calls.total.count)
		report_call_rows(report, &page->calls, &page->methods, "methods", page->rows);
	report_findings(report, page);
}

static const struct sheet_column finding_columns[] = {
	{ "id", "Finding", SHEET_TEXT, 0 },
	{ "severity", "Severity", SHEET_TEXT, 0 },
	{ "title", "Title", SHEET_TEXT, SHEET_WIDE },
	{ 0 },
};

static void show_csv(struct report *report, const struct summary_page *page)
{
	struct sheet sheet = { .key = "findings", .columns = finding_columns };

	for (size_t i = 0; i < page->found_count; i++) {
		const struct finding_row *row = page->found[i].row;

		sheet_text(&sheet, row->id);
		sheet_text(&sheet, finding_severity_name(row->severity));
		sheet_text(&sheet, row->title);
	}
	report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void show(struct report *report)
{
	const struct summary *summary = report->analysis;
	struct summary_page page = { .summary = summary,
				     .rows = report->args->rows == REPORT_ROWS_UNSET
						     ? SUMMARY_ROWS
						     : report->args->rows };

	summary_figures_of(summary, &report->model, &report->samples, &page.figures);
	report_calltree(report, &page.calls, false);
	page.methods = call_rows_by_name(&page.calls, CALL_EXCLUSIVE);
	page.requests = requests_server(summary->requests);
	if (!page.requests)
		page.requests = requests_client(summary->requests);
	page.found_count = findings_of(&page.figures, page.found);
	if (report->args->json)
		report_summary_json(report, &page);
	else if (report->args->csv)
		show_csv(report, &page);
	else
		show_for_people(report, &page);
	call_rows_release(&page.methods);
	calltree_release(&page.calls);
}

const struct report_view report_summary = {
	.name = "summary",
	.summary = "what happened, and what is likely wrong",
	.missing = "it has no events",
	.want = want,
	.available = report_always,
	.show = show,
};
