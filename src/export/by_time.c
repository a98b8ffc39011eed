/* SPDX-License-Identifier: MIT */
#include "export/by_time.h"

#include <stdlib.h>

#include "base/alloc.h"

void by_time_begin(struct by_time *walk, const struct export_source *source)
{
	*walk = (struct by_time){ .source = source };
	walk->rows = xcalloc(source->thread_count + 1, sizeof(*walk->rows));
	for (size_t i = 0; i < source->thread_count; i++) {
		struct by_time_row *row = &walk->rows[i];

		export_walk_begin(&row->walk, source, &source->threads[i]);
		if (export_walk_next(&row->walk, &row->next))
			earliest_add(&walk->order, row->next.time_ns, (uint32_t)i);
	}
}

const struct export_thread *by_time_next(struct by_time *walk, struct export_sample *sample)
{
	struct by_time_row *row;
	uint32_t thread;
	bool more;

	if (!walk->order.count)
		return NULL;
	thread = walk->order.heap[0].number;
	row = &walk->rows[thread];
	*sample = row->next;
	more = export_walk_next(&row->walk, &row->next);
	earliest_next(&walk->order, more, row->next.time_ns);
	return &walk->source->threads[thread];
}

void by_time_release(struct by_time *walk)
{
	for (size_t i = 0; i < walk->source->thread_count; i++)
		export_walk_end(&walk->rows[i].walk);
	free(walk->rows);
	earliest_release(&walk->order);
}
