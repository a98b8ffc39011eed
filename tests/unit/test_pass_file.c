/* SPDX-License-Identifier: MIT */
/* A pass over a file: to its end, or until a handler stops it. */
#include "pass/pass.h"

#include "input/trace_file.h"
#include "packed_input.h"
#include "places.h"
#include "trace_reading.h"

static struct trace_file *open_data(const char *name)
{
	struct pp_error err = { 0 };
	struct trace_file *file = trace_file_open(place_of_data(name), NULL, &err);

	assert_string_equal(err.text, "");
	return file;
}

static void stop_at_ten(void *self, const struct event_context *at)
{
	at->pass->stopped = ++*(int *)self == 10;
}

static void a_file_is_read_until_a_handler_stops_the_pass(void **state)
{
	struct trace_file *file = open_data("orders.nettrace.gz");
	struct pp_error err = { 0 };
	struct pass pass;
	int seen = 0;

	(void)state;
	pass_init(&pass, NULL);
	pass_want_every(&pass, stop_at_ten, &seen);
	assert_int_equal(pass_file(&pass, file, &err), PP_NEXT_END);
	assert_int_equal(seen, 10);
	assert_int_equal(pass.tally.events, 10);
	assert_int_equal(pass_file(&pass, file, &err), PP_NEXT_END);
	assert_int_equal(seen, 10);
	pass.stopped = false; /* the rest can still be read */
	assert_int_equal(pass_file(&pass, file, &err), PP_NEXT_END);
	assert_string_equal(err.text, "");
	assert_int_equal(pass.tally.events, pp_nettrace_totals(file->trace).events);
	assert_int_equal(seen, pass.tally.events);
	pass_release(&pass);
	trace_file_close(file);
}

struct progress {
	uint64_t calls, done, total;
};

static void take_progress(void *to, uint64_t done, uint64_t total)
{
	struct progress *progress = to;

	assert_true(done >= progress->done && done <= total);
	*progress = (struct progress){ progress->calls + 1, done, total };
}

static void reports_its_progress_now_and_then(void **state)
{
	struct builder b = build_ready(4);
	struct progress progress = { 0 };
	struct pp_error err = { 0 };
	struct trace_file *file;
	char path[32];
	struct pass pass;

	(void)state;
	for (int64_t i = 0; i < 2 * PASS_PROGRESS_EVENTS + 3; i++)
		event(&b, .kind = 1, .thread = 5, .ticks = i);
	build_close(&b);
	build_end(&b);
	packed_to_file(&(const struct packed){ b.bytes, b.size, b.size }, path);
	builder_release(&b);
	file = trace_file_open(path, NULL, &err);
	pass_init(&pass, NULL);
	pass.progress = take_progress;
	pass.progress_to = &progress;
	assert_int_equal(pass_file(&pass, file, &err), PP_NEXT_END);
	assert_string_equal(err.text, "");
	assert_int_equal(pass.tally.events, 2 * PASS_PROGRESS_EVENTS + 3);
	assert_int_equal(progress.calls, 2);
	assert_true(progress.done > 0);
	assert_int_equal(progress.total, input_size(file->input));
	pass_release(&pass);
	trace_file_close(file);
	unlink(path);
}

static void a_file_that_is_not_a_trace_is_an_error(void **state)
{
	struct trace_file *file = open_data("README.md");
	struct pp_error err = { 0 };
	struct pass pass;

	(void)state;
	pass_init(&pass, NULL);
	assert_int_equal(pass_file(&pass, file, &err), PP_NEXT_ERROR);
	assert_string_not_equal(err.text, "");
	assert_int_equal(pass.tally.events, 0);
	pass_release(&pass);
	trace_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_until_a_handler_stops_the_pass),
		cmocka_unit_test(reports_its_progress_now_and_then),
		cmocka_unit_test(a_file_that_is_not_a_trace_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
