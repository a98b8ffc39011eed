/* SPDX-License-Identifier: MIT */
#include "nettrace/order.h"

#include <stdlib.h>

#include "base/alloc.h"

void order_init(struct order *order, struct batches *batches, bool file_order)
{
	*order = (struct order){
		.batches = batches,
		.file_order = file_order,
		.watermark = INT64_MIN,
		.newest = INT64_MIN,
	};
}

static const struct batch_entry *head(const struct stretch *stretch)
{
	return &stretch->batch->entries[stretch->begin];
}

/* Older first; at equal times the one that comes first in the file. */
static bool before(const struct stretch *a, const struct stretch *b)
{
	if (!a || !b)
		return a;
	if (head(a)->ticks != head(b)->ticks)
		return head(a)->ticks < head(b)->ticks;
	if (a->batch != b->batch)
		return a->batch->serial < b->batch->serial;
	return a->begin < b->begin;
}

static void swap(struct order *order, size_t i, size_t k)
{
	struct strand *strand = order->heap[i];

	order->heap[i] = order->heap[k];
	order->heap[k] = strand;
}

static void sift_up(struct order *order, size_t i)
{
	while (i && before(order->heap[i]->first, order->heap[(i - 1) / 2]->first)) {
		swap(order, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct order *order, size_t i)
{
	for (;;) {
		const size_t left = 2 * i + 1;
		size_t least = i;

		if (left < order->count &&
		    before(order->heap[left]->first, order->heap[least]->first))
			least = left;
		if (left + 1 < order->count &&
		    before(order->heap[left + 1]->first, order->heap[least]->first))
			least = left + 1;
		if (least == i)
			return;
		swap(order, i, least);
		i = least;
	}
}

static struct stretch *stretch_new(struct order *order, struct batch *batch, uint32_t begin,
				   uint32_t end)
{
	struct stretch *stretch = order->spare_stretches;

	if (stretch)
		order->spare_stretches = stretch->next;
	else
		stretch = xcalloc(1, sizeof(*stretch));
	*stretch = (struct stretch){ batch, begin, end, NULL };
	batch->refs++;
	return stretch;
}

static struct strand *strand_new(struct order *order, struct stretch *stretch)
{
	struct strand *strand = order->spare_strands;

	if (strand)
		order->spare_strands = strand->next_spare;
	else
		strand = xcalloc(1, sizeof(*strand));
	*strand = (struct strand){ .first = stretch, .last = stretch };
	return strand;
}

/* Whether the open strand continues with `stretch`. */
static bool continues(const struct order *order, const struct stretch *stretch)
{
	const struct stretch *last;

	if (!order->open || order->file_order)
		return order->open;
	last = order->open->last;
	return last->batch->entries[last->end - 1].ticks <= head(stretch)->ticks;
}

static void add_stretch(struct order *order, struct stretch *stretch)
{
	if (continues(order, stretch)) {
		order->open->last->next = stretch;
		order->open->last = stretch;
		return;
	}
	order->open = strand_new(order, stretch);
	order->heap = xgrow(order->heap, order->count, &order->capacity, sizeof(*order->heap));
	order->heap[order->count] = order->open;
	sift_up(order, order->count++);
}

void order_add(struct order *order, struct batch *taken)
{
	const size_t cuts = order->file_order ? 0 : taken->cut_count;
	uint32_t begin = 0;

	if (!taken->count) {
		batch_free(order->batches, taken);
		return;
	}
	if (!order->file_order && taken->entries[taken->count - 1].ticks > order->watermark)
		taken = batch_trim(order->batches, taken);
	for (size_t i = 0; i < cuts; i++) {
		add_stretch(order, stretch_new(order, taken, begin, taken->cuts[i]));
		begin = taken->cuts[i];
	}
	add_stretch(order, stretch_new(order, taken, begin, taken->count));
}

void order_raise(struct order *order, int64_t watermark)
{
	if (watermark > order->watermark)
		order->watermark = watermark;
}

static void finish_handing_out(struct order *order)
{
	struct batch *batch = order->handing_out;

	order->handing_out = NULL;
	if (batch && !--batch->refs)
		batch_free(order->batches, batch);
}

/* The second strand in order: the lesser of the top's children. */
static const struct stretch *runner_up(const struct order *order)
{
	const struct stretch *left = order->count > 1 ? order->heap[1]->first : NULL;
	const struct stretch *right = order->count > 2 ? order->heap[2]->first : NULL;

	return before(left, right) ? left : right;
}

/*
 * The first of the entries from `low` to `high` that is younger than `limit`; the one before `high`
 * is. Threads that write at the same time alternate every few events, so the search starts with
 * small steps and doubles them.
 */
static uint32_t first_younger(const struct batch_entry *entries, uint32_t low, uint32_t high,
			      int64_t limit)
{
	for (uint32_t stride = 1; low + stride < high; stride *= 2) {
		if (entries[low + stride - 1].ticks > limit) {
			high = low + stride;
			break;
		}
		low += stride;
	}
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (entries[middle].ticks <= limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How far `stretch` may be returned: up to the watermark, and while it precedes `rival`. */
static uint32_t run_end(const struct order *order, const struct stretch *stretch,
			const struct stretch *rival)
{
	const struct batch_entry *entries = stretch->batch->entries;
	int64_t limit = order->watermark;

	if (rival && head(rival)->ticks <= limit) {
		const bool wins_ties =
			rival->batch->serial > stretch->batch->serial ||
			(rival->batch == stretch->batch && rival->begin > stretch->begin);

		limit = wins_ties ? head(rival)->ticks : head(rival)->ticks - 1;
	}
	if (entries[stretch->end - 1].ticks <= limit)
		return stretch->end;
	/* the first event precedes all others, or it would not be on top */
	return first_younger(entries, stretch->begin + 1, stretch->end, limit);
}

static void pop_stretch(struct order *order, struct stretch *stretch)
{
	struct strand *top = order->heap[0];

	top->first = stretch->next;
	stretch->next = order->spare_stretches;
	order->spare_stretches = stretch;
	if (top->first)
		return;
	if (order->open == top)
		order->open = NULL;
	top->next_spare = order->spare_strands;
	order->spare_strands = top;
	order->heap[0] = order->heap[--order->count];
}

/* A file that breaks its promise is still read; events that came too late are counted. */
static void count_late(struct order *order, const struct event_run *run)
{
	const struct batch_entry *at = run->at;

	for (; at < run->end && at->ticks < order->newest; at++)
		order->late++;
	if (at < run->end)
		order->newest = run->end[-1].ticks;
}

static void hand_out(struct order *order, struct stretch *stretch, uint32_t end,
		     struct event_run *run)
{
	struct batch *batch = stretch->batch;

	*run = (struct event_run){ batch, head(stretch), batch->entries + end };
	order->handing_out = batch;
	if (end == stretch->end) {
		pop_stretch(order, stretch); /* keeps its reference until the run is used up */
	} else {
		stretch->begin = end;
		batch->refs++;
	}
	sift_down(order, 0);
}

bool order_next(struct order *order, struct event_run *run)
{
	struct stretch *stretch;

	finish_handing_out(order);
	if (!order->count)
		return false;
	stretch = order->heap[0]->first;
	if (order->file_order) {
		hand_out(order, stretch, stretch->end, run);
		return true;
	}
	if (head(stretch)->ticks > order->watermark)
		return false;
	hand_out(order, stretch, run_end(order, stretch, runner_up(order)), run);
	count_late(order, run);
	return true;
}
