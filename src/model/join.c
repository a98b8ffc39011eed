/* SPDX-License-Identifier: MIT */
/*
 * Attributes the work of tasks to the code that scheduled them. The stack of a pool thread does not
 * show that: it begins with the thread pool. So that part is replaced by the stack where the task
 * was scheduled, which may itself be that of a task.
 *
 * - The continuation of an await runs in the method that awaits, wherever that is on the stack
 *   now: the frames it calls are appended to the stack at the await.
 * - Any other task starts after the runtime's own frames, with a frame that marks the start.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "model/model.h"

#define DEEPEST 512 /* frames that may lead to a task: chains of tasks can be endless */

struct joining {
	struct model *model;
	uint32_t starting; /* frame that marks the start of a task */
	uint32_t waiting;  /* frame for the time of an await */
	uint32_t *depths;  /* by task: frames that led to it */

	bool *plumbing;	   /* by frame: code of the runtime that runs or schedules tasks */
	uint32_t *frames;  /* appended last, leaf first */
	uint32_t appended; /* number of frames appended last */

	size_t frame_capacity;
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool model_runs_tasks(const struct model_frame *frame)
{
	static const char *const spaces[] = { "System.Threading.",
					      "System.Runtime.CompilerServices.",
					      "System.Diagnostics.Tracing." };

	if (strcasecmp(frame->module, "System.Private.CoreLib") != 0 &&
	    strcasecmp(frame->module, "mscorlib") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(spaces); i++)
		if (begins(frame->name, spaces[i]))
			return true;
	return false;
}

static uint32_t parent_of(const struct joining *j, uint32_t node)
{
	return j->model->stacks.nodes[node].parent;
}

static uint32_t frame_of(const struct joining *j, uint32_t node)
{
	return j->model->stacks.nodes[node].frame;
}

/* Without the leaf frames that schedule the task and write the event. */
static uint32_t without_leaves(const struct joining *j, uint32_t stack)
{
	while (stack && j->plumbing[frame_of(j, stack)])
		stack = parent_of(j, stack);
	return stack;
}

/* Appends the frames of `stack` below `above` to `base`. */
static uint32_t append_frames(struct joining *j, uint32_t base, uint32_t stack, uint32_t above)
{
	size_t count = 0;

	for (uint32_t at = stack; at != above; at = parent_of(j, at)) {
		j->frames = xgrow(j->frames, count, &j->frame_capacity, sizeof(*j->frames));
		j->frames[count++] = frame_of(j, at);
	}
	j->appended = (uint32_t)count;

	while (count-- > 0)
		base = stack_tree_child(&j->model->stacks, base, j->frames[count]);
	return base;
}

/* The node closest to the leaf with this frame; 0 if there is none. */
static uint32_t find_frame(const struct joining *j, uint32_t stack, uint32_t frame)
{
	while (stack && frame_of(j, stack) != frame)
		stack = parent_of(j, stack);
	return stack;
}

/* The last of the runtime's frames at the root of the stack, or the stack if it has no others. */
static uint32_t end_of_roots(const struct joining *j, uint32_t stack)
{
	uint32_t end = stack;

	for (uint32_t at = stack; at; at = parent_of(j, at))
		if (!j->plumbing[frame_of(j, at)])
			end = parent_of(j, at);
	return end;
}

/* A stack seen while the task ran, preceded by what led to the task. */
static uint32_t join(struct joining *j, const struct model_task *task, uint32_t stack)
{
	const uint32_t made_in = task->joined;
	uint32_t above;

	if (!made_in || !stack)
		return stack;
	if (task->await) {
		above = find_frame(j, stack, frame_of(j, made_in));
		return above ? append_frames(j, made_in, stack, above) : stack;
	}
	above = end_of_roots(j, stack);
	if (above == stack)
		return stack; /* it has no frame of the task */
	return append_frames(j, stack_tree_child(&j->model->stacks, made_in, j->starting), stack,
			     above);
}

/* A task's parent has a smaller number, so it was joined before. */
static void join_task(struct joining *j, uint32_t number)
{
	struct model_task *task = &j->model->tasks[number];

	task->joined = without_leaves(j, task->stack);
	if (task->parent >= number || j->depths[task->parent] >= DEEPEST)
		return;
	task->joined = join(j, &j->model->tasks[task->parent], task->joined);
	j->depths[number] = j->depths[task->parent] + j->appended;
}

static void join_sample(void *to, struct model_sample *sample)
{
	struct joining *j = to;

	if (sample->task)
		sample->stack = join(j, &j->model->tasks[sample->task - 1], sample->stack);
}

void model_join_tasks(struct model *model)
{
	struct joining j = { .model = model };

	if (!model->task_count)
		return;
	j.starting = model_label(model, MODEL_NONE, "STARTING TASK");
	j.waiting = model_label(model, MODEL_NONE, "AWAIT_TIME");
	j.depths = xcalloc(model->task_count, sizeof(*j.depths));
	j.plumbing = xcalloc(model->frame_count, sizeof(*j.plumbing));
	for (size_t i = 0; i < model->frame_count; i++)
		j.plumbing[i] = model_runs_tasks(&model->frames[i]);
	for (uint32_t i = 0; i < model->task_count; i++)
		join_task(&j, i);
	samples_rewrite(&model->samples, join_sample, &j);
	for (size_t i = 0; i < model->task_count; i++)
		if (model->tasks[i].await)
			model->tasks[i].joined =
				stack_tree_child(&model->stacks, model->tasks[i].joined, j.waiting);
	stack_tree_seal(&model->stacks);
	free(j.depths);
	free(j.plumbing);
	free(j.frames);
}
