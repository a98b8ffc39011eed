/* SPDX-License-Identifier: MIT */
/*
 * What a public call cannot do without is not read if it is NULL: the call fails with
 * PP_ERROR_USAGE. An error that is NULL is none that anybody wants to know.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "perfpipe/alloc.h"
#include "perfpipe/nettrace_writer.h"
#include "perfpipe/port.h"
#include "perfpipe/report.h"
#include "perfpipe/samples.h"
#include "perfpipe/symbols.h"
#include "perfpipe/user_events.h"
#include "places.h"

static void assert_refused(struct pp_error *err, const char *missing)
{
	assert_int_equal(err->code, PP_ERROR_USAGE);
	assert_non_null(strstr(err->text, missing));
	*err = (struct pp_error){ 0 };
}

static void names_are_needed(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_trace_open(NULL, NULL, &err));
	assert_refused(&err, "no path was given");
	assert_null(pp_samples_open(NULL, NULL, &err));
	assert_refused(&err, "no path was given");
	assert_null(pp_report_new(NULL, NULL, &err));
	assert_refused(&err, "no view was given");
	assert_null(pp_client_new(NULL, &err));
	assert_refused(&err, "no path of a socket was given");
	assert_null(pp_port_listen(NULL, &err));
	assert_refused(&err, "no path of a port was given");
}

static void options_without_defaults_are_needed(void **state)
{
	struct pp_error err = { 0 };
	struct pp_client *client = pp_client_new("/nowhere/socket", &err);
	struct pp_symbols *symbols = pp_symbols_open(NULL, &err);

	(void)state;
	assert_string_equal(err.text, "");
	assert_null(pp_writer_new(NULL, &err));
	assert_refused(&err, "no struct of options was given");
	assert_null(pp_session_start(client, NULL, &err));
	assert_refused(&err, "no struct of options was given");
	assert_null(pp_session_start_user_events(client, NULL, &err));
	assert_refused(&err, "no struct of options was given");
	assert_int_equal(pp_client_dump(client, NULL, &err), -1);
	assert_refused(&err, "no struct of options was given");
	assert_int_equal(pp_client_attach_profiler(client, NULL, &err), -1);
	assert_refused(&err, "no struct of options was given");
	assert_null(pp_symbols_find(symbols, NULL, &err));
	assert_refused(&err, "no struct of options was given");
	pp_symbols_close(symbols);
	pp_client_free(client);
}

static void options_of_a_view_have_names(void **state)
{
	const struct pp_report_option unnamed = { 0 };
	struct pp_report_options options = { .size = sizeof(options), .option_count = 1 };
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_report_new("gc", &options, &err));
	assert_refused(&err, "no list of options was given");
	options.options = &unnamed;
	assert_null(pp_report_new("gc", &options, &err));
	assert_refused(&err, "no name of an option was given");
}

static void a_report_needs_a_file_and_a_format(void **state)
{
	struct pp_error err = { 0 };
	struct pp_report *report = pp_report_new("gc", NULL, &err);
	const struct pp_result *result;

	(void)state;
	assert_int_equal(pp_report_add_file(report, NULL, &err), -1);
	assert_refused(&err, "no path was given");
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.zip"), &err), 0);
	result = pp_report_build(report, &err);
	assert_string_equal(err.text, "");
	assert_null(pp_result_render(result, NULL, NULL, &err));
	assert_refused(&err, "no format was given");
	pp_report_free(report);
}

static void an_allocator_has_all_its_functions(void **state)
{
	const struct pp_allocator none = { .size = sizeof(none) };
	const struct pp_allocator before = *pp_allocator();

	(void)state;
	assert_int_equal(pp_set_alloc(&none), -1);
	assert_memory_equal(pp_allocator(), &before, sizeof(before));
}

static void errors_may_be_of_no_interest(void **state)
{
	const struct pp_trace_options unset = { 0 };
	struct pp_trace *trace = pp_trace_open(place_of_data("README.md"), NULL, NULL);
	struct pp_report *report = pp_report_new("gc", NULL, NULL);
	const struct pp_event *event;

	(void)state;
	assert_null(pp_trace_open("/nowhere/a.nettrace", NULL, NULL));
	assert_null(pp_trace_new(&unset, NULL));
	assert_int_equal(pp_trace_next(trace, &event, NULL), PP_NEXT_ERROR);
	pp_trace_close(trace);
	assert_null(pp_samples_open("/nowhere/a.nettrace", NULL, NULL));
	assert_null(pp_report_new("nothing", NULL, NULL));
	assert_int_equal(pp_report_add_file(report, "/nowhere/a.nettrace", NULL), -1);
	assert_int_equal(pp_report_add_file(report, place_of_data("orders-cut.nettrace"), NULL), 1);
	assert_non_null(pp_report_build(report, NULL));
	pp_report_free(report);
	assert_null(pp_client_new(NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_needed),
		cmocka_unit_test(options_without_defaults_are_needed),
		cmocka_unit_test(options_of_a_view_have_names),
		cmocka_unit_test(a_report_needs_a_file_and_a_format),
		cmocka_unit_test(an_allocator_has_all_its_functions),
		cmocka_unit_test(errors_may_be_of_no_interest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
