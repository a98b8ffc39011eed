/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/duration.h"
#include "cli/size.h"

#define SECOND INT64_C(1000000000)

static int64_t ns(const char *text)
{
	struct pp_error err = { 0 };
	int64_t value = -1;

	assert_int_equal(duration_parse(text, "duration", &value, &err), 0);
	return value;
}

static void expect_refused(const char *text, const char *sentence)
{
	struct pp_error err = { 0 };
	int64_t value;

	assert_int_equal(duration_parse_positive(text, "duration", &value, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, sentence);
}

static void accepts_a_bare_number_as_seconds(void **state)
{
	(void)state;
	assert_int_equal(ns("30"), 30 * SECOND);
	assert_int_equal(ns("1.5"), 3 * SECOND / 2);
}

/* As floating-point numbers, half of these are a nanosecond too short. */
static void reads_times_to_the_nanosecond(void **state)
{
	(void)state;
	assert_int_equal(ns("0.192459348"), 192459348);
	assert_int_equal(ns("0.192459348s"), 192459348);
	assert_int_equal(ns("192.459348ms"), 192459348);
	assert_int_equal(ns("86401.123456789"), INT64_C(86401123456789));
	assert_int_equal(ns("-0.000000001"), -1);
	assert_int_equal(ns(".5"), SECOND / 2);
	assert_int_equal(ns("5."), 5 * SECOND);
	assert_int_equal(ns("0.0000000019"), 1);
	assert_int_equal(ns("1.00000001m"), 60 * SECOND + 600);
	for (int64_t time = 1; time < 9 * SECOND; time += 12345677) {
		char text[40];

		snprintf(text, sizeof(text), "%" PRId64 ".%09" PRId64, time / SECOND,
			 time % SECOND);
		assert_int_equal(ns(text), time);
	}
}

static void reads_times_as_they_are_printed(void **state)
{
	(void)state;
	assert_int_equal(ns("192.5 ms"), 192500000);
	assert_int_equal(ns("1 min 40 s"), 100 * SECOND);
	assert_int_equal(ns("   0.5"), SECOND / 2);
}

static void accepts_several_units(void **state)
{
	(void)state;
	assert_int_equal(ns("30s"), 30 * SECOND);
	assert_int_equal(ns("2m"), 120 * SECOND);
	assert_int_equal(ns("1h30m"), 5400 * SECOND);
	assert_int_equal(ns("2d"), 2 * 86400 * SECOND);
	assert_int_equal(ns("250ms"), SECOND / 4);
}

static void reads_clocks_of_three_and_four_parts(void **state)
{
	(void)state;
	assert_int_equal(ns("00:00:00:30"), 30 * SECOND);
	assert_int_equal(ns("01:02:03:04"), (86400 + 2 * 3600 + 3 * 60 + 4) * SECOND);
	assert_int_equal(ns("00:01:30"), 90 * SECOND);
}

static void rejects_a_clock_of_two_parts_and_names_both_readings(void **state)
{
	(void)state;
	expect_refused("00:30",
		       "--duration 00:30 can be read as 0h30m or as 0m30s; write the one that "
		       "is meant");
	expect_refused("5:07",
		       "--duration 5:07 can be read as 5h7m or as 5m7s; write the one that is "
		       "meant");
}

static void rejects_text_that_is_not_a_duration(void **state)
{
	static const char *const wrong[] = {
		"",
		".",
		"1s.",
		"x",
		"3x",
		"1:2:3:4:5",
		":",
		"1:2:",
		"1::2:3",
		"1:2:3s",
		"-1:00:00",
		"1e30",
		"inf",
		"nan",
		"9999999:0:0:0",
		"1.2.3",
		"1..2",
		"..",
		" ",
		"--1",
		"s",
		"9300000000",
		"1 x",
		"99999999999999999999999",
		"9000000000 9000000000 9000000000",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pp_error err = { 0 };
		int64_t value;

		assert_int_equal(duration_parse(wrong[i], "duration", &value, &err), -1);
		assert_int_equal(err.code, PP_ERROR_USAGE);
	}
}

static void rejects_zero_and_negative_durations(void **state)
{
	(void)state;
	expect_refused("0", "--duration takes a time above zero, not 0");
	expect_refused("-5", "--duration takes a time above zero, not -5");
	expect_refused("00:00:00", "--duration takes a time above zero, not 00:00:00");
}

static void accepts_sizes_with_a_unit(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} sizes[] = {
		{ "500kB", 500000 },	{ "100MB", 100000000 }, { "1.5GB", 1500000000 },
		{ "64MiB", 67108864 },	{ "10M", 10000000 },	{ "1024B", 1024 },
		{ "100mb", 100000000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pp_error err = { 0 };
		uint64_t bytes = 0;

		assert_int_equal(size_parse(sizes[i].text, "max-size", &bytes, &err), 0);
		assert_int_equal(bytes, sizes[i].bytes);
	}
}

static void rejects_sizes_without_a_unit(void **state)
{
	static const char *const wrong[] = { "100", "",	   "MB",   "-1MB",
					     "0MB", "1XB", "1MBs", "1e300GB" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pp_error err = { 0 };
		uint64_t bytes;

		assert_int_equal(size_parse(wrong[i], "max-size", &bytes, &err), -1);
		assert_int_equal(err.code, PP_ERROR_USAGE);
	}
}

static void distinguishes_sizes_from_durations_by_their_b(void **state)
{
	(void)state;
	assert_true(size_is_meant("100MB"));
	assert_true(size_is_meant("64KiB"));
	assert_false(size_is_meant("10m"));
	assert_false(size_is_meant("10M"));
	assert_false(size_is_meant(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_a_bare_number_as_seconds),
		cmocka_unit_test(reads_times_to_the_nanosecond),
		cmocka_unit_test(reads_times_as_they_are_printed),
		cmocka_unit_test(accepts_several_units),
		cmocka_unit_test(reads_clocks_of_three_and_four_parts),
		cmocka_unit_test(rejects_a_clock_of_two_parts_and_names_both_readings),
		cmocka_unit_test(rejects_text_that_is_not_a_duration),
		cmocka_unit_test(rejects_zero_and_negative_durations),
		cmocka_unit_test(accepts_sizes_with_a_unit),
		cmocka_unit_test(rejects_sizes_without_a_unit),
		cmocka_unit_test(distinguishes_sizes_from_durations_by_their_b),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
