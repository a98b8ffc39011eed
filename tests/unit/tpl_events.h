/* SPDX-License-Identifier: MIT */
/* tpl_events.h - events of tasks and awaits for tests: schedule(&source, 10, 7, 5), ... */
#ifndef UNIT_TPL_EVENTS_H
#define UNIT_TPL_EVENTS_H

#include <stdio.h>

#include "clr/providers.h"
#include "source_events.h"

static inline void tpl(struct source *s, uint32_t id, int64_t now, int64_t thread,
		       const char *fields)
{
	s->thread_id = thread;
	s->id = id;
	source_event(s, now, TPL_PROVIDER "/", NULL, fields);
	s->id = 0;
}

static inline void tpl_of(struct source *s, uint32_t id, int64_t now, int64_t thread, int task)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d", task);
	tpl(s, id, now, thread, fields);
}

static inline void schedule(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 7, now, thread, task);
}

static inline void start(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 8, now, thread, task);
}

static inline void stops(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 9, now, thread, task);
}

static inline void wait_for(struct source *s, int64_t now, int64_t thread, int task, int behavior)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d;behavior#%d", task,
		 behavior);
	tpl(s, 10, now, thread, fields);
}

static inline void awaits(struct source *s, int64_t now, int64_t thread, int task)
{
	wait_for(s, now, thread, task, 2);
}

/* An async method, with the id of its task, awaits another one or something else. */
static inline void awaits_in(struct source *s, int64_t now, int64_t thread, int method, int task)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d;behavior#2;continue#%d",
		 task, method);
	tpl(s, 10, now, thread, fields);
}

static inline void resume(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl_of(s, 11, now, thread, task);
}

static inline void pauses(struct source *s, int64_t now, int64_t thread, int task)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "task#%d", task);
	tpl(s, 13, now, thread, fields);
}

#endif
