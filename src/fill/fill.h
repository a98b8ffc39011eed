/* SPDX-License-Identifier: MIT */
/*
 * fill.h - the events of a trace become the model.
 *
 * Give it every event in order of time, then finish; any events are safe. Which event
 * tells what is a table in fill_table.c; all others cost a look at their kind.
 *
 *	struct model model;
 *	struct fill *fill = fill_new(&model, &(struct fill_options){ .marks = true });
 *
 *	while (trace_file_next(file, &event, &err) == PP_NEXT_ITEM)
 *		fill_event(fill, pp_nettrace_header(file->trace), event);
 *	fill_finish(fill, file->trace);
 *	fill_free(fill);
 *	...
 *	model_release(&model);
 */
#ifndef FILL_FILL_H
#define FILL_FILL_H

#include "model/model.h"
#include "perfpipe/nettrace.h"

/*
 * Who takes things as they come, so that the model, which grows with them otherwise, has none of
 * them. What has no function is wanted by nobody.
 */
struct fill_taker {
	/* One that ran, when it is over; `number` tells which was made first. */
	void (*task)(void *to, const struct model_task *task);

	/* `span` has no end yet; a stop is that of the newest start with this id. */
	void (*span_start)(void *to, const struct model_span *span);
	void (*span_stop)(void *to, const uint8_t activity[static 16], int64_t now_ns);

	void (*reading)(void *to, const struct model_reading *reading);
	void *to;
};

struct fill_options {
	bool marks;	 /* keep events that prove a thread to run, and tasks */
	bool notes;	 /* keep all other events that the trace names, too */
	bool tasks;	 /* with marks: samples of a task have the stack that led to it, too */
	bool activities; /* say which activity each sample belongs to */
	bool raw_names;	 /* as .NET's tools show them */
	bool tiers;	 /* say how a method was compiled */

	/* Where samples are put, or NULL; and what `link` of a sample is, if that is asked for. */
	struct spool *spool;
	uint32_t (*link_of)(void *links, const struct pp_event *event);
	void *links;
	const struct fill_taker *taker; /* NULL: the model keeps all */
};

struct fill;

/* Makes the model empty first. */
struct fill *fill_new(struct model *model, const struct fill_options *options);
void fill_free(struct fill *fill); /* takes NULL; the model stays */

void fill_event(struct fill *fill, const struct pp_trace_header *header,
		const struct pp_event *event);

/* The number of the event's stack; model_stack_now() has it after the end. */
uint32_t fill_stack(struct fill *fill, const struct pp_event *event);

/* Of the trace that the last event is from. */
const struct pp_trace_header *fill_header(const struct fill *fill);

/* The number of the event's thread. */
uint32_t fill_thread(struct fill *fill, const struct pp_event *event);

/* No more events: from then on the trace may go, to make room, and fill_finish() takes NULL. */
void fill_stop(struct fill *fill, const struct pp_nettrace *trace);

/* Names are applied, and samples weighed. */
void fill_finish(struct fill *fill, const struct pp_nettrace *trace);

#endif
