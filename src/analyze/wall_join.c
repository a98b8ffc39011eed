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

/* The changes of a thread, one after the other. */
struct change_walk {
	struct reel_reader reader;
	struct wall_change last, next; /* around the place where it is */
	bool has_last, has_next;
};

struct wall_joining {
	struct wall_tasks *tasks;
	struct model *model;
	uint8_t *roles; /* by frame: an enum role */
	uint32_t starting, waiting, unknown, in_activity, in_none, of_threads;
	uint32_t *labels;	     /* by label of a note: its frame */
	struct map rooted;	     /* by root and stack: the stack below that root */
	struct change_walk *changes; /* by thread of the model */
	struct change_walk *notes;   /* the same */
	uint32_t *frames;	     /* scratch */
	size_t frame_capacity;
};

static enum role role_of(const struct model_frame *frame)
{
	static const char *const runs[] = { "System.Threading.ExecutionContext.Run",
					    "System.Threading.Tasks.AwaitTaskContinuation.Run",
					    "System.Threading.Tasks.Task.Execute" };

	if (!frame_is_named(frame))
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

static uint32_t child(struct wall_joining *j, uint32_t stack, uint32_t frame)
{
	return stack_tree_child(&j->model->stacks, stack, frame);
}

/* The frames of activities, which are nearest to the root; those of creators were made before. */
static void root_activity(struct wall_joining *j, struct wall_activity *activity)
{
	const uint32_t around = activity->creator
					? j->tasks->activities[activity->creator - 1].stack
					: child(j, 0, j->in_activity);

	activity->stack = child(j, around, model_label(j->model, MODEL_NONE, activity->name));
}

static uint32_t activity_stack(struct wall_joining *j, uint32_t activity)
{
	return activity ? j->tasks->activities[activity - 1].stack : child(j, 0, j->in_none);
}

/* Below the frames of its activity. The same stack is mostly asked for again. */
static uint32_t rooted(struct wall_joining *j, uint32_t activity, uint32_t stack)
{
	const uint32_t root = child(j, activity_stack(j, activity), j->of_threads);
	const uint64_t key = (uint64_t)root << 32 | stack;
	uint32_t made = (uint32_t)(uintptr_t)map_find(&j->rooted, key);

	if (!made) {
		made = append(j, root, stack, 0);
		map_put(&j->rooted, key, (void *)(uintptr_t)made);
	}
	return made;
}

/* A creator has a smaller number, so it was joined before. */
static void join_task(struct wall_joining *j, struct wall_task *task)
{
	task->stack = model_stack_now(j->model, task->made_at);
	if (task->creator)
		task->stack = join(j, task->creator, task->stack);
	task->depth = depth_of(j, task->stack);
}

static void step(struct change_walk *walk)
{
	walk->last = walk->next;
	walk->has_last = walk->has_next;
	walk->has_next = walk->reader.reel && reel_next(&walk->reader);
	if (!walk->has_next)
		return;
	memcpy(&walk->next, walk->reader.at, sizeof(walk->next));
	walk->reader.at += sizeof(walk->next);
}

/* The last change until then; NULL: none. */
static const struct wall_change *change_at(struct wall_joining *j, uint32_t number, int64_t time_ns)
{
	struct change_walk *walk = &j->changes[number];

	while (walk->has_next && walk->next.time_ns <= time_ns)
		step(walk);
	return walk->has_last ? &walk->last : NULL;
}

/* The change of a note, of which there may be several at one time; NULL: it has none. */
static const struct wall_change *note_at(struct wall_joining *j, uint32_t number, int64_t time_ns)
{
	struct change_walk *walk = &j->notes[number];

	while (walk->has_next && walk->next.time_ns <= time_ns) {
		step(walk);
		if (walk->last.time_ns == time_ns && walk->last.note)
			return &walk->last;
	}
	return NULL;
}

static uint32_t with_note(struct wall_joining *j, uint32_t stack, uint32_t note)
{
	const struct stack_node *nodes = j->tasks->notes.nodes;
	size_t count = 0;

	for (; note; note = nodes[note].parent) {
		j->frames = xgrow(j->frames, count, &j->frame_capacity, sizeof(*j->frames));
		j->frames[count++] = j->labels[nodes[note].frame];
	}
	while (count)
		stack = child(j, stack, j->frames[--count]);
	return stack;
}

static void join_sample(void *to, struct model_sample *sample)
{
	struct wall_joining *j = to;
	const struct wall_change *note =
		sample->kind == SAMPLE_NOTE ? note_at(j, sample->thread, sample->time_ns) : NULL;
	const struct wall_change *last =
		note ? note : change_at(j, sample->thread, sample->time_ns);
	uint32_t stack = sample->stack;

	if (last && last->resumes && last->time_ns == sample->time_ns &&
	    sample->kind == SAMPLE_MARK)
		stack = beginning(j, last->task);
	else if (last)
		stack = join(j, last->task, stack);
	if (note)
		stack = with_note(j, stack, note->note);
	sample->stack = rooted(j, last ? last->activity : 0, stack);
}

static uint32_t number_of(struct model *model, const struct wall_thread *thread)
{
	return model_thread(model, model_process(model, thread->process_id), thread->id);
}

static void begin_walks(struct wall_joining *j, const struct wall_thread *thread)
{
	const uint32_t number = number_of(j->model, thread);
	struct change_walk walk = {
		.reader = { .spool = &j->tasks->spool, .reel = &thread->changes },
	};

	step(&walk);
	j->changes[number] = walk;
	j->notes[number] = walk;
}

static void find_threads(struct wall_joining *j)
{
	struct wall_tasks *tasks = j->tasks;

	j->changes = xcalloc(j->model->thread_count + 1, sizeof(*j->changes));
	j->notes = xcalloc(j->model->thread_count + 1, sizeof(*j->notes));
	for (size_t i = 0; i < tasks->thread_count; i++)
		if (tasks->threads[i].change_count)
			begin_walks(j, &tasks->threads[i]);
}

static uint32_t wait_stack(struct wall_joining *j, const struct wall_wait *wait)
{
	if (!wait->task)
		return child(j, activity_stack(j, wait->activity), j->unknown);
	return child(j, rooted(j, wait->activity, beginning(j, wait->task)), j->waiting);
}

static void join_waits(struct wall_joining *j)
{
	for (size_t i = 0; i < j->tasks->wait_count; i++) {
		struct wall_wait *wait = &j->tasks->waits[i];

		wait->thread = number_of(j->model, &j->tasks->threads[wait->thread]);
		wait->stack = wait_stack(j, wait);
	}
}

static void name_frames(struct wall_joining *j)
{
	struct model *model = j->model;

	j->starting = model_label(model, MODEL_NONE, "STARTING TASK");
	j->waiting = model_label(model, MODEL_NONE, "AWAIT_TIME");
	j->unknown = model_label(model, MODEL_NONE, "UNKNOWN_ASYNC");
	j->in_activity = model_label(model, MODEL_NONE, "(Activities)");
	j->in_none = model_label(model, MODEL_NONE, "(Non-Activities)");
	j->of_threads = model_label(model, MODEL_NONE, "Threads");
	j->labels = xcalloc(j->tasks->label_count + 1, sizeof(*j->labels));
	for (size_t i = 0; i < j->tasks->label_count; i++)
		j->labels[i] = model_label(model, MODEL_NONE, j->tasks->labels[i]);
	j->roles = xcalloc(model->frame_count, sizeof(*j->roles));
	for (size_t i = 0; i < model->frame_count; i++)
		j->roles[i] = (uint8_t)role_of(&model->frames[i]);
}

static void release(struct wall_joining *j)
{
	xfree(j->roles);
	xfree(j->labels);
	for (size_t i = 0; i < j->model->thread_count; i++) {
		reel_reader_release(&j->changes[i].reader);
		reel_reader_release(&j->notes[i].reader);
	}
	xfree(j->changes);
	xfree(j->notes);
	xfree(j->frames);
	map_release(&j->rooted);
}

void wall_tasks_join(struct wall_tasks *tasks, struct model *model)
{
	struct wall_joining j = { .tasks = tasks, .model = model };

	name_frames(&j);
	find_threads(&j);
	for (size_t i = 0; i < tasks->activity_count; i++)
		root_activity(&j, &tasks->activities[i]);
	for (size_t i = 0; i < tasks->task_count; i++)
		join_task(&j, &tasks->tasks[i]);
	samples_rewrite(&model->samples, join_sample, &j);
	join_waits(&j);
	stack_tree_seal(&model->stacks);
	release(&j);
}
