/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/histogram.h"

static int by_size(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left;
	const uint64_t b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Durations of all sizes: percentiles are within 3.2 percent of the exact ones. */
static void percentiles_agree_with_a_sorted_list(void **state)
{
	static const double percents[] = { 1, 25, 50, 90, 95, 99, 99.9, 100 };
	enum { COUNT = 20000 };
	uint64_t *times = malloc(COUNT * sizeof(*times));
	struct histogram *spread = calloc(1, sizeof(*spread));
	uint64_t seed = 7;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		times[i] = seed >> 24 >> (seed >> 16) % 40;
		histogram_add(spread, times[i]);
	}
	qsort(times, COUNT, sizeof(*times), by_size);
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		const size_t at = (size_t)(COUNT * percents[i] / 100 + 0.999999) - 1;
		const double wanted = (double)times[at];
		const double got = (double)histogram_percentile(spread, percents[i]);

		if (got > wanted * 1.032 || got < wanted * 0.968)
			fail_msg("%g %%: %.0f, wanted %.0f", percents[i], got, wanted);
	}
	assert_int_equal(spread->max_ns, times[COUNT - 1]);
	free(times);
	free(spread);
}

static void accepts_the_largest_and_smallest_values(void **state)
{
	struct histogram spread = { 0 };

	(void)state;
	assert_int_equal(histogram_percentile(&spread, 50), 0);
	histogram_add(&spread, 0);
	assert_int_equal(histogram_percentile(&spread, 50), 0);
	histogram_add(&spread, UINT64_MAX);
	assert_int_equal(spread.max_ns, UINT64_MAX);
	assert_true(histogram_percentile(&spread, 99) > UINT64_MAX / 2);
	assert_int_equal(histogram_percentile(&spread, 10), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_agree_with_a_sorted_list),
		cmocka_unit_test(accepts_the_largest_and_smallest_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
