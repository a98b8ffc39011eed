/* SPDX-License-Identifier: MIT */
/* Waits that wait for one another, and those that only look alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "analyze/deadlock.h"

static void nothing_waits(void **state)
{
	struct lasting_wait none[1] = { { 0 } };

	(void)state;
	assert_int_equal(deadlock_find(none, 0), 0);
}

static void two_threads_that_wait_for_each_other_are_deadlocked(void **state)
{
	struct lasting_wait waits[] = {
		{ .process_id = 1, .thread_id = 20, .owner_id = 10 },
		{ .process_id = 1, .thread_id = 10, .owner_id = 20 },
	};

	(void)state;
	assert_int_equal(deadlock_find(waits, 2), 2);
	assert_true(waits[0].deadlocked && waits[1].deadlocked);
}

/* 30 waits for the cycle of 10, 20 and 40, and 50 for a thread that runs. */
static void a_queue_behind_a_cycle_is_not_part_of_it(void **state)
{
	struct lasting_wait waits[] = {
		{ .process_id = 1, .thread_id = 30, .owner_id = 10 },
		{ .process_id = 1, .thread_id = 10, .owner_id = 20 },
		{ .process_id = 1, .thread_id = 20, .owner_id = 40 },
		{ .process_id = 1, .thread_id = 40, .owner_id = 10 },
		{ .process_id = 1, .thread_id = 50, .owner_id = 60 },
	};

	(void)state;
	assert_int_equal(deadlock_find(waits, 5), 3);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(waits[i].deadlocked,
				 waits[i].thread_id != 30 && waits[i].thread_id != 50);
}

static void threads_of_two_processes_do_not_wait_for_each_other(void **state)
{
	struct lasting_wait waits[] = {
		{ .process_id = 1, .thread_id = 10, .owner_id = 20 },
		{ .process_id = 2, .thread_id = 20, .owner_id = 10 },
	};

	(void)state;
	assert_int_equal(deadlock_find(waits, 2), 0);
}

/* Whatever a file says: owners that are not recorded, or the thread itself, or listed twice. */
static void nonsense_is_not_a_deadlock(void **state)
{
	struct lasting_wait waits[] = {
		{ .process_id = 1, .thread_id = 0, .owner_id = 0 },
		{ .process_id = 1, .thread_id = 10, .owner_id = 10 },
		{ .process_id = 1, .thread_id = 20, .owner_id = 10 },
		{ .process_id = 1, .thread_id = 20, .owner_id = 0 },
		{ .process_id = 1, .thread_id = 20, .owner_id = 20 },
	};

	(void)state;
	assert_int_equal(deadlock_find(waits, 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_waits),
		cmocka_unit_test(two_threads_that_wait_for_each_other_are_deadlocked),
		cmocka_unit_test(a_queue_behind_a_cycle_is_not_part_of_it),
		cmocka_unit_test(threads_of_two_processes_do_not_wait_for_each_other),
		cmocka_unit_test(nonsense_is_not_a_deadlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
