/* SPDX-License-Identifier: MIT */
/*
 * Filters apply to every figure: the rows of a list add up to the total whatever is left out, and
 * what --include takes and what --exclude leaves of the same pattern add up to the whole, as do
 * what is before and what is after a time.
 */
#include <stdio.h>

#include "golden_traces.h"
#include "input/trace_file.h"
#include "places.h"
#include "report/call_view.h"
#include "report/render.h"
#include "report/report.h"
#include "trace_reading.h"

/* A figure, and the list of rows that have a part of it each; NULL: nothing to compare it with. */
struct figure {
	const char *view;
	const char *total;
	const char *list;
	const char *part; /* NULL: as the total */
};

static const struct figure figures[] = {
	{ "alloc", "count", "types", NULL },
	{ "alloc", "bytes", "types", NULL },
	{ "alloc", "count", "stacks", NULL },
	{ "alloc", "bytes", "stacks", NULL },
	{ "alloc", "count", "methods", "exclusive" },
	{ "alloc", "bytes", "methods", "exclusive_bytes" },
	{ "alloc", "small_count", "types", NULL },
	{ "alloc", "large_bytes", "types", NULL },
	{ "exceptions", "count", "types", NULL },
	{ "exceptions", "count", "sites", NULL },
	{ "exceptions", "count", "methods", "exclusive" },
	{ "exceptions", "inner", "types", NULL },
	{ "exceptions", "nested", "types", NULL },
	{ "exceptions", "rethrown", "types", NULL },
	{ "contention", "count", "locks", NULL },
	{ "contention", "total_ns", "locks", NULL },
	{ "contention", "count", "sites", NULL },
	{ "contention", "total_ns", "sites", NULL },
	{ "contention", "total_ns", "methods", "exclusive_ns" },
	{ "contention", "unfinished", NULL, NULL },
	{ "contention", "native", NULL, NULL },
	{ "contention", "wait_handles.count", "wait_handles.sites", "count" },
	{ "contention", "wait_handles.total_ns", "wait_handles.sites", "total_ns" },
	{ "alloc --by thread", "count", "threads", NULL },
	{ "alloc --by thread", "bytes", "threads", NULL },
	{ "exceptions --by thread", "count", "threads", NULL },
	{ "contention --by thread", "count", "threads", NULL },
	{ "contention --by thread", "total_ns", "threads", NULL },
	{ "cpu --by thread", "samples", "threads", NULL },
	{ "alloc --by module", "bytes", "modules", "exclusive_bytes" },
	{ "exceptions --by class", "count", "classes", "exclusive" },
	{ "contention --by module", "total_ns", "modules", "exclusive_ns" },
	{ "cpu", "samples", "methods", "exclusive" },
	{ "cpu", "cpu_ns", "methods", "exclusive_ns" },
	{ "cpu", "managed_ns", "methods", "exclusive_ns" },
	{ "cpu", "managed_ns", "timeline", NULL },
	{ "threadtime", "samples", "threads", NULL },
	{ "threadtime", "cpu_ns", "threads", NULL },
	{ "threadtime", "blocked_ns", "threads", NULL },
	{ "threadtime", "managed_ns", "threads", NULL },
	{ "threadtime", "native_or_waiting_ns", "threads", NULL },
	{ "threadtime", "await_ns", NULL, NULL },
	{ "summary", "alloc.bytes", NULL, NULL },
	{ "summary", "exceptions.count", NULL, NULL },
	{ "summary", "contention.count", NULL, NULL },
};

/* Found in some of the stacks of our recordings, in all, and in none. */
static const char *const patterns[] = {
	"PrintInvoice", "Price", "Orders.", "System.Private.CoreLib!", "Nowhere", "Await;Work",
};

/* "alloc" of "alloc --by thread". */
static const struct report_view *view_called(const char *name)
{
	struct pp_error err = { 0 };
	char view[32];

	snprintf(view, sizeof(view), "%.*s", (int)strcspn(name, " "), name);
	return report_view_find(view, &err);
}

/* A report to be made. */
struct report_wish {
	const char *view; /* "alloc", or "alloc --by thread" */
	struct stack_args stacks;
	struct query_args query;
};

static json_t *read_wish(const char *path, const struct report_wish *wish)
{
	const struct report_view *view = view_called(wish->view);
	const char *by = strchr(wish->view, ' ');
	const struct report_setup setup = { .file = path, .rows = REPORT_ROWS_ALL };
	struct pp_error err = { 0 };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	struct view_args *args = report_default_args(view, &arena);
	struct report report;
	struct trace_file *file = trace_file_open(path, NULL, &err);
	json_t *read;

	assert_non_null(file);
	args->stacks = wish->stacks;
	args->query = wish->query;
	if (by)
		((struct call_view_args *)args)->by = by + strlen(" --by ");
	assert_int_equal(report_open(&report, view, args, &setup, &err), 0);
	pass_file(&report.pass, file, &err);
	pass_finish(&report.pass, file->trace);
	trace_file_close(file);
	err = (struct pp_error){ 0 };
	assert_int_equal(report_build(&report, &err), 0);
	render_json.render(&report.result, &(struct render_options){ 0 }, &text);
	read = json_loadb((const char *)text.bytes, text.size, 0, NULL);
	assert_non_null(read);
	buffer_release(&text);
	report_close(&report);
	arena_release(&arena);
	return read;
}

static json_t *read_report(const char *path, const char *view, const struct stack_args *stacks)
{
	const struct report_wish wish = { .view = view,
					  .stacks = *stacks,
					  .query = QUERY_DEFAULTS };

	return read_wish(path, &wish);
}

/* "a.b" is b of a; NULL if there is no such member, or it is null. */
static json_t *member(json_t *from, const char *path)
{
	char part[64];
	const size_t size = strcspn(path, ".");

	snprintf(part, sizeof(part), "%.*s", (int)size, path);
	from = json_object_get(from, part);
	if (json_is_null(from))
		return NULL;
	return path[size] && from ? member(from, path + size + 1) : from;
}

static json_int_t number(json_t *from, const char *path)
{
	return json_integer_value(member(from, path));
}

static size_t rows_differ(json_t *result, const struct figure *figure, const char *what)
{
	json_t *rows = figure->list ? member(result, figure->list) : NULL;
	json_int_t sum = 0;

	if (!rows || !member(result, figure->total))
		return 0;
	for (size_t i = 0; i < json_array_size(rows); i++)
		sum += number(json_array_get(rows, i), figure->part ? figure->part : figure->total);
	if (sum == number(result, figure->total))
		return 0;
	print_error("%s: %s %s is %lld, its %s add up to %lld\n", what, figure->view, figure->total,
		    (long long)number(result, figure->total), figure->list, (long long)sum);
	return 1;
}

struct views_of_pattern {
	json_t *whole, *with, *without;
};

static size_t parts_differ(const struct views_of_pattern *of, const struct figure *figure,
			   const char *what)
{
	const json_int_t whole = number(of->whole, figure->total);
	const json_int_t sum = number(of->with, figure->total) + number(of->without, figure->total);

	if (whole == sum)
		return 0;
	print_error("%s: %s %s is %lld, with and without the pattern %lld\n", what, figure->view,
		    figure->total, (long long)whole, (long long)sum);
	return 1;
}

/* Only one pattern says with --exclude the opposite of what it says with --include. */
static size_t differences_of(const char *path, const char *view, const char *pattern)
{
	const struct stack_args with = { .include = pattern, .fold = "" };
	const struct stack_args without = { .exclude = pattern, .fold = "" };
	const struct stack_args all = { .fold = "" };
	const struct views_of_pattern of = {
		.whole = read_report(path, view, &all),
		.with = read_report(path, view, &with),
		.without = read_report(path, view, &without),
	};
	char what[4096];
	size_t count = 0;

	snprintf(what, sizeof(what), "%s, pattern %s", path, pattern);
	for (size_t i = 0; i < COUNT(figures); i++) {
		if (strcmp(figures[i].view, view) != 0)
			continue;
		count += rows_differ(of.whole, &figures[i], what);
		count += rows_differ(of.with, &figures[i], what);
		count += rows_differ(of.without, &figures[i], what);
		if (!strchr(pattern, ';'))
			count += parts_differ(&of, &figures[i], what);
	}
	json_decref(of.whole);
	json_decref(of.with);
	json_decref(of.without);
	return count;
}

static void filters_apply_to_every_figure(void **state)
{
	static const char *const views[] = {
		"alloc",
		"exceptions",
		"contention",
		"threadtime",
		"cpu",
		"summary",
		"alloc --by thread",
		"exceptions --by thread",
		"contention --by thread",
		"cpu --by thread",
		"alloc --by module",
		"exceptions --by class",
		"contention --by module",
	};
	static const char *const files[] = { "orders.nettrace.gz", "orders.nettrace.zst",
					     "orders-runtime.nettrace.zst", "awaits.nettrace.zst",
					     "trouble-locks.nettrace.zst" };
	size_t count = 0;

	(void)state;
	for (size_t file = 0; file < COUNT(files); file++)
		for (size_t view = 0; view < COUNT(views); view++)
			for (size_t i = 0; i < COUNT(patterns); i++)
				count += differences_of(place_of_data(files[file]), views[view],
							patterns[i]);
	assert_int_equal(count, 0);
}

static const struct figure figures_of_time[] = {
	{ "alloc", "count", NULL, NULL },	    { "alloc", "bytes", NULL, NULL },
	{ "exceptions", "count", NULL, NULL },	    { "contention", "count", NULL, NULL },
	{ "contention", "total_ns", NULL, NULL },   { "threadtime", "samples", NULL, NULL },
	{ "cpu", "samples", NULL, NULL },	    { "gc", "count", NULL, NULL },
	{ "eventstats", "count", NULL, NULL },	    { "jit", "count", NULL, NULL },
	{ "jit", "inlined", NULL, NULL },	    { "jit", "not_inlined", NULL, NULL },
	{ "jit", "r2r_found", NULL, NULL },	    { "jit", "r2r_missed", NULL, NULL },
	{ "requests", "server.count", NULL, NULL }, { "requests", "connections", NULL, NULL },
	{ "loader", "assembly_count", NULL, NULL }, { "tasks", "count", NULL, NULL },
};

static json_t *read_time(const char *path, const char *view, const struct query_args *query)
{
	const struct report_wish wish = { .view = view, .query = *query };

	return read_wish(path, &wish);
}

/* What is before a time and what is after it. */
static size_t differences_at(const char *path, const char *time, const struct figure *figure)
{
	const struct query_args all = QUERY_DEFAULTS;
	struct query_args before = QUERY_DEFAULTS;
	struct query_args after = QUERY_DEFAULTS;
	struct views_of_pattern of;
	size_t count;

	before.to = after.from = time;
	of = (struct views_of_pattern){ .whole = read_time(path, figure->view, &all),
					.with = read_time(path, figure->view, &before),
					.without = read_time(path, figure->view, &after) };
	count = parts_differ(&of, figure, path);
	json_decref(of.whole);
	json_decref(of.with);
	json_decref(of.without);
	return count;
}

static void a_time_divides_every_figure(void **state)
{
	static const char *const files[] = { "orders.nettrace.gz", "orders-runtime.nettrace.zst",
					     "awaits.nettrace.zst" };
	size_t count = 0;

	(void)state;
	for (size_t file = 0; file < COUNT(files); file++)
		for (size_t i = 0; i < COUNT(figures_of_time); i++)
			count += differences_at(place_of_data(files[file]), "0.7",
						&figures_of_time[i]);
	if (golden_are_there()) {
		static const char *const golden[] = { "jit-details", "web" };

		for (size_t file = 0; file < COUNT(golden); file++)
			for (size_t i = 0; i < COUNT(figures_of_time); i++)
				count += differences_at(golden_path(golden[file]), "0.7",
							&figures_of_time[i]);
	}
	assert_int_equal(count, 0);
}

/* Shared recordings have locks and throws in several places. */
static void filters_apply_to_every_figure_of_golden_traces(void **state)
{
	static const struct {
		const char *file, *view, *pattern;
	} golden[] = {
		{ "contention", "contention", "HoldMonitor" },
		{ "contention", "contention", "Fight" },
		{ "exceptions", "exceptions", "ThrowNested" },
		{ "exceptions", "exceptions", "ThrowInvalid" },
		{ "alloc-gc-verbose", "alloc", "Workload" },
		{ "alloc-sampled", "alloc", "Workload" },
		{ "cpu-sampled-thread-time", "threadtime", "Workload" },
	};
	size_t count = 0;

	(void)state;
	if (!golden_are_there())
		skip();
	for (size_t i = 0; i < COUNT(golden); i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/dotnet10/%s.nettrace.gz", golden_folder(),
			 golden[i].file);
		count += differences_of(path, golden[i].view, golden[i].pattern);
	}
	assert_int_equal(count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_apply_to_every_figure),
		cmocka_unit_test(a_time_divides_every_figure),
		cmocka_unit_test(filters_apply_to_every_figure_of_golden_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
