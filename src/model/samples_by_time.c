/* SPDX-License-Identifier: MIT */
#include "model/samples_by_time.h"

#include <stdlib.h>

#include "base/alloc.h"

void samples_by_time_begin(struct samples_by_time *walk, const struct samples *samples,
			   enum sample_until until)
{
	*walk = (struct samples_by_time){ .row_count = samples->row_count };
	walk->rows = xcalloc(walk->row_count + 1, sizeof(*walk->rows));
	walk->next = xcalloc(walk->row_count + 1, sizeof(*walk->next));
	for (uint32_t i = 0; i < walk->row_count; i++) {
		sample_walk_row(&walk->rows[i], samples, i, until);
		if (sample_walk_next(&walk->rows[i], &walk->next[i]))
			merge_heap_add(&walk->order, walk->next[i].time_ns, i);
	}
}

bool samples_by_time_next(struct samples_by_time *walk, struct model_sample *sample)
{
	uint32_t row;
	bool more;

	if (!walk->order.count)
		return false;
	row = walk->order.heap[0].number;
	*sample = walk->next[row];
	more = sample_walk_next(&walk->rows[row], &walk->next[row]);
	merge_heap_next(&walk->order, more, walk->next[row].time_ns);
	return true;
}

void samples_by_time_end(struct samples_by_time *walk)
{
	for (size_t i = 0; i < walk->row_count; i++)
		sample_walk_end(&walk->rows[i]);
	free(walk->rows);
	free(walk->next);
	merge_heap_release(&walk->order);
}
