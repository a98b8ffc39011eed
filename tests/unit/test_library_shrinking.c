/* SPDX-License-Identifier: MIT */
/* A file that is cut while a public call reads it ends the trace early, and not the program. */
#include "packed_input.h"
#include "perfpipe/trace.h"
#include "places.h"

#define KEPT 4096

static struct packed unpacked(const char *name)
{
	struct pp_error err = { 0 };
	struct input *in = input_open(place_of_data(name), &err);
	struct outcome outcome;

	assert_non_null(in);
	outcome = read_open(in, 65536);
	input_close(in);
	return outcome.content;
}

static void a_file_may_be_cut_while_it_is_read(void **state)
{
	struct packed whole = unpacked("orders.nettrace.gz");
	struct pp_error err = { 0 };
	const struct pp_event *event;
	struct pp_trace *trace;
	enum pp_next next;
	char path[32];

	(void)state;
	packed_to_file(&whole, path);
	trace = pp_trace_open(path, NULL, &err);
	assert_int_equal(pp_trace_next(trace, &event, &err), PP_NEXT_ITEM);
	assert_int_equal(truncate(path, KEPT), 0);
	while ((next = pp_trace_next(trace, &event, &err)) == PP_NEXT_ITEM)
		;
	assert_int_equal(next, PP_NEXT_END);
	pp_trace_close(trace);
	unlink(path);
	packed_release(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_may_be_cut_while_it_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
