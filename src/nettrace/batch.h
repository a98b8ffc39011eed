/* SPDX-License-Identifier: MIT */
/*
 * batch.h - events decoded but not yet handed out.
 *
 * Most events differ from the one before only in time and payload, so a batch
 * keeps those two per event, in 16 bytes, and the rest as contexts that many
 * events share. It is small enough to be filled and emptied inside a core's
 * cache. Payloads stay where they lie, in a chunk that the batch holds.
 */
#ifndef NETTRACE_BATCH_H
#define NETTRACE_BATCH_H

#include "base/arena.h"
#include "nettrace/bytes.h"
#include "perfpipe/event.h"

#define BATCH_EVENTS 4096u

struct batch_entry {
	int64_t ticks;
	uint64_t where; /* context in the upper half, offset of the payload in the lower */
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
	size_t extent;	     /* bytes from base that payloads lie in */
	struct chunk *chunk; /* keeps them; NULL while they are lent or copied */
	uint8_t *copy;	     /* of lent bytes that had to go */
	uint64_t serial;     /* position in the file, among batches */
	unsigned refs;	     /* pieces of it not yet handed out */
	bool trimmed;	     /* has no room for more events than it has */
	struct batch *next;  /* in the list of all in use, or of spares */
	struct batch *previous;

	struct pp_event *contexts; /* all but ticks and payload */
	size_t context_count;
	size_t context_capacity;
	struct arena labels; /* activity ids of versions 1 to 5 */

	uint32_t *cuts; /* the first event of each stretch but the first: time goes back there */
	size_t cut_count;
	size_t cut_capacity;

	uint32_t count;
	struct batch_entry entries[]; /* room for BATCH_EVENTS until it is trimmed */
};

/* All batches of a reader. */
struct batches {
	struct bytes *bytes;
	struct batch *used;
	struct batch *spare;
	unsigned spare_count;
	uint64_t serial;
	size_t held; /* bytes that those in use keep */
};

void batches_release(struct batches *batches);

/* An empty batch for events that lie from `base` on, in the current window. */
struct batch *batch_new(struct batches *batches, const uint8_t *base);

/* Its events lie in `extent` bytes. */
void batch_close(struct batches *batches, struct batch *batch, size_t extent);

/* It will wait with few events in it: give up the room for more. It may move. */
struct batch *batch_trim(struct batches *batches, struct batch *taken);
void batch_free(struct batches *batches, struct batch *batch);

/* Lent memory is about to go: copy what batches still need of it. */
void batches_park(struct batches *batches);

/* A context to fill in; its index is what entries refer to. */
struct pp_event *batch_context(struct batch *batch);

/* Time goes back at event `n`. */
void batch_cut(struct batch *batch, uint32_t n);

/* The upper half of `where` for events of the last context. */
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
