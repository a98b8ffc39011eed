/* SPDX-License-Identifier: MIT */
/*
 * order.h - puts events in order of time.
 *
 * A file is a sequence of stretches in which time only goes forward. A stretch that begins where
 * the previous one left off joins it in a strand; strands are merged by a heap. Events of equal
 * time keep their order in the file. No event comes out that is younger than the watermark, the
 * time before which the file promises no more events.
 */
#ifndef NETTRACE_ORDER_H
#define NETTRACE_ORDER_H

#include "nettrace/batch.h"

/* Part of a batch: the events not yet returned. */
struct stretch {
	struct batch *batch;
	uint32_t begin;
	uint32_t end;
	struct stretch *next; /* in its strand, or among the spares */
};

struct strand {
	struct stretch *first;
	struct stretch *last;
	struct strand *next_spare;
};

/* Consecutive events, ready to be returned. */
struct event_run {
	struct batch *batch;
	const struct batch_entry *at;
	const struct batch_entry *end;
};

struct order {
	struct batches *batches;
	bool file_order;
	int64_t watermark;
	int64_t newest; /* newest time returned */
	uint64_t late;
	struct batch *handing_out; /* freed once its run is used up */
	struct strand **heap;	   /* the strand with the oldest event at [0] */
	size_t count;
	size_t capacity;
	struct strand *open; /* the last one added to, if not used up */
	struct stretch *spare_stretches;
	struct strand *spare_strands;
};

void order_init(struct order *order, struct batches *batches, bool file_order);

/* Takes ownership of a closed batch; an empty one is freed. */
void order_add(struct order *order, struct batch *taken);

/* No later event of the file is older than this; INT64_MAX releases everything. */
void order_raise(struct order *order, int64_t watermark);

/* The next events that may come out; the previous run must be used up. */
bool order_next(struct order *order, struct event_run *run);

#endif
