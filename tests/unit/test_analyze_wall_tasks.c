/* SPDX-License-Identifier: MIT */
/*
 * Awaits as .NET's own library counts them, and stacks as it joins them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "analyze/wall_tasks.h"
#include "clr/providers.h"
#include "source_events.h"

#define BLOCKING     1
#define ASYNCHRONOUS 2

static void tpl(struct source *s, uint32_t id, int64_t now, int64_t thread, int task, int behavior)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d;behavior#%d", task,
		 behavior);
	s->thread_id = thread;
	s->id = id;
	source_event(s, now, TPL_PROVIDER "/", NULL, fields);
	s->id = 0;
}

static void waits(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl(s, 10, now, thread, task, ASYNCHRONOUS);
}

static void ends(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl(s, 11, now, thread, task, 0);
}

static struct wall_tasks *begin(struct source *s)
{
	source_init(s, NULL);
	return pass_want(&s->pass, &wall_tasks_analysis, NULL);
}

static void expect(const struct wall_tasks *w, size_t place, int64_t from_ns, int64_t to_ns)
{
	assert_true(place < w->await_count);
	assert_int_equal(w->awaits[place].from_ns, from_ns);
	assert_int_equal(w->awaits[place].to_ns, to_ns);
}

static void of_awaits_begun_by_one_task_the_first_to_end_counts(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);

	(void)state;
	waits(&s, 10, 7, 1);
	waits(&s, 11, 7, 2);
	waits(&s, 12, 7, 3);
	ends(&s, 50, 8, 2);
	ends(&s, 51, 8, 1);
	waits(&s, 60, 7, 4); /* the next round */
	ends(&s, 70, 9, 4);
	ends(&s, 71, 9, 3);
	ends(&s, 72, 9, 9); /* not begun */
	assert_int_equal(w->await_count, 2);
	expect(w, 0, 11, 50);
	expect(w, 1, 60, 70);
	source_release(&s);
}

static void awaits_in_a_row_all_count(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);

	(void)state;
	waits(&s, 10, 7, 1);
	ends(&s, 20, 8, 1);
	waits(&s, 21, 8, 2);
	ends(&s, 30, 8, 2); /* the first continuation has ended */
	waits(&s, 31, 8, 3);
	ends(&s, 40, 8, 3);
	assert_int_equal(w->await_count, 3);
	expect(w, 1, 21, 30);
	expect(w, 2, 31, 40);
	source_release(&s);
}

static void a_blocking_wait_counts_and_ends_at_once(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);
	uint32_t before;

	(void)state;
	tpl(&s, 10, 10, 7, 1, BLOCKING);
	before = w->threads[0].current;
	ends(&s, 20, 7, 1);
	assert_int_equal(w->await_count, 1);
	expect(w, 0, 10, 20);
	assert_int_equal(w->threads[0].current, before);
	source_release(&s);
}

static void a_task_ends_with_all_that_its_thread_began_since(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);
	uint32_t own;

	(void)state;
	waits(&s, 5, 8, 9);
	own = w->threads[0].current;
	tpl(&s, 7, 10, 8, 1, 0);
	tpl(&s, 8, 20, 8, 1, 0);
	ends(&s, 30, 8, 9);
	assert_int_not_equal(w->threads[0].current, own);
	tpl(&s, 9, 40, 8, 77, 0); /* not known: nothing ends */
	assert_int_not_equal(w->threads[0].current, own);
	tpl(&s, 9, 50, 8, 1, 0);
	assert_int_equal(w->threads[0].current, own);
	tpl(&s, 9, 60, 8, 1, 0); /* once more */
	assert_int_equal(w->threads[0].current, own);
	source_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_awaits_begun_by_one_task_the_first_to_end_counts),
		cmocka_unit_test(awaits_in_a_row_all_count),
		cmocka_unit_test(a_blocking_wait_counts_and_ends_at_once),
		cmocka_unit_test(a_task_ends_with_all_that_its_thread_began_since),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
