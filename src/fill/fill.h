/* SPDX-License-Identifier: MIT */
/*
 * fill.h - the events of a trace become the model.
 *
 * It is an analysis like any other, and wanted first, so that others can ask for the numbers of
 * stacks. Which event says what is a table in fill_table.c. Any events are safe.
 *
 *	struct model model;
 *	const struct fill_options options = { .model = &model, .marks = true };
 *	struct fill *fill = pass_want(&pass, &fill_analysis,
 *				      &(struct analysis_setup){ .options = &options });
 *
 *	pass_file(&pass, file, &err);
 *	pass_finish(&pass, file->trace);
 *	fill_build(fill);	(the file may be closed before that, to make room)
 *	...
 *	model_release(&model);
 *
 * Its items, for whoever sets `take`, are tasks and activities: struct fill_item.
 */
#ifndef FILL_FILL_H
#define FILL_FILL_H

#include "model/model.h"
#include "pass/pass.h"

struct fill_options {
	struct model *model;	/* is made empty first; the caller's, also in the end */
	struct spool *spool;	/* where samples are put; or NULL */
	bool marks;		/* keep events that prove a thread to run */
	bool notes;		/* keep all other events that the trace names, too */
	bool tasks;		/* tasks and awaits, in the model or handed out */
	bool join_tasks;	/* with tasks: their samples have the stack that led to them, too */
	bool activities;	/* from start to stop events, in the model or handed out */
	bool sample_activities; /* with activities: which one each sample belongs to */
	bool raw_names;		/* as .NET's tools show them */
	bool tiers;		/* say how a method was compiled */
};

enum fill_item_kind {
	FILL_TASK,	     /* one that ran, when it is over; `number` is the order of creation */
	FILL_ACTIVITY_START, /* `span` has no end yet */
	FILL_ACTIVITY_STOP,  /* of the newest start with this id */
};

struct fill_item {
	enum fill_item_kind kind;
	const struct model_task *task;
	const struct model_span *span;
	const uint8_t *activity; /* 16 bytes */
	int64_t time_ns;
};

struct fill;

extern const struct analysis fill_analysis;

/* The number of a thread in the model, to which it is added if it is new. */
uint32_t fill_thread(struct fill *fill, const struct pp_thread *thread);

/* After the pass: names are applied, stacks become stacks of frames, and samples are weighed. */
void fill_build(struct fill *fill);

#endif
