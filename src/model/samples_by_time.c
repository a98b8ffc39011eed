/* SPDX-License-Identifier: MIT */
#include "model/samples_by_time.h"

#include <stdlib.h>

#include "base/alloc.h"

void samples_by_time_begin(struct samples_by_time *walk, const struct samples *samples,
			   enum sample_until until)
{
	*walk = (struct samples_by_time){ .thread_count = samples->series_count };
	walk->threads = xcalloc(walk->thread_count + 1, sizeof(*walk->threads));
	walk->next = xcalloc(walk->thread_count + 1, sizeof(*walk->next));
	for (uint32_t i = 0; i < walk->thread_count; i++) {
		sample_walk_thread(&walk->threads[i], samples, i, until);
		if (sample_walk_next(&walk->threads[i], &walk->next[i]))
			merge_heap_add(&walk->order, walk->next[i].time_ns, i);
	}
}

bool samples_by_time_next(struct samples_by_time *walk, struct model_sample *sample)
{
	uint32_t thread;
	bool more;

	if (!walk->order.count)
		return false;
	thread = walk->order.heap[0].number;
	*sample = walk->next[thread];
	more = sample_walk_next(&walk->threads[thread], &walk->next[thread]);
	merge_heap_next(&walk->order, more, walk->next[thread].time_ns);
	return true;
}

void samples_by_time_end(struct samples_by_time *walk)
{
	for (size_t i = 0; i < walk->thread_count; i++)
		sample_walk_end(&walk->threads[i]);
	free(walk->threads);
	free(walk->next);
	merge_heap_release(&walk->order);
}
