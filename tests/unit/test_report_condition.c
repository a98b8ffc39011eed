/* SPDX-License-Identifier: MIT */
/* Conditions on metrics of two traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "report/condition.h"
#include "report/condition_find.h"

struct method {
	const char *name, *module;
	int64_t exclusive_ns, inclusive_ns, max_ns;
};

static const struct result_field method_fields[] = {
	FIELD(struct method, name, "name", "Name", UNIT_TEXT, .flags = KEY | METHOD),
	FIELD(struct method, module, "module", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct method, exclusive_ns, "exclusive_ns", NULL, UNIT_TIME, .flags = MAIN),
	FIELD(struct method, inclusive_ns, "inclusive_ns", NULL, UNIT_TIME),
	FIELD(struct method, max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST),
	FIELD_END,
};
static const struct result_field type_fields[] = {
	FIELD(struct method, name, "type", NULL, UNIT_TEXT, .flags = KEY),
	FIELD(struct method, exclusive_ns, "exclusive_ns", NULL, UNIT_TIME, .flags = MAIN),
	FIELD_END,
};
static const struct result_shape method_shape = { method_fields, NULL };

struct inner {
	uint64_t x;
};

static const struct result_field inner_fields[] = {
	FIELD(struct inner, x, "x", NULL, UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape inner_shape = { inner_fields, NULL };

struct outer {
	struct inner b;
	uint64_t x;
};

static const struct result_field outer_fields[] = {
	OBJECT(struct outer, b, "b", &inner_shape),
	FIELD(struct outer, x, "x", NULL, UNIT_COUNT),
	FIELD_END,
};
static const struct result_shape outer_shape = { outer_fields, NULL };

struct data {
	uint64_t samples, zero, bytes;
	int64_t cpu_ns;
	double pause_percent;
	struct outer a;
	struct result_rows modules, methods;
};

#define DATA struct data

static const struct result_field fields[] = {
	FIELD(DATA, samples, "samples", NULL, UNIT_COUNT),
	FIELD(DATA, cpu_ns, "cpu_ns", NULL, UNIT_TIME),
	FIELD(DATA, zero, "zero", NULL, UNIT_COUNT),
	FIELD(DATA, pause_percent, "pause_percent", NULL, UNIT_PERCENT),
	FIELD(DATA, bytes, "bytes", NULL, UNIT_SIZE),
	OBJECT(DATA, a, "a", &outer_shape),
	LIST(DATA, modules, "modules", NULL, &method_shape),
	LIST(DATA, methods, "methods", NULL, &method_shape, .flags = CSV),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };
static const struct result_kind kind = { .shape = &shape };

static struct metric_run runs[2]; /* one on each side */

static struct metric_run run_of(const struct result_kind *of, const struct data *data)
{
	return (struct metric_run){
		.metrics = metrics_of(&(const struct result){ .kind = of, .data = data }),
		.scale = 1,
	};
}

static int setup(void **state)
{
	static const struct method modules[] = { { "MyApp.M", NULL, 9, 0, 0 } };
	static const struct method old[] = { { "MyApp.A(int)", "m", 100, 500, 7 },
					     { "MyApp.B", "m", 100, 0, 9 },
					     { "System.List<int>.Add", "m", 10, 0, 0 } };
	static const struct method new[] = { { "MyApp.A(int)", "m", 150, 400, 8 },
					     { "MyApp.C", "m", 80, 0, 3 },
					     { "System.List<int>.Add", "m", 10, 0, 0 } };
	const struct data data[] = {
		{ 100, 0, 5000, 1000, 2, { { 1 }, 2 }, ROWS_OF(modules, 1), ROWS_OF(old, 3) },
		{ 150, 3, 7000, 900, 6, { { 1 }, 2 }, { 0 }, ROWS_OF(new, 3) },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++)
		runs[i] = run_of(&kind, &data[i]);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	metrics_release(&runs[0].metrics);
	metrics_release(&runs[1].metrics);
	return 0;
}

/* 1: it holds, 0: not, -1: an error. */
static int test(const char *text, struct pp_error *err)
{
	struct arena arena = { 0 };
	const struct metric_side before = { runs, 1 };
	const struct metric_side after = { runs + 1, 1 };
	struct condition condition;
	struct condition_result result;
	const int failed = condition_parse(&condition, text, &arena, err) ||
			   condition_test(&condition, &before, &after, &result, err);

	if (!failed)
		assert_string_equal(condition.view, "cpu");
	arena_release(&arena);
	return failed ? -1 : result.holds;
}

static const struct result_field lists[] = {
	LIST(DATA, modules, "methods", NULL, &method_shape),
	LIST(DATA, methods, "types", NULL, SHAPE(type_fields), .flags = CSV),
	FIELD_END,
};
static const struct result_kind with_types = { .shape = SHAPE(lists) };

/* Where rows of several lists match, those of the view's main list are meant. */
static void a_pattern_means_the_main_list(void **state)
{
	static const struct method methods[] = { { "MyApp.A", "m", 100, 500, 7 } };
	static const struct method types[] = { { "MyApp.T", NULL, 5, 0, 0 } };
	const struct data data = { .modules = ROWS_OF(methods, 1), .methods = ROWS_OF(types, 1) };
	struct pp_error err = { 0 };

	teardown(state);
	runs[0] = run_of(&with_types, &data);
	runs[1] = run_of(&with_types, &data);
	assert_int_equal(test("cpu.MyApp.* > 5", &err), 0);
	assert_int_equal(test("cpu.MyApp.*:exclusive_ns > 5", &err), 0);
	assert_int_equal(test("cpu.MyApp.*:exclusive_ns >= 5", &err), 1);
	/* what types do not have is about methods */
	assert_int_equal(test("cpu.MyApp.*:inclusive_ns >= 500", &err), 1);
}

static void evaluates_conditions(void **state)
{
	static const struct {
		const char *text;
		int holds;
	} rows[] = {
		{ "cpu.samples > +49%", 1 },
		{ "cpu.samples > +50%", 0 },
		{ "cpu.samples >= +50%", 1 },
		{ "cpu.samples>150", 0 },
		{ "  cpu.samples >= 150 ", 1 },
		{ "cpu.samples > +49", 1 },
		{ "cpu.samples < -1", 0 },
		{ "cpu.cpu_ns < -5%", 1 },
		{ "cpu.cpu_ns <= -10%", 1 },
		{ "cpu.cpu_ns < -10%", 0 },
		{ "cpu.cpu_ns > 0.8us", 1 },
		{ "cpu.cpu_ns > 1 ms", 0 },
		{ "cpu.bytes > +1kB", 1 },
		{ "cpu.pause_percent > 5%", 1 },
		{ "cpu.pause_percent > +250%", 0 },
		{ "cpu.zero > +1000%", 1 },  /* from nothing */
		{ "cpu.MyApp.* > +10%", 1 }, /* 200 became 230 */
		{ "cpu.MyApp.* > +15%", 0 },
		{ "cpu.MyApp.A* > +10%", 1 },
		{ "cpu.MyApp.C > +10%", 1 },
		{ "cpu.MyApp.B < -99%", 1 },
		{ "cpu.MyApp.A(int):inclusive_ns < 0.45us", 1 },
		{ "cpu.MyApp.*:max_ns > 8ns", 0 }, /* the maximum, not the sum */
		{ "cpu.System.List<int>.Add > +0%", 0 },
		{ "cpu.System.List<int>.Add [m] >= 10ns", 1 },
		{ "cpu.x > 1", 1 }, /* the shortest path with this suffix: a.x */
		{ "cpu.b.x > 1", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_error err = { 0 };

		if (test(rows[i].text, &err) != rows[i].holds)
			fail_msg("'%s' is not %d: %s", rows[i].text, rows[i].holds, err.text);
	}
}

/* Whether a condition holds by more than noise, of sums that are scaled by half on the new side. */
static void conditions_may_hold_within_noise(void **state)
{
	static const struct {
		const char *text;
		bool holds, noise;
	} rows[] = {
		{ "cpu.samples > +40%", true, true },  /* 100 became 150, each by 10 or so */
		{ "cpu.samples > +10%", true, false }, /* 40 more than 110 */
		{ "cpu.samples > +60%", false, false },
		{ "cpu.samples > 140", true, false }, /* counted in one trace: exact */
		{ "cpu.zero > +1%", true, true },     /* 3 from nothing */
		{ "cpu.bytes > +1%", true, false }, /* nothing says how many they are the sum of */
	};
	const struct metric_side before = { runs, 1 };
	const struct metric_side after = { runs + 1, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_error err = { 0 };
		struct arena arena = { 0 };
		struct condition condition;
		struct condition_result result;

		assert_int_equal(condition_parse(&condition, rows[i].text, &arena, &err), 0);
		assert_int_equal(condition_test(&condition, &before, &after, &result, &err), 0);
		if (result.holds != rows[i].holds || result.is_noise != rows[i].noise)
			fail_msg("%s: %d %d, noise %g", rows[i].text, result.holds, result.is_noise,
				 result.noise);
		arena_release(&arena);
	}
}

/* What grows with time is compared by rate, but a limit without a sign is about the trace. */
static void conditions_on_changes_are_about_rates(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	runs[1].scale = 0.5;
	assert_int_equal(test("cpu.samples < -20%", &err), 1); /* 100 became 75 */
	assert_int_equal(test("cpu.samples >= 150", &err), 1);
	assert_int_equal(test("cpu.MyApp.* < +0%", &err), 1);
	assert_int_equal(test("cpu.pause_percent > +100%", &err), 1);
}

/* A longer run has more to find the largest in, so that a change of it says nothing. */
static void maxima_of_runs_of_different_length_are_not_comparable(void **state)
{
	static const struct {
		const char *text;
		double scale;
		bool by_length;
	} rows[] = {
		{ "cpu.MyApp.A*:max_ns > +1%", 1, false },
		{ "cpu.MyApp.A*:max_ns > +1%", 0.5, true },
		{ "cpu.MyApp.A*:max_ns > 1ns", 0.5, false }, /* about one trace */
		{ "cpu.samples > +1%", 0.5, false },
	};
	const struct metric_side before = { runs, 1 };
	const struct metric_side after = { runs + 1, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_error err = { 0 };
		struct arena arena = { 0 };
		struct condition condition;
		struct condition_result result;

		runs[1].scale = rows[i].scale;
		assert_int_equal(condition_parse(&condition, rows[i].text, &arena, &err), 0);
		assert_int_equal(condition_test(&condition, &before, &after, &result, &err), 0);
		if (result.by_length != rows[i].by_length)
			fail_msg("%s at %g: %d", rows[i].text, rows[i].scale, result.by_length);
		arena_release(&arena);
	}
}

static void explains_malformed_conditions(void **state)
{
	static const struct {
		const char *text;
		const char *part; /* of the error */
	} rows[] = {
		{ "", "is not a condition" },
		{ "cpu > 5", "is not a condition" },
		{ "cpu.samples", "is not a condition" },
		{ ".samples > 5", "is not a condition" },
		{ "cpu. > 5", "is not a condition" },
		{ "cpu.samples > ", "is not a number" },
		{ "cpu.samples > nan", "is not a number" },
		{ "cpu.samples > 0x10", "is not a number" },
		{ "cpu.samples > +ten%", "is not a number" },
		{ "cpu.samples > 5 parsecs", "unknown unit" },
		{ "cpu.samples => 5", "has no 'samples ='" },
		{ "cpu.sampels > 5", "did you mean cpu.samples?" },
		{ "cpu.MyApp.D > 5", "did you mean cpu.MyApp.C?" },
		{ "cpu.Nothing.Like.This.At.All > 5", "report FILE cpu --json shows" },
		{ "cpu.samples > 5ms", "is not a time" },
		{ "cpu.cpu_ns > 5MB", "is not a number of bytes" },
		{ "cpu.samples > 5%", "+5% is a change" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pp_error err = { 0 };

		assert_int_equal(test(rows[i].text, &err), -1);
		assert_int_equal(err.code, PP_ERROR_USAGE);
		if (!strstr(err.text, rows[i].part))
			fail_msg("'%s' gives: %s", rows[i].text, err.text);
	}
}

static void matches_patterns(void **state)
{
	(void)state;
	assert_true(glob_matches("", ""));
	assert_true(glob_matches("*", ""));
	assert_true(glob_matches("a*c", "abbc"));
	assert_true(glob_matches("*b*b*", "abcb"));
	assert_true(glob_matches("a?c", "abc"));
	assert_true(glob_matches("System.Byte[]", "System.Byte[]"));
	assert_false(glob_matches("a?c", "ac"));
	assert_false(glob_matches("a*", "ba"));
	assert_false(glob_matches("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	assert_false(glob_matches("", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(evaluates_conditions, setup, teardown),
		cmocka_unit_test_setup_teardown(explains_malformed_conditions, setup, teardown),
		cmocka_unit_test_setup_teardown(conditions_may_hold_within_noise, setup, teardown),
		cmocka_unit_test_setup_teardown(conditions_on_changes_are_about_rates, setup,
						teardown),
		cmocka_unit_test_setup_teardown(
			maxima_of_runs_of_different_length_are_not_comparable, setup, teardown),
		cmocka_unit_test_teardown(a_pattern_means_the_main_list, teardown),
		cmocka_unit_test(matches_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
