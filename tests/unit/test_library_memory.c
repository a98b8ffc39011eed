/* SPDX-License-Identifier: MIT */
/*
 * Memory may be gone at any allocation of the library: the call then fails with PP_ERROR_MEMORY,
 * and once the object is freed, all memory, files and mappings are gone; or it succeeds as with
 * plenty. For every allocation of reading traces of all kinds of files, of all views, and of
 * samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "perfpipe/fields.h"
#include "perfpipe/report.h"
#include "perfpipe/samples.h"
#include "places.h"

/* Asked by AddressSanitizer, which would otherwise end the program itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* What is read, and a sum over all that a run returns. */
struct question {
	const char *file; /* in tests/data */
	const char *view, *format;
	const struct pp_report_option *options;
	size_t option_count;
	const struct pp_samples_options *samples;
	char path[4096];
	uint64_t sum, wanted;
};

static void add(struct question *q, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		q->sum = (q->sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
}

static void add_text(struct question *q, const char *text)
{
	if (text)
		add(q, text, strlen(text) + 1);
}

static void add_number(struct question *q, int64_t number)
{
	add(q, &number, sizeof(number));
}

/* A run that succeeds has the same sum each time. */
static int checked(struct question *q, bool failed)
{
	if (failed)
		return -1;
	if (!q->wanted)
		q->wanted = q->sum;
	assert_int_equal(q->sum, q->wanted);
	return 0;
}

static void add_event(struct question *q, struct pp_trace *trace, const struct pp_event *event)
{
	struct pp_value value;

	add_text(q, pp_event_name(trace, event));
	add_number(q, pp_event_time_ns(trace, event));
	pp_fields_begin(trace, event);
	while (pp_fields_next(trace, &value)) {
		add_text(q, value.name);
		add_number(q, value.number);
		add_text(q, value.text);
		if (value.bytes)
			add(q, value.bytes, value.size);
	}
}

static int read_events(void *context, struct pp_error *err)
{
	struct question *q = context;
	struct pp_trace *trace = pp_trace_open(q->path, NULL, err);
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_ERROR;

	q->sum = 1;
	while (trace && (next = pp_trace_next(trace, &event, err)) == PP_NEXT_ITEM)
		add_event(q, trace, event);
	pp_trace_close(trace);
	return checked(q, next != PP_NEXT_END);
}

/* The same of bytes that come in pieces. */
static int feed_events(void *context, struct pp_error *err)
{
	struct question *q = context;
	struct pp_trace *trace = pp_trace_new(NULL, err);
	const struct pp_event *event;
	enum pp_next next = PP_NEXT_ERROR;
	FILE *file = fopen(q->path, "rb");
	char piece[5000];

	q->sum = 1;
	assert_non_null(file);
	while (trace && (next = pp_trace_next(trace, &event, err)) > PP_NEXT_END)
		if (next == PP_NEXT_ITEM) {
			add_event(q, trace, event);
		} else {
			const size_t size = fread(piece, 1, sizeof(piece), file);

			if (!size)
				pp_trace_end(trace);
			else if (pp_trace_feed(trace, piece, size, err))
				break;
		}
	fclose(file);
	pp_trace_close(trace);
	return checked(q, next != PP_NEXT_END);
}

static void add_object(struct question *q, struct pp_object object)
{
	struct pp_datum datum;

	for (size_t i = 0; pp_object_field(object, i, &datum); i++) {
		add_text(q, datum.key);
		if (!datum.known)
			continue;
		add_number(q, datum.number);
		add_text(q, datum.text);
		add_object(q, datum.object);
		for (size_t row = 0; row < datum.rows.count; row++)
			add_object(q, pp_row(datum.rows, row));
	}
}

static bool add_result(struct question *q, const struct pp_result *result, struct pp_error *err)
{
	size_t size;
	char *text;

	add_text(q, pp_result_missing(result));
	add_object(q, pp_result_object(result));
	text = pp_result_render(result, q->format, &size, err);
	if (text)
		add(q, text, size);
	pp_text_free(text);
	return text;
}

static int ask_report(void *context, struct pp_error *err)
{
	struct question *q = context;
	const struct pp_report_options options = { .size = sizeof(options),
						   .options = q->options,
						   .option_count = q->option_count };
	struct pp_report *report = pp_report_new(q->view, &options, err);
	const struct pp_result *result = NULL;
	bool done;

	q->sum = 1;
	if (report && pp_report_add_file(report, q->path, err) >= 0)
		result = pp_report_build(report, err);
	done = result && add_result(q, result, err);
	pp_report_free(report);
	return checked(q, !done);
}

static void add_stack(struct question *q, const struct pp_samples *samples, uint32_t stack)
{
	for (; stack; stack = pp_stack_caller(samples, stack)) {
		const struct pp_frame *frame = pp_stack_frame(samples, stack);

		add_text(q, frame->name);
		add_text(q, frame->module);
	}
}

static int walk_samples(void *context, struct pp_error *err)
{
	struct question *q = context;
	struct pp_samples *samples = pp_samples_open(q->path, q->samples, err);
	struct pp_sample sample;

	q->sum = 1;
	while (samples && pp_samples_next(samples, &sample, err)) {
		add_number(q, sample.time_ns);
		add_number(q, sample.weight_ns);
		add_text(q, sample.thread_name);
		add_stack(q, samples, sample.stack);
	}
	pp_samples_close(samples);
	return checked(q, !samples || err->code);
}

/* Whether a file of the recordings is still mapped. */
static bool is_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];
	bool found = false;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		found |= strstr(line, ".nettrace") || strstr(line, ".zip");
	fclose(maps);
	return found;
}

/* Asserts that there is an answer, and that it takes this many allocations. */
static void ask(struct question q, int (*run)(void *, struct pp_error *), long least)
{
	struct pp_error err = { 0 };
	long count;

	snprintf(q.path, sizeof(q.path), "%s", place_of_data(q.file));
	if (run(&q, &err))
		fail_msg("%s %s: %s", q.file, q.view ? q.view : "", err.text);
	count = fails_at_each_allocation(run, &q);
	if (count < least)
		fail_msg("%s %s takes only %ld allocations", q.file, q.view ? q.view : "", count);
	assert_false(is_mapped());
}

static void traces_fail_at_each_allocation(void **state)
{
	(void)state;
	ask((struct question){ .file = "orders.nettrace.gz" }, read_events, 50);
	ask((struct question){ .file = "trouble-throw.nettrace.zst" }, read_events, 50);
	ask((struct question){ .file = "orders.zip" }, read_events, 50);
	ask((struct question){ .file = "orders-cut.nettrace" }, read_events, 30);
	ask((struct question){ .file = "orders-cut.nettrace" }, feed_events, 30);
}

/* Every view, of a recording that it has an answer for. */
static void views_fail_at_each_allocation(void **state)
{
	static const struct question questions[] = {
		{ .view = "summary", .file = "trouble-garbage.nettrace.zst", .format = "text" },
		{ .view = "profile", .file = "two-processes.nettrace.zst", .format = "json" },
		{ .view = "cpu", .file = "two-processes.nettrace.zst", .format = "text" },
		{ .view = "topN", .file = "two-processes.nettrace.zst", .format = "csv" },
		{ .view = "threadtime", .file = "two-processes.nettrace.zst", .format = "html" },
		{ .view = "tasks", .file = "awaits-endless.nettrace.zst", .format = "markdown" },
		{ .view = "gc", .file = "trouble-garbage.nettrace.zst", .format = "json" },
		{ .view = "jit", .file = "trouble-untiered.nettrace.zst", .format = "text" },
		{ .view = "alloc", .file = "trouble-grow.nettrace.zst", .format = "html" },
		{ .view = "exceptions", .file = "trouble-throw.nettrace.zst", .format = "csv" },
		{ .view = "contention",
		  .file = "trouble-locks.nettrace.zst",
		  .format = "markdown" },
		{ .view = "threadpool", .file = "trouble-starve.nettrace.zst", .format = "json" },
		{ .view = "requests", .file = "trouble-slow.nettrace.zst", .format = "text" },
		{ .view = "loader", .file = "orders-runtime.nettrace.zst", .format = "csv" },
		{ .view = "eventstats", .file = "trouble-slow.nettrace.zst", .format = "html" },
		{ .view = "counters", .file = "orders-counters.nettrace.zst", .format = "json" },
		{ .view = "processes", .file = "two-processes.nettrace.zst", .format = "text" },
		{ .view = "threads", .file = "trouble-deadlock.nettrace.zst", .format = "csv" },
		{ .view = "modules", .file = "trouble-throw.nettrace.zst", .format = "markdown" },
		{ .view = "symbols", .file = "native.nettrace", .format = "text" },
	};
	struct pp_report_view view;
	size_t count = 0;

	(void)state;
	while (pp_report_view(count, &view))
		count++;
	assert_int_equal(count, sizeof(questions) / sizeof(questions[0]));
	for (size_t i = 0; i < count; i++)
		ask(questions[i], ask_report, 50);
}

/* Patterns, some of which are compiled by libc. */
static void options_fail_at_each_allocation(void **state)
{
	static const struct pp_report_option options[] = { { "exclude", "@Wait|Sleep" },
							   { "group", "System.%!->;" },
							   { "by", "thread" } };

	(void)state;
	ask((struct question){ .view = "cpu",
			       .file = "two-processes.nettrace.zst",
			       .format = "json",
			       .options = options,
			       .option_count = 3 },
	    ask_report, 50);
}

static void samples_fail_at_each_allocation(void **state)
{
	static const struct pp_samples_options events = {
		.size = sizeof(events),
		.provider = "Microsoft-Windows-DotNETRuntime",
	};

	(void)state;
	ask((struct question){ .file = "two-processes.nettrace.zst" }, walk_samples, 50);
	ask((struct question){ .file = "trouble-throw.nettrace.zst", .samples = &events },
	    walk_samples, 50);
}

/* Files with symbols are open while memory is gone. */
static void native_names_fail_at_each_allocation(void **state)
{
	char folder[4096];
	const char *const folders[] = { folder };
	const struct pp_report_option options[] = { { "symbols", folder }, { "lines", NULL } };
	const struct pp_samples_options samples = { .size = sizeof(samples),
						    .symbol_folders = folders,
						    .symbol_folder_count = 1 };

	(void)state;
	snprintf(folder, sizeof(folder), "%s", place_of_data("native"));
	ask((struct question){ .view = "cpu",
			       .file = "native.nettrace",
			       .format = "json",
			       .options = options,
			       .option_count = 2 },
	    ask_report, 100);
	ask((struct question){ .file = "native.nettrace", .samples = &samples }, walk_samples, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces_fail_at_each_allocation),
		cmocka_unit_test(views_fail_at_each_allocation),
		cmocka_unit_test(options_fail_at_each_allocation),
		cmocka_unit_test(samples_fail_at_each_allocation),
		cmocka_unit_test(native_names_fail_at_each_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
