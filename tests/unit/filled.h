/* SPDX-License-Identifier: MIT */
/*
 * filled.h - a model filled from events of a test, with its tasks and activities as arrays.
 *
 *	begin(&f, (struct fill_options){ .tasks = true }, 0);
 *	...events of f.source...
 *	finish(&f);
 *	release(&f);
 */
#ifndef UNIT_FILLED_H
#define UNIT_FILLED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "fill/fill.h"
#include "source_events.h"

struct filled {
	struct source source;
	struct model model;
	struct spool spool;
	struct model_task *tasks;
	size_t task_count;
	struct model_span *spans;
	size_t span_count;
};

/* A budget of 1 puts everything into a temporary file that can be there; 0 is the usual one. */
static inline void begin(struct filled *f, struct fill_options options, size_t budget)
{
	*f = (struct filled){ .spool = { .budget = budget } };
	options.model = &f->model;
	options.spool = &f->spool;
	source_init(&f->source, NULL);
	pass_want(&f->source.pass, &fill_analysis,
		  &(const struct analysis_setup){ .options = &options });
}

static inline void finish(struct filled *f)
{
	struct task_walk tasks;
	struct span_walk spans;

	pass_finish(&f->source.pass, NULL);
	f->task_count = (size_t)task_list_count(&f->model.tasks);
	f->tasks = xcalloc(f->task_count + 1, sizeof(*f->tasks));
	task_walk_begin(&tasks, &f->model.tasks);
	for (size_t i = 0; i < f->task_count; i++)
		assert_true(task_walk_next(&tasks, &f->tasks[i]));
	assert_false(task_walk_next(&tasks, &f->tasks[f->task_count]));
	task_walk_end(&tasks);
	f->span_count = (size_t)span_list_count(&f->model.spans);
	f->spans = xcalloc(f->span_count + 1, sizeof(*f->spans));
	span_walk_begin(&spans, &f->model.spans);
	for (size_t i = 0; i < f->span_count; i++)
		assert_true(span_walk_next(&spans, &f->spans[i]));
	assert_false(span_walk_next(&spans, &f->spans[f->span_count]));
	span_walk_end(&spans);
}

static inline void release(struct filled *f)
{
	source_release(&f->source);
	model_release(&f->model);
	spool_release(&f->spool);
	xfree(f->tasks);
	xfree(f->spans);
}

#endif
