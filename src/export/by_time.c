/* SPDX-License-Identifier: MIT */
#include "export/by_time.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool is_before(const struct by_time_cursor *a, const struct by_time_cursor *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->thread < b->thread;
}

/* Puts the cursor at `at` where it belongs, given that all below are in order. */
static void sink_down(struct by_time *walk, size_t at)
{
	const struct by_time_cursor moved = walk->heap[at];

	for (;;) {
		size_t below = 2 * at + 1;

		if (below + 1 < walk->count &&
		    is_before(&walk->heap[below + 1], &walk->heap[below]))
			below++;
		if (below >= walk->count || !is_before(&walk->heap[below], &moved))
			break;
		walk->heap[at] = walk->heap[below];
		at = below;
	}
	walk->heap[at] = moved;
}

void by_time_begin(struct by_time *walk, const struct export_source *source)
{
	*walk = (struct by_time){ .source = source, .count = source->thread_count };
	walk->heap = xcalloc(walk->count + 1, sizeof(*walk->heap));
	for (size_t i = 0; i < walk->count; i++)
		walk->heap[i] = (struct by_time_cursor){
			.time_ns = export_sample_at(source, &source->threads[i], 0).time_ns,
			.thread = (uint32_t)i,
		};
	for (size_t i = walk->count / 2; i-- > 0;)
		sink_down(walk, i);
}

const struct export_thread *by_time_next(struct by_time *walk, struct export_sample *sample)
{
	struct by_time_cursor *first = walk->heap;
	const struct export_thread *thread;

	if (!walk->count)
		return NULL;
	thread = &walk->source->threads[first->thread];
	*sample = export_sample_at(walk->source, thread, first->next++);
	if (first->next < thread->count)
		first->time_ns = export_sample_at(walk->source, thread, first->next).time_ns;
	else
		*first = walk->heap[--walk->count];
	if (walk->count)
		sink_down(walk, 0);
	return thread;
}

void by_time_release(struct by_time *walk)
{
	free(walk->heap);
}
