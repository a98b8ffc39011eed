/* SPDX-License-Identifier: MIT */
/* Time over a trace in steps, for charts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/time_steps.h"

static struct report report_over(int64_t first_ns, int64_t last_ns)
{
	return (struct report){ .samples.events = { .from_ns = INT64_MIN, .to_ns = INT64_MAX },
				.model = { .first_ns = first_ns, .last_ns = last_ns } };
}

static void the_ends_take_what_is_outside(void **state)
{
	struct report report = report_over(1000, 2000);
	struct time_steps steps = time_steps_of(&report, 10);
	struct result_rows rows;

	(void)state;
	time_steps_add(&steps, 0, INT64_MIN, 1);
	time_steps_add(&steps, 0, 1099, 2);
	time_steps_add(&steps, 1, 1100, 50);
	time_steps_add(&steps, 0, 2000, 5);
	time_steps_add(&steps, 0, 5000, 6);
	rows = time_steps_rows(&steps);
	assert_int_equal(rows.count, 10);
	assert_int_equal(steps.list[0].spent_ns[0], 3);
	assert_int_equal(steps.list[1].time_ns, 1100);
	assert_true(steps.list[1].processors[1] == 0.5);
	assert_int_equal(steps.list[9].spent_ns[0], 11);
	arena_release(&report.arena);
}

/* Hostile traces: the end before the start, and a time that no number holds. */
static void no_time_has_no_steps(void **state)
{
	static const int64_t spans[][2] = { { 5, 5 },
					    { INT64_MAX, INT64_MIN },
					    { INT64_MIN, INT64_MAX } };

	(void)state;
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		struct report report = report_over(spans[i][0], spans[i][1]);
		struct time_steps steps = time_steps_of(&report, 10);

		time_steps_add(&steps, 0, INT64_MAX, INT64_MAX);
		assert_int_equal(time_steps_find(&steps, INT64_MIN), 0);
		assert_int_equal(time_steps_rows(&steps).count, 0);
		arena_release(&report.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ends_take_what_is_outside),
		cmocka_unit_test(no_time_has_no_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
