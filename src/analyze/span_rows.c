/* SPDX-License-Identifier: MIT */
#include "analyze/span_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"

static int by_time(const void *left, const void *right)
{
	const struct span_row *a = left;
	const struct span_row *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return strcmp(a->name, b->name) ? strcmp(a->name, b->name)
					: strcmp(a->provider, b->provider);
}

static void add(struct span_row *row, const struct model_span *span, const struct span_time *time)
{
	const uint64_t size =
		span->stop_ns > span->start_ns ? (uint64_t)(span->stop_ns - span->start_ns) : 0;

	row->provider = span->provider;
	row->name = span->name;
	row->count++;
	if (span->stop_ns == INT64_MIN)
		row->unfinished++;
	row->total_ns += size;
	row->time.cpu_ns += time->cpu_ns;
	row->time.blocked_ns += time->blocked_ns;
	row->time.await_ns += time->await_ns;
	row->time.unknown_ns += time->unknown_ns;

	if (size > row->longest_ns)
		row->longest_ns = size;
}

struct span_rows span_rows_of(const struct model *model, const struct sample_query *query)
{
	struct span_time *times = span_time_of(model, query);
	struct span_rows rows = { .rows = xcalloc(model->span_count + 1, sizeof(*rows.rows)) };
	struct map known = { 0 };

	for (size_t i = 0; i < model->span_count; i++) {
		const struct model_span *span = &model->spans[i];
		const uint64_t key = hash_u64((uintptr_t)span->name) ^ (uintptr_t)span->provider;
		const void *at = map_find(&known, key);

		if (!sample_query_passes_at(query, model, span->thread, span->start_ns))
			continue;
		if (!at)
			map_put(&known, key, (void *)(uintptr_t)++rows.count);
		add(&rows.rows[at ? (uintptr_t)at - 1 : rows.count - 1], span, &times[i]);
	}
	map_release(&known);
	free(times);
	qsort(rows.rows, rows.count, sizeof(*rows.rows), by_time);
	return rows;
}

void span_rows_release(struct span_rows *rows)
{
	free(rows->rows);
	*rows = (struct span_rows){ 0 };
}
