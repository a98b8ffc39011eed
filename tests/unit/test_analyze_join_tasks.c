/* SPDX-License-Identifier: MIT */
/*
 * Stacks that begin where a task was scheduled. Frames are letters: Main calls A, and P is the
 * runtime's.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/join_tasks.h"
#include "base/alloc.h"
#include "trace_reading.h"

static const char *const names[] = { "Main", "A", "B", "C", "System.Threading.Pool" };

enum frame {
	MAIN,
	A,
	B,
	C,
	P,
	FRAMES,
};

static const char letters[] = "MABCPsw"; /* of the frames, and the two markers */

static void make_model(struct model *model)
{
	model_init(model);
	model_thread(model, model_process(model, 1), 1);
	model->frames = xcalloc(FRAMES, sizeof(*model->frames));
	assert_non_null(model->frames);
	model->frame_count = model->frame_capacity = FRAMES;
	for (size_t i = 0; i < FRAMES; i++)
		model->frames[i] = (struct model_frame){
			.name = names[i],
			.module = i == P ? "System.Private.CoreLib" : "app",
			.path = "app",
			.method = MODEL_NONE,
		};
}

/* "PA" is P at the root, then A. */
static uint32_t stack_of(struct model *model, const char *frames)
{
	uint32_t node = STACK_EMPTY;

	for (; *frames; frames++)
		node = stack_tree_child(&model->stacks, node,
					(uint32_t)(strchr(letters, *frames) - letters));
	return node;
}

static uint32_t add_task(struct model *model, const char *made_in, uint32_t parent, bool await)
{
	const struct model_task task = { .number = (uint32_t)task_list_count(&model->tasks),
					 .stack = stack_of(model, made_in),
					 .parent = parent,
					 .await = await };

	task_list_add(&model->tasks, &task);
	return task.number;
}

static size_t add_sample(struct model *model, const char *stack, uint32_t task)
{
	samples_add(&model->samples, &(const struct model_sample){ .stack = stack_of(model, stack),
								   .task = task + 1 });
	return (size_t)samples_count(&model->samples) - 1;
}

/* The stack of the sample with this number; there is one thread. */
static uint32_t stack_at(const struct model *model, size_t number)
{
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	do
		assert_true(sample_walk_next(&walk, &sample));
	while (number--);
	sample_walk_end(&walk);
	return sample.stack;
}

static void join(struct model *model)
{
	task_list_seal(&model->tasks);
	join_tasks(model);
}

static void expect_stack(const struct model *model, uint32_t stack, const char *wanted)
{
	char text[64] = "";
	size_t at = sizeof(text) - 1;

	for (; stack && at; stack = model->stacks.nodes[stack].parent)
		text[--at] = letters[model->stacks.nodes[stack].frame];
	assert_string_equal(text + at, wanted);
}

static void a_task_begins_where_it_was_scheduled(void **state)
{
	struct model model;
	uint32_t task;
	size_t sample;
	size_t idle;
	size_t other;

	(void)state;
	make_model(&model);
	task = add_task(&model, "MAPP", MODEL_NONE, false);
	sample = add_sample(&model, "PPBPC", task);
	idle = add_sample(&model, "PP", task);
	other = add_sample(&model, "PB", MODEL_NONE);
	join(&model);
	expect_stack(&model, stack_at(&model, sample), "MAsBPC");
	expect_stack(&model, stack_at(&model, idle), "PP");
	expect_stack(&model, stack_at(&model, other), "PB");
	model_release(&model);
}

static void an_await_continues_in_its_method(void **state)
{
	struct model model;
	uint32_t inner;
	uint32_t outer;
	size_t in_inner;
	size_t in_outer;
	size_t in_neither;
	struct task_walk walk;
	struct model_task task;

	(void)state;
	make_model(&model);
	inner = add_task(&model, "MABP", MODEL_NONE, true);
	outer = add_task(&model, "MAP", MODEL_NONE, true);
	in_inner = add_sample(&model, "PPBC", inner);
	in_outer = add_sample(&model, "PPBPAC", outer);
	in_neither = add_sample(&model, "PPC", outer);
	join(&model);
	expect_stack(&model, stack_at(&model, in_inner), "MABC");
	expect_stack(&model, stack_at(&model, in_outer), "MAC");
	expect_stack(&model, stack_at(&model, in_neither), "PPC");
	task_walk_begin(&walk, &model.tasks);
	assert_true(task_walk_next(&walk, &task));
	assert_int_equal(task.number, inner);
	expect_stack(&model, task.joined, "MABw");
	task_walk_end(&walk);
	model_release(&model);
}

static void a_loop_of_awaits_does_not_grow_the_stack(void **state)
{
	struct model model;
	uint32_t task;
	size_t sample;

	(void)state;
	make_model(&model);
	task = add_task(&model, "MAP", MODEL_NONE, true);
	for (int i = 0; i < 100; i++)
		task = add_task(&model, "PAP", task, true);
	sample = add_sample(&model, "PAC", task);
	join(&model);
	expect_stack(&model, stack_at(&model, sample), "MAC");
	model_release(&model);
}

static void chains_of_tasks_are_limited(void **state)
{
	struct model model;
	uint32_t task;
	struct task_walk walk;
	struct model_task joined;

	(void)state;
	make_model(&model);
	task = add_task(&model, "MAP", MODEL_NONE, false);
	for (int i = 0; i < 5000; i++)
		task = add_task(&model, "PAP", task, false);
	add_sample(&model, "PA", task);
	join(&model);
	task_walk_begin(&walk, &model.tasks);
	while (task_walk_next(&walk, &joined)) {
		size_t depth = 0;

		for (uint32_t at = joined.joined; at; at = model.stacks.nodes[at].parent)
			depth++;
		assert_true(depth > 0 && depth < 1100);
	}
	task_walk_end(&walk);
	model_release(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_begins_where_it_was_scheduled),
		cmocka_unit_test(an_await_continues_in_its_method),
		cmocka_unit_test(a_loop_of_awaits_does_not_grow_the_stack),
		cmocka_unit_test(chains_of_tasks_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
