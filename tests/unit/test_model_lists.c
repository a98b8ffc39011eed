/* SPDX-License-Identifier: MIT */
/*
 * Lists of tasks and activities, in memory and in a temporary file: their order, all values of
 * their fields, rewriting, and lists that are given up half-way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/array.h"
#include "model/model.h"

#define MANY 30000u

static const size_t budgets[] = { 0, 1, 1 << 14, 1 << 18 };

/* Coprime to MANY, so that every number occurs once, in another order. */
static uint32_t shuffled(uint32_t i)
{
	return (uint32_t)((uint64_t)i * 7919 % MANY);
}

/* Every field differs from that of the task before, and now and then there is none. */
static struct model_task task_of(uint32_t number)
{
	const struct model_task task = {
		.number = number,
		.id = number * 2654435761u,
		.process = number % 3,
		.parent = number % 4 ? number / 2 : MODEL_NONE,
		.last_child = number % 5 ? 0 : number + 7,
		.made_on = number % 11,
		.ran_on = number % 6 ? number % 13 : MODEL_NONE,
		.stack = number % 1000,
		.activity = number % 7 ? number * 3 : MODEL_NONE,
		.joined = number % 9 ? number % 500 : 0,
		.made_ns = INT64_C(1000) * number,
		.started_ns = number % 6 ? INT64_C(1000) * number + 17 : INT64_MIN,
		.ended_ns = number % 12 ? INT64_C(1000) * number + 300 : INT64_MIN,
		.ran_ns = number % 283,
		.shared_ns = number % 8 ? 0 : -(int64_t)number,
		.await = number % 2,
	};

	return task;
}

static void expect_task(const struct model_task *task, const struct model_task *wanted)
{
	assert_int_equal(task->number, wanted->number);
	assert_int_equal(task->id, wanted->id);
	assert_int_equal(task->process, wanted->process);
	assert_int_equal(task->parent, wanted->parent);
	assert_int_equal(task->last_child, wanted->last_child);
	assert_int_equal(task->made_on, wanted->made_on);
	assert_int_equal(task->ran_on, wanted->ran_on);
	assert_int_equal(task->stack, wanted->stack);
	assert_int_equal(task->activity, wanted->activity);
	assert_int_equal(task->joined, wanted->joined);
	assert_true(task->made_ns == wanted->made_ns);
	assert_true(task->started_ns == wanted->started_ns);
	assert_true(task->ended_ns == wanted->ended_ns);
	assert_true(task->ran_ns == wanted->ran_ns);
	assert_true(task->shared_ns == wanted->shared_ns);
	assert_int_equal(task->await, wanted->await);
}

static void expect_tasks(const struct task_list *tasks, uint32_t more_stack)
{
	struct task_walk walk;
	struct model_task task;

	task_walk_begin(&walk, tasks);
	for (uint32_t i = 0; i < MANY; i++) {
		struct model_task wanted = task_of(i);

		wanted.stack += more_stack;
		assert_true(task_walk_next(&walk, &task));
		expect_task(&task, &wanted);
	}
	assert_false(task_walk_next(&walk, &task));
	assert_false(task_walk_next(&walk, &task));
	task_walk_end(&walk);
}

static void add_tasks(struct task_list *tasks)
{
	for (uint32_t i = 0; i < MANY; i++) {
		const struct model_task task = task_of(shuffled(i));

		task_list_add(tasks, &task);
	}
	assert_int_equal(task_list_count(tasks), MANY);
	task_list_seal(tasks);
}

static void tasks_come_out_in_the_order_of_their_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(budgets); i++) {
		struct spool spool = { .budget = budgets[i] };
		struct task_list tasks;

		task_list_init(&tasks, &spool);
		add_tasks(&tasks);
		expect_tasks(&tasks, 0);
		expect_tasks(&tasks, 0); /* any number of times */
		if (budgets[i]) {
			assert_true(spool.end > 0); /* there is a file */
			assert_true(spool.kept <= budgets[i]);
		}
		task_list_release(&tasks);
		assert_int_equal(spool.kept, 0);
		spool_release(&spool);
	}
}

/* Hostile traces have any times and ids. */
static void extreme_values_are_kept(void **state)
{
	static const int64_t times[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX };
	struct spool spool = { .budget = 1 };
	struct model_task wanted[ARRAY_COUNT(times) * ARRAY_COUNT(times)];
	struct task_list tasks;
	struct task_walk walk;
	struct model_task task;
	uint32_t count = 0;

	(void)state;
	task_list_init(&tasks, &spool);
	for (size_t i = 0; i < ARRAY_COUNT(times); i++)
		for (size_t j = 0; j < ARRAY_COUNT(times); j++) {
			const uint32_t most = (i + j) % 2 ? UINT32_MAX : 0;

			wanted[count] = (struct model_task){ .number = count,
							     .id = most,
							     .process = most,
							     .parent = most,
							     .last_child = most,
							     .made_on = most,
							     .ran_on = most,
							     .stack = most,
							     .activity = most,
							     .joined = most,
							     .made_ns = times[i],
							     .started_ns = times[j],
							     .ended_ns = times[(i + j) % 6],
							     .ran_ns = times[j],
							     .shared_ns = times[i] };
			task_list_add(&tasks, &wanted[count++]);
		}
	task_list_seal(&tasks);
	task_walk_begin(&walk, &tasks);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(task_walk_next(&walk, &task));
		expect_task(&task, &wanted[i]);
	}
	task_walk_end(&walk);
	task_list_release(&tasks);
	spool_release(&spool);
}

static void change_stack(void *to, struct model_task *task)
{
	task->stack += *(const uint32_t *)to;
}

static void tasks_can_be_rewritten_with_their_current_stacks(void **state)
{
	uint32_t more = 5;
	uint32_t now[1000];

	(void)state;
	for (uint32_t i = 0; i < ARRAY_COUNT(now); i++)
		now[i] = i + 2;
	for (size_t i = 0; i < ARRAY_COUNT(budgets); i++) {
		struct spool spool = { .budget = budgets[i] };
		struct task_list tasks;

		task_list_init(&tasks, &spool);
		add_tasks(&tasks);
		tasks.stacks_now = now;
		expect_tasks(&tasks, 2);
		task_list_rewrite(&tasks, change_stack, &more);
		assert_null(tasks.stacks_now);
		expect_tasks(&tasks, 2 + 5);
		task_list_release(&tasks);
		assert_int_equal(spool.kept, 0);
		spool_release(&spool);
	}
}

static void set_id(struct model_span *span, uint32_t number)
{
	memcpy(span->activity, &number, sizeof(number));
	memset(span->parent, 0, 16);
	if (number % 3)
		memcpy(span->parent + 4, &(uint32_t){ number / 100 }, sizeof(number));
}

/* Three of four stop, in another order; each fifth is started again, and then has no end. */
static void add_spans(struct span_list *spans)
{
	static const char *const names[] = { "Request", "Step" };
	struct model_span span = { .provider = "Demo" };

	for (uint32_t i = 0; i < MANY; i++) {
		set_id(&span, i % 5 ? i : 4000000000u);
		span.name = names[i % 7 == 0];
		span.thread = i % 9;
		span.start_ns = i;
		span_list_start(spans, &span);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		const uint32_t number = shuffled(i);

		set_id(&span, number);
		if (number % 4)
			span_list_stop(spans, span.activity, INT64_C(1000000) + number);
		if (number % 8 == 1)
			span_list_stop(spans, span.activity, INT64_C(9000000)); /* once more */
	}
	span_list_seal(spans);
}

static void expect_spans(const struct span_list *spans)
{
	struct span_walk walk;
	struct model_span span;
	struct model_span wanted = { 0 };

	assert_int_equal(span_list_count(spans), MANY);
	span_walk_begin(&walk, spans);
	for (uint32_t i = 0; i < MANY; i++) {
		const bool stops = i % 5 && i % 4;

		set_id(&wanted, i % 5 ? i : 4000000000u);
		assert_true(span_walk_next(&walk, &span));
		assert_int_equal(span.number, i);
		assert_int_equal(span.thread, i % 9);
		assert_string_equal(span.name, i % 7 ? "Request" : "Step");
		assert_string_equal(span.provider, "Demo");
		assert_memory_equal(span.activity, wanted.activity, 16);
		assert_memory_equal(span.parent, wanted.parent, 16);
		assert_int_equal(span.start_ns, i);
		assert_true(span.stop_ns == (stops ? INT64_C(1000000) + i : INT64_MIN));
	}
	assert_false(span_walk_next(&walk, &span));
	span_walk_end(&walk);
}

static void starts_and_stops_meet_however_far_apart_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(budgets); i++) {
		struct spool spool = { .budget = budgets[i] };
		struct span_list spans;

		span_list_init(&spans, &spool);
		add_spans(&spans);
		expect_spans(&spans);
		expect_spans(&spans);
		if (budgets[i]) {
			assert_true(spool.end > 0);
			assert_true(spool.kept <= budgets[i]);
		}
		span_list_release(&spans);
		assert_int_equal(spool.kept, 0);
		spool_release(&spool);
	}
}

static void empty_lists_and_lists_that_are_given_up_are_released(void **state)
{
	struct model model;
	struct task_walk tasks;
	struct span_walk spans;
	struct model_task task = task_of(1);
	struct model_span span = { .name = "Request", .provider = "Demo" };

	(void)state;
	model_init(&model);
	task_list_seal(&model.tasks);
	span_list_stop(&model.spans, span.activity, 1); /* of nothing */
	span_list_seal(&model.spans);
	task_walk_begin(&tasks, &model.tasks);
	assert_false(task_walk_next(&tasks, &task));
	task_walk_end(&tasks);
	span_walk_begin(&spans, &model.spans);
	assert_false(span_walk_next(&spans, &span));
	span_walk_end(&spans);
	model_release(&model);

	model_init(&model);
	model.spool.budget = 1;
	for (uint32_t i = 0; i < 100; i++) {
		task_list_add(&model.tasks, &task);
		span_list_start(&model.spans, &span);
	}
	model_release(&model); /* without the end of the trace */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_come_out_in_the_order_of_their_numbers),
		cmocka_unit_test(extreme_values_are_kept),
		cmocka_unit_test(tasks_can_be_rewritten_with_their_current_stacks),
		cmocka_unit_test(starts_and_stops_meet_however_far_apart_they_are),
		cmocka_unit_test(empty_lists_and_lists_that_are_given_up_are_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
