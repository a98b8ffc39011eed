/* SPDX-License-Identifier: MIT */
/*
 * Attributes the work of tasks to the code that scheduled them. The stack of a pool thread does not
 * show that: it begins with the thread pool. So that part is replaced by the stack where the task
 * was scheduled, which may itself be that of a task.
 *
 * - The continuation of an await runs in the method that awaits, wherever that is on the stack
 *   now: the frames it calls are appended to the stack at the await.
 * - Any other task starts after the runtime's own frames, with a frame that marks the start.
 *
 * Samples and tasks name a task by its number, in any order. So while it joins, there is a
 * struct joined_task in memory for each: 8 bytes, of which a million tasks need 8 MB.
 */
#include "analyze/join_tasks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"

#define DEEPEST 512 /* frames that may lead to a task: chains of tasks can be endless */

struct joined_task {
	uint32_t stack; /* where it was scheduled, preceded by what led to it */
	uint16_t depth; /* frames that led to it; DEEPEST: as many or more */
	bool await;
};

struct joining {
	struct model *model;
	uint32_t starting;	   /* frame that marks the start of a task */
	uint32_t waiting;	   /* frame for the time of an await */
	struct joined_task *tasks; /* by number */

	bool *plumbing;	   /* by frame: code of the runtime that runs or schedules tasks */
	uint32_t *frames;  /* appended last, leaf first */
	uint32_t appended; /* number of frames appended last */

	size_t frame_capacity;
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool frame_runs_tasks(const struct model_frame *frame)
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
static uint32_t join(struct joining *j, const struct joined_task *task, uint32_t stack)
{
	const uint32_t made_in = task->stack;
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

static uint16_t deeper(uint32_t depth, uint32_t by)
{
	return (uint16_t)(by < DEEPEST - depth ? depth + by : DEEPEST);
}

/* A task's parent has a smaller number, so it was joined before. */
static void join_task(struct joining *j, const struct model_task *task)
{
	struct joined_task *joined = &j->tasks[task->number];
	const struct joined_task *parent;

	joined->await = task->await;
	joined->stack = without_leaves(j, task->stack);
	if (task->parent >= task->number)
		return;
	parent = &j->tasks[task->parent];
	if (parent->depth == DEEPEST)
		return;
	joined->stack = join(j, parent, joined->stack);
	joined->depth = deeper(parent->depth, j->appended);
}

static void join_all_tasks(struct joining *j)
{
	struct task_walk walk;
	struct model_task task;

	task_walk_begin(&walk, &j->model->tasks);
	while (task_walk_next(&walk, &task))
		join_task(j, &task);
	task_walk_end(&walk);
}

static void join_sample(void *to, struct model_sample *sample)
{
	struct joining *j = to;

	if (sample->task)
		sample->stack = join(j, &j->tasks[sample->task - 1], sample->stack);
}

static void set_joined(void *to, struct model_task *task)
{
	struct joining *j = to;

	task->joined = j->tasks[task->number].stack;
	if (task->await)
		task->joined = stack_tree_child(&j->model->stacks, task->joined, j->waiting);
}

void join_tasks(struct model *model)
{
	struct joining j = { .model = model };

	if (!task_list_count(&model->tasks))
		return;
	j.starting = model_label(model, MODEL_NONE, "STARTING TASK");
	j.waiting = model_label(model, MODEL_NONE, "AWAIT_TIME");
	j.tasks = xcalloc(task_list_count(&model->tasks), sizeof(*j.tasks));
	j.plumbing = xcalloc(model->frame_count, sizeof(*j.plumbing));
	for (size_t i = 0; i < model->frame_count; i++)
		j.plumbing[i] = frame_runs_tasks(&model->frames[i]);
	join_all_tasks(&j);
	samples_rewrite(&model->samples, join_sample, &j);
	task_list_rewrite(&model->tasks, set_joined, &j);
	stack_tree_seal(&model->stacks);
	xfree(j.tasks);
	xfree(j.plumbing);
	xfree(j.frames);
}
