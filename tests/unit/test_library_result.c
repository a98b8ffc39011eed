/* SPDX-License-Identifier: MIT */
/*
 * Results through the public calls: nothing that JSON has is missing, and nothing else is there.
 */
#include <glob.h>
#include <jansson.h>
#include <math.h>
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
#include "perfpipe/report.h"
#include "places.h"

/* Where a difference is, for the message. */
struct place {
	const struct place *outer;
	const char *key;
	size_t index; /* of a row */
};

static _Noreturn void differs(const struct place *place, const char *how)
{
	for (; place; place = place->outer)
		print_error("in %s, row %zu\n", place->key, place->index);
	fail_msg("%s", how);
	abort(); /* fail_msg does not return */
}

static void check(bool same, const struct place *place, const char *how)
{
	if (!same)
		differs(place, how);
}

static void expect_object(struct pp_object object, const json_t *json, const struct place *place);

static void expect_rows(const struct pp_datum *datum, const json_t *json, const struct place *outer)
{
	struct place place = { outer, datum->key, 0 };

	check(json_is_array(json) && json_array_size(json) == datum->rows.count, &place,
	      "the list has another length");
	check(datum->rows.total >= datum->rows.count, &place, "the total is too small");
	for (; place.index < datum->rows.count; place.index++) {
		const json_t *row = json_array_get(json, place.index);

		if (datum->unit == PP_UNIT_ROWS)
			expect_object(pp_row(datum->rows, place.index), row, &place);
		else if (datum->unit == PP_UNIT_TEXTS)
			check(!strcmp(pp_row_text(datum->rows, place.index),
				      json_string_value(row)),
			      &place, "another text");
		else
			check(pp_row_real(datum->rows, place.index) == json_number_value(row),
			      &place, "another share");
	}
	check(!pp_row(datum->rows, place.index).result, &place, "there is a row past the last");
	check(!pp_row_text(datum->rows, place.index), &place, "there is a text past the last");
	check(isnan(pp_row_real(datum->rows, place.index)), &place, "a real past the last");
}

static void expect_text(const char *text, const json_t *json, const struct place *place)
{
	check(text ? json_is_string(json) && !strcmp(text, json_string_value(json))
		   : json_is_null(json),
	      place, "another text");
}

/* Numbers that JSON writes with a fraction are reals. */
static void expect_number(const struct pp_datum *datum, const json_t *json,
			  const struct place *place)
{
	check(json_is_number(json), place, "not a number");
	check(datum->real == json_number_value(json), place, "another number as a real");
	if (datum->unit < PP_UNIT_PERCENT)
		check(datum->number == json_integer_value(json), place, "another number");
	else
		check(fabs((double)datum->number - datum->real) <= 0.5, place, "not rounded");
}

static void expect_datum(const struct pp_datum *datum, const json_t *json,
			 const struct place *place)
{
	if (!datum->known) {
		check(json_is_null(json), place, "not known, but JSON has it");
		return;
	}
	switch (datum->unit) {
	case PP_UNIT_TEXT:
	case PP_UNIT_ENUM:
		expect_text(datum->text, json, place);
		break;
	case PP_UNIT_FLAG:
		check(json_is_boolean(json) && datum->number == json_is_true(json), place,
		      "another flag");
		break;
	case PP_UNIT_OBJECT:
	case PP_UNIT_MAP:
		expect_object(datum->object, json, place);
		break;
	case PP_UNIT_ROWS:
	case PP_UNIT_TEXTS:
	case PP_UNIT_REALS:
		expect_rows(datum, json, place);
		break;
	default:
		expect_number(datum, json, place);
		break;
	}
}

static void expect_same(struct pp_object object, const struct pp_datum *datum,
			const struct place *place)
{
	struct pp_datum again;

	check(pp_object_get(object, datum->key, &again), place, "not found by its key");
	check(again.unit == datum->unit && again.known == datum->known &&
		      again.number == datum->number && again.text == datum->text &&
		      again.rows.count == datum->rows.count,
	      place, "another value by its key");
}

static void expect_object(struct pp_object object, const json_t *json, const struct place *outer)
{
	struct pp_datum datum;
	size_t count = 0;

	check(json_is_object(json), outer, "not an object");
	for (; pp_object_field(object, count, &datum); count++) {
		const struct place place = { outer, datum.key, 0 };
		const json_t *value = json_object_get(json, datum.key);

		check(value, &place, "JSON does not have the key");
		expect_datum(&datum, value, &place);
		expect_same(object, &datum, &place);
	}
	check(count == json_object_size(json), outer, "JSON has other keys, too");
}

static json_t *json_of(const struct pp_result *result)
{
	struct pp_error err = { 0 };
	size_t size = 0;
	char *text = pp_result_render(result, "json", &size, &err);
	json_t *json;

	assert_non_null(text);
	assert_int_equal(strlen(text), size);
	json = json_loadb(text, size, 0, NULL);
	assert_non_null(json);
	pp_text_free(text);
	return json;
}

static size_t expect_all_of_json(const struct pp_result *result, const char *file)
{
	const struct place place = { NULL, file, 0 };
	json_t *json = json_of(result);
	const bool available = json_is_true(json_object_get(json, "available"));

	expect_object(pp_result_object(result), json, &place);
	assert_int_equal(available, !pp_result_missing(result));
	json_decref(json);
	return available;
}

static const struct pp_result *build(struct pp_report *report)
{
	struct pp_error err = { 0 };
	const struct pp_result *result = pp_report_build(report, &err);

	if (!result)
		fail_msg("%s", err.text);
	return result;
}

static size_t expect_all_of_file(const char *view, const char *path)
{
	struct pp_report *report = new_report(view, (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	size_t available;

	assert_true(pp_report_add_file(report, path, &err) >= 0);
	available = expect_all_of_json(build(report), path);
	pp_report_free(report);
	return available;
}

static void every_view_of_every_recording_has_what_its_json_has(void **state)
{
	struct pp_report_view view;
	glob_t found;
	size_t available = 0;

	(void)state;
	assert_int_equal(glob(place_of_data("*.nettrace*"), 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		for (size_t v = 0; pp_report_view(v, &view); v++)
			available += expect_all_of_file(view.name, found.gl_pathv[i]);
	print_message("%zu recordings, %zu answers\n", found.gl_pathc, available);
	assert_true(available > 150);
	globfree(&found);
}

static void options_of_views_change_what_is_there_and_in_json(void **state)
{
	static const struct {
		const char *view;
		struct pp_report_option option;
	} runs[] = {
		{ "cpu", { "tree", NULL } },
		{ "cpu", { "callers", "PrintInvoice" } },
		{ "cpu", { "by", "thread" } },
		{ "threadtime", { "tree", NULL } },
		{ "alloc", { "tree", NULL } },
		{ "gc", { "over", "1ms" } },
		{ "cpu", { "include", "NoSuchMethod" } },
		{ "tasks", { "raw-names", "true" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct pp_error err = { 0 };
		struct pp_report *report = new_report(
			runs[i].view, (struct pp_report_options){ .options = &runs[i].option,
								  .option_count = 1 });

		assert_int_equal(
			pp_report_add_file(report, place_of_data("orders.nettrace.gz"), &err), 0);
		expect_all_of_json(build(report), runs[i].view);
		pp_report_free(report);
	}
}

static void several_files_have_their_shares(void **state)
{
	struct pp_report_view view;
	struct pp_error err = { 0 };

	(void)state;
	for (size_t v = 0; pp_report_view(v, &view); v++) {
		struct pp_report *report =
			new_report(view.name, (struct pp_report_options){ .several_files = true });

		assert_int_equal(
			pp_report_add_file(report, place_of_data("orders.nettrace.zst"), &err), 0);
		assert_int_equal(
			pp_report_add_file(report, place_of_data("awaits.nettrace.zst"), &err), 0);
		expect_all_of_json(build(report), view.name);
		pp_report_free(report);
	}
}

/* A report of cpu, for tests of single calls. */
static struct pp_report *cpu_of_orders(void)
{
	struct pp_error err = { 0 };
	struct pp_report *report = new_report("cpu", (struct pp_report_options){ 0 });

	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.gz"), &err), 0);
	return report;
}

static void short_forms_say_what_is_not_known(void **state)
{
	struct pp_report *report = cpu_of_orders();
	const struct pp_object all = pp_result_object(build(report));
	const struct pp_rows methods = pp_object_rows(all, "methods");

	(void)state;
	assert_true(methods.count > 0);
	assert_non_null(pp_object_text(pp_row(methods, 0), "name"));
	assert_true(pp_object_number(pp_row(methods, 0), "inclusive_ns", -1) > 0);
	assert_int_equal(pp_object_number(all, "nowhere", -7), -7);
	assert_true(isnan(pp_object_real(all, "nowhere")));
	assert_null(pp_object_text(all, "nowhere"));
	assert_int_equal(pp_object_rows(all, "nowhere").count, 0);
	assert_null(pp_object_text(all, "methods"));
	assert_int_equal(pp_object_number((struct pp_object){ 0 }, "count", -7), -7);
	assert_null(pp_row(methods, methods.count).result);
	assert_null(pp_row_text(methods, 0));
	pp_report_free(report);
}

static void a_key_with_a_dot_is_one_of_an_object(void **state)
{
	struct pp_report *report = new_report("summary", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	struct pp_datum gc, count;
	struct pp_object all;

	(void)state;
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.gz"), &err), 0);
	all = pp_result_object(build(report));
	assert_true(pp_object_get(all, "gc", &gc));
	assert_int_equal(gc.unit, PP_UNIT_OBJECT);
	assert_true(pp_object_get(all, "gc.count", &count));
	assert_string_equal(count.key, "count");
	assert_true(count.number > 0);
	assert_int_equal(pp_object_number(gc.object, "count", -1), count.number);
	assert_false(pp_object_get(all, "gc.count.more", &count));
	assert_false(pp_object_get(all, "file.count", &count));
	assert_false(pp_object_get(all, "gc.", &count));
	pp_report_free(report);
}

static void what_was_not_recorded_is_missing(void **state)
{
	struct pp_report *report = new_report("cpu", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	const struct pp_result *result;

	(void)state;
	assert_int_equal(
		pp_report_add_file(report, place_of_data("orders-counters.nettrace.zst"), &err), 0);
	result = build(report);
	assert_non_null(pp_result_missing(result));
	assert_non_null(strstr(pp_result_remedy(result), "perfpipe collect"));
	assert_int_equal(pp_object_number(pp_result_object(result), "available", -1), 0);
	assert_int_equal(pp_object_rows(pp_result_object(result), "methods").count, 0);
	pp_report_free(report);
}

static void filters_that_match_nothing_are_noted(void **state)
{
	static const struct pp_report_option options[] = { { "include", "NoSuchMethod" } };
	struct pp_report *report = new_report(
		"cpu", (struct pp_report_options){ .options = options, .option_count = 1 });
	struct pp_error err = { 0 };
	const struct pp_result *result;

	(void)state;
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.gz"), &err), 0);
	result = build(report);
	assert_non_null(strstr(pp_result_note(result, 0), "no CPU sample matches"));
	assert_null(pp_result_note(result, 1));
	pp_report_free(report);
}

static void an_unknown_format_is_an_error(void **state)
{
	struct pp_report *report = cpu_of_orders();
	const struct pp_result *result = build(report);
	struct pp_error err = { 0 };

	(void)state;
	assert_null(pp_result_render(result, "yaml", NULL, &err));
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text,
			    "unknown format 'yaml'; there are text, json, csv, markdown and html");
	pp_report_free(report);
}

static void a_text_that_is_made_is_made_once(void **state)
{
	struct pp_report *report = cpu_of_orders();
	const struct pp_object all = pp_result_object(build(report));
	struct pp_datum datum, again;

	(void)state;
	for (size_t i = 0; pp_object_field(all, i, &datum); i++) {
		assert_true(pp_object_field(all, i, &again));
		assert_ptr_equal(datum.key, again.key);
		assert_ptr_equal(datum.text, again.text);
		assert_ptr_equal(datum.rows.first, again.rows.first);
	}
	pp_report_free(report);
}

static void what_cannot_be_made_is_not_known_and_the_next_call_fails(void **state)
{
	struct pp_report *report = new_report("gc", (struct pp_report_options){ 0 });
	struct pp_error err = { 0 };
	const struct pp_result *result;
	struct pp_object all, gc;

	(void)state;
	assert_int_equal(pp_report_add_file(report, place_of_data("orders.nettrace.gz"), &err), 0);
	result = build(report);
	failing_alloc_begin(0);
	all = pp_result_object(result);
	gc = pp_row(pp_object_rows(all, "gcs"), 0);
	assert_true(pp_object_number(gc, "number", -1) > 0);
	assert_null(pp_object_text(gc, "reason"));
	assert_null(pp_result_render(result, "json", NULL, &err));
	failing_alloc_end();
	assert_int_equal(err.code, PP_ERROR_MEMORY);
	assert_memory_equal(err.text, "out of memory", 13);
	assert_null(pp_object_text(gc, "reason"));
	pp_report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_view_of_every_recording_has_what_its_json_has),
		cmocka_unit_test(options_of_views_change_what_is_there_and_in_json),
		cmocka_unit_test(several_files_have_their_shares),
		cmocka_unit_test(short_forms_say_what_is_not_known),
		cmocka_unit_test(a_key_with_a_dot_is_one_of_an_object),
		cmocka_unit_test(what_was_not_recorded_is_missing),
		cmocka_unit_test(filters_that_match_nothing_are_noted),
		cmocka_unit_test(an_unknown_format_is_an_error),
		cmocka_unit_test(a_text_that_is_made_is_made_once),
		cmocka_unit_test(what_cannot_be_made_is_not_known_and_the_next_call_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
