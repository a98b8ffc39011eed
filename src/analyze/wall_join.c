/* SPDX-License-Identifier: MIT */
/*
 * Stacks as .NET's own library joins them: of the stack of a task only the part below the method
 * that runs tasks is kept, below the stack that created the task, unless it repeats that.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/wall_tasks.h"
#include "base/alloc.h"
#include "base/array.h"

#define DEEPEST 4096 /* frames that may lead to a task */

enum role { NONE, RUNS, RUNS_HELPER, UNKNOWN };

struct wall_joining {
	struct wall_tasks *tasks;
	struct model *model;
	uint8_t *roles; /* by frame: an enum role */
	uint32_t starting, waiting;
	struct wall_thread **threads; /* by thread of the model; NULL: it has no tasks */
	size_t *next;		      /* by thread of the model: its next change */
	uint32_t *frames;	      /* scratch */
	size_t frame_capacity;
};

static enum role role_of(const struct model_frame *frame)
{
	static const char *const runs[] = { "System.Threading.ExecutionContext.Run",
					    "System.Threading.Tasks.AwaitTaskContinuation.Run",
					    "System.Threading.Tasks.Task.Execute" };

	if (frame->method == MODEL_NONE)
		return UNKNOWN;
	if (strcasecmp(frame->module, "System.Private.CoreLib") != 0)
		return NONE;
	for (size_t i = 0; i < ARRAY_COUNT(runs); i++)
		if (!strncmp(frame->name, runs[i], strlen(runs[i])))
			return RUNS;
	return strstr(frame->name, "System.Threading.Tasks.Task") &&
			       strstr(frame->name, ".InnerInvoke")
		       ? RUNS_HELPER
		       : NONE;
}

static const struct stack_node *node_at(const struct wall_joining *j, uint32_t node)
{
	return &j->model->stacks.nodes[node];
}

/* The frame from which on, toward the leaf, the stack is that of a task; 0: it is not. */
static uint32_t transition(const struct wall_joining *j, uint32_t stack)
{
	uint32_t found = 0;

	for (uint32_t at = stack; at; at = node_at(j, at)->parent)
		switch (j->roles[node_at(j, at)->frame]) {
		case RUNS:
			return found ? found : at;
		case RUNS_HELPER:
			found = at;
			break;
		case UNKNOWN:
			found = 0;
			break;
		default:
			break;
		}
	return 0;
}

static bool repeats(const struct wall_joining *j, uint32_t stack, uint32_t until, uint32_t before)
{
	while (stack != until) {
		if (!before || node_at(j, stack)->frame != node_at(j, before)->frame)
			return false;
		stack = node_at(j, stack)->parent;
		before = node_at(j, before)->parent;
	}
	return before && node_at(j, before)->frame == j->starting;
}

static uint32_t append(struct wall_joining *j, uint32_t base, uint32_t stack, uint32_t until)
{
	size_t count = 0;

	for (; stack != until; stack = node_at(j, stack)->parent) {
		j->frames = xgrow(j->frames, count, &j->frame_capacity, sizeof(*j->frames));
		j->frames[count++] = node_at(j, stack)->frame;
	}
	while (count)
		base = stack_tree_child(&j->model->stacks, base, j->frames[--count]);
	return base;
}

/* Where the work of a task begins; empty for that of a thread itself. */
static uint32_t beginning(struct wall_joining *j, uint32_t task)
{
	const struct wall_task *of = &j->tasks->tasks[task - 1];

	return of->creator ? stack_tree_child(&j->model->stacks, of->stack, j->starting) : 0;
}

/* A stack seen while its thread worked on the task. */
static uint32_t join(struct wall_joining *j, uint32_t task, uint32_t stack)
{
	const struct wall_task *of = &j->tasks->tasks[task - 1];
	const uint32_t until = of->creator && of->depth < DEEPEST ? transition(j, stack) : 0;

	if (!until)
		return stack;
	if (repeats(j, stack, until, of->stack))
		return of->stack;
	return append(j, beginning(j, task), stack, until);
}

static uint32_t depth_of(const struct wall_joining *j, uint32_t stack)
{
	uint32_t depth = 0;

	for (; stack; stack = node_at(j, stack)->parent)
		depth++;
	return depth;
}

/* A creator has a smaller number, so it was joined before. */
static void join_task(struct wall_joining *j, struct wall_task *task)
{
	task->stack = model_stack_now(j->model, task->stack);
	if (task->creator)
		task->stack = join(j, task->creator, task->stack);
	task->depth = depth_of(j, task->stack);
}

static void join_sample(void *to, struct model_sample *sample)
{
	struct wall_joining *j = to;
	const struct wall_thread *thread = j->threads[sample->thread];
	size_t *next = &j->next[sample->thread];
	const struct wall_change *last;

	while (thread && *next < thread->change_count &&
	       thread->changes[*next].time_ns <= sample->time_ns)
		++*next;
	if (!thread || !*next)
		return;
	last = &thread->changes[*next - 1];
	if (last->resumes && last->time_ns == sample->time_ns && sample->kind == SAMPLE_MARK)
		sample->stack = beginning(j, last->task);
	else
		sample->stack = join(j, last->task, sample->stack);
}

static uint32_t number_of(struct model *model, const struct wall_thread *thread)
{
	return model_thread(model, model_process(model, thread->process_id), thread->id);
}

static void find_threads(struct wall_joining *j)
{
	struct wall_tasks *tasks = j->tasks;

	j->threads = xcalloc(j->model->thread_count + 1, sizeof(struct wall_thread *));
	j->next = xcalloc(j->model->thread_count + 1, sizeof(*j->next));
	for (size_t i = 0; i < tasks->thread_count; i++)
		if (tasks->threads[i].current)
			j->threads[number_of(j->model, &tasks->threads[i])] = &tasks->threads[i];
}

static void join_awaits(struct wall_joining *j)
{
	for (size_t i = 0; i < j->tasks->await_count; i++) {
		struct wall_await *await = &j->tasks->awaits[i];

		await->thread = number_of(j->model, &j->tasks->threads[await->thread]);
		await->stack =
			stack_tree_child(&j->model->stacks, beginning(j, await->task), j->waiting);
	}
}

void wall_tasks_join(struct wall_tasks *tasks, struct model *model)
{
	struct wall_joining j = { .tasks = tasks, .model = model };

	if (!tasks->task_count)
		return;
	j.starting = model_label(model, MODEL_NONE, "STARTING TASK");
	j.waiting = model_label(model, MODEL_NONE, "AWAIT_TIME");
	j.roles = xcalloc(model->frame_count, sizeof(*j.roles));
	for (size_t i = 0; i < model->frame_count; i++)
		j.roles[i] = (uint8_t)role_of(&model->frames[i]);
	find_threads(&j);
	for (size_t i = 0; i < tasks->task_count; i++)
		join_task(&j, &tasks->tasks[i]);
	samples_rewrite(&model->samples, join_sample, &j);
	join_awaits(&j);
	stack_tree_seal(&model->stacks);
	free(j.roles);
	free(j.threads);
	free(j.next);
	free(j.frames);
}
