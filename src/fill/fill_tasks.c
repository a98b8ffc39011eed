/* SPDX-License-Identifier: MIT */
/*
 * Scheduled work: tasks, and continuations of awaits. Ids are unique in a process until they are
 * reused; ids of tasks and of awaits are independent.
 *
 * An await names the task that it waits for and the async method that it is in, by the id of that
 * method's task. So it is known when a method is awaited that awaits in turn: both wait for the
 * same, and that time belongs to the inner await.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/providers.h"
#include "fill/fill_rows.h"

#define WAITS_HERE 1	/* a TaskWait that blocks its thread: nothing is scheduled */
#define DEEPEST	   1000 /* tasks run within each other; outer ones have lost their end */

static uint64_t task_key(uint32_t process, uint32_t id, bool await)
{
	return hash_u64((uint64_t)process << 33 | (uint64_t)await << 32 | id);
}

static uint64_t key_of(const struct model_task *task)
{
	return task_key(task->process, task->id, task->await);
}

/* The newest of an id that has not started. */
static struct fill_task *newest(const struct fill *fill, uint64_t key)
{
	return map_find(&fill->tasks, key);
}

static void set_newest(struct fill *fill, uint64_t key, struct fill_task *task)
{
	if (task)
		map_put(&fill->tasks, key, task);
	else
		map_remove(&fill->tasks, key);
}

static struct fill_thread_tasks *tasks_of(struct fill *fill, uint32_t thread)
{
	fill->running = xroom(fill->running, &fill->running_count, thread, sizeof(*fill->running));
	return &fill->running[thread];
}

uint32_t fill_running_task(const struct fill *fill, uint32_t thread)
{
	return thread < fill->running_count && fill->running[thread].task
		       ? fill->running[thread].task->task.number
		       : MODEL_NONE;
}

static struct fill_task *new_task(struct fill *fill)
{
	struct fill_task *task = fill->free_tasks;

	if (!task)
		return arena_new(&fill->open, struct fill_task);
	fill->free_tasks = task->next;
	return task;
}

/* Nothing of it can change any more. */
static void add_to_model(struct fill *fill, struct fill_task *task)
{
	task_list_add_recorded(&fill->model->tasks, task->stack, &task->task);
	task->next = fill->free_tasks;
	fill->free_tasks = task;
}

/* Several methods may await one task, and continue in the order of their awaits. */
static void queue_await(struct fill_task *before, struct fill_task *task)
{
	task->next = before ? before->next : task;
	if (before)
		before->next = task;
}

/* An older task of the same id will never run. */
static void keep_task(struct fill *fill, const struct fill_task *made)
{
	struct fill_task *task = new_task(fill);
	struct fill_task *before = newest(fill, key_of(&made->task));

	*task = *made;
	if (task->task.await)
		queue_await(before, task);
	else if (before)
		add_to_model(fill, before);
	set_newest(fill, key_of(&task->task), task);
}

/* The one that starts now, which is no longer waiting. */
static struct fill_task *take_waiting(struct fill *fill, uint64_t key)
{
	struct fill_task *last = newest(fill, key);
	struct fill_task *first = last->task.await ? last->next : last;

	if (first == last)
		set_newest(fill, key, NULL);
	else
		last->next = first->next;
	return first;
}

static struct fill_method *find_method(const struct fill *fill, uint32_t process, uint32_t id)
{
	return map_find(&fill->methods, task_key(process, id, false));
}

static struct fill_method *new_method(struct fill *fill)
{
	struct fill_method *method = fill->free_methods;

	if (!method)
		return arena_new(&fill->open, struct fill_method);
	fill->free_methods = method->next;
	return method;
}

static struct fill_method *method_of(struct fill *fill, uint32_t id)
{
	const uint32_t process = fill_process_now(fill);
	struct fill_method *method = find_method(fill, process, id);

	if (method)
		return method;
	method = new_method(fill);
	*method = (struct fill_method){ .since_ns = INT64_MIN };
	map_put(&fill->methods, task_key(process, id, false), method);
	return method;
}

/* An await counts what is known between its start and its end: without one, nobody will ask. */
static void forget_method(struct fill *fill, uint32_t process, uint32_t id)
{
	struct fill_method *method = find_method(fill, process, id);

	if (!method || method->since_ns != INT64_MIN || newest(fill, task_key(process, id, true)))
		return;
	map_remove(&fill->methods, task_key(process, id, false));
	method->next = fill->free_methods;
	fill->free_methods = method;
}

/* How long, until now, a method is known to have awaited something or to have run after that. */
static int64_t known_time(const struct fill *fill, uint32_t process, uint32_t id, int64_t now_ns)
{
	const struct fill_method *method = find_method(fill, process, id);

	if (!method)
		return 0;
	return method->since_ns == INT64_MIN
		       ? method->known_ns
		       : ns_plus(method->known_ns, ns_between(method->since_ns, now_ns));
}

static void method_awaits(struct fill *fill, uint32_t id, int64_t now_ns)
{
	struct fill_method *method;

	if (!id)
		return;
	method = method_of(fill, id);
	method->awaits++;
	if (method->since_ns == INT64_MIN)
		method->since_ns = now_ns;
}

/* Without another await it has ended, or waits for something that is not recorded. */
static void method_pauses(struct fill *fill, const struct fill_task *task, int64_t now_ns)
{
	struct fill_method *method = find_method(fill, task->task.process, task->method);

	if (!method || method->awaits || method->since_ns == INT64_MIN)
		return;
	method->known_ns = ns_plus(method->known_ns, ns_between(method->since_ns, now_ns));
	method->since_ns = INT64_MIN;
	forget_method(fill, task->task.process, task->method);
}

static void end_wait(struct fill *fill, struct fill_task *await, int64_t now_ns)
{
	struct model_task *task = &await->task;
	struct fill_method *method = find_method(fill, task->process, await->method);

	task->shared_ns =
		ns_plus(task->shared_ns, known_time(fill, task->process, task->id, now_ns));
	if (method && method->awaits)
		method->awaits--;
	forget_method(fill, task->process, task->id);
}

/* The thread runs the task from now on: one that starts, or that it had interrupted. */
static void run(struct fill *fill, struct fill_task *task, int64_t now_ns)
{
	struct fill_thread_tasks *thread = tasks_of(fill, fill->thread);
	struct fill_task *before = thread->task;

	if (before && now_ns > thread->since_ns)
		before->task.ran_ns =
			ns_plus(before->task.ran_ns, ns_between(thread->since_ns, now_ns));
	thread->task = task;
	thread->since_ns = now_ns;
}

static void end_running(struct fill *fill, int64_t now_ns)
{
	struct fill_task *task = tasks_of(fill, fill->thread)->task;

	run(fill, task->below, now_ns);
	task->task.ended_ns = now_ns;
	method_pauses(fill, task, now_ns);
	add_to_model(fill, task);
}

static void end_all(struct fill *fill, int64_t now_ns)
{
	while (tasks_of(fill, fill->thread)->task)
		end_running(fill, now_ns);
}

/* With those that it runs itself, which have lost their end. */
static void end_task(struct fill *fill, const struct event_context *at, uint32_t id, bool await)
{
	const struct fill_task *task = tasks_of(fill, fill->thread)->task;

	fill->model->task_ends = true;
	while (task && (task->task.id != id || task->task.await != await))
		task = task->below;
	if (!task)
		return;
	for (const struct fill_task *until = task->below;
	     tasks_of(fill, fill->thread)->task != until;)
		end_running(fill, at->time_ns);
}

static void stop_thread(struct fill *fill, uint32_t thread, int64_t now_ns)
{
	struct fill_task *task = tasks_of(fill, thread)->task;
	struct fill_task *below;

	fill->thread = thread;
	run(fill, NULL, now_ns);
	for (; task; task = below) {
		below = task->below;
		add_to_model(fill, task);
	}
}

void fill_stop_tasks(struct fill *fill, int64_t now_ns)
{
	for (uint32_t i = 0; i < fill->running_count; i++)
		stop_thread(fill, i, now_ns);
}

/* A task, or all awaits of one id. */
static void add_waiting(struct fill *fill, struct fill_task *last)
{
	struct fill_task *task = last->task.await ? last->next : last;
	struct fill_task *next;

	for (; task != last; task = next) {
		next = task->next;
		add_to_model(fill, task);
	}
	add_to_model(fill, last);
}

void fill_end_tasks(struct fill *fill)
{
	for (size_t i = 0; i < fill->tasks.capacity; i++)
		if (fill->tasks.slots[i].value)
			add_waiting(fill, fill->tasks.slots[i].value);
	map_clear(&fill->tasks);
	task_list_seal(&fill->model->tasks);
}

static uint32_t add_child(struct fill_task *parent, uint32_t number)
{
	if (!parent)
		return MODEL_NONE;
	parent->task.last_child = number;
	return parent->task.number;
}

static void make_task(struct fill *fill, const struct event_context *at, struct fill_task made)
{
	struct model_task *task = &made.task;

	fill_mark(fill, at);
	if (!fill->options.tasks)
		return;
	task->number = fill->tasks_made++;
	task->process = fill_process_now(fill);
	task->parent = add_child(tasks_of(fill, fill->thread)->task, task->number);
	task->made_on = fill->thread;
	task->ran_on = MODEL_NONE;
	made.stack = event_stack(at);
	task->activity = fill_current_activity(fill, fill->thread);
	task->made_ns = at->time_ns;
	task->started_ns = task->ended_ns = INT64_MIN;
	if (task->await)
		task->shared_ns =
			ns_between(known_time(fill, task->process, task->id, at->time_ns), 0);
	method_awaits(fill, made.method, at->time_ns);
	keep_task(fill, &made);
}

/* Where ends are not recorded, a thread runs one task at a time. */
static void start(struct fill *fill, const struct event_context *at, uint32_t id, bool await)
{
	const uint64_t key = task_key(fill_process_now(fill), id, await);
	const struct fill_task *below = tasks_of(fill, fill->thread)->task;
	struct fill_task *task;

	*(await ? &fill->model->await_ends : &fill->model->task_starts) = true;
	fill_mark(fill, at);
	if (!newest(fill, key))
		return;
	if (!fill->model->task_ends || (below && below->depth == DEEPEST))
		end_all(fill,
			at->time_ns); /* maybe a method that this one awaits: it is asked next */
	task = take_waiting(fill, key);
	if (await)
		end_wait(fill, task, at->time_ns);
	task->below = tasks_of(fill, fill->thread)->task;
	task->depth = task->below ? task->below->depth + 1 : 0;
	task->task.started_ns = at->time_ns;
	task->task.ran_on = fill->thread;
	run(fill, task, at->time_ns);
}

/* The id of events that begin with a scheduler and the task that wrote them. */
static uint32_t take_id(struct cursor *c)
{
	cursor_u64(c);
	return cursor_u32(c);
}

void fill_task_scheduled(void *self, const struct event_context *at)
{
	struct cursor c = event_payload(at);

	make_task(self, at, (struct fill_task){ .task.id = take_id(&c) });
}

void fill_task_start(void *self, const struct event_context *at)
{
	struct cursor c = event_payload(at);

	start(self, at, take_id(&c), false);
}

void fill_task_stop(void *self, const struct event_context *at)
{
	struct cursor c = event_payload(at);

	end_task(self, at, take_id(&c), false);
}

void fill_await(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct fill_task await = { .task = { .id = take_id(&c), .await = true } };
	const uint32_t behavior = cursor_u32(&c);

	await.method = cursor_u32(&c);
	if (behavior == WAITS_HERE) {
		tasks_of(fill, fill->thread)->blocked_on = await.task.id;
		fill->model->blocking_waits += at->wanted;
		fill_mark(fill, at);
	} else {
		make_task(fill, at, await);
	}
}

/* Also written by a thread that was blocked. */
void fill_await_stop(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const uint32_t id = take_id(&c);
	struct fill_thread_tasks *thread = tasks_of(fill, fill->thread);

	if (!id || thread->blocked_on != id) {
		start(fill, at, id, true);
		return;
	}
	thread->blocked_on = 0;
	fill_mark(fill, at);
}

void fill_continuation_stop(void *self, const struct event_context *at)
{
	struct cursor c = event_payload(at);

	end_task(self, at, cursor_u32(&c), true);
}

void fill_pool_thread_waits(void *self, const struct event_context *at)
{
	end_all(self, at->time_ns);
	fill_pool_thread(self, at);
}
