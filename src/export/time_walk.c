/* SPDX-License-Identifier: MIT */
#include "export/time_walk.h"

#include <stdlib.h>

#include "base/alloc.h"

void time_walk_begin(struct time_walk *walk, const struct export_source *source)
{
	*walk = (struct time_walk){ .source = source };
	walk->rows = xcalloc(source->thread_count + 1, sizeof(*walk->rows));
	for (size_t i = 0; i < source->thread_count; i++) {
		struct time_walk_thread *row = &walk->rows[i];

		export_walk_begin(&row->walk, source, &source->threads[i]);
		if (export_walk_next(&row->walk, &row->next))
			merge_heap_add(&walk->order, row->next.time_ns, (uint32_t)i);
	}
}

const struct export_thread *time_walk_next(struct time_walk *walk, struct export_sample *sample)
{
	struct time_walk_thread *row;
	uint32_t thread;
	bool more;

	if (!walk->order.count)
		return NULL;
	thread = walk->order.heap[0].number;
	row = &walk->rows[thread];
	*sample = row->next;
	more = export_walk_next(&row->walk, &row->next);
	merge_heap_next(&walk->order, more, row->next.time_ns);
	return &walk->source->threads[thread];
}

void time_walk_release(struct time_walk *walk)
{
	for (size_t i = 0; i < walk->source->thread_count; i++)
		export_walk_end(&walk->rows[i].walk);
	free(walk->rows);
	merge_heap_release(&walk->order);
}
