/* SPDX-License-Identifier: MIT */
/* Many more tasks than the budget of the spool: all come out, and only open ones are in memory. */
#include "fill/fill_rows.h"
#include "filled.h"
#include "tpl_events.h"

#define MANY 20000

/* Each schedules the next one, and ends; a few never run, and a few never end. */
static void many_tasks(struct source *s)
{
	for (int i = 0; i < MANY; i++) {
		const int64_t thread = 7 + i % 5;

		schedule(s, 10 * i, 7 + (i + 4) % 5, i);
		if (i % 10 == 9)
			continue;
		start(s, 10 * i + 1, thread, i);
		if (i % 100 != 50)
			stops(s, 10 * i + 12 + i % 7, thread, i);
	}
}

static void any_number_of_tasks_comes_out_in_order(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .tasks = true }, 1 << 16);
	many_tasks(&f.source);
	finish(&f);
	assert_true(f.spool.end > 0); /* so there is a file */
	assert_int_equal(f.task_count, MANY);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(f.tasks[i].number, i);
		assert_int_equal(f.tasks[i].id, i);
		assert_int_equal(f.tasks[i].made_ns, 10 * i);
		assert_int_equal(f.tasks[i].ran_on == MODEL_NONE, i % 10 == 9);
	}
	release(&f);
}

static void ends(struct source *s, int number)
{
	schedule(s, 10 * number, 7, number);
	start(s, 10 * number + 1, 7, number);
	stops(s, 10 * number + 2, 7, number);
}

static void is_superseded(struct source *s, int number)
{
	schedule(s, 10 * number, 7, 5);
}

/* Method 2n + 1 awaits, and is awaited by 2n + 2. */
static void is_awaited(struct source *s, int number)
{
	const int64_t now = 100 * number;

	awaits_in(s, now, 7, 2 * number + 1, MANY * 3);
	awaits_in(s, now + 1, 7, 2 * number + 2, 2 * number + 1);
	resume(s, now + 10, 8, MANY * 3);
	resume(s, now + 11, 8, 2 * number + 1);
	pauses(s, now + 12, 8, 2 * number + 1);
	pauses(s, now + 13, 8, MANY * 3);
}

static size_t count_tasks(const struct fill_task *list)
{
	size_t count = 0;

	for (; list; list = list->next)
		count++;
	return count;
}

static size_t count_methods(const struct fill_method *list)
{
	size_t count = 0;

	for (; list; list = list->next)
		count++;
	return count;
}

/* What was open is free now: few of each, however many there were. */
static void memory_does_not_grow_with_tasks_that_are_over(void **state)
{
	void (*const kinds[])(struct source * s, int number) = { ends, is_superseded, is_awaited };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct fill *fill;
		struct filled f;

		begin(&f, (struct fill_options){ .tasks = true }, 1 << 16);
		fill = pass_find(&f.source.pass, &fill_analysis);
		for (int j = 0; j < MANY; j++)
			kinds[i](&f.source, j);
		finish(&f);
		assert_true(f.task_count >= MANY);
		assert_in_range(count_tasks(fill->free_tasks), 1, 4);
		assert_in_range(count_methods(fill->free_methods), 0, 4);
		assert_in_range(fill->methods.count, 0, 1);
		release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_tasks_comes_out_in_order),
		cmocka_unit_test(memory_does_not_grow_with_tasks_that_are_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
