/* SPDX-License-Identifier: MIT */
/*
 * Work that is put off: tasks, and what follows an await. Ids are the process's own and
 * are used again, so the newest of an id is meant; ids of tasks and of awaits differ.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/event_name.h"
#include "fill/fill_rows.h"

#define WAITS_HERE 1 /* a TaskWait that blocks its thread: nothing is put off */

static uint64_t task_key(uint32_t process, uint32_t id, bool await)
{
	return hash_u64((uint64_t)process << 33 | (uint64_t)await << 32 | id);
}

static bool are_wanted(const struct fill *fill)
{
	return !fill->options.taker || fill->options.taker->task;
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

/* Its place is then another's. */
static void hand_over(struct fill *fill, uint32_t number)
{
	const struct fill_taker *taker = fill->options.taker;
	const struct model_task *task = &fill->model->tasks[number];
	const uint64_t key = task_key(task->process, (uint32_t)task->id, task->await);

	taker->task(taker->to, task);
	if (newest(fill, key) == task)
		map_remove(&fill->tasks, key);
	free_task(fill, number);
}

void fill_stop_tasks(struct fill *fill)
{
	if (!fill->options.taker)
		return;
	for (uint32_t i = 0; i < fill->running_count; i++)
		if (fill->running[i])
			hand_over(fill, fill->running[i] - 1);
	fill->running_count = 0;
	fill->model->task_count = 0; /* what is left never ran */
}

/* Returns its number. Where they are taken, one of the same id that did not run never will. */
static uint32_t add_task(struct fill *fill, const struct model_task *task, uint64_t key)
{
	struct model *model = fill->model;
	const struct model_task *before = fill->options.taker ? newest(fill, key) : NULL;
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

static void make_task(struct fill *fill, const struct told *told, uint32_t id, bool await)
{
	const uint64_t key = task_key(told->process, id, await);
	const struct model_task task = {
		.id = id,
		.process = told->process,
		.parent = fill_running_task(fill, told->thread),
		.made_on = told->thread,
		.ran_on = MODEL_NONE,
		.stack = fill_stack(fill, told->event),
		.activity = fill_current_activity(fill, told->thread),
		.made_ns = told->now_ns,
		.started_ns = INT64_MIN,
		.ended_ns = INT64_MIN,
		.await = await,
		.number = fill->tasks_made++,
	};

	if (are_wanted(fill))
		map_put(&fill->tasks, key, (void *)((uintptr_t)add_task(fill, &task, key) + 1));
	fill_mark(fill, told);
}

static void end_running(struct fill *fill, const struct told *told)
{
	uint32_t *running = running_on(fill, told->thread);

	if (*running && fill->model->tasks[*running - 1].ended_ns == INT64_MIN)
		fill->model->tasks[*running - 1].ended_ns = told->now_ns;
	if (*running && fill->options.taker)
		hand_over(fill, *running - 1);
	*running = 0;
}

static bool runs_await(const struct fill *fill, uint32_t thread)
{
	const uint32_t task = fill_running_task(fill, thread);

	return task != MODEL_NONE && fill->model->tasks[task].await;
}

static void start(struct fill *fill, const struct told *told, bool await)
{
	struct cursor c = told->payload;
	struct model_task *task;

	cursor_u64(&c); /* the scheduler and the task that waits */
	task = newest(fill, task_key(told->process, cursor_u32(&c), await));
	fill_mark(fill, told);
	if (!task || task->started_ns != INT64_MIN)
		return;
	task->nested = await && runs_await(fill, told->thread);
	end_running(fill, told);

	task->started_ns = told->now_ns;
	task->ran_on = told->thread;
	*running_on(fill, told->thread) = (uint32_t)(task - fill->model->tasks) + 1;
}

void fill_task_scheduled(struct fill *fill, const struct told *told)
{
	struct cursor c = told->payload;

	cursor_u64(&c);
	make_task(fill, told, cursor_u32(&c), false);
}

void fill_task_start(struct fill *fill, const struct told *told)
{
	start(fill, told, false);
}

void fill_task_stop(struct fill *fill, const struct told *told)
{
	end_running(fill, told);
}

void fill_await(struct fill *fill, const struct told *told)
{
	struct cursor c = told->payload;
	uint32_t id;

	cursor_u64(&c);
	id = cursor_u32(&c);
	if (cursor_u32(&c) == WAITS_HERE)
		fill_mark(fill, told);
	else
		make_task(fill, told, id, true);
}

void fill_await_stop(struct fill *fill, const struct told *told)
{
	start(fill, told, true);
}

void fill_pool_thread_waits(struct fill *fill, const struct told *told)
{
	if (fill->options.marks)
		end_running(fill, told);
	fill_pool_thread(fill, told);
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

static bool has_activity(const struct told *told)
{
	return told->event->labels && told->event->labels->present & PP_LABEL_ACTIVITY;
}

/*
 * The sampler's events come from another thread and say nothing. Any other event tells of
 * its thread at that time: the activity it is in, or that it is in none.
 */
void fill_note_activity(struct fill *fill, const struct told *told)
{
	const struct pp_kind *kind = told->event->kind;
	uint32_t *current;

	if (!strcmp(kind->provider, "Microsoft-DotNETCore-SampleProfiler") ||
	    !strncmp(kind->provider, "Universal.", 10))
		return;
	fill->current =
		xroom(fill->current, &fill->current_count, told->thread, sizeof(*fill->current));
	current = &fill->current[told->thread];
	*current = 0;
	if (has_activity(told))
		*current = model_activity(fill->model, told->event->labels->activity_id) + 1;
}

/* The activity goes on in the one around it. */
static void leave_activity(struct fill *fill, const struct told *told,
			   const struct model_span *span)
{
	static const uint8_t none[16];

	if (told->thread >= fill->current_count)
		return;
	fill->current[told->thread] = 0;
	if (span && memcmp(span->parent, none, 16) != 0)
		fill->current[told->thread] = model_activity(fill->model, span->parent) + 1;
}

/* Where threads' activities are followed, spans are kept for what is around them. */
static bool is_taken_whole(const struct fill *fill)
{
	return fill->options.taker && !fill->options.activities;
}

void fill_span_start(struct fill *fill, const struct told *told)
{
	const struct fill_taker *taker = fill->options.taker;
	struct model_span span = {
		.name = span_name(fill, told->event->kind),
		.provider = model_text(fill->model, told->event->kind->provider),
		.thread = told->thread,
		.start_ns = told->now_ns,
		.stop_ns = INT64_MIN,
	};

	if (!has_activity(told))
		return;
	memcpy(span.activity, told->event->labels->activity_id, 16);
	if (told->event->labels->present & PP_LABEL_RELATED)
		memcpy(span.parent, told->event->labels->related_activity_id, 16);
	if (taker && taker->span_start)
		taker->span_start(taker->to, &span);
	if (is_taken_whole(fill))
		return;
	model_add_span(fill->model, &span);
	map_put(&fill->open_spans, hash_bytes(span.activity, 16),
		(void *)(uintptr_t)fill->model->span_count);
}

void fill_span_stop(struct fill *fill, const struct told *told)
{
	const struct fill_taker *taker = fill->options.taker;
	struct model_span *span;
	const void *value;

	if (!has_activity(told))
		return;
	if (taker && taker->span_stop)
		taker->span_stop(taker->to, told->event->labels->activity_id, told->now_ns);
	if (is_taken_whole(fill))
		return;
	value = map_find(&fill->open_spans, hash_bytes(told->event->labels->activity_id, 16));
	span = value ? &fill->model->spans[(uintptr_t)value - 1] : NULL;
	if (span && span->stop_ns == INT64_MIN)
		span->stop_ns = told->now_ns;
	leave_activity(fill, told, span);
}
