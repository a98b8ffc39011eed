/* SPDX-License-Identifier: MIT */
#include "record/poll_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/time.h"

#define MILLISECOND_NS INT64_C(1000000)

/* The entries called, in order. */
struct log {
	char called[16];
};

struct caller {
	struct log *log;
	char name;
};

static void note(void *object)
{
	const struct caller *caller = object;

	caller->log->called[strlen(caller->log->called)] = caller->name;
}

static void calls_ready_entries_in_order(void **state)
{
	const int ready = eventfd(1, EFD_CLOEXEC);
	const int idle = eventfd(0, EFD_CLOEXEC);
	struct poll_set set = { 0 };
	struct log log = { "" };
	struct caller callers[] = { { &log, 'a' }, { &log, 'b' }, { &log, 'c' }, { &log, 'd' } };

	(void)state;
	poll_set_add(&set, ready, note, &callers[2]);
	poll_set_add(&set, idle, note, &callers[0]);
	poll_set_add(&set, -1, note, &callers[3]);
	poll_set_add(&set, ready, NULL, NULL);
	poll_set_add(&set, ready, note, &callers[1]);
	poll_set_run(&set);
	assert_string_equal(log.called, "cb");
	poll_set_release(&set);
	close(ready);
	close(idle);
}

static void is_empty_after_each_wait(void **state)
{
	const int ready = eventfd(1, EFD_CLOEXEC);
	struct poll_set set = { 0 };
	struct log log = { "" };
	struct caller caller = { &log, 'a' };

	(void)state;
	poll_set_add(&set, ready, note, &caller);
	poll_set_run(&set);
	assert_int_equal(set.count, 0);
	poll_set_wake(&set, 0);
	poll_set_run(&set);
	assert_string_equal(log.called, "a");
	poll_set_release(&set);
	close(ready);
}

static void never_wakes_before_the_earliest_time(void **state)
{
	const int64_t start = time_monotonic_ns();
	struct poll_set set = { 0 };

	(void)state;
	poll_set_wake(&set, start - 1);
	poll_set_run(&set);
	poll_set_wake(&set, start + 3600 * 1000 * MILLISECOND_NS);
	poll_set_wake(&set, start + 20 * MILLISECOND_NS);
	poll_set_wake(&set, start + 60 * 1000 * MILLISECOND_NS);
	poll_set_run(&set);
	assert_true(time_monotonic_ns() - start >= 20 * MILLISECOND_NS);
	poll_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_ready_entries_in_order),
		cmocka_unit_test(is_empty_after_each_wait),
		cmocka_unit_test(never_wakes_before_the_earliest_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
