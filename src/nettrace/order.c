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

static void free_pieces(struct stretch *piece)
{
	while (piece) {
		struct stretch *next = piece->next;

		free(piece);
		piece = next;
	}
}

void order_release(struct order *order)
{
	for (size_t i = 0; i < order->count; i++) {
		free_pieces(order->heap[i]->first);
		free(order->heap[i]);
	}
	while (order->spare_strands) {
		struct strand *next = order->spare_strands->next_spare;

		free(order->spare_strands);
		order->spare_strands = next;
	}
	free_pieces(order->spare_pieces);
	free(order->heap);
}

static const struct batch_entry *head(const struct stretch *piece)
{
	return &piece->batch->entries[piece->begin];
}

/* Older first; of the same time the one that stands first in the file. */
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

static struct stretch *piece_new(struct order *order, struct batch *batch, uint32_t begin,
				 uint32_t end)
{
	struct stretch *piece = order->spare_pieces;

	if (piece)
		order->spare_pieces = piece->next;
	else
		piece = xcalloc(1, sizeof(*piece));
	*piece = (struct stretch){ batch, begin, end, NULL };
	batch->refs++;
	return piece;
}

static struct strand *strand_new(struct order *order, struct stretch *piece)
{
	struct strand *strand = order->spare_strands;

	if (strand)
		order->spare_strands = strand->next_spare;
	else
		strand = xcalloc(1, sizeof(*strand));
	*strand = (struct strand){ .first = piece, .last = piece };
	return strand;
}

/* Whether `piece` goes on where the open strand ends. */
static bool continues(const struct order *order, const struct stretch *piece)
{
	const struct stretch *last;

	if (!order->open || order->file_order)
		return order->open;
	last = order->open->last;
	return last->batch->entries[last->end - 1].ticks <= head(piece)->ticks;
}

static void add_piece(struct order *order, struct stretch *piece)
{
	if (continues(order, piece)) {
		order->open->last->next = piece;
		order->open->last = piece;
		return;
	}
	order->open = strand_new(order, piece);
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
		add_piece(order, piece_new(order, taken, begin, taken->cuts[i]));
		begin = taken->cuts[i];
	}
	add_piece(order, piece_new(order, taken, begin, taken->count));
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

/* The strand that comes second: the lesser of the top's children. */
static const struct stretch *runner_up(const struct order *order)
{
	const struct stretch *left = order->count > 1 ? order->heap[1]->first : NULL;
	const struct stretch *right = order->count > 2 ? order->heap[2]->first : NULL;

	return before(left, right) ? left : right;
}

/*
 * The first of the entries from `low` to `high` that is younger than `limit`; the
 * one before `high` is. Threads that write at the same time take turns every few
 * events, so the search begins near and strides further each time.
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

/* How far `piece` may be handed out: up to the watermark, and while it is ahead of `rival`. */
static uint32_t span_end(const struct order *order, const struct stretch *piece,
			 const struct stretch *rival)
{
	const struct batch_entry *entries = piece->batch->entries;
	int64_t limit = order->watermark;

	if (rival && head(rival)->ticks <= limit) {
		const bool wins_ties =
			rival->batch->serial > piece->batch->serial ||
			(rival->batch == piece->batch && rival->begin > piece->begin);

		limit = wins_ties ? head(rival)->ticks : head(rival)->ticks - 1;
	}
	if (entries[piece->end - 1].ticks <= limit)
		return piece->end;
	/* the first event is older than all others, or it would not be on top */
	return first_younger(entries, piece->begin + 1, piece->end, limit);
}

static void pop_piece(struct order *order, struct stretch *piece)
{
	struct strand *top = order->heap[0];

	top->first = piece->next;
	piece->next = order->spare_pieces;
	order->spare_pieces = piece;
	if (top->first)
		return;
	if (order->open == top)
		order->open = NULL;
	top->next_spare = order->spare_strands;
	order->spare_strands = top;
	order->heap[0] = order->heap[--order->count];
}

/* A file that breaks its promise is still read; what came too late is counted. */
static void count_late(struct order *order, const struct event_run *span)
{
	const struct batch_entry *at = span->at;

	for (; at < span->end && at->ticks < order->newest; at++)
		order->late++;
	if (at < span->end)
		order->newest = span->end[-1].ticks;
}

static void hand_out(struct order *order, struct stretch *piece, uint32_t end,
		     struct event_run *span)
{
	struct batch *batch = piece->batch;

	*span = (struct event_run){ batch, head(piece), batch->entries + end };
	order->handing_out = batch;
	if (end == piece->end) {
		pop_piece(order, piece); /* its reference goes when the span is used up */
	} else {
		piece->begin = end;
		batch->refs++;
	}
	sift_down(order, 0);
}

bool order_next(struct order *order, struct event_run *span)
{
	struct stretch *piece;

	finish_handing_out(order);
	if (!order->count)
		return false;
	piece = order->heap[0]->first;
	if (order->file_order) {
		hand_out(order, piece, piece->end, span);
		return true;
	}
	if (head(piece)->ticks > order->watermark)
		return false;
	hand_out(order, piece, span_end(order, piece, runner_up(order)), span);
	count_late(order, span);
	return true;
}
