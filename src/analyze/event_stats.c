/* SPDX-License-Identifier: MIT */
#include "analyze/event_stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_name.h"

/* Kinds go with their reader, so names are copied. */
void event_stats_meet(struct event_stats *stats, const struct pp_kind *kind)
{
	const char *name = event_kind_name(kind, &stats->arena);

	stats->list = xroom(stats->list, &stats->count, kind->index, sizeof(*stats->list));
	stats->list[kind->index].provider =
		arena_text(&stats->arena, kind->provider, strlen(kind->provider));
	stats->list[kind->index].name = arena_text(&stats->arena, name, strlen(name));
}

static int by_name(const void *left, const void *right)
{
	const struct event_stat *a = left;
	const struct event_stat *b = right;
	const int order = strcmp(a->provider, b->provider);

	return order ? order : strcmp(a->name, b->name);
}

static int by_count(const void *left, const void *right)
{
	const struct event_stat *a = left;
	const struct event_stat *b = right;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return by_name(left, right);
}

static void add(struct event_stat *sum, const struct event_stat *stat)
{
	if (!sum->count || stat->first_ns < sum->first_ns)
		sum->first_ns = stat->first_ns;
	if (!sum->count || stat->last_ns > sum->last_ns)
		sum->last_ns = stat->last_ns;
	sum->count += stat->count;
	sum->bytes += stat->bytes;
	sum->stacks += stat->stacks;
	sum->frames += stat->frames;
	if (stat->largest > sum->largest)
		sum->largest = stat->largest;
}

void event_stats_finish(struct event_stats *stats)
{
	struct event_stat *list = stats->list;
	size_t met = 0;
	size_t merged = 0;

	for (size_t i = 0; i < stats->count; i++)
		if (list[i].count)
			list[met++] = list[i];
	if (met)
		qsort(list, met, sizeof(*list), by_name);
	for (size_t i = 0; i < met; i++) {
		add(&stats->all, &list[i]);
		if (merged && !by_name(&list[merged - 1], &list[i]))
			add(&list[merged - 1], &list[i]);
		else
			list[merged++] = list[i];
	}
	if (merged)
		qsort(list, merged, sizeof(*list), by_count);
	stats->count = merged;
}

void event_stats_release(struct event_stats *stats)
{
	free(stats->list);
	arena_release(&stats->arena);
	*stats = (struct event_stats){ 0 };
}
