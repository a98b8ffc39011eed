/* SPDX-License-Identifier: MIT */
#include "base/merge_heap.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool is_before(const struct merge_entry *a, const struct merge_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

void merge_heap_add(struct merge_heap *rows, int64_t time, uint32_t number)
{
	const struct merge_entry added = { time, number };
	size_t at = rows->count;

	rows->heap = xgrow(rows->heap, rows->count, &rows->capacity, sizeof(*rows->heap));
	rows->count++;
	while (at && is_before(&added, &rows->heap[(at - 1) / 2])) {
		rows->heap[at] = rows->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	rows->heap[at] = added;
}

/* Puts the first row where it belongs, given that all others are in order. */
static void sink_down(struct merge_heap *rows)
{
	const struct merge_entry moved = rows->heap[0];
	size_t at = 0;

	for (;;) {
		size_t below = 2 * at + 1;

		if (below + 1 < rows->count &&
		    is_before(&rows->heap[below + 1], &rows->heap[below]))
			below++;
		if (below >= rows->count || !is_before(&rows->heap[below], &moved))
			break;
		rows->heap[at] = rows->heap[below];
		at = below;
	}
	rows->heap[at] = moved;
}

void merge_heap_next(struct merge_heap *rows, bool more, int64_t time)
{
	if (more)
		rows->heap[0].time = time;
	else
		rows->heap[0] = rows->heap[--rows->count];
	if (rows->count)
		sink_down(rows);
}

void merge_heap_release(struct merge_heap *rows)
{
	free(rows->heap);
	*rows = (struct merge_heap){ 0 };
}
