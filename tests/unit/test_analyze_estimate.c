/* SPDX-License-Identifier: MIT */
/* Errors of means and differences, and the limits of noise. Figures are of published tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/estimate.h"

static void assert_near(double have, double wanted)
{
	if (!(fabs(have - wanted) <= 1e-3 * fabs(wanted)))
		fail_msg("%.9g is not %.9g", have, wanted);
}

static void limits_are_those_of_the_tables(void **state)
{
	static const struct {
		double freedom, alarms, limit;
	} rows[] = {
		{ 1, 0.05, 12.706 },  { 2, 0.05, 4.303 },	 { 4, 0.05, 2.776 },
		{ 10, 0.05, 2.228 },  { 120, 0.05, 1.980 },	 { INFINITY, 0.05, 1.960 },
		{ 1, 0.001, 636.62 }, { 5, 0.001, 6.869 },	 { INFINITY, 0.001, 3.291 },
		{ 30, 0.5, 0.683 },   { INFINITY, 1e-6, 4.892 }, { 5e5, 0.05, 1.960 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_near(estimate_limit(rows[i].freedom, rows[i].alarms), rows[i].limit);
	assert_true(isfinite(estimate_limit(1, 0)));
	assert_true(isfinite(estimate_limit(0.5, 1e-12)));
}

static void runs_have_a_mean_and_an_error(void **state)
{
	static const double values[] = { 10, 12, 14 };
	const struct estimate several = estimate_of_runs(values, 3);
	const struct estimate one = estimate_of_runs(values, 1);

	(void)state;
	assert_near(several.value, 12);
	assert_near(several.error, 2 / sqrt(3));
	assert_true(several.known && several.freedom == 2);
	assert_true(one.value == 10 && !one.known);
}

/* Checked with another implementation. */
static void differences_are_those_of_welch(void **state)
{
	static const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
				    21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4 };
	static const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
				    24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4 };
	const struct estimate of_a = estimate_of_runs(a, 15);
	const struct estimate of_b = estimate_of_runs(b, 15);
	const struct estimate change = estimate_difference(&of_b, &of_a, 1);

	(void)state;
	assert_near(change.value, 2.8333);
	assert_near(change.value / change.error, 2.85295);
	assert_near(change.freedom, 27.8873);
	assert_false(estimate_is_noise(&change, ESTIMATE_ALARMS));
	assert_true(estimate_is_noise(&change, 0.001));
}

static void counting_errors_have_endless_freedom(void **state)
{
	const struct estimate a = { 400, 20, INFINITY, true };
	const struct estimate b = { 441, 21, INFINITY, true };
	const struct estimate half = estimate_difference(&a, &b, 0.5);
	const struct estimate change = estimate_difference(&b, &a, 1);

	(void)state;
	assert_true(isinf(change.freedom));
	assert_near(change.error, 29);
	assert_true(estimate_is_noise(&change, ESTIMATE_ALARMS));
	assert_near(estimate_noise(&change, ESTIMATE_ALARMS), 29 * 1.96);
	assert_near(half.value, 179.5);
	assert_near(half.error, sqrt(400 + 110.25));
}

static void what_has_no_error_is_not_noise(void **state)
{
	const struct estimate exact = { 5, 0, INFINITY, true };
	const struct estimate unknown = { 5, 0, 0, false };
	const struct estimate change = estimate_difference(&exact, &unknown, 1);

	(void)state;
	assert_false(estimate_is_noise(&exact, ESTIMATE_ALARMS));
	assert_false(estimate_is_noise(&unknown, ESTIMATE_ALARMS));
	assert_false(change.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_those_of_the_tables),
		cmocka_unit_test(runs_have_a_mean_and_an_error),
		cmocka_unit_test(differences_are_those_of_welch),
		cmocka_unit_test(counting_errors_have_endless_freedom),
		cmocka_unit_test(what_has_no_error_is_not_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
