/* SPDX-License-Identifier: MIT */
/*
 * batch.h - events decoded but not yet returned.
 *
 * Most events differ from the previous one only in time and payload, so a batch keeps those two per
 * event, in 16 bytes, and the rest as contexts that many events share. It is small enough to be
 * filled and emptied within a core's cache. Payloads are not copied; the batch holds their chunk.
 */
#ifndef NETTRACE_BATCH_H
#define NETTRACE_BATCH_H

#include "base/arena.h"
#include "nettrace/bytes.h"
#include "perfpipe/event.h"

#define BATCH_EVENTS 4096u

struct batch_entry {
	int64_t ticks;
	uint64_t where; /* context in the upper half, payload offset in the lower */
};

static inline uint32_t entry_context(const struct batch_entry *entry)
{
	return (uint32_t)(entry->where >> 32);
}

static inline uint32_t entry_payload(const struct batch_entry *entry)
{
	return (uint32_t)entry->where;
}

struct batch {
	const uint8_t *base;
	size_t extent;	     /* bytes from `base` that hold the payloads */
	struct chunk *chunk; /* holds those bytes; NULL: they are lent, or in `copy` */
	uint8_t *copy;	     /* of lent bytes that became invalid */
	uint64_t serial;     /* order in the file */
	unsigned refs;	     /* stretches not yet returned */
	bool trimmed;	     /* `entries` has no capacity beyond `count` */
	struct batch *next;  /* among those in use, or the spares */
	struct batch *previous;

	struct pp_event *contexts; /* everything but ticks and payload */
	size_t context_count;
	size_t context_capacity;
	struct arena labels; /* activity ids of versions 1 to 5 */

	uint32_t *cuts; /* where time goes back: the first event of each stretch after the first */
	size_t cut_count;
	size_t cut_capacity;

	uint32_t count;
	struct batch_entry entries[]; /* BATCH_EVENTS of them until it is trimmed */
};

/* All batches of a reader. */
struct batches {
	struct bytes *bytes;
	struct batch *used;
	struct batch *spare;
	unsigned spare_count;
	uint64_t serial;
	size_t held; /* bytes held by those in use */
};

/* An empty batch for events at `base` and after, in the current window. */
struct batch *batch_new(struct batches *batches, const uint8_t *base);

/* The batch is complete; its payloads lie in `extent` bytes. */
void batch_close(struct batches *batches, struct batch *batch, size_t extent);

/* Frees unused entries of a batch that will be held for a while. It may move. */
struct batch *batch_trim(struct batches *batches, struct batch *taken);
void batch_free(struct batches *batches, struct batch *batch);

/* Lent memory is about to become invalid: copies what batches still need of it. */
void batches_park(struct batches *batches);

/* A new context to fill in, for the events added from now on. */
struct pp_event *batch_context(struct batch *batch);

/* Time goes back at event `n`. */
void batch_cut(struct batch *batch, uint32_t n);

/* `where` of an event of the last context, without its payload. */
static inline uint64_t batch_where(const struct batch *batch)
{
	return (uint64_t)(batch->context_count - 1) << 32;
}

static inline void batch_add(struct batch *batch, int64_t ticks, uint32_t payload)
{
	const uint32_t n = batch->count++;

	if (n && ticks < batch->entries[n - 1].ticks)
		batch_cut(batch, n);
	batch->entries[n] = (struct batch_entry){ ticks, batch_where(batch) + payload };
}

#endif
