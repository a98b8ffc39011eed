/* SPDX-License-Identifier: MIT */
/*
 * Tasks and awaits: with reused ids, without starts or ends, in a row and nested; in memory and in
 * a temporary file.
 */
#include "filled.h"
#include "tpl_events.h"

static void expect_same(const struct model_task *a, const struct model_task *b)
{
	assert_int_equal(a->number, b->number);
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->process, b->process);
	assert_int_equal(a->parent, b->parent);
	assert_int_equal(a->last_child, b->last_child);
	assert_int_equal(a->made_on, b->made_on);
	assert_int_equal(a->ran_on, b->ran_on);
	assert_int_equal(a->stack, b->stack);
	assert_int_equal(a->activity, b->activity);
	assert_true(a->made_ns == b->made_ns && a->started_ns == b->started_ns);
	assert_true(a->ended_ns == b->ended_ns && a->ran_ns == b->ran_ns);
	assert_true(a->shared_ns == b->shared_ns);
	assert_int_equal(a->await, b->await);
}

/* Numbers have no gaps, and each task knows its last child. */
static void check_numbers(const struct filled *f)
{
	for (size_t i = 0; i < f->task_count; i++) {
		uint32_t last = 0;

		assert_int_equal(f->tasks[i].number, i);
		for (size_t j = i + 1; j < f->task_count; j++)
			if (f->tasks[j].parent == i)
				last = (uint32_t)j;
		assert_int_equal(f->tasks[i].last_child, last);
	}
}

/* Sends the same events for a list in memory and one in a file; the caller releases the model. */
static void play(struct filled *f, void (*events)(struct source *s))
{
	struct filled spooled;

	begin(f, (struct fill_options){ .tasks = true }, 0);
	events(&f->source);
	finish(f);
	check_numbers(f);
	begin(&spooled, (struct fill_options){ .tasks = true }, 1);
	events(&spooled.source);
	finish(&spooled);
	assert_int_equal(spooled.task_count, f->task_count);
	for (size_t i = 0; i < f->task_count; i++)
		expect_same(&spooled.tasks[i], &f->tasks[i]);
	release(&spooled);
}

/* `ran_on` is a thread of process 11, or -1; INT64_MIN: not started, or not ended. */
static void expect(const struct filled *f, size_t place, int64_t ran_on, int64_t started_ns,
		   int64_t ended_ns)
{
	const struct model_task *task;

	assert_true(place < f->task_count);
	task = &f->tasks[place];
	if (ran_on < 0)
		assert_int_equal(task->ran_on, MODEL_NONE);
	else
		assert_int_equal(f->model.threads[task->ran_on].id, ran_on);
	assert_true(task->started_ns == started_ns);
	assert_true(task->ended_ns == ended_ns);
}

static void one_task(struct source *s)
{
	s->address = 0x1000;
	schedule(s, 10, 7, 5);
	s->address = 0;
	start(s, 20, 8, 5);
	stops(s, 50, 8, 5);
	stops(s, 60, 8, 5); /* once more */
}

static void a_task_records_where_and_when_it_was_scheduled_and_ran(void **state)
{
	const struct model_task *task;
	struct filled f;

	(void)state;
	play(&f, one_task);
	assert_int_equal(f.task_count, 1);
	expect(&f, 0, 8, 20, 50);
	task = &f.tasks[0];
	assert_int_equal(task->id, 5);
	assert_int_equal(task->made_ns, 10);
	assert_int_equal(f.model.threads[task->made_on].id, 7);
	assert_int_equal(f.model.processes[task->process].id, 11);
	assert_int_equal(task->parent, MODEL_NONE);
	assert_int_equal(task->activity, MODEL_NONE);
	assert_int_not_equal(task->stack, STACK_EMPTY);
	assert_false(task->await);
	assert_int_equal(task->ran_ns, 30);
	release(&f);
}

static void reused_id(struct source *s)
{
	schedule(s, 10, 7, 5);
	start(s, 20, 8, 5);
	schedule(s, 25, 7, 5); /* while the first one still runs */
	stops(s, 30, 8, 5);
	start(s, 40, 9, 5);
	stops(s, 50, 9, 5);
	schedule(s, 60, 7, 5);
	schedule(s, 70, 7, 5); /* the previous one never runs */
	start(s, 80, 8, 5);
	stops(s, 90, 8, 5);
}

static void an_id_refers_to_the_newest_task(void **state)
{
	struct filled f;

	(void)state;
	play(&f, reused_id);
	assert_int_equal(f.task_count, 4);
	expect(&f, 0, 8, 20, 30);
	expect(&f, 1, 9, 40, 50);
	expect(&f, 2, -1, INT64_MIN, INT64_MIN);
	expect(&f, 3, 8, 80, 90);
	release(&f);
}

static void unfinished_tasks(struct source *s)
{
	start(s, 5, 8, 4); /* scheduled before the trace */
	stops(s, 8, 8, 4);
	schedule(s, 10, 7, 1);
	schedule(s, 20, 7, 2);
	start(s, 30, 8, 2);
}

static void a_task_may_never_start_or_never_end(void **state)
{
	struct filled f;

	(void)state;
	play(&f, unfinished_tasks);
	assert_int_equal(f.task_count, 2);
	expect(&f, 0, -1, INT64_MIN, INT64_MIN);
	expect(&f, 1, 8, 30, INT64_MIN);
	release(&f);
}

static void tasks_without_ends(struct source *s)
{
	schedule(s, 10, 7, 1);
	start(s, 20, 8, 1);
	schedule(s, 30, 8, 2);
	schedule(s, 31, 9, 3); /* on a thread that does not run a task */
	start(s, 40, 8, 2);    /* so the first one has ended */
	s->thread_id = 8;
	source_runtime(s, 50, 57, 0, NULL, "\0\0\0\0\0\0\0\0\0", 10); /* the worker waits */
	schedule(s, 60, 8, 4);
}

static void without_ends_a_thread_runs_one_task_at_a_time(void **state)
{
	struct filled f;

	(void)state;
	play(&f, tasks_without_ends);
	assert_int_equal(f.task_count, 4);
	assert_false(f.model.task_ends);
	expect(&f, 0, 8, 20, 40);
	expect(&f, 1, 8, 40, 50);
	assert_int_equal(f.tasks[1].parent, 0);
	assert_int_equal(f.tasks[2].parent, MODEL_NONE);
	assert_int_equal(f.tasks[3].parent, MODEL_NONE); /* no task runs any more */
	release(&f);
}

/* A task that waits for another one may run it. */
static void tasks_in_tasks(struct source *s)
{
	schedule(s, 0, 7, 9);
	start(s, 1, 7, 9);
	stops(s, 2, 7, 9); /* so ends are recorded */
	schedule(s, 10, 7, 1);
	start(s, 20, 8, 1);
	schedule(s, 30, 8, 2);
	start(s, 40, 8, 2);
	stops(s, 70, 8, 2);
	schedule(s, 75, 8, 3);
	start(s, 80, 8, 3); /* its end is lost */
	stops(s, 100, 8, 1);
	stops(s, 110, 8, 2); /* it has ended */
	schedule(s, 120, 8, 4);
	start(s, 130, 8, 4); /* runs until the end of the trace */
	start(s, 150, 9, 5); /* not scheduled */
}

static void a_task_runs_without_those_that_it_runs_itself(void **state)
{
	struct filled f;

	(void)state;
	play(&f, tasks_in_tasks);
	assert_int_equal(f.task_count, 5);
	expect(&f, 1, 8, 20, 100);
	assert_int_equal(f.tasks[1].ran_ns, 20 + 10);
	expect(&f, 2, 8, 40, 70);
	assert_int_equal(f.tasks[2].ran_ns, 30);
	assert_int_equal(f.tasks[2].parent, 1);
	expect(&f, 3, 8, 80, 100);
	assert_int_equal(f.tasks[3].ran_ns, 20);
	assert_int_equal(f.tasks[3].parent, 1);
	expect(&f, 4, 8, 130, INT64_MIN);
	assert_int_equal(f.tasks[4].ran_ns, 20);
	assert_int_equal(f.tasks[4].parent, MODEL_NONE);
	release(&f);
}

static void deep_tasks(struct source *s)
{
	schedule(s, 0, 7, 1);
	start(s, 1, 7, 1);
	stops(s, 2, 7, 1);
	for (int i = 0; i < 1002; i++) {
		schedule(s, 10 + i, 7, i);
		start(s, 10 + i, 7, i);
	}
}

static void too_many_tasks_within_each_other_have_lost_their_ends(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .tasks = true }, 0);
	deep_tasks(&f.source);
	finish(&f);
	assert_int_equal(f.task_count, 1003);
	expect(&f, 1, 7, 10, 1011);
	expect(&f, 1001, 7, 1010, 1011);
	expect(&f, 1002, 7, 1011, INT64_MIN);
	release(&f);
}

/* An await and a task may have the same id. */
static void one_await(struct source *s)
{
	schedule(s, 10, 7, 5);
	awaits(s, 20, 7, 5);
	wait_for(s, 30, 9, 5, 1); /* blocks its thread */
	resume(s, 40, 9, 5);
	resume(s, 50, 8, 5);
	start(s, 60, 9, 5);
	pauses(s, 70, 8, 5);
	resume(s, 80, 9, 5); /* a second time: it has ended */
}

static void a_blocking_wait_is_not_an_await(void **state)
{
	struct filled f;

	(void)state;
	play(&f, one_await);
	assert_int_equal(f.model.blocking_waits, 1);
	assert_int_equal(f.task_count, 2);
	expect(&f, 0, 9, 60, INT64_MIN);
	assert_false(f.tasks[0].await);
	expect(&f, 1, 8, 50, 70);
	assert_true(f.tasks[1].await);
	assert_int_equal(f.tasks[1].ran_ns, 20);
	assert_int_equal(f.tasks[1].shared_ns, 0);
	release(&f);
}

static void awaits_of_one_task(struct source *s)
{
	awaits_in(s, 10, 7, 1, 5);
	awaits_in(s, 20, 7, 2, 5);
	awaits_in(s, 30, 7, 3, 5);
	resume(s, 40, 8, 5);
	resume(s, 50, 9, 5);
	awaits_in(s, 60, 7, 4, 5);
	resume(s, 70, 8, 5);
	resume(s, 80, 9, 5);
	resume(s, 90, 9, 5); /* nobody awaits it any more */
}

static void awaits_of_one_task_end_in_the_order_they_began(void **state)
{
	struct filled f;

	(void)state;
	play(&f, awaits_of_one_task);
	assert_int_equal(f.task_count, 4);
	expect(&f, 0, 8, 40, 70);
	expect(&f, 1, 9, 50, 80);
	expect(&f, 2, 8, 70, INT64_MIN);
	expect(&f, 3, 9, 80, INT64_MIN);
	release(&f);
}

/* Awaits in a row, each continued on the same thread. */
static void awaits_in_a_row(struct source *s)
{
	awaits_in(s, 0, 7, 100, 1);
	for (int i = 1; i < 4; i++) {
		resume(s, 100 * i, 8, i);
		awaits_in(s, 100 * i + 10, 8, 100, i + 1);
		pauses(s, 100 * i + 20, 8, i);
	}
	resume(s, 400, 8, 4);
	pauses(s, 440, 8, 4);
}

static void awaits_in_a_row_share_no_time(void **state)
{
	struct filled f;

	(void)state;
	play(&f, awaits_in_a_row);
	assert_int_equal(f.task_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(f.tasks[i].shared_ns, 0);
		assert_int_equal(f.tasks[i].ran_ns, i < 3 ? 20 : 40);
		assert_int_equal(f.tasks[i].parent, i ? i - 1 : MODEL_NONE);
	}
	expect(&f, 3, 8, 400, 440);
	release(&f);
}

/* Method 100 awaits 101, which awaits 102, which awaits twice. */
static void nested_awaits(struct source *s)
{
	awaits_in(s, 10, 7, 102, 1);
	awaits_in(s, 11, 7, 101, 102);
	awaits_in(s, 12, 7, 100, 101);
	resume(s, 50, 8, 1);
	awaits_in(s, 60, 8, 102, 2);
	pauses(s, 65, 8, 1);
	resume(s, 90, 8, 2);
	resume(s, 92, 8, 102); /* within it */
	resume(s, 94, 8, 101);
	pauses(s, 97, 8, 101);
	pauses(s, 98, 8, 102);
	pauses(s, 99, 8, 2);
}

static void an_awaited_method_that_awaits_shares_its_time(void **state)
{
	struct filled f;

	(void)state;
	play(&f, nested_awaits);
	assert_int_equal(f.task_count, 4);
	assert_int_equal(f.tasks[0].shared_ns, 0);
	assert_int_equal(f.tasks[1].shared_ns, 92 - 11); /* all of it */
	assert_int_equal(f.tasks[2].shared_ns, 94 - 12);
	assert_int_equal(f.tasks[3].shared_ns, 0);
	expect(&f, 3, 8, 90, 99);
	assert_int_equal(f.tasks[3].ran_ns, 2 + 1);
	expect(&f, 1, 8, 92, 98);
	assert_int_equal(f.tasks[1].ran_ns, 2 + 1);
	expect(&f, 2, 8, 94, 97);
	assert_int_equal(f.tasks[2].ran_ns, 3);
	release(&f);
}

/* The awaited method waits for a socket from 30 to 80, of which nothing is recorded. */
static void partly_known_awaits(struct source *s)
{
	awaits_in(s, 10, 7, 101, 1);
	awaits_in(s, 11, 7, 100, 101);
	resume(s, 20, 8, 1);
	pauses(s, 30, 8, 1);
	awaits_in(s, 80, 8, 101, 2);
	resume(s, 90, 8, 2);
	resume(s, 95, 8, 101);
}

static void unknown_time_of_an_awaited_method_belongs_to_its_await(void **state)
{
	struct filled f;

	(void)state;
	play(&f, partly_known_awaits);
	assert_int_equal(f.task_count, 3);
	expect(&f, 1, 8, 95, INT64_MIN);
	assert_int_equal(f.tasks[1].shared_ns, 95 - 11 - (80 - 30));
	release(&f);
}

/* Where ends are not recorded, a method's work ends when its thread goes on with another. */
static void awaits_without_ends(struct source *s)
{
	awaits_in(s, 10, 7, 101, 1);
	awaits_in(s, 11, 7, 100, 101);
	resume(s, 50, 8, 1);
	resume(s, 60, 8, 101);
}

static void an_awaited_method_shares_its_time_without_ends(void **state)
{
	struct filled f;

	(void)state;
	play(&f, awaits_without_ends);
	assert_int_equal(f.task_count, 2);
	expect(&f, 0, 8, 50, 60);
	expect(&f, 1, 8, 60, INT64_MIN);
	assert_int_equal(f.tasks[1].shared_ns, 60 - 11);
	release(&f);
}

static void two_processes(struct source *s)
{
	schedule(s, 10, 7, 5);
	s->process_id = 12;
	start(s, 20, 8, 5); /* not the task of the other process */
	schedule(s, 30, 7, 5);
	s->process_id = 11;
	start(s, 40, 8, 5);
	s->process_id = 12;
	start(s, 50, 8, 5);
}

static void task_ids_are_separate_per_process(void **state)
{
	struct filled f;

	(void)state;
	play(&f, two_processes);
	assert_int_equal(f.task_count, 2);
	expect(&f, 0, 8, 40, INT64_MIN);
	expect(&f, 1, 8, 50, INT64_MIN);
	assert_int_not_equal(f.tasks[0].process, f.tasks[1].process);
	assert_int_not_equal(f.tasks[0].ran_on, f.tasks[1].ran_on);
	release(&f);
}

static void tasks_are_left_out_unless_requested(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .marks = true, .activities = true }, 0);
	one_task(&f.source);
	nested_awaits(&f.source);
	finish(&f);
	assert_int_equal(f.task_count, 0);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_records_where_and_when_it_was_scheduled_and_ran),
		cmocka_unit_test(an_id_refers_to_the_newest_task),
		cmocka_unit_test(a_task_may_never_start_or_never_end),
		cmocka_unit_test(without_ends_a_thread_runs_one_task_at_a_time),
		cmocka_unit_test(a_task_runs_without_those_that_it_runs_itself),
		cmocka_unit_test(too_many_tasks_within_each_other_have_lost_their_ends),
		cmocka_unit_test(a_blocking_wait_is_not_an_await),
		cmocka_unit_test(awaits_of_one_task_end_in_the_order_they_began),
		cmocka_unit_test(awaits_in_a_row_share_no_time),
		cmocka_unit_test(an_awaited_method_that_awaits_shares_its_time),
		cmocka_unit_test(unknown_time_of_an_awaited_method_belongs_to_its_await),
		cmocka_unit_test(an_awaited_method_shares_its_time_without_ends),
		cmocka_unit_test(task_ids_are_separate_per_process),
		cmocka_unit_test(tasks_are_left_out_unless_requested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
