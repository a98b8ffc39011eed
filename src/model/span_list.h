/* SPDX-License-Identifier: MIT */
/*
 * span_list.h - the activities of a trace, which may not fit into memory.
 *
 * Starts and stops are added as they come, in any number at a time: both go to a spool. Sealing, at
 * the end of the trace, sorts them so that they meet; then activities are walked in the order in
 * which they started, at about 50 bytes each, any number of times:
 *
 *	struct span_walk walk;
 *	struct model_span span;
 *
 *	span_walk_begin(&walk, &model->spans);
 *	while (span_walk_next(&walk, &span))
 *		...
 *	span_walk_end(&walk);
 */
#ifndef MODEL_SPAN_LIST_H
#define MODEL_SPAN_LIST_H

#include "model/entities.h"
#include "model/spooled_list.h"

struct span_list {
	struct spooled_list list;
	struct external_sort halves; /* starts and stops, until the list is sealed */
	uint32_t started;
};

void span_list_init(struct span_list *spans, struct spool *spool);

/* The texts of `span` must stay; its number and its stop are found here. */
void span_list_start(struct span_list *spans, const struct model_span *span);

/* Ends the newest activity of this id, if that has not ended; there need not be any. */
void span_list_stop(struct span_list *spans, const uint8_t activity[static 16], int64_t stop_ns);

void span_list_seal(struct span_list *spans);	 /* once, after the last event */
void span_list_release(struct span_list *spans); /* before the spool */

/* Of a sealed list. */
static inline uint64_t span_list_count(const struct span_list *spans)
{
	return spans->list.count;
}

struct span_walk {
	struct spooled_reader reader;
	struct model_span span; /* the last one */
};

void span_walk_begin(struct span_walk *walk, const struct span_list *spans);
bool span_walk_next(struct span_walk *walk, struct model_span *span);
void span_walk_end(struct span_walk *walk);

#endif
