/* SPDX-License-Identifier: MIT */
#include "analyze/burst.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SECOND INT64_C(1000000000)

static void the_fullest_second_counts(void **state)
{
	struct burst burst = { 0 };

	(void)state;
	for (int64_t i = 0; i < 10; i++)
		burst_add(&burst, 60 * SECOND + i, 2);
	burst_add(&burst, 61 * SECOND, 5);
	burst_add(&burst, 900 * SECOND, 1);
	assert_int_equal(burst.most, 20);
}

static void the_seconds_around_zero_are_two(void **state)
{
	struct burst burst = { 0 };

	(void)state;
	burst_add(&burst, -1, 1);
	burst_add(&burst, 0, 1);
	burst_add(&burst, INT64_MIN, 1);
	burst_add(&burst, INT64_MAX, 1);
	assert_int_equal(burst.most, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fullest_second_counts),
		cmocka_unit_test(the_seconds_around_zero_are_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
