/* SPDX-License-Identifier: MIT */
#include "analyze/wall_tasks.h"

#include <stdlib.h>

#include "analyze/wall_activities.h"
#include "base/alloc.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "clr/activity_path.h"
#include "clr/event_ids.h"
#include "clr/event_source.h"
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

static uint32_t add_task(struct wall_tasks *w, const struct wall_task *task)
{
	w->tasks = xgrow(w->tasks, w->task_count, &w->task_capacity, sizeof(*w->tasks));
	w->tasks[w->task_count++] = *task;
	return (uint32_t)w->task_count;
}

struct wall_thread *wall_thread_of(struct wall_tasks *w, const struct event_context *at)
{
	const struct pp_thread *from = at->event->thread;
	struct wall_thread *thread;

	w->threads = xroom(w->threads, &w->thread_count, from->index, sizeof(*w->threads));
	thread = &w->threads[from->index];
	thread->process_id = from->process_id;
	thread->id = from->id;
	return thread;
}

uint32_t wall_current_task(struct wall_tasks *w, struct wall_thread *thread)
{
	if (!thread->own)
		thread->own = add_task(w, &(const struct wall_task){ .kind = OWN });
	if (!thread->current)
		thread->current = thread->own;
	return thread->current;
}

static bool is_noted(const struct wall_thread *thread, const struct wall_change *change)
{
	return thread->change_count && !change->note && !change->resumes &&
	       thread->last.task == change->task && thread->last.activity == change->activity;
}

/* The event is a sample, of what the thread now works on. */
static void note_change(struct wall_tasks *w, const struct event_context *at, bool resumes,
			uint32_t note)
{
	struct wall_thread *thread = wall_thread_of(w, at);
	const struct wall_change change = { .time_ns = at->time_ns,
					    .task = wall_current_task(w, thread),
					    .activity = wall_activity_now(w, at),
					    .note = note,
					    .resumes = resumes };
	uint8_t *room;

	if (is_noted(thread, &change))
		return;
	room = reel_room(&thread->changes, &w->spool);
	memcpy(room, &change, sizeof(change));
	reel_wrote(&thread->changes, room + sizeof(change));
	thread->last = change;
	thread->change_count++;
}

static uint32_t find(const struct wall_tasks *w, uint64_t key)
{
	return (uint32_t)(uintptr_t)map_find(&w->by_key, key);
}

static void create(struct wall_tasks *w, const struct event_context *at, uint64_t key,
		   enum kind kind)
{
	const uint32_t creator = wall_current_task(w, wall_thread_of(w, at));
	const struct wall_task task = {
		.key = key,
		.creator = creator,
		.activity = wall_task_at(w, creator)->activity,
		.made_at = event_stack(at),
		.round = wall_task_at(w, creator)->rounds,
		.made_ns = at->time_ns,
		.kind = (uint8_t)kind,
	};

	map_put(&w->by_key, key, (void *)(uintptr_t)add_task(w, &task));
}

static void forget(struct wall_tasks *w, uint32_t task)
{
	if (task)
		map_remove(&w->by_key, wall_task_at(w, task)->key);
}

static void push(struct wall_tasks *w, struct wall_thread *thread, uint32_t task)
{
	thread->floats = thread->current ? thread->floats : true;
	wall_task_at(w, task)->before = thread->current;
	wall_task_at(w, task)->started = true;
	thread->current = task;
}

static void pop(struct wall_tasks *w, struct wall_thread *thread)
{
	thread->current = wall_task_at(w, thread->current)->before;
	thread->floats = thread->current ? thread->floats : false;
}

static bool works_on_other(const struct wall_tasks *w, const struct wall_thread *thread,
			   uint32_t task)
{
	return thread->current && thread->current != task &&
	       wall_task_at(w, thread->current)->kind != OWN;
}

/*
 * With all that the thread began since. One that is not known changes nothing, unless the thread
 * was never seen outside of tasks.
 */
static void stop(struct wall_tasks *w, const struct event_context *at, uint32_t task)
{
	struct wall_thread *thread = wall_thread_of(w, at);

	while (task && works_on_other(w, thread, task)) {
		const uint32_t other = thread->current;

		pop(w, thread);
		wall_thread_works(w, at);
		forget(w, other);
	}
	if (task && thread->current == task)
		pop(w, thread);
	else if (!task && thread->floats)
		thread->current = 0;
	wall_thread_works(w, at);
	forget(w, task);
}

void wall_add_wait(struct wall_tasks *w, const struct wall_wait *wait)
{
	w->waits = xgrow(w->waits, w->wait_count, &w->wait_capacity, sizeof(*w->waits));
	w->waits[w->wait_count++] = *wait;
}

static void add_await(struct wall_tasks *w, const struct event_context *at, uint32_t number)
{
	const struct wall_task *task = wall_task_at(w, number);
	struct wall_task *creator = wall_task_at(w, task->creator);

	if (task->kind < AWAIT || task->round != creator->rounds)
		return;
	creator->rounds++;
	wall_add_wait(w, &(const struct wall_wait){ .from_ns = task->made_ns,
						    .to_ns = at->time_ns,
						    .task = number,
						    .activity = wall_activity_awaited(w, at),
						    .thread = (uint32_t)at->event->thread->index });
	wall_await_ends(w, at, number);
}

static void start(struct wall_tasks *w, const struct event_context *at, uint64_t key)
{
	const uint32_t number = find(w, key);

	if (!number || wall_task_at(w, number)->started)
		return;
	push(w, wall_thread_of(w, at), number);
	add_await(w, at, number);
	wall_thread_works(w, at);
	if (wall_task_at(w, number)->kind == BLOCKS)
		stop(w, at, number);
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
	note_change(self, at, false, 0);
}

static void take_continuation(void *self, const struct event_context *at)
{
	uint32_t id;

	take_id(at, &id);
	create(self, at, key_of(at, TASKS, id), TASK);
	note_change(self, at, false, 0);
}

static void take_start(void *self, const struct event_context *at)
{
	uint32_t id;

	take_id(at, &id);
	start(self, at, key_of(at, TASKS, id));
	note_change(self, at, false, 0);
}

static void take_stop(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;
	uint32_t id;

	take_id(at, &id);
	stop(w, at, find(w, key_of(at, TASKS, id)));
}

static void take_wait(void *self, const struct event_context *at)
{
	uint32_t id;
	struct cursor c = take_id(at, &id);
	const bool blocks = cursor_u32(&c) == BLOCKING;

	create(self, at, key_of(at, CONTINUATIONS, id), blocks ? BLOCKS : AWAIT);
	note_change(self, at, false, 0);
}

/* A continuation has no end of its own: it ends when the next one starts. */
static void take_wait_end(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;
	const uint32_t current = wall_thread_of(w, at)->current;
	uint32_t id;

	take_id(at, &id);
	if (current && wall_task_at(w, current)->kind >= AWAIT)
		stop(w, at, current);
	start(w, at, key_of(at, CONTINUATIONS, id));
	note_change(w, at, true, 0);
}

static void take_pool_wait(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;
	struct wall_thread *thread = wall_thread_of(w, at);

	push(w, thread, add_task(w, &(const struct wall_task){ .kind = IDLE }));
	wall_thread_works(w, at);
}

static void take_sample(void *self, const struct event_context *at)
{
	note_change(self, at, false, 0);
}

static void take_catch_start(void *self, const struct event_context *at)
{
	wall_activity_start(self, at, "ExceptionHandling", event_string(at, 0));
}

static void take_catch_stop(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;

	wall_activity_stop(w, at);
	w->at_stop = false;
}

static void take_note(void *self, const struct event_context *at)
{
	note_change(self, at, false, wall_note(self, at));
}

/* Only ids that are paths tell which events belong together. */
static bool has_path(const struct event_context *at)
{
	char path[ACTIVITY_PATH_SIZE];
	const struct pp_labels *labels = at->event->labels;

	return labels && labels->present & PP_LABEL_ACTIVITY &&
	       activity_path(labels->activity_id, at->event->thread->process_id, path);
}

static void take_activity_start(void *self, const struct event_context *at)
{
	const char *extra;
	const char *name;

	if (has_path(at)) {
		name = wall_start_name(self, at, &extra);
		wall_activity_start(self, at, name, extra);
	}
	take_note(self, at);
}

static void take_activity_stop(void *self, const struct event_context *at)
{
	struct wall_tasks *w = self;

	if (has_path(at))
		wall_activity_stop(w, at);
	take_note(w, at);
	w->at_stop = false;
}

#define ITEM_HANDLERS(name_, space_)                                                               \
	static void take_##name_(void *self, const struct event_context *at)                       \
	{                                                                                          \
		create(self, at, key_of(at, (space_), work_id(at)), WORK);                         \
	}                                                                                          \
	static void take_##name_##_start(void *self, const struct event_context *at)               \
	{                                                                                          \
		start(self, at, key_of(at, (space_), work_id(at)));                                \
	}

ITEM_HANDLERS(item, ITEMS)
ITEM_HANDLERS(io, IO_ITEMS)
ITEM_HANDLERS(timer, TIMERS)

#define RUNTIME CLR_RUNTIME_PROVIDER

static const char catch_fields[] = "MethodName";

static const struct event_row rows[] = {
	{ SAMPLE_PROFILER_PROVIDER, 0, NULL, NULL, take_sample },
	{ RUNTIME, CLR_GC_ALLOCATION_TICK, NULL, NULL, take_sample },
	{ RUNTIME, CLR_GC_SAMPLED_OBJECT_ALLOCATION_HIGH, NULL, NULL, take_sample },
	{ RUNTIME, CLR_GC_SAMPLED_OBJECT_ALLOCATION_LOW, NULL, NULL, take_sample },
	{ RUNTIME, CLR_EXCEPTION_CATCH_START, NULL, catch_fields, take_catch_start },
	{ RUNTIME, CLR_EXCEPTION_CATCH_STOP, NULL, NULL, take_catch_stop },
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

/* For events that no row lists. */
static const struct event_row note_row = { .handle = take_note };
static const struct event_row start_row = { .handle = take_activity_start };
static const struct event_row stop_row = { .handle = take_activity_stop };

static const struct event_row *choose(const void *self, const struct pp_kind *kind)
{
	(void)self;
	if (!event_source_is_shown(kind))
		return NULL;
	if (event_source_starts(kind))
		return &start_row;
	return event_source_stops(kind) ? &stop_row : &note_row;
}

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct wall_tasks *w = self;

	(void)pass;
	(void)setup;
	w->strings.arena = &w->arena;
}

static void release(void *self)
{
	struct wall_tasks *w = self;

	for (size_t i = 0; i < w->thread_count; i++)
		reel_release(&w->threads[i].changes, &w->spool);
	xfree(w->threads);
	xfree(w->tasks);
	xfree(w->waits);
	map_release(&w->by_key);
	xfree(w->activities);
	xfree(w->unknowns);
	map_release(&w->open_activities);
	spool_release(&w->spool);
	stack_tree_release(&w->notes);
	xfree(w->labels);
	map_release(&w->label_numbers);
	strings_release(&w->strings);
	arena_release(&w->arena);
	payload_release(&w->payload);
	buffer_release(&w->text);
}

const struct analysis wall_tasks_analysis = {
	.name = "wall tasks",
	.size = sizeof(struct wall_tasks),
	.rows = rows,
	.choose = choose,
	.begin = begin,
	.release = release,
};
