/* SPDX-License-Identifier: MIT */
/*
 * order.h - putting events in order of time.
 *
 * A file is a row of stretches in which time only goes forward. A stretch that
 * begins where the one before left off joins it in a strand; the strands are
 * merged by a heap. Events of equal time keep their order in the file. Nothing
 * comes out that is younger than the watermark, the time which the file has
 * promised not to go back behind.
 */
#ifndef NETTRACE_ORDER_H
#define NETTRACE_ORDER_H

#include "nettrace/batch.h"

/* A stretch of a batch, or what is left of it. */
struct stretch {
	struct batch *batch;
	uint32_t begin;
	uint32_t end;
	struct stretch *next; /* in its strand, or of spares */
};

struct strand {
	struct stretch *first;
	struct stretch *last;
	struct strand *next_spare;
};

/* Events to hand out one after the other. */
struct event_run {
	struct batch *batch;
	const struct batch_entry *at;
	const struct batch_entry *end;
};

struct order {
	struct batches *batches;
	bool file_order;
	int64_t watermark;
	int64_t newest; /* latest time handed out */
	uint64_t late;
	struct batch *handing_out; /* free once its span has been used */
	struct strand **heap;	   /* the strand with the oldest event on top */
	size_t count;
	size_t capacity;
	struct strand *open; /* the one that was added to last, if it is still here */
	struct stretch *spare_pieces;
	struct strand *spare_strands;
};

void order_init(struct order *order, struct batches *batches, bool file_order);
void order_release(struct order *order);

/* Take over a closed batch; an empty one is freed. */
void order_add(struct order *order, struct batch *taken);

/* The file will not go back behind this time; INT64_MAX lets everything out. */
void order_raise(struct order *order, int64_t watermark);

/* The next events that may come out; the span before it must have been used up. */
bool order_next(struct order *order, struct event_run *span);

#endif
