/* SPDX-License-Identifier: MIT */
/*
 * A packed task is a byte that says which fields follow, those that every task has, and these:
 *
 *	number, id, stack, made_ns	as the difference from the task before
 *	process, made_on, ran_on
 *	parent, last_child		as the difference from the task's own number
 *	started_ns, ended_ns, ran_ns	as the difference from what it was probably
 *	activity, shared_ns, joined	if there is one
 */
#include "model/task_list.h"

#include "base/varint.h"

enum {
	IS_AWAIT = 1,
	HAS_PARENT = 2,
	HAS_CHILD = 4,
	HAS_ACTIVITY = 8,
	HAS_STARTED = 16,
	HAS_ENDED = 32,
	HAS_SHARED = 64,
	HAS_JOINED = 128,
};

static unsigned head_of(const struct model_task *task)
{
	return (task->await ? IS_AWAIT : 0) | (task->parent != MODEL_NONE ? HAS_PARENT : 0) |
	       (task->last_child ? HAS_CHILD : 0) |
	       (task->activity != MODEL_NONE ? HAS_ACTIVITY : 0) |
	       (task->started_ns != INT64_MIN ? HAS_STARTED : 0) |
	       (task->ended_ns != INT64_MIN ? HAS_ENDED : 0) | (task->shared_ns ? HAS_SHARED : 0) |
	       (task->joined ? HAS_JOINED : 0);
}

/* How long it ran if its thread did nothing else meanwhile; 0 if that is not known. */
static int64_t probably_ran_ns(const struct model_task *task)
{
	return task->started_ns != INT64_MIN && task->ended_ns != INT64_MIN
		       ? wrapping_difference(task->ended_ns, task->started_ns)
		       : 0;
}

static uint8_t *pack_times(uint8_t *at, const struct model_task *task)
{
	if (task->started_ns != INT64_MIN)
		at = delta_put(at, task->started_ns, task->made_ns);
	if (task->ended_ns != INT64_MIN)
		at = delta_put(at, task->ended_ns,
			       task->started_ns != INT64_MIN ? task->started_ns : task->made_ns);
	at = delta_put(at, task->ran_ns, probably_ran_ns(task));
	return task->shared_ns ? delta_put(at, task->shared_ns, 0) : at;
}

static uint8_t *pack(uint8_t *at, const void *previous, const void *record)
{
	const struct model_task *before = previous;
	const struct model_task *task = record;

	*at++ = (uint8_t)head_of(task);
	at = delta_put(at, task->number, before->number);
	at = delta_put(at, task->id, before->id);
	at = delta_put(at, task->stack, before->stack);
	at = delta_put(at, task->made_ns, before->made_ns);
	at = varint_put(at, task->process);
	at = varint_put(at, task->made_on);
	at = varint_put(at, task->ran_on + 1); /* MODEL_NONE is 0 */
	if (task->parent != MODEL_NONE)
		at = delta_put(at, task->number, task->parent);
	if (task->last_child)
		at = delta_put(at, task->last_child, task->number);
	if (task->activity != MODEL_NONE)
		at = varint_put(at, task->activity);
	at = pack_times(at, task);
	return task->joined ? delta_put(at, task->joined, before->joined) : at;
}

static void unpack_times(const uint8_t **at, unsigned head, struct model_task *task)
{
	task->started_ns = head & HAS_STARTED ? delta_take(at, task->made_ns) : INT64_MIN;
	task->ended_ns = INT64_MIN;
	if (head & HAS_ENDED)
		task->ended_ns =
			delta_take(at, head & HAS_STARTED ? task->started_ns : task->made_ns);
	task->ran_ns = delta_take(at, probably_ran_ns(task));
	task->shared_ns = head & HAS_SHARED ? delta_take(at, 0) : 0;
}

static const uint8_t *unpack(const uint8_t *at, void *record)
{
	struct model_task *task = record;
	const unsigned head = *at++;

	task->await = head & IS_AWAIT;
	task->number = (uint32_t)delta_take(&at, task->number);
	task->id = (uint32_t)delta_take(&at, task->id);
	task->stack = (uint32_t)delta_take(&at, task->stack);
	task->made_ns = delta_take(&at, task->made_ns);
	task->process = (uint32_t)varint_take(&at);
	task->made_on = (uint32_t)varint_take(&at);
	task->ran_on = (uint32_t)varint_take(&at) - 1;
	task->parent = head & HAS_PARENT ? task->number - (uint32_t)delta_take(&at, 0) : MODEL_NONE;
	task->last_child = head & HAS_CHILD ? (uint32_t)delta_take(&at, task->number) : 0;
	task->activity = head & HAS_ACTIVITY ? (uint32_t)varint_take(&at) : MODEL_NONE;
	unpack_times(&at, head, task);
	task->joined = head & HAS_JOINED ? (uint32_t)delta_take(&at, task->joined) : 0;
	return at;
}

static int by_number(const void *left, const void *right)
{
	const struct model_task *a = left;
	const struct model_task *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

static const struct spooled_type type = {
	.size = sizeof(struct model_task),
	.compare = by_number,
	.pack = pack,
	.unpack = unpack,
};

void task_list_init(struct task_list *tasks, struct spool *spool)
{
	*tasks = (struct task_list){ .list = { .spool = spool, .type = &type } };
}

void task_list_add(struct task_list *tasks, const struct model_task *task)
{
	spooled_list_add(&tasks->list, task);
}

void task_list_add_recorded(struct task_list *tasks, struct recorded_stack stack,
			    const struct model_task *task)
{
	struct model_task added = *task;

	added.stack = stack.number;
	task_list_add(tasks, &added);
}

void task_list_seal(struct task_list *tasks)
{
	spooled_list_seal(&tasks->list);
}

void task_list_release(struct task_list *tasks)
{
	spooled_list_release(&tasks->list);
}

static uint32_t stack_now(const struct task_list *tasks, uint32_t stack)
{
	return tasks->stacks_now ? tasks->stacks_now[stack] : stack;
}

struct rewriting {
	const struct task_list *tasks;
	void (*change)(void *to, struct model_task *task);
	void *to;
};

static void rewrite(void *to, void *record)
{
	const struct rewriting *r = to;
	struct model_task *task = record;

	task->stack = stack_now(r->tasks, task->stack);
	r->change(r->to, task);
}

void task_list_rewrite(struct task_list *tasks, void (*change)(void *to, struct model_task *task),
		       void *to)
{
	struct rewriting r = { .tasks = tasks, .change = change, .to = to };

	spooled_list_rewrite(&tasks->list, rewrite, &r);
	tasks->stacks_now = NULL;
}

void task_walk_begin(struct task_walk *walk, const struct task_list *tasks)
{
	*walk = (struct task_walk){ .tasks = tasks, .reader = { .list = &tasks->list } };
}

bool task_walk_next(struct task_walk *walk, struct model_task *task)
{
	if (!spooled_next(&walk->reader, &walk->task))
		return false;
	*task = walk->task;
	task->stack = stack_now(walk->tasks, task->stack);
	return true;
}

void task_walk_end(struct task_walk *walk)
{
	spooled_reader_release(&walk->reader);
}
