/* SPDX-License-Identifier: MIT */
/*
 * Reports through the public calls: their options, where their events come from, and what happens
 * without memory.
 */
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "new_report.h"
#include "input/input.h"
#include "packed_input.h"
#include "perfpipe/report.h"
#include "places.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void expect_refused(const char *view, struct pp_report_options options, const char *sentence)
{
	struct pp_error err = { 0 };

	options.size = options.size ? options.size : sizeof(options);
	assert_null(pp_report_new(view, &options, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, sentence);
}

static void expect_option_refused(const char *view, const char *name, const char *value,
				  const char *sentence)
{
	const struct pp_report_option option = { name, value };

	expect_refused(view, (struct pp_report_options){ .options = &option, .option_count = 1 },
		       sentence);
}

static void a_view_that_is_not_there_is_an_error(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_report_new("gcc", NULL, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, "unknown view 'gcc'; did you mean gc?");
}

static void an_option_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	expect_option_refused("cpu", "proces", "1",
			      "the view cpu has no option 'proces'; did you mean 'process'?");
	expect_option_refused("gc", "xyz", NULL, "the view gc has no option 'xyz'");
}

static void a_wrong_value_is_an_error(void **state)
{
	(void)state;
	expect_option_refused("cpu", "process", "x",
			      "the option process takes a whole number, not 'x'");
	expect_option_refused("cpu", "process", NULL, "the option process needs a value: PID");
	expect_option_refused("cpu", "tree", "x",
			      "the option tree takes no value, or true or false, not 'x'");
	expect_option_refused("cpu", "by", "x",
			      "the option by takes method|module|class|thread, not 'x'");
	expect_refused("cpu", (struct pp_report_options){ .format = "yaml" },
		       "unknown format 'yaml'; there are text, json, csv, markdown and html");
}

static char *json_of(const struct pp_result *result)
{
	struct pp_error err = { 0 };
	char *text = pp_result_render(result, "json", NULL, &err);

	assert_non_null(text);
	return text;
}

static void rows_limit_lists(void **state)
{
	struct pp_report *report = new_report("cpu", (struct pp_report_options){ .rows = 2 });
	struct pp_error err = { 0 };
	struct pp_rows methods;

	(void)state;
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.gz"), &err), 0);
	methods = pp_object_rows(pp_result_object(pp_report_build(report, &err)), "methods");
	assert_int_equal(methods.count, 2);
	assert_true(methods.total > 2);
	pp_report_free(report);
}

static void all_views_are_listed(void **state)
{
	struct pp_report_view view;
	size_t count = 0;

	(void)state;
	for (; pp_report_view(count, &view); count++) {
		assert_non_null(view.summary);
		pp_report_free(new_report(view.name, (struct pp_report_options){ 0 }));
	}
	assert_true(count > 15);
}

static void expect_usage(int failed, struct pp_error *err, const char *sentence)
{
	assert_int_equal(failed, -1);
	assert_int_equal(err->code, PP_ERROR_USAGE);
	assert_string_equal(err->text, sentence);
	*err = (struct pp_error){ 0 };
}

static void a_report_of_nothing_is_not_built(void **state)
{
	struct pp_report *report = new_report("gc", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_report_build(report, &err));
	expect_usage(-1, &err,
		     "there is nothing to report on: no file was added to the report, and no bytes "
		     "were fed to it");
	pp_report_free(report);
}

static void nothing_is_added_to_a_report_that_was_built(void **state)
{
	struct pp_report *report = new_report("gc", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	const char *path = place_of_data("orders.nettrace.zst");

	(void)state;
	assert_int_equal(pp_report_add_file(report, path, &err), 0);
	assert_non_null(pp_report_build(report, &err));
	expect_usage(pp_report_add_file(report, path, &err), &err,
		     "the report is built; no file can be added to it");
	expect_usage(pp_report_feed(report, "x", 1, &err), &err,
		     "the report is built; no bytes can be fed to it");
	assert_null(pp_report_build(report, &err));
	expect_usage(-1, &err, "the report was built before");
	pp_report_free(report);
}

static void files_and_bytes_do_not_mix(void **state)
{
	struct pp_report *report = new_report("gc", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	const char *path = place_of_data("orders.nettrace.zst");

	(void)state;
	assert_int_equal(pp_report_add_file(report, path, &err), 0);
	expect_usage(pp_report_add_file(report, path, &err), &err,
		     "the report has its file; more than one needs several_files, which is one of "
		     "its options");
	expect_usage(pp_report_feed(report, "x", 1, &err), &err,
		     "the report is about files; no bytes can be fed to it");
	pp_report_free(report);
	report = new_report("gc", (struct pp_report_options){ 0 });
	assert_int_equal(pp_report_feed(report, "Nettrace", 8, &err), 0);
	expect_usage(pp_report_add_file(report, path, &err), &err,
		     "the report is fed with bytes; no file can be added to it");
	pp_report_free(report);
}

static void another_file_may_follow_one_that_cannot_be_read(void **state)
{
	struct pp_report *report = new_report("gc", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(pp_report_add_file(report, "/nowhere/a.nettrace", &err), -1);
	assert_int_equal(err.code, PP_ERROR_SYSTEM);
	assert_int_equal(pp_report_add_file(report, place_of_data("README.md"), &err), -1);
	err = (struct pp_error){ 0 };
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.zst"), &err), 0);
	assert_non_null(pp_report_build(report, &err));
	pp_report_free(report);
}

static void a_file_that_ends_early_has_an_answer(void **state)
{
	struct pp_report *report = new_report("eventstats", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	const struct pp_result *result;

	(void)state;
	assert_int_equal(pp_report_add_file(report, place_of_data("orders-cut.nettrace"), &err), 1);
	assert_int_equal(err.code, PP_ERROR_FORMAT);
	assert_non_null(
		strstr(err.text, "orders-cut.nettrace: the trace is truncated at byte 20000"));
	result = pp_report_build(report, &err);
	assert_non_null(result);
	assert_int_equal(pp_object_number(pp_result_object(result), "complete", -1), 0);
	pp_report_free(report);
}

static void an_error_of_the_view_is_one_of_the_build(void **state)
{
	const struct pp_report_option option = { "process", "4711" };
	struct pp_report *report = new_report(
		"gc", (struct pp_report_options){ .options = &option, .option_count = 1 });
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.zst"), &err), 0);
	assert_null(pp_report_build(report, &err));
	expect_usage(-1, &err,
		     "the trace has no process 4711; the view processes lists those it has");
	pp_report_free(report);
}

static void of_several_files_one_may_be_missing(void **state)
{
	struct pp_report *report =
		new_report("gc", (struct pp_report_options){ .several_files = true });
	struct pp_error err = { 0 }, none = { 0 };
	const struct pp_result *result;
	struct pp_rows files;

	(void)state;
	assert_int_equal(pp_report_add_file(report, "/nowhere/a.nettrace", &err), -1);
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.zst"), &none),
			 0);
	result = pp_report_build(report, &none);
	assert_non_null(result);
	files = pp_object_rows(pp_result_object(result), "files");
	assert_int_equal(files.count, 2);
	assert_string_equal(pp_object_text(pp_row(files, 0), "error"), err.text);
	assert_null(pp_object_text(pp_row(files, 1), "error"));
	pp_report_free(report);
}

static void several_files_need_one_that_can_be_read(void **state)
{
	struct pp_report *report =
		new_report("gc", (struct pp_report_options){ .several_files = true });
	struct pp_error err = { 0 }, none = { 0 };

	(void)state;
	assert_int_equal(pp_report_add_file(report, "/nowhere/a.nettrace", &err), -1);
	assert_null(pp_report_build(report, &none));
	expect_usage(-1, &none, "no file of the report could be read");
	pp_report_free(report);
}

/* The bytes of a trace, unpacked. */
static struct packed bytes_of(const char *path)
{
	struct pp_error err = { 0 };
	struct input *in = input_open(path, &err);
	struct outcome outcome;

	assert_non_null(in);
	outcome = read_open(in, 65536);
	input_close(in);
	return outcome.content;
}

static char *report_of_bytes(const char *view, const struct packed *bytes, size_t piece)
{
	struct pp_report *report = new_report(view, (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	char *text;

	for (size_t at = 0; at < bytes->size; at += piece) {
		const size_t size = bytes->size - at < piece ? bytes->size - at : piece;
		char *copy = malloc(size);

		assert_non_null(copy);
		memcpy(copy, bytes->data + at, size);
		assert_int_equal(pp_report_feed(report, copy, size, &err), 0);
		free(copy);
	}
	text = json_of(pp_report_build(report, &err));
	pp_report_free(report);
	return text;
}

static char *report_of_file(const char *view, const char *path)
{
	struct pp_report *report = new_report(view, (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	char *text;

	assert_true(pp_report_add_file(report, path, &err) >= 0);
	text = json_of(pp_report_build(report, &err));
	pp_report_free(report);
	return text;
}

/* Without the line with the file's name, which bytes do not have, and commands with it. */
static json_t *without_file(char *taken, const char *path)
{
	static const char name[4] = "FILE";
	char *at;
	json_t *json;

	while ((at = strstr(taken, path))) {
		memmove(at + sizeof(name), at + strlen(path), strlen(at + strlen(path)) + 1);
		memcpy(at, name, sizeof(name));
	}
	json = json_loads(taken, 0, NULL);
	assert_non_null(json);
	json_object_del(json, "file");
	pp_text_free(taken);
	return json;
}

static void expect_same_from_bytes(const char *view, const char *path, size_t piece)
{
	struct packed bytes = bytes_of(path);
	json_t *fed = without_file(report_of_bytes(view, &bytes, piece), path);
	json_t *read = without_file(report_of_file(view, path), path);

	if (!json_equal(fed, read))
		fail_msg("%s of %s differs from bytes", view, path);
	json_decref(fed);
	json_decref(read);
	packed_release(&bytes);
}

static void bytes_as_they_come_have_the_answer_of_their_file(void **state)
{
	struct pp_report_view view;
	static const char *const names[] = { "orders.nettrace.gz", "orders-cut.nettrace",
					     "awaits.nettrace.zst", "two-processes.nettrace.zst",
					     "orders-counters.nettrace.zst" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		char *path = strdup(place_of_data(names[i]));

		for (size_t v = 0; pp_report_view(v, &view); v++)
			expect_same_from_bytes(view.name, path, i ? 1000 : 1000000);
		expect_same_from_bytes("cpu", path, 7);
		free(path);
	}
}

static void bytes_that_are_no_trace_are_an_error(void **state)
{
	struct pp_report *report = new_report("gc", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 }, again = { 0 }, built = { 0 };

	(void)state;
	assert_int_equal(pp_report_feed(report, "this is no trace at all, is it", 30, &err), -1);
	assert_int_equal(err.code, PP_ERROR_FORMAT);
	assert_int_equal(pp_report_feed(report, "x", 1, &again), -1);
	assert_string_equal(again.text, err.text);
	assert_null(pp_report_build(report, &built));
	assert_string_equal(built.text, err.text);
	pp_report_free(report);
}

/* What a program does with a report, to be run with little memory. */
struct run {
	const char *view;
	const char *paths[2];
	const struct packed *bytes; /* or NULL */
};

static void walk(struct pp_object object)
{
	struct pp_datum datum;

	for (size_t i = 0; pp_object_field(object, i, &datum); i++) {
		if (datum.object.result)
			walk(datum.object);
		for (size_t j = 0; datum.unit == PP_UNIT_ROWS && j < datum.rows.count; j++)
			walk(pp_row(datum.rows, j));
	}
}

static int use(struct pp_report *report, const struct run *run, struct pp_error *err)
{
	const struct pp_result *result;
	char *text;

	if (run->bytes && pp_report_feed(report, run->bytes->data, run->bytes->size, err))
		return -1;
	for (size_t i = 0; i < COUNT(run->paths) && run->paths[i]; i++)
		if (pp_report_add_file(report, run->paths[i], err))
			return -1;
	result = pp_report_build(report, err);
	if (!result)
		return -1;
	walk(pp_result_object(result));
	text = pp_result_render(result, "html", NULL, err);
	pp_text_free(text);
	return text ? 0 : -1;
}

static int run_once(void *context, struct pp_error *err)
{
	const struct run *run = context;
	const struct pp_report_options options = { .size = sizeof(options),
						   .several_files = run->paths[1] };
	struct pp_report *report = pp_report_new(run->view, &options, err);
	const int failed = report ? use(report, run, err) : -1;

	if (failed && report) { /* it stays safe to use */
		struct pp_error later = { 0 };

		assert_null(pp_report_build(report, &later));
		assert_int_not_equal(later.code, PP_ERROR_NONE);
	}
	pp_report_free(report);
	return failed;
}

/* With memory for every `step`th number of allocations, up to what it needs. */
static void fail_sparsely(struct run *run, int steps)
{
	struct pp_error err = { 0 };
	const int open_files = count_open_files();
	long needed;

	failing_alloc_begin(1000000000);
	assert_int_equal(run_once(run, &err), 0);
	needed = 1000000000 - failing_alloc_left();
	assert_int_equal(failing_alloc_in_use(), 0);
	for (int i = 0; i < steps; i++) {
		const long calls = needed * i / steps;

		err = (struct pp_error){ 0 };
		failing_alloc_begin(calls);
		assert_int_not_equal(run_once(run, &err), 0);
		if (err.code != PP_ERROR_MEMORY || failing_alloc_in_use())
			fail_msg("%s with %ld of %ld allocations: %s, %ld blocks left", run->view,
				 calls, needed, err.text, failing_alloc_in_use());
		assert_int_equal(count_open_files(), open_files);
	}
	failing_alloc_end();
}

static void every_view_fails_without_memory_and_leaves_none(void **state)
{
	struct pp_report_view view;
	glob_t found;

	(void)state;
	assert_int_equal(glob(place_of_data("*.nettrace.zst"), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		for (size_t v = 0; pp_report_view(v, &view); v++)
			fail_sparsely(&(struct run){ view.name, { found.gl_pathv[i] }, NULL }, 5);
	globfree(&found);
}

static void several_files_fail_without_memory_and_leave_none(void **state)
{
	struct pp_report_view view;
	char *first = strdup(place_of_data("two-processes.nettrace.zst"));
	char *second = strdup(place_of_data("trouble-locks.nettrace.zst"));

	(void)state;
	for (size_t v = 0; pp_report_view(v, &view); v++)
		fail_sparsely(&(struct run){ view.name, { first, second }, NULL }, 20);
	free(first);
	free(second);
}

static void bytes_fail_without_memory_and_leave_none(void **state)
{
	struct packed bytes = bytes_of(place_of_data("two-processes.nettrace.zst"));

	(void)state;
	fail_sparsely(&(struct run){ .view = "cpu", .bytes = &bytes }, 200);
	packed_release(&bytes);
}

static void a_report_of_gcs_fails_at_each_allocation(void **state)
{
	struct run run = { "gc", { place_of_data("trouble-collect.nettrace.zst") }, NULL };

	(void)state;
	assert_true(fails_at_each_allocation(run_once, &run) > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_view_that_is_not_there_is_an_error),
		cmocka_unit_test(an_option_that_is_not_there_is_an_error),
		cmocka_unit_test(a_wrong_value_is_an_error),
		cmocka_unit_test(rows_limit_lists),
		cmocka_unit_test(all_views_are_listed),
		cmocka_unit_test(a_report_of_nothing_is_not_built),
		cmocka_unit_test(nothing_is_added_to_a_report_that_was_built),
		cmocka_unit_test(files_and_bytes_do_not_mix),
		cmocka_unit_test(another_file_may_follow_one_that_cannot_be_read),
		cmocka_unit_test(a_file_that_ends_early_has_an_answer),
		cmocka_unit_test(an_error_of_the_view_is_one_of_the_build),
		cmocka_unit_test(of_several_files_one_may_be_missing),
		cmocka_unit_test(several_files_need_one_that_can_be_read),
		cmocka_unit_test(bytes_as_they_come_have_the_answer_of_their_file),
		cmocka_unit_test(bytes_that_are_no_trace_are_an_error),
		cmocka_unit_test(every_view_fails_without_memory_and_leaves_none),
		cmocka_unit_test(several_files_fail_without_memory_and_leave_none),
		cmocka_unit_test(bytes_fail_without_memory_and_leave_none),
		cmocka_unit_test(a_report_of_gcs_fails_at_each_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
