/* SPDX-License-Identifier: MIT */
#include "analyze/wall_tasks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "pass/pass.h"

enum kind {
	OWN,  /* work of the thread itself */
	IDLE, /* a worker of the pool has waited for work */
	TASK,
	WORK, /* an item of the pool */
	AWAIT,
	BLOCKS, /* a wait that blocks its thread */
};

/* Ids are unique among the same. */
enum id_space { CONTINUATIONS, TASKS, TIMERS, IO_ITEMS, ITEMS };

#define BLOCKING 1

static uint64_t key_of(const struct event_context *at, enum id_space space, uint64_t id)
{
	const uint64_t parts[] = { (uint64_t)at->event->thread->process_id, space, id };

	return hash_bytes(parts, sizeof(parts));
}

static struct wall_task *task_at(const struct wall_tasks *w, uint32_t number)
{
	return &w->tasks[number - 1];
}

static uint32_t add_task(struct wall_tasks *w, const struct wall_task *task)
{
	w->tasks = xgrow(w->tasks, w->task_count, &w->task_capacity, sizeof(*w->tasks));
	w->tasks[w->task_count++] = *task;
	return (uint32_t)w->task_count;
}

static struct wall_thread *thread_of(struct wall_tasks *w, const struct event_context *at)
{
	const struct pp_thread *from = at->event->thread;
	struct wall_thread *thread;

	w->threads = xroom(w->threads, &w->thread_count, from->index, sizeof(*w->threads));
	thread = &w->threads[from->index];
	if (!thread->current) {
		thread->process_id = from->process_id;
		thread->id = from->id;
		thread->current = add_task(w, &(const struct wall_task){ .kind = OWN });
	}
	return thread;
}

static void note_change(struct wall_tasks *w, const struct event_context *at, bool resumes)
{
	struct wall_thread *thread = thread_of(w, at);

	thread->changes = xgrow(thread->changes, thread->change_count, &thread->change_capacity,
				sizeof(*thread->changes));
	thread->changes[thread->change_count++] = (struct wall_change){ .time_ns = at->time_ns,
									.task = thread->current,
									.resumes = resumes };
}

static uint32_t find(const struct wall_tasks *w, uint64_t key)
{
	return (uint32_t)(uintptr_t)map_find(&w->by_key, key);
}

static void create(struct wall_tasks *w, const struct event_context *at, uint64_t key,
		   enum kind kind)
{
	const uint32_t creator = thread_of(w, at)->current;
	const struct wall_task task = {
		.key = key,
		.creator = creator,
		.stack = event_stack(at),
		.round = task_at(w, creator)->rounds,
		.made_ns = at->time_ns,
		.kind = (uint8_t)kind,
	};

	map_put(&w->by_key, key, (void *)(uintptr_t)add_task(w, &task));
}

static void forget(struct wall_tasks *w, uint32_t task)
{
	if (task)
		map_remove(&w->by_key, task_at(w, task)->key);
}

/* With all that the thread began since; a task that it does not work on changes nothing. */
static void stop(struct wall_tasks *w, struct wall_thread *thread, uint32_t task)
{
	uint32_t at = thread->current;

	while (at && at != task && task_at(w, at)->kind != OWN) {
		if (task)
			forget(w, at);
		at = task_at(w, at)->before;
		if (task)
			thread->current = at;
	}
	if (at && at == task)
		thread->current = task_at(w, at)->before;
	forget(w, task);
}

static void add_await(struct wall_tasks *w, const struct event_context *at, uint32_t number)
{
	const struct wall_task *task = task_at(w, number);
	struct wall_task *creator = task_at(w, task->creator);

	if (task->kind < AWAIT || task->round != creator->rounds)
		return;
	creator->rounds++;
	w->awaits = xgrow(w->awaits, w->await_count, &w->await_capacity, sizeof(*w->awaits));
	w->awaits[w->await_count++] =
		(struct wall_await){ .from_ns = task->made_ns,
				     .to_ns = at->time_ns,
				     .task = number,
				     .thread = (uint32_t)at->event->thread->index };
}

static void start(struct wall_tasks *w, const struct event_context *at, uint64_t key)
{
	const uint32_t number = find(w, key);
	struct wall_thread *thread = thread_of(w, at);

	if (!number || task_at(w, number)->before)
		return;
	task_at(w, number)->before = thread->current;
	thread->current = number;
	add_await(w, at, number);
	if (task_at(w, number)->kind == BLOCKS)
		stop(w, thread, number);
}

/* The id of events that begin with a scheduler and the task that wrote them. */
static struct cursor take_id(const struct event_context *at, uint32_t *id)
{
	struct cursor c = cursor_over(at->event->payload, at->event->payload_size);

	cursor_u64(&c);
	*id = cursor_u32(&c);
	return c;
}

static uint64_t work_id(const struct event_context *at)
{
	struct cursor c = cursor_over(at->event->payload, at->event->payload_size);

	return cursor_u64(&c);
}

static void take_scheduled(void *self, const struct event_context *at)
{
	uint32_t id;

	take_id(at, &id);
	if (!find(self, key_of(at, TASKS, id)))
		create(self, at, key_of(at, TASKS, id), TASK);
}

static void take_continuation(void *self, const struct event_context *at)
{
	uint32_t id;

	take_id(at, &id);
	create(self, at, key_of(at, TASKS, id), TASK);
}

static void take_start(void *self, const struct event_context *at)
{
	uint32_t id;

	take_id(at, &id);
	start(self, at, key_of(at, TASKS, id));
	note_change(self, at, false);
}

static void take_stop(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;
	uint32_t id;

	take_id(at, &id);
	stop(w, thread_of(w, at), find(w, key_of(at, TASKS, id)));
	note_change(w, at, false);
}

static void take_wait(void *self, const struct event_context *at)
{
	uint32_t id;
	struct cursor c = take_id(at, &id);
	const bool blocks = cursor_u32(&c) == BLOCKING;

	create(self, at, key_of(at, CONTINUATIONS, id), blocks ? BLOCKS : AWAIT);
}

/* A continuation has no end of its own: it ends when the next one starts. */
static void take_wait_end(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;
	struct wall_thread *thread = thread_of(w, at);
	uint32_t id;

	take_id(at, &id);
	if (task_at(w, thread->current)->kind >= AWAIT)
		stop(w, thread, thread->current);
	start(w, at, key_of(at, CONTINUATIONS, id));
	note_change(w, at, true);
}

static void take_pool_wait(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;
	struct wall_thread *thread = thread_of(w, at);

	thread->current =
		add_task(w, &(const struct wall_task){ .kind = IDLE, .before = thread->current });
	note_change(w, at, false);
}

#define ITEM_HANDLERS(name_, space_)                                                               \
	static void take_##name_(void *self, const struct event_context *at)                       \
	{                                                                                          \
		create(self, at, key_of(at, (space_), work_id(at)), WORK);                         \
	}                                                                                          \
	static void take_##name_##_start(void *self, const struct event_context *at)               \
	{                                                                                          \
		start(self, at, key_of(at, (space_), work_id(at)));                                \
		note_change(self, at, false);                                                      \
	}

ITEM_HANDLERS(item, ITEMS)
ITEM_HANDLERS(io, IO_ITEMS)
ITEM_HANDLERS(timer, TIMERS)

#define RUNTIME CLR_RUNTIME_PROVIDER

static const struct event_row rows[] = {
	{ TPL_PROVIDER, 7, NULL, NULL, take_scheduled },
	{ TPL_PROVIDER, 8, NULL, NULL, take_start },
	{ TPL_PROVIDER, 9, NULL, NULL, take_stop },
	{ TPL_PROVIDER, 10, NULL, NULL, take_wait },
	{ TPL_PROVIDER, 11, NULL, NULL, take_wait_end },
	{ TPL_PROVIDER, 12, NULL, NULL, take_continuation },
	{ FRAMEWORK_PROVIDER, 30, NULL, NULL, take_item },
	{ FRAMEWORK_PROVIDER, 31, NULL, NULL, take_item_start },
	{ FRAMEWORK_PROVIDER, 150, NULL, NULL, take_timer },
	{ FRAMEWORK_PROVIDER, 151, NULL, NULL, take_timer_start },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_WAIT, NULL, NULL, take_pool_wait },
	{ RUNTIME, CLR_THREAD_POOL_ENQUEUE, NULL, NULL, take_item },
	{ RUNTIME, CLR_THREAD_POOL_DEQUEUE, NULL, NULL, take_item_start },
	{ RUNTIME, CLR_THREAD_POOL_IO_ENQUEUE, NULL, NULL, take_io },
	{ RUNTIME, CLR_THREAD_POOL_IO_DEQUEUE, NULL, NULL, take_io_start },
	{ RUNTIME, CLR_THREAD_POOL_IO_PACK, NULL, NULL, take_io },
	{ 0 },
};

static void release(void *self)
{
	struct wall_tasks *w = self;

	for (size_t i = 0; i < w->thread_count; i++)
		free(w->threads[i].changes);
	free(w->threads);
	free(w->tasks);
	free(w->awaits);
	map_release(&w->by_key);
}

const struct analysis wall_tasks_analysis = {
	.name = "wall tasks",
	.size = sizeof(struct wall_tasks),
	.rows = rows,
	.release = release,
};
