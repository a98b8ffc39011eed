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
	return task_key(task->process, (uint32_t)task->id, task->await);
}

static struct model_task *task_at(const struct fill *fill, uint32_t place)
{
	return place ? &fill->model->tasks[place - 1] : NULL;
}

static uint32_t place_of(const struct fill *fill, const struct model_task *task)
{
	return (uint32_t)(task - fill->model->tasks) + 1;
}

/* The newest of an id that has not started. */
static struct model_task *newest(const struct fill *fill, uint64_t key)
{
	return task_at(fill, (uint32_t)(uintptr_t)map_find(&fill->tasks, key));
}

static void set_newest(struct fill *fill, uint64_t key, uint32_t place)
{
	if (place)
		map_put(&fill->tasks, key, (void *)(uintptr_t)place);
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
		       ? fill->running[thread].task - 1
		       : MODEL_NONE;
}

static void free_task(struct fill *fill, uint32_t number)
{
	fill->free_tasks = xgrow(fill->free_tasks, fill->free_task_count, &fill->free_task_capacity,
				 sizeof(*fill->free_tasks));
	fill->free_tasks[fill->free_task_count++] = number;
}

/* The model keeps tasks unless they are only items. */
static bool keeps_tasks(const struct fill *fill)
{
	return !fill->setup.take || fill->options.sample_tasks;
}

static void pass_on(struct fill *fill, const struct model_task *task)
{
	if (fill->setup.take)
		setup_take(&fill->setup,
			   &(const struct fill_item){ .kind = FILL_TASK, .task = task });
	if (!keeps_tasks(fill))
		free_task(fill, place_of(fill, task) - 1);
}

/* Returns its place. Where tasks are only items, an older one of the same id will never run. */
static uint32_t add_task(struct fill *fill, const struct model_task *task)
{
	struct model *model = fill->model;
	const struct model_task *before = newest(fill, key_of(task));

	if (!keeps_tasks(fill) && before && !task->await)
		free_task(fill, place_of(fill, before) - 1);
	if (!fill->free_task_count) {
		model_add_task(model, task);
		return (uint32_t)model->task_count;
	}
	model->tasks[fill->free_tasks[--fill->free_task_count]] = *task;
	return fill->free_tasks[fill->free_task_count] + 1;
}

/* Several methods may await one task, and continue in the order of their awaits. */
static void queue_await(struct fill *fill, struct model_task *task)
{
	struct model_task *before = newest(fill, key_of(task));

	task->next = before ? before->next : place_of(fill, task);
	if (before)
		before->next = place_of(fill, task);
}

static void keep_task(struct fill *fill, const struct model_task *task)
{
	const uint32_t place = add_task(fill, task);

	if (task->await)
		queue_await(fill, task_at(fill, place));
	set_newest(fill, key_of(task), place);
}

/* The one that starts now, which is no longer waiting. */
static struct model_task *take_waiting(struct fill *fill, uint64_t key)
{
	struct model_task *last = newest(fill, key);
	struct model_task *first = last && last->await ? task_at(fill, last->next) : last;

	if (first == last)
		set_newest(fill, key, 0);
	else
		last->next = first->next;
	return first;
}

static struct fill_method *find_method(const struct fill *fill, uint32_t process, uint32_t id)
{
	const void *value = map_find(&fill->methods_by_id, task_key(process, id, false));

	return value ? &fill->methods[(uintptr_t)value - 1] : NULL;
}

static struct fill_method *method_of(struct fill *fill, uint32_t id)
{
	const uint32_t process = fill_process_now(fill);
	struct fill_method *known = find_method(fill, process, id);

	if (known)
		return known;
	fill->methods = xgrow(fill->methods, fill->method_count, &fill->method_capacity,
			      sizeof(*fill->methods));
	fill->methods[fill->method_count] = (struct fill_method){ .since_ns = INT64_MIN };
	map_put(&fill->methods_by_id, task_key(process, id, false),
		(void *)(uintptr_t)++fill->method_count);
	return &fill->methods[fill->method_count - 1];
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

/* Mere items have no shared time: it would need all methods in memory. */
static void method_awaits(struct fill *fill, uint32_t id, int64_t now_ns)
{
	struct fill_method *method;

	if (!id || !keeps_tasks(fill))
		return;
	method = method_of(fill, id);
	method->awaits++;
	if (method->since_ns == INT64_MIN)
		method->since_ns = now_ns;
}

/* Without another await it has ended, or waits for something that is not recorded. */
static void method_pauses(struct fill *fill, const struct model_task *task, int64_t now_ns)
{
	struct fill_method *method = find_method(fill, task->process, task->method);

	if (!method || method->awaits || method->since_ns == INT64_MIN)
		return;
	method->known_ns = ns_plus(method->known_ns, ns_between(method->since_ns, now_ns));
	method->since_ns = INT64_MIN;
}

static void end_wait(struct fill *fill, struct model_task *task, int64_t now_ns)
{
	struct fill_method *method = find_method(fill, task->process, task->method);

	task->shared_ns = ns_plus(task->shared_ns,
				  known_time(fill, task->process, (uint32_t)task->id, now_ns));
	if (method && method->awaits)
		method->awaits--;
}

/* The thread runs the task from now on: one that starts, or that it had interrupted. */
static void run(struct fill *fill, uint32_t place, int64_t now_ns)
{
	struct fill_thread_tasks *thread = tasks_of(fill, fill->thread);
	struct model_task *before = task_at(fill, thread->task);

	if (before && now_ns > thread->since_ns)
		before->ran_ns = ns_plus(before->ran_ns, ns_between(thread->since_ns, now_ns));
	thread->task = place;
	thread->since_ns = now_ns;
}

static void end_running(struct fill *fill, int64_t now_ns)
{
	struct model_task *task = task_at(fill, tasks_of(fill, fill->thread)->task);

	run(fill, task->below, now_ns);
	task->ended_ns = now_ns;
	method_pauses(fill, task, now_ns);
	pass_on(fill, task);
}

static void end_all(struct fill *fill, int64_t now_ns)
{
	while (tasks_of(fill, fill->thread)->task)
		end_running(fill, now_ns);
}

/* With those that it runs itself, which have lost their end. */
static void end_task(struct fill *fill, const struct event_context *at, uint32_t id, bool await)
{
	const uint32_t first = tasks_of(fill, fill->thread)->task;
	const struct model_task *task = task_at(fill, first);

	fill->model->task_ends = true;
	while (task && (task->id != id || task->await != await))
		task = task_at(fill, task->below);
	if (!task)
		return;
	for (const uint32_t until = task->below; tasks_of(fill, fill->thread)->task != until;)
		end_running(fill, at->time_ns);
}

static void stop_thread(struct fill *fill, uint32_t thread, int64_t now_ns)
{
	const struct model_task *task;

	fill->thread = thread;
	task = task_at(fill, tasks_of(fill, thread)->task);
	run(fill, 0, now_ns);
	for (; task; task = task_at(fill, task->below))
		pass_on(fill, task);
}

void fill_stop_tasks(struct fill *fill, int64_t now_ns)
{
	for (uint32_t i = 0; i < fill->running_count; i++)
		stop_thread(fill, i, now_ns);
}

void fill_forget_tasks(struct fill *fill)
{
	if (!keeps_tasks(fill))
		fill->model->task_count = 0; /* the rest never ran */
}

static void make_task(struct fill *fill, const struct event_context *at, struct model_task task)
{
	fill_mark(fill, at);
	if (!fill->options.tasks)
		return;
	task.process = fill_process_now(fill);
	task.parent = fill_running_task(fill, fill->thread);
	task.made_on = fill->thread;
	task.ran_on = MODEL_NONE;
	task.stack = event_stack(at);
	task.activity = fill_current_activity(fill, fill->thread);
	task.made_ns = at->time_ns;
	task.started_ns = task.ended_ns = INT64_MIN;
	task.number = fill->tasks_made++;
	if (task.await)
		task.shared_ns = ns_between(
			known_time(fill, task.process, (uint32_t)task.id, at->time_ns), 0);
	method_awaits(fill, task.method, at->time_ns);
	keep_task(fill, &task);
}

/* Where ends are not recorded, a thread runs one task at a time. */
static void start(struct fill *fill, const struct event_context *at, uint32_t id, bool await)
{
	struct model_task *task = take_waiting(fill, task_key(fill_process_now(fill), id, await));
	const struct model_task *below;

	*(await ? &fill->model->await_ends : &fill->model->task_starts) = true;
	fill_mark(fill, at);
	if (!task)
		return;
	below = task_at(fill, tasks_of(fill, fill->thread)->task);
	if (!fill->model->task_ends || (below && below->depth == DEEPEST))
		end_all(fill, at->time_ns);
	if (await)
		end_wait(fill, task, at->time_ns);
	task->below = tasks_of(fill, fill->thread)->task;
	task->depth = task->below ? task_at(fill, task->below)->depth + 1 : 0;
	task->started_ns = at->time_ns;
	task->ran_on = fill->thread;
	run(fill, place_of(fill, task), at->time_ns);
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

	make_task(self, at, (struct model_task){ .id = take_id(&c) });
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
	struct model_task task = { .id = take_id(&c), .await = true };
	const uint32_t behavior = cursor_u32(&c);

	task.method = cursor_u32(&c);
	if (behavior == WAITS_HERE) {
		tasks_of(fill, fill->thread)->blocked_on = (uint32_t)task.id;
		fill->model->blocking_waits += at->wanted;
		fill_mark(fill, at);
	} else {
		make_task(fill, at, task);
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
