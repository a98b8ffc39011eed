/* SPDX-License-Identifier: MIT */
/*
 * fill.h - fills the model with the events of a trace.
 *
 * It is an analysis like any other, but wanted first, so that others can ask for the numbers of
 * stacks. The events it uses are in a table in fill_table.c. Any events are safe.
 *
 *	struct model model;
 *	const struct fill_options options = { .model = &model, .marks = true };
 *	struct fill *fill = pass_want(&pass, &fill_analysis,
 *				      &(struct analysis_setup){ .options = &options });
 *
 *	pass_file(&pass, file, &err);
 *	pass_finish(&pass, file->trace);
 *	fill_build(fill);	(the file may be closed before that, to free memory)
 *	model_join_tasks(&model);	(if wanted; needs .tasks and .sample_tasks)
 *	...
 *	model_release(&model);
 *
 * Its items are tasks and activities: struct fill_item.
 */
#ifndef FILL_FILL_H
#define FILL_FILL_H

#include "model/model.h"
#include "pass/pass.h"

struct fill_options {
	struct model *model;	/* emptied first; owned by the caller */
	struct spool *spool;	/* for samples; or NULL */
	bool marks;		/* keep events that prove that a thread runs */
	bool notes;		/* keep events as dotnet-trace does: the named ones, too */
	bool tasks;		/* tasks and awaits, in the model or as items */
	bool sample_tasks;	/* with tasks: which one each sample belongs to */
	bool activities;	/* from start to stop events, in the model or as items */
	bool sample_activities; /* with activities: which one each sample belongs to */
	bool raw_names;		/* as .NET's tools show them */
	bool tiers;		/* with the tier of each method */
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

/* The name of a method, during the pass. */
const char *fill_method_text(struct fill *fill, uint32_t method);

/* After the pass: names are applied, stacks become stacks of frames, and samples are weighed. */
void fill_build(struct fill *fill);

#endif
