/* SPDX-License-Identifier: MIT */
#include "base/merge_heap.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool is_before(const struct merge_entry *a, const struct merge_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

void merge_heap_add(struct merge_heap *merge, int64_t time, uint32_t number)
{
	const struct merge_entry added = { time, number };
	size_t at = merge->count;

	merge->heap = xgrow(merge->heap, merge->count, &merge->capacity, sizeof(*merge->heap));
	merge->count++;
	while (at && is_before(&added, &merge->heap[(at - 1) / 2])) {
		merge->heap[at] = merge->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	merge->heap[at] = added;
}

/* Restores the heap after its first entry has changed. */
static void sink_down(struct merge_heap *merge)
{
	const struct merge_entry moved = merge->heap[0];
	size_t at = 0;

	for (;;) {
		size_t below = 2 * at + 1;

		if (below + 1 < merge->count &&
		    is_before(&merge->heap[below + 1], &merge->heap[below]))
			below++;
		if (below >= merge->count || !is_before(&merge->heap[below], &moved))
			break;
		merge->heap[at] = merge->heap[below];
		at = below;
	}
	merge->heap[at] = moved;
}

void merge_heap_next(struct merge_heap *merge, bool more, int64_t time)
{
	if (more)
		merge->heap[0].time = time;
	else
		merge->heap[0] = merge->heap[--merge->count];
	if (merge->count)
		sink_down(merge);
}

void merge_heap_release(struct merge_heap *merge)
{
	xfree(merge->heap);
	*merge = (struct merge_heap){ 0 };
}
