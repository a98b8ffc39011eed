/* SPDX-License-Identifier: MIT */
/* Samples by the public API: their sums are those of the report cpu. */
#include "perfpipe/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "golden_traces.h"
#include "perfpipe/fields.h"
#include "perfpipe/report.h"
#include "places.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define RUNTIME	     "Microsoft-Windows-DotNETRuntime"

struct sums {
	int64_t ns;
	uint64_t samples;
};

static struct pp_samples *open_samples(const char *path, struct pp_samples_options options)
{
	struct pp_error err = { 0 };
	struct pp_samples *samples;

	options.size = sizeof(options);
	samples = pp_samples_open(path, &options, &err);
	assert_string_equal(err.text, "");
	return samples;
}

static struct sums sum_up(struct pp_samples *samples)
{
	struct pp_error err = { 0 };
	struct pp_sample sample;
	struct sums sums = { 0 };

	while (pp_samples_next(samples, &sample, &err)) {
		assert_true(sample.stack < pp_stack_count(samples));
		sums.ns += sample.weight_ns;
		sums.samples += !sample.part;
	}
	assert_string_equal(err.text, "");
	return sums;
}

/* The same options for the report. */
static struct sums reported(const char *path, const struct pp_report_option *list, size_t count)
{
	const struct pp_report_options options = { .size = sizeof(options),
						   .options = list,
						   .option_count = count };
	struct pp_error err = { 0 };
	struct pp_report *report = pp_report_new("cpu", &options, &err);
	const struct pp_result *result;
	struct sums sums = { 0 };

	assert_non_null(report);
	assert_true(pp_report_add_file(report, path, &err) >= 0);
	result = pp_report_build(report, &err);
	assert_non_null(result); /* also of a trace that ends early, which is an error here */
	if (!pp_result_missing(result)) {
		const struct pp_object all = pp_result_object(result);

		sums.ns = pp_object_number(all, "cpu_ns", pp_object_number(all, "managed_ns", -1));
		sums.samples = (uint64_t)pp_object_number(all, "samples", -1);
	}
	pp_report_free(report);
	return sums;
}

static void assert_as_reported(const char *path, struct pp_samples_options options,
			       const struct pp_report_option *list, size_t count)
{
	struct pp_samples *samples = open_samples(path, options);
	const struct sums ours = sum_up(samples);
	const struct sums theirs = reported(path, list, count);

	if (ours.ns != theirs.ns || ours.samples != theirs.samples)
		fail_msg("%s: %lld ns in %llu samples, reported are %lld ns in %llu", path,
			 (long long)ours.ns, (unsigned long long)ours.samples, (long long)theirs.ns,
			 (unsigned long long)theirs.samples);
	pp_samples_close(samples);
}

static void sums_of_weights_are_those_of_the_report(void **state)
{
	static const char *const names[] = {
		"orders.nettrace.gz",
		"awaits.nettrace.zst",
		"trouble-native.nettrace.zst",
		"trouble-stuck.nettrace.zst",
		"trouble-saturate.nettrace.zst",
		"trouble-tiering.nettrace.zst",
		"two-processes.nettrace.zst",
		"orders-cut.nettrace",
		"orders.nettrace.zst",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		assert_as_reported(place_of_data(names[i]), (struct pp_samples_options){ 0 }, NULL,
				   0);
}

static void sums_are_those_of_the_report_for_recordings_of_any_runtime(void **state)
{
	static const char *const names[] = {
		"cpu-default", "cpu-sampled-thread-time", "cpu-attach",	       "truncated",
		"web",	       "runtimes/net8-cpu",	  "runtimes/net9-cpu",
	};

	(void)state;
	if (!golden_are_there())
		skip();
	for (size_t i = 0; i < COUNT(names); i++)
		if (!access(golden_path(names[i]), R_OK))
			assert_as_reported(golden_path(names[i]), (struct pp_samples_options){ 0 },
					   NULL, 0);
}

static void sums_are_those_of_the_report_with_its_filters(void **state)
{
	const char *path = place_of_data("two-processes.nettrace.zst");
	struct pp_samples *samples = open_samples(path, (struct pp_samples_options){ 0 });
	struct pp_error err = { 0 };
	struct pp_sample first;
	char process[32];
	char thread[32];
	const struct pp_report_option filters[] = { { "process", process }, { "thread", thread } };
	static const struct pp_report_option times[] = { { "from", "100ms" }, { "to", "900ms" } };

	(void)state;
	assert_true(pp_samples_next(samples, &first, &err));
	snprintf(process, sizeof(process), "%lld", (long long)first.process_id);
	snprintf(thread, sizeof(thread), "%lld", (long long)first.thread_id);
	assert_as_reported(path, (struct pp_samples_options){ .process_id = first.process_id },
			   filters, 1);
	assert_as_reported(path, (struct pp_samples_options){ .thread_id = first.thread_id },
			   filters + 1, 1);
	assert_as_reported(path,
			   (struct pp_samples_options){ .process_id = first.process_id,
							.thread_id = first.thread_id },
			   filters, 2);
	pp_samples_close(samples);
	path = place_of_data("orders.nettrace.gz");
	assert_as_reported(path,
			   (struct pp_samples_options){ .from_ns = 100000000, .to_ns = 900000000 },
			   times, 2);
	assert_as_reported(path, (struct pp_samples_options){ .from_ns = 100000000 }, times, 1);
	assert_as_reported(path, (struct pp_samples_options){ .to_ns = 900000000 }, times + 1, 1);
}

static void a_filter_leaves_less(void **state)
{
	const char *path = place_of_data("two-processes.nettrace.zst");
	struct pp_samples *all = open_samples(path, (struct pp_samples_options){ 0 });
	struct pp_error err = { 0 };
	struct pp_samples *one;
	struct pp_sample sample;
	struct sums sums;

	(void)state;
	assert_true(pp_samples_next(all, &sample, &err));
	pp_samples_rewind(all);
	one = open_samples(path, (struct pp_samples_options){ .process_id = sample.process_id });
	sums = sum_up(one);
	assert_true(sums.ns > 0 && sums.ns < sum_up(all).ns);
	pp_samples_close(one);
	pp_samples_close(all);
}

/* One loop down the stacks, as the header says, against the rows of the report. */
static void sums_by_method_are_those_of_the_report(void **state)
{
	const char *path = place_of_data("orders.nettrace.gz");
	struct pp_samples *samples = open_samples(path, (struct pp_samples_options){ 0 });
	int64_t *own = calloc(pp_frame_count(samples), sizeof(*own));
	struct pp_error err = { 0 };
	struct pp_report *report = pp_report_new("cpu", NULL, &err);
	struct pp_rows methods;
	struct pp_sample sample;

	(void)state;
	while (pp_samples_next(samples, &sample, &err))
		if (sample.stack)
			own[pp_stack_frame_number(samples, sample.stack)] += sample.weight_ns;
	assert_true(pp_report_add_file(report, path, &err) >= 0);
	methods = pp_object_rows(pp_result_object(pp_report_build(report, &err)), "methods");
	assert_true(methods.count > 20);
	for (size_t i = 0; i < methods.count; i++) {
		const char *name = pp_object_text(pp_row(methods, i), "name");
		int64_t ns = 0;

		for (uint32_t f = 0; f < pp_frame_count(samples); f++)
			ns += strcmp(pp_frame_at(samples, f)->name, name) ? 0 : own[f];
		assert_int_equal(ns, pp_object_number(pp_row(methods, i), "exclusive_ns", -1));
	}
	pp_report_free(report);
	pp_samples_close(samples);
	free(own);
}

static void waiting_threads_come_only_on_request(void **state)
{
	const char *path = place_of_data("orders.nettrace.gz");
	struct pp_samples *samples =
		open_samples(path, (struct pp_samples_options){ .waiting = true });
	struct pp_error err = { 0 };
	struct pp_sample sample;
	int64_t sums[2] = { 0 };

	(void)state;
	while (pp_samples_next(samples, &sample, &err)) {
		assert_true(sample.kind == PP_SAMPLE_CPU || sample.kind == PP_SAMPLE_WAIT);
		sums[sample.kind == PP_SAMPLE_WAIT] += sample.weight_ns;
	}
	assert_int_equal(sums[0], reported(path, NULL, 0).ns);
	assert_true(sums[1] > sums[0]);
	pp_samples_close(samples);
}

/* Counted by the events themselves. */
static uint64_t count_events(const char *path, const char *name, uint64_t *with_stack)
{
	struct pp_error err = { 0 };
	struct pp_trace *trace = pp_trace_open(path, NULL, &err);
	const struct pp_event *event;
	uint64_t count = 0;

	while (pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM) {
		if (strcmp(pp_event_name(trace, event), name) != 0 ||
		    strcmp(event->kind->provider, RUNTIME) != 0)
			continue;
		count++;
		*with_stack += event->stack && event->stack->count;
	}
	pp_trace_close(trace);
	return count;
}

static void events_come_with_the_names_of_their_stacks(void **state)
{
	const char *path = place_of_data("orders.nettrace.gz");
	struct pp_samples *samples =
		open_samples(path, (struct pp_samples_options){ .provider = RUNTIME,
								.event = "Contention/Start" });
	struct pp_error err = { 0 };
	struct pp_sample sample;
	uint64_t count = 0;
	uint64_t stacks = 0;
	uint64_t expected = 0;
	int named = 0;

	(void)state;
	while (pp_samples_next(samples, &sample, &err)) {
		assert_int_equal(sample.kind, PP_SAMPLE_EVENT);
		assert_int_equal(sample.weight_ns, 0);
		assert_false(sample.part);
		count++;
		stacks += sample.stack != 0;
		for (uint32_t s = sample.stack; s; s = pp_stack_caller(samples, s))
			named += strstr(pp_stack_frame(samples, s)->name, "Orders") != NULL;
	}
	assert_int_equal(count, count_events(path, "Contention/Start", &expected));
	assert_true(count > 10);
	assert_int_equal(stacks, expected);
	assert_true(named > 0);
	pp_samples_close(samples);
}

static void events_obey_the_filters_too(void **state)
{
	const char *path = place_of_data("orders.nettrace.gz");
	struct pp_samples_options options = { .provider = RUNTIME };
	struct pp_samples *all = open_samples(path, options);
	struct pp_samples *some;
	struct pp_error err = { 0 };
	struct pp_sample sample;
	uint64_t in_time = 0;

	(void)state;
	while (pp_samples_next(all, &sample, &err))
		in_time += sample.time_ns >= 500000000 && sample.time_ns < 1000000000;
	options.from_ns = 500000000;
	options.to_ns = 1000000000;
	some = open_samples(path, options);
	assert_int_equal(sum_up(some).samples, in_time);
	assert_true(in_time > 0);
	pp_samples_close(some);
	pp_samples_close(all);
	some = open_samples(path, (struct pp_samples_options){ .provider = "Nobody" });
	assert_int_equal(sum_up(some).samples, 0);
	pp_samples_close(some);
}

static void samples_can_be_walked_again(void **state)
{
	struct pp_samples *samples =
		open_samples(place_of_data("orders.nettrace.gz"), (struct pp_samples_options){ 0 });
	const struct sums first = sum_up(samples);
	struct pp_error err = { 0 };
	struct pp_sample sample;

	(void)state;
	assert_false(pp_samples_next(samples, &sample, &err)); /* the end stays the end */
	pp_samples_rewind(samples);
	assert_true(pp_samples_next(samples, &sample, &err));
	pp_samples_rewind(samples);
	assert_int_equal(sum_up(samples).ns, first.ns);
	pp_samples_close(samples);
}

static void threads_come_one_after_the_other_each_in_order_of_time(void **state)
{
	struct pp_samples *samples =
		open_samples(place_of_data("orders.nettrace.gz"), (struct pp_samples_options){ 0 });
	struct pp_error err = { 0 };
	struct pp_sample sample;
	struct pp_sample last = { 0 };
	int threads = 0;

	(void)state;
	while (pp_samples_next(samples, &sample, &err)) {
		if (sample.thread_id == last.thread_id)
			assert_true(sample.time_ns >= last.time_ns);
		threads += sample.thread_id != last.thread_id;
		assert_true(sample.process_id > 0);
		last = sample;
	}
	assert_in_range(threads, 2, 50);
	pp_samples_close(samples);
}

static void callers_have_smaller_numbers_and_all_frames_a_name(void **state)
{
	struct pp_samples *samples =
		open_samples(place_of_data("orders.nettrace.gz"), (struct pp_samples_options){ 0 });

	(void)state;
	assert_true(pp_stack_count(samples) > 100);
	for (uint32_t s = 1; s < pp_stack_count(samples); s++) {
		const struct pp_frame *frame = pp_stack_frame(samples, s);

		assert_true(pp_stack_caller(samples, s) < s);
		assert_ptr_equal(frame, pp_frame_at(samples, pp_stack_frame_number(samples, s)));
		assert_true(*frame->name && frame->module && frame->module_path);
	}
	assert_int_equal(pp_stack_caller(samples, 0), 0);
	assert_int_equal(pp_stack_caller(samples, UINT32_MAX), 0);
	assert_null(pp_stack_frame(samples, 0));
	assert_null(pp_stack_frame(samples, pp_stack_count(samples)));
	assert_null(pp_frame_at(samples, pp_frame_count(samples)));
	assert_int_equal(pp_stack_frame_number(samples, 0), UINT32_MAX);
	pp_samples_close(samples);
}

static void a_trace_without_samples_has_none(void **state)
{
	struct pp_samples *samples = open_samples(place_of_data("orders.nettrace.zst"),
						  (struct pp_samples_options){ 0 });

	(void)state;
	assert_int_equal(sum_up(samples).samples, 0);
	assert_int_equal(pp_samples_state(samples), PP_TRACE_WHOLE);
	assert_true(pp_stack_count(samples) >= 1);
	pp_samples_close(samples);
	pp_samples_close(NULL);
}

static void a_trace_that_ends_early_says_so(void **state)
{
	struct pp_samples *samples = open_samples(place_of_data("orders-cut.nettrace"),
						  (struct pp_samples_options){ 0 });

	(void)state;
	assert_int_equal(pp_samples_state(samples), PP_TRACE_CUT);
	pp_samples_close(samples);
}

/* A copy with garbage from the middle on; the caller frees its path and removes it. */
static char *damaged_copy(const char *path)
{
	char *copy = strdup("/tmp/perfpipe-damaged-XXXXXX");
	const int fd = mkstemp(copy);
	FILE *from = fopen(path, "rb");
	char bytes[65536];
	size_t size;

	assert_true(fd >= 0 && from);
	size = fread(bytes, 1, sizeof(bytes), from);
	memset(bytes + size / 2, 0xff, size / 2);
	assert_int_equal(write(fd, bytes, size), size);
	fclose(from);
	close(fd);
	return copy;
}

static void a_trace_that_is_damaged_has_what_comes_before(void **state)
{
	char *path = damaged_copy(place_of_data("orders-cut.nettrace"));
	struct pp_samples *samples =
		open_samples(path, (struct pp_samples_options){ .provider = RUNTIME });

	(void)state;
	assert_int_equal(pp_samples_state(samples), PP_TRACE_DAMAGED);
	assert_true(sum_up(samples).samples > 0);
	pp_samples_close(samples);
	unlink(path);
	free(path);
}

static void assert_refused(const char *name, struct pp_samples_options options,
			   enum pp_error_code code, const char *text)
{
	struct pp_error err = { 0 };

	assert_null(pp_samples_open(name, &options, &err));
	assert_int_equal(err.code, code);
	assert_non_null(strstr(err.text, text));
}

static void says_what_cannot_be_walked(void **state)
{
	const size_t size = sizeof(struct pp_samples_options);
	char path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s", place_of_data("orders.nettrace.gz"));
	assert_refused(path, (struct pp_samples_options){ 0 }, PP_ERROR_USAGE, "size");
	assert_refused(path, (struct pp_samples_options){ .size = size, .process_id = 1 },
		       PP_ERROR_USAGE, "the trace has no process 1");
	assert_refused(path, (struct pp_samples_options){ .size = size, .event = "GC/Start" },
		       PP_ERROR_USAGE, "without its provider");
	assert_refused(path, (struct pp_samples_options){ .size = size, .from_ns = 5, .to_ns = 5 },
		       PP_ERROR_USAGE, "from_ns is not before to_ns");
	assert_refused("/nowhere", (struct pp_samples_options){ .size = size }, PP_ERROR_SYSTEM,
		       "there is no file /nowhere");
	assert_refused(place_of_data("README.md"), (struct pp_samples_options){ .size = size },
		       PP_ERROR_FORMAT, "is not a trace; it looks like text");
}

struct request {
	const char *path;
	struct pp_samples_options options;
};

static int walk(void *context, struct pp_error *err)
{
	const struct request *request = context;
	struct pp_samples *samples = pp_samples_open(request->path, &request->options, err);
	struct pp_sample sample;

	while (samples && pp_samples_next(samples, &sample, err))
		;
	if (samples && err->code) { /* and it stays so, in any order */
		pp_samples_rewind(samples);
		assert_false(pp_samples_next(samples, &sample, err));
	}
	pp_samples_close(samples);
	return err->code ? -1 : 0;
}

static void walks_or_says_that_memory_is_gone(void **state)
{
	struct request request = { .path = place_of_data("trouble-throw.nettrace.zst"),
				   .options = { .size = sizeof(request.options),
						.provider = RUNTIME,
						.event = "Exception/Start" } };

	(void)state;
	assert_true(fails_at_each_allocation(walk, &request) > 100);
	request.path = place_of_data("two-processes.nettrace.zst");
	request.options =
		(struct pp_samples_options){ .size = sizeof(request.options), .waiting = true };
	assert_true(fails_at_each_allocation(walk, &request) > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_weights_are_those_of_the_report),
		cmocka_unit_test(sums_are_those_of_the_report_for_recordings_of_any_runtime),
		cmocka_unit_test(sums_are_those_of_the_report_with_its_filters),
		cmocka_unit_test(a_filter_leaves_less),
		cmocka_unit_test(sums_by_method_are_those_of_the_report),
		cmocka_unit_test(waiting_threads_come_only_on_request),
		cmocka_unit_test(events_come_with_the_names_of_their_stacks),
		cmocka_unit_test(events_obey_the_filters_too),
		cmocka_unit_test(samples_can_be_walked_again),
		cmocka_unit_test(threads_come_one_after_the_other_each_in_order_of_time),
		cmocka_unit_test(callers_have_smaller_numbers_and_all_frames_a_name),
		cmocka_unit_test(a_trace_without_samples_has_none),
		cmocka_unit_test(a_trace_that_ends_early_says_so),
		cmocka_unit_test(a_trace_that_is_damaged_has_what_comes_before),
		cmocka_unit_test(says_what_cannot_be_walked),
		cmocka_unit_test(walks_or_says_that_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
