/* SPDX-License-Identifier: MIT */
/*
 * filled.h - a model filled from events of a test, and the items that were passed on instead.
 *
 *	begin(&f, (struct fill_options){ .tasks = true }, true);
 *	...events of f.source...
 *	release(&f);
 */
#ifndef UNIT_FILLED_H
#define UNIT_FILLED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fill/fill.h"
#include "source_events.h"

#define MOST 10

struct filled {
	struct source source;
	struct model model;
	struct model_task tasks[MOST];
	size_t task_count;
	struct model_span starts[MOST];
	size_t start_count;
	uint8_t stops[MOST][16];
	int64_t stops_ns[MOST];
	size_t stop_count;
};

static inline void take(void *to, const void *data)
{
	const struct fill_item *item = data;
	struct filled *f = to;

	assert_true(f->task_count < MOST && f->start_count < MOST && f->stop_count < MOST);
	if (item->kind == FILL_TASK) {
		f->tasks[f->task_count++] = *item->task;
	} else if (item->kind == FILL_ACTIVITY_START) {
		assert_true(item->span->stop_ns == INT64_MIN);
		f->starts[f->start_count++] = *item->span;
	} else {
		memcpy(f->stops[f->stop_count], item->activity, 16);
		f->stops_ns[f->stop_count++] = item->time_ns;
	}
}

static inline void begin(struct filled *f, struct fill_options options, bool hands_out)
{
	options.model = &f->model;
	f->task_count = f->start_count = f->stop_count = 0;
	source_init(&f->source, NULL);
	pass_want(&f->source.pass, &fill_analysis,
		  &(const struct analysis_setup){
			  .options = &options, .take = hands_out ? take : NULL, .to = f });
}

static inline void release(struct filled *f)
{
	source_release(&f->source);
	model_release(&f->model);
}

#endif
