/* SPDX-License-Identifier: MIT */
/*
 * wall_activities.h - activities as .NET's own library follows them, and their unknown time; a part
 * of wall_tasks.h.
 *
 * An activity's stop event is still a part of it: it stops with the next event.
 */
#ifndef ANALYZE_WALL_ACTIVITIES_H
#define ANALYZE_WALL_ACTIVITIES_H

#include "analyze/wall_tasks.h"

struct wall_thread *wall_thread_of(struct wall_tasks *w, const struct event_context *at);

/* The task that a thread works on, which may be its own work. */
uint32_t wall_current_task(struct wall_tasks *w, struct wall_thread *thread);

static inline struct wall_task *wall_task_at(const struct wall_tasks *w, uint32_t number)
{
	return &w->tasks[number - 1];
}

void wall_add_wait(struct wall_tasks *w, const struct wall_wait *wait);

/* The innermost activity that the event's thread is in. */
uint32_t wall_activity_now(struct wall_tasks *w, const struct event_context *at);

/* The event's thread works on another task, and so perhaps on another activity. */
void wall_thread_works(struct wall_tasks *w, const struct event_context *at);

/* The activity in which the task that just started was awaited. */
uint32_t wall_activity_awaited(struct wall_tasks *w, const struct event_context *at);

/* An await ended: what it explains is not unknown. */
void wall_await_ends(struct wall_tasks *w, const struct event_context *at, uint32_t task);

/* Start and stop events; `name` is without what all such names have, `extra` may be NULL. */
void wall_activity_start(struct wall_tasks *w, const struct event_context *at, const char *name,
			 const char *extra);
void wall_activity_stop(struct wall_tasks *w, const struct event_context *at);

/* What an event adds to its stack: a node of `notes`. */
uint32_t wall_note(struct wall_tasks *w, const struct event_context *at);

/*
 * The name of the activity that an event starts, and what the library appends to it, NULL if that
 * is nothing. Both are valid until the next event.
 */
const char *wall_start_name(struct wall_tasks *w, const struct event_context *at,
			    const char **extra);

#endif
