/* SPDX-License-Identifier: MIT */
#include "nettrace/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MOST_SPARES 64

static void destroy(struct batch *batch)
{
	arena_release(&batch->labels);
	xfree(batch->contexts);
	xfree(batch->cuts);
	xfree(batch->copy);
	xfree(batch);
}

static struct batch *take_spare(struct batches *batches)
{
	const size_t room = BATCH_EVENTS * sizeof(struct batch_entry);
	struct batch *batch = batches->spare;

	if (!batch) /* without zeroing the entries */
		return memset(xrealloc(NULL, 1, sizeof(*batch) + room), 0, sizeof(*batch));
	batches->spare = batch->next;
	batches->spare_count--;
	return batch;
}

static void link_used(struct batches *batches, struct batch *batch)
{
	batch->previous = NULL;
	batch->next = batches->used;
	if (batch->next)
		batch->next->previous = batch;
	batches->used = batch;
}

static void unlink_used(struct batches *batches, struct batch *batch)
{
	if (batch->previous)
		batch->previous->next = batch->next;
	else
		batches->used = batch->next;
	if (batch->next)
		batch->next->previous = batch->previous;
}

struct batch *batch_new(struct batches *batches, const uint8_t *base)
{
	struct batch *batch = take_spare(batches);

	batch->base = base;
	batch->chunk = chunk_ref(batches->bytes->chunk);
	batch->serial = batches->serial++;
	batch->count = 0;
	batch->cut_count = 0;
	batch->context_count = 0;
	batch->refs = 0;
	link_used(batches, batch);
	return batch;
}

/* Bytes that it keeps alive, of the trace and our own. */
static size_t cost(const struct batch *batch)
{
	return batch->extent + sizeof(*batch) + batch->count * sizeof(batch->entries[0]) +
	       batch->context_count * sizeof(batch->contexts[0]);
}

void batch_close(struct batches *batches, struct batch *batch, size_t extent)
{
	batch->extent = extent;
	batches->held += cost(batch);
}

struct batch *batch_trim(struct batches *batches, struct batch *taken)
{
	struct batch *batch;

	if (taken->count > BATCH_EVENTS / 2)
		return taken;
	unlink_used(batches, taken);
	batch = xrealloc(taken, 1, sizeof(*batch) + taken->count * sizeof(batch->entries[0]));
	batch->trimmed = true;
	link_used(batches, batch);
	return batch;
}

void batch_free(struct batches *batches, struct batch *batch)
{
	unlink_used(batches, batch);
	batches->held -= cost(batch);
	chunk_unref(batches->bytes, batch->chunk);
	arena_release(&batch->labels);
	xfree(batch->copy);
	batch->copy = NULL;
	batch->chunk = NULL;
	if (batches->spare_count == MOST_SPARES || batch->trimmed) {
		destroy(batch);
		return;
	}
	batch->next = batches->spare;
	batches->spare = batch;
	batches->spare_count++;
}

void batches_park(struct batches *batches)
{
	for (struct batch *b = batches->used; b; b = b->next) {
		if (b->chunk || b->copy || !b->extent)
			continue;
		b->copy = memcpy(xrealloc(NULL, 1, b->extent), b->base, b->extent);
		b->base = b->copy;
	}
}

struct pp_event *batch_context(struct batch *batch)
{
	batch->contexts = xgrow(batch->contexts, batch->context_count, &batch->context_capacity,
				sizeof(*batch->contexts));
	return &batch->contexts[batch->context_count++];
}

void batch_cut(struct batch *batch, uint32_t n)
{
	batch->cuts =
		xgrow(batch->cuts, batch->cut_count, &batch->cut_capacity, sizeof(*batch->cuts));
	batch->cuts[batch->cut_count++] = n;
}
