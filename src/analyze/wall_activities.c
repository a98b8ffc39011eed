/* SPDX-License-Identifier: MIT */
#include "analyze/wall_activities.h"

#include <string.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "base/hash.h"
#include "clr/activity_path.h"

#define SHORT_NS 1000000 /* shorter times are never unknown */

static struct wall_activity *activity_at(const struct wall_tasks *w, uint32_t number)
{
	return &w->activities[number - 1];
}

/* Events without an id are in activity zero. */
static const uint8_t *activity_id(const struct event_context *at)
{
	static const uint8_t none[16];
	const struct pp_labels *labels = at->event->labels;

	return labels && labels->present & PP_LABEL_ACTIVITY ? labels->activity_id : none;
}

static uint64_t key_of(const struct event_context *at, const uint8_t *id)
{
	uint8_t parts[24];

	memcpy(parts, &at->event->thread->process_id, 8);
	memcpy(parts + 8, id, 16);
	return hash_bytes(parts, sizeof(parts));
}

static uint32_t find_open(const struct wall_tasks *w, const struct event_context *at,
			  const uint8_t *id)
{
	static const uint8_t none[16];

	if (!memcmp(id, none, 16))
		return 0;
	return (uint32_t)(uintptr_t)map_find(&w->open_activities, key_of(at, id));
}

/* The innermost one from here on, outwards, that did not stop; shortens the way for the next. */
static uint32_t running(struct wall_tasks *w, uint32_t number)
{
	while (number && activity_at(w, number)->stopped) {
		struct wall_activity *activity = activity_at(w, number);

		if (activity->around && activity_at(w, activity->around)->stopped)
			activity->around = activity_at(w, activity->around)->around;
		number = activity->around;
	}
	return number;
}

static void open_again(struct wall_tasks *w, uint64_t key, uint32_t number)
{
	if (number && activity_at(w, number)->key == key)
		map_put(&w->open_activities, key, (void *)(uintptr_t)number);
	else
		map_remove(&w->open_activities, key);
}

/* The library takes an activity of no length for one that still runs. */
static void finish_stop(struct wall_tasks *w)
{
	struct wall_activity *activity;
	uint32_t around;

	if (!w->stopping || w->at_stop)
		return;
	activity = activity_at(w, w->stopping);
	around = running(w, activity->creator);
	wall_task_at(w, activity->task)->activity = around;
	open_again(w, activity->key, around);
	activity->stopped = activity->stop_ns != activity->start_ns;
	w->stopping = 0;
}

uint32_t wall_activity_now(struct wall_tasks *w, const struct event_context *at)
{
	finish_stop(w);
	return running(w, wall_task_at(w, wall_current_task(w, wall_thread_of(w, at)))->activity);
}

static void add_unknown(struct wall_tasks *w, struct wall_activity *activity, int64_t now_ns)
{
	if (activity->stopped || now_ns - activity->unknown_ns < SHORT_NS)
		return;
	w->unknowns =
		xgrow(w->unknowns, w->unknown_count, &w->unknown_capacity, sizeof(*w->unknowns));
	w->unknowns[w->unknown_count++] = (struct wall_unknown){ .from_ns = activity->unknown_ns,
								 .to_ns = now_ns,
								 .before = activity->last_unknown };
	activity->last_unknown = (uint32_t)w->unknown_count;
}

static void leave(struct wall_tasks *w, uint32_t number, int64_t now_ns)
{
	struct wall_activity *activity = activity_at(w, number);

	if (activity->workers && !--activity->workers)
		activity->unknown_ns = now_ns;
}

static void enter(struct wall_tasks *w, uint32_t number, int64_t now_ns)
{
	struct wall_activity *activity = activity_at(w, number);

	if (activity->unknown_ns != INT64_MIN)
		add_unknown(w, activity, now_ns);
	activity->unknown_ns = INT64_MIN;
	activity->workers++;
}

static void work_on(struct wall_tasks *w, const struct event_context *at, uint32_t number)
{
	struct wall_thread *thread = wall_thread_of(w, at);
	const uint32_t top = number ? activity_at(w, number)->top : 0;

	if (thread->working_on == top)
		return;
	if (thread->working_on)
		leave(w, thread->working_on, at->time_ns);
	thread->working_on = top;
	if (top)
		enter(w, top, at->time_ns);
}

void wall_thread_works(struct wall_tasks *w, const struct event_context *at)
{
	uint32_t number;

	finish_stop(w);
	number = wall_task_at(w, wall_current_task(w, wall_thread_of(w, at)))->activity;
	if (!number)
		number = find_open(w, at, activity_id(at));
	work_on(w, at, running(w, number));
}

uint32_t wall_activity_awaited(struct wall_tasks *w, const struct event_context *at)
{
	const struct wall_task *task = wall_task_at(w, wall_current_task(w, wall_thread_of(w, at)));
	const struct wall_activity *activity =
		task->activity ? activity_at(w, task->activity) : NULL;

	if (activity && !(activity->stopped && activity->stop_ns < task->made_ns))
		return task->activity;
	return wall_activity_now(w, at);
}

void wall_await_ends(struct wall_tasks *w, const struct event_context *at, uint32_t task)
{
	const uint32_t number = running(w, wall_task_at(w, task)->activity);
	struct wall_activity *top;

	if (!number)
		return;
	top = activity_at(w, activity_at(w, number)->top);
	if (!top->workers)
		top->unknown_ns = at->time_ns;
	while (top->last_unknown &&
	       wall_task_at(w, task)->made_ns <= w->unknowns[top->last_unknown - 1].to_ns)
		top->last_unknown = w->unknowns[top->last_unknown - 1].before;
}

/* "Activity Request(//1/2/,/method=GET)" */
static const char *frame_name(struct wall_tasks *w, const struct event_context *at,
			      const char *name, const char *extra)
{
	char path[ACTIVITY_PATH_SIZE];

	if (!activity_path(activity_id(at), at->event->thread->process_id, path))
		guid_text(activity_id(at), path);
	buffer_rewind(&w->text, 0);
	buffer_text(&w->text, "Activity ");
	buffer_text(&w->text, name);
	buffer_text(&w->text, "(");
	buffer_text(&w->text, path);
	buffer_text(&w->text, extra ? "," : "");
	buffer_text(&w->text, extra ? extra : "");
	buffer_text(&w->text, ")");
	return strings_intern(&w->strings, (const char *)w->text.bytes, w->text.size);
}

static uint32_t creator_of(struct wall_tasks *w, const struct event_context *at)
{
	const struct pp_labels *labels = at->event->labels;
	uint32_t creator = 0;

	if (labels && labels->present & PP_LABEL_RELATED)
		creator = find_open(w, at, labels->related_activity_id);
	return creator ? creator : wall_activity_now(w, at);
}

void wall_activity_start(struct wall_tasks *w, const struct event_context *at, const char *name,
			 const char *extra)
{
	struct wall_activity made = {
		.key = key_of(at, activity_id(at)),
		.name = frame_name(w, at, name, extra),
		.start_ns = at->time_ns,
		.stop_ns = INT64_MAX,
		.unknown_ns = INT64_MIN,
	};
	struct wall_thread *thread = wall_thread_of(w, at);
	uint32_t number;

	finish_stop(w);
	made.creator = made.around = creator_of(w, at);
	number = (uint32_t)w->activity_count + 1;
	made.top = made.creator ? activity_at(w, made.creator)->top : number;
	made.workers = made.creator ? 0 : 1;
	w->activities = xgrow(w->activities, w->activity_count, &w->activity_capacity,
			      sizeof(*w->activities));
	w->activities[w->activity_count++] = made;
	map_put(&w->open_activities, made.key, (void *)(uintptr_t)number);
	wall_task_at(w, wall_current_task(w, thread))->activity = number;
	if (made.creator)
		work_on(w, at, number);
	else
		thread->working_on = number; /* the one before keeps its worker */
}

/* What is still unknown then stays so. */
static void count_unknown(struct wall_tasks *w, const struct event_context *at, uint32_t number)
{
	struct wall_activity *activity = activity_at(w, number);

	if (activity->unknown_ns != INT64_MIN)
		add_unknown(w, activity, at->time_ns);
	for (uint32_t next = activity->last_unknown; next; next = w->unknowns[next - 1].before)
		wall_add_wait(w, &(const struct wall_wait){
					 .from_ns = w->unknowns[next - 1].from_ns,
					 .to_ns = w->unknowns[next - 1].to_ns,
					 .activity = number,
					 .thread = (uint32_t)at->event->thread->index });
	activity->last_unknown = 0;
	activity->unknown_ns = INT64_MIN;
	activity->workers = 0;
	wall_thread_of(w, at)->working_on = 0;
}

void wall_activity_stop(struct wall_tasks *w, const struct event_context *at)
{
	struct wall_activity *activity;
	uint32_t number;

	finish_stop(w);
	number = (uint32_t)(uintptr_t)map_find(&w->open_activities, key_of(at, activity_id(at)));
	if (!number)
		return;
	activity = activity_at(w, number);
	if (activity->stop_ns == INT64_MAX || activity->stop_ns == activity->start_ns) {
		activity->stop_ns = at->time_ns;
		activity->task = wall_current_task(w, wall_thread_of(w, at));
	}
	w->stopping = number;
	w->at_stop = true;
	if (!activity->creator)
		count_unknown(w, at, number);
}
