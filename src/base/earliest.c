/* SPDX-License-Identifier: MIT */
#include "base/earliest.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool is_before(const struct earliest_row *a, const struct earliest_row *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

void earliest_add(struct earliest *rows, int64_t time, uint32_t number)
{
	const struct earliest_row added = { time, number };
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
static void sink_down(struct earliest *rows)
{
	const struct earliest_row moved = rows->heap[0];
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

void earliest_next(struct earliest *rows, bool more, int64_t time)
{
	if (more)
		rows->heap[0].time = time;
	else
		rows->heap[0] = rows->heap[--rows->count];
	if (rows->count)
		sink_down(rows);
}

void earliest_release(struct earliest *rows)
{
	free(rows->heap);
	*rows = (struct earliest){ 0 };
}
