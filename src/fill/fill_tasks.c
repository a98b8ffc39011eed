/* SPDX-License-Identifier: MIT */
/*
 * Scheduled work: tasks, and continuations of awaits. Ids are unique in a process until they are
 * reused, so the newest of an id counts; ids of tasks and of awaits are independent.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/event_name.h"
#include "clr/providers.h"
#include "fill/fill_rows.h"

#define WAITS_HERE 1 /* a TaskWait that blocks its thread: nothing is scheduled */

static uint64_t task_key(uint32_t process, uint32_t id, bool await)
{
	return hash_u64((uint64_t)process << 33 | (uint64_t)await << 32 | id);
}

static struct model_task *newest(const struct fill *fill, uint64_t key)
{
	const void *value = map_find(&fill->tasks, key);

	return value ? &fill->model->tasks[(uintptr_t)value - 1] : NULL;
}

/* By thread: the task that it runs + 1. */
static uint32_t *running_on(struct fill *fill, uint32_t thread)
{
	fill->running = xroom(fill->running, &fill->running_count, thread, sizeof(*fill->running));
	return &fill->running[thread];
}

uint32_t fill_running_task(const struct fill *fill, uint32_t thread)
{
	return thread < fill->running_count && fill->running[thread] ? fill->running[thread] - 1
								     : MODEL_NONE;
}

uint32_t fill_current_activity(const struct fill *fill, uint32_t thread)
{
	return thread < fill->current_count && fill->current[thread] ? fill->current[thread] - 1
								     : MODEL_NONE;
}

static void free_task(struct fill *fill, uint32_t number)
{
	fill->free_tasks = xgrow(fill->free_tasks, fill->free_task_count, &fill->free_task_capacity,
				 sizeof(*fill->free_tasks));
	fill->free_tasks[fill->free_task_count++] = number;
}

static void pass_on(struct fill *fill, uint32_t number)
{
	const struct model_task *task = &fill->model->tasks[number];
	const uint64_t key = task_key(task->process, (uint32_t)task->id, task->await);

	setup_take(&fill->setup, &(const struct fill_item){ .kind = FILL_TASK, .task = task });
	if (newest(fill, key) == task)
		map_remove(&fill->tasks, key);
	free_task(fill, number);
}

void fill_stop_tasks(struct fill *fill)
{
	if (!fill->setup.take)
		return;
	for (uint32_t i = 0; i < fill->running_count; i++)
		if (fill->running[i])
			pass_on(fill, fill->running[i] - 1);
	fill->running_count = 0;
	fill->model->task_count = 0; /* the rest never ran */
}

/* Returns its number. Where tasks are items, an older one of the same id will never run. */
static uint32_t add_task(struct fill *fill, const struct model_task *task, uint64_t key)
{
	struct model *model = fill->model;
	const struct model_task *before = fill->setup.take ? newest(fill, key) : NULL;
	uint32_t number;

	if (before && before->started_ns == INT64_MIN)
		free_task(fill, (uint32_t)(before - model->tasks));
	if (!fill->free_task_count) {
		model_add_task(model, task);
		return (uint32_t)model->task_count - 1;
	}
	number = fill->free_tasks[--fill->free_task_count];
	model->tasks[number] = *task;
	return number;
}

static void make_task(struct fill *fill, const struct event_context *at, uint32_t id, bool await)
{
	const uint64_t key = task_key(fill_process_now(fill), id, await);
	const struct model_task task = {
		.id = id,
		.process = fill_process_now(fill),
		.parent = fill_running_task(fill, fill->thread),
		.made_on = fill->thread,
		.ran_on = MODEL_NONE,
		.stack = event_stack(at),
		.activity = fill_current_activity(fill, fill->thread),
		.made_ns = at->time_ns,
		.started_ns = INT64_MIN,
		.ended_ns = INT64_MIN,
		.await = await,
		.number = fill->tasks_made++,
	};

	if (fill->options.tasks)
		map_put(&fill->tasks, key, (void *)((uintptr_t)add_task(fill, &task, key) + 1));
	fill_mark(fill, at);
}

static void end_running(struct fill *fill, const struct event_context *at)
{
	uint32_t *running = running_on(fill, fill->thread);

	if (*running && fill->model->tasks[*running - 1].ended_ns == INT64_MIN)
		fill->model->tasks[*running - 1].ended_ns = at->time_ns;
	if (*running && fill->setup.take)
		pass_on(fill, *running - 1);
	*running = 0;
}

static bool runs_await(const struct fill *fill, uint32_t thread)
{
	const uint32_t task = fill_running_task(fill, thread);

	return task != MODEL_NONE && fill->model->tasks[task].await;
}

static void start(struct fill *fill, const struct event_context *at, bool await)
{
	struct cursor c = event_payload(at);
	struct model_task *task;

	cursor_u64(&c); /* the scheduler and the waiting task */
	task = newest(fill, task_key(fill_process_now(fill), cursor_u32(&c), await));
	fill_mark(fill, at);
	if (!task || task->started_ns != INT64_MIN)
		return;
	task->nested = await && runs_await(fill, fill->thread);
	end_running(fill, at);

	task->started_ns = at->time_ns;
	task->ran_on = fill->thread;
	*running_on(fill, fill->thread) = (uint32_t)(task - fill->model->tasks) + 1;
}

void fill_task_scheduled(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);

	cursor_u64(&c);
	make_task(fill, at, cursor_u32(&c), false);
}

void fill_task_start(void *self, const struct event_context *at)
{
	start(self, at, false);
}

void fill_task_stop(void *self, const struct event_context *at)
{
	end_running(self, at);
}

void fill_await(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	uint32_t id;

	cursor_u64(&c);
	id = cursor_u32(&c);
	if (cursor_u32(&c) == WAITS_HERE)
		fill_mark(fill, at);
	else
		make_task(fill, at, id, true);
}

void fill_await_stop(void *self, const struct event_context *at)
{
	start(self, at, true);
}

void fill_pool_thread_waits(void *self, const struct event_context *at)
{
	if (((struct fill *)self)->options.tasks)
		end_running(self, at);
	fill_pool_thread(self, at);
}

/* "Request/Start" is called Request. */
static const char *span_name(struct fill *fill, const struct pp_kind *kind)
{
	struct arena scratch = { 0 };
	const char *name = event_kind_name(kind, &scratch);
	const char *slash = strrchr(name, '/');
	const char *kept = strings_intern(&fill->model->strings, name,
					  slash ? (size_t)(slash - name) : strlen(name));

	arena_release(&scratch);
	return kept;
}

static bool has_activity(const struct event_context *at)
{
	return at->event->labels && at->event->labels->present & PP_LABEL_ACTIVITY;
}

/*
 * The sampler's events are written by another thread. Any other event shows the activity of its
 * thread at that time, or that there is none.
 */
void fill_note_activity(struct fill *fill, const struct event_context *at)
{
	const struct pp_kind *kind = at->event->kind;
	uint32_t *current;

	if (!strcmp(kind->provider, SAMPLE_PROFILER_PROVIDER) ||
	    !strncmp(kind->provider, "Universal.", 10))
		return;
	fill->current =
		xroom(fill->current, &fill->current_count, fill->thread, sizeof(*fill->current));
	current = &fill->current[fill->thread];
	*current = 0;
	if (has_activity(at))
		*current = model_activity(fill->model, at->event->labels->activity_id) + 1;
}

/* The thread continues in the activity around it. */
static void leave_activity(struct fill *fill, const struct model_span *span)
{
	static const uint8_t none[16];

	if (fill->thread >= fill->current_count)
		return;
	fill->current[fill->thread] = 0;
	if (span && memcmp(span->parent, none, 16) != 0)
		fill->current[fill->thread] = model_activity(fill->model, span->parent) + 1;
}

/* The model keeps activities unless they are only items. */
static bool keeps_spans(const struct fill *fill)
{
	return !fill->setup.take || fill->options.sample_activities;
}

void fill_span_start(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model_span span = {
		.name = span_name(fill, at->event->kind),
		.provider = model_text(fill->model, at->event->kind->provider),
		.thread = fill->thread,
		.start_ns = at->time_ns,
		.stop_ns = INT64_MIN,
	};

	if (!has_activity(at))
		return;
	memcpy(span.activity, at->event->labels->activity_id, 16);
	if (at->event->labels->present & PP_LABEL_RELATED)
		memcpy(span.parent, at->event->labels->related_activity_id, 16);
	if (fill->setup.take)
		setup_take(&fill->setup,
			   &(const struct fill_item){ .kind = FILL_ACTIVITY_START, .span = &span });
	if (!keeps_spans(fill))
		return;
	model_add_span(fill->model, &span);
	map_put(&fill->open_spans, hash_bytes(span.activity, 16),
		(void *)(uintptr_t)fill->model->span_count);
}

void fill_span_stop(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct model_span *span;
	const void *value;

	if (!has_activity(at))
		return;
	if (fill->setup.take)
		setup_take(&fill->setup, &(const struct fill_item){
						 .kind = FILL_ACTIVITY_STOP,
						 .activity = at->event->labels->activity_id,
						 .time_ns = at->time_ns,
					 });
	if (!keeps_spans(fill))
		return;
	value = map_find(&fill->open_spans, hash_bytes(at->event->labels->activity_id, 16));
	span = value ? &fill->model->spans[(uintptr_t)value - 1] : NULL;
	if (span && span->stop_ns == INT64_MIN)
		span->stop_ns = at->time_ns;
	leave_activity(fill, span);
}
