/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/time.h"

static void expect_text(int64_t unix_ns, const char *expected)
{
	char text[TIME_TEXT_SIZE];

	assert_ptr_equal(time_text(unix_ns, text), text);
	assert_string_equal(text, expected);
}

static void writes_utc_with_seven_digits(void **state)
{
	(void)state;
	expect_text(0, "1970-01-01T00:00:00.0000000Z");
	expect_text(INT64_C(1738555506007000000), "2025-02-03T04:05:06.0070000Z");
	expect_text(INT64_C(951825600123456700), "2000-02-29T12:00:00.1234567Z");
}

static void expect_short(int64_t unix_ns, const char *expected)
{
	char text[TIME_TEXT_SIZE];

	assert_string_equal(time_text_short(unix_ns, text), expected);
}

static void people_see_milliseconds(void **state)
{
	(void)state;
	expect_short(0, "1970-01-01 00:00:00.000 UTC");
	expect_short(INT64_C(1738555506007999999), "2025-02-03 04:05:06.007 UTC");
	expect_short(-1, "1969-12-31 23:59:59.999 UTC");
	expect_short(INT64_MAX, "2262-04-11 23:47:16.854 UTC");
	expect_short(INT64_MIN, "1677-09-21 00:12:43.145 UTC");
}

static void truncates_finer_digits(void **state)
{
	(void)state;
	expect_text(99, "1970-01-01T00:00:00.0000000Z");
	expect_text(100, "1970-01-01T00:00:00.0000001Z");
	expect_text(999999999, "1970-01-01T00:00:00.9999999Z");
}

static void rounds_down_before_1970_too(void **state)
{
	(void)state;
	expect_text(-1, "1969-12-31T23:59:59.9999999Z");
	expect_text(-1000000000, "1969-12-31T23:59:59.0000000Z");
	expect_text(-1500000000, "1969-12-31T23:59:58.5000000Z");
}

static void reaches_both_ends_of_its_range(void **state)
{
	(void)state;
	expect_text(INT64_MAX, "2262-04-11T23:47:16.8547758Z");
	expect_text(INT64_MIN, "1677-09-21T00:12:43.1452241Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_utc_with_seven_digits),
		cmocka_unit_test(people_see_milliseconds),
		cmocka_unit_test(truncates_finer_digits),
		cmocka_unit_test(rounds_down_before_1970_too),
		cmocka_unit_test(reaches_both_ends_of_its_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
