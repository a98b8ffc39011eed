/* SPDX-License-Identifier: MIT */
#include "analyze/event_stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_name.h"

/* Kinds go with their reader, so names are copied. */
static void add_kind(struct event_stats *stats, const struct pp_kind *kind, struct arena *arena)
{
	const char *name = event_kind_name(kind, arena);

	stats->list = xroom(stats->list, &stats->count, kind->index, sizeof(*stats->list));
	stats->list[kind->index].provider =
		arena_text(arena, kind->provider, strlen(kind->provider));
	stats->list[kind->index].name = arena_text(arena, name, strlen(name));
}

static void count_event(void *self, const struct event_context *at)
{
	const struct pp_event *event = at->event;
	struct event_stats *stats = self;
	struct event_stat *stat;

	if (!at->wanted)
		return;
	if (event->kind->index >= stats->count || !stats->list[event->kind->index].name)
		add_kind(stats, event->kind, &at->pass->arena);
	stat = &stats->list[event->kind->index];
	if (!stat->count || at->time_ns < stat->first_ns)
		stat->first_ns = at->time_ns;
	if (!stat->count || at->time_ns > stat->last_ns)
		stat->last_ns = at->time_ns;
	stat->count++;
	stat->bytes += event->payload_size;
	if (event->payload_size > stat->largest)
		stat->largest = event->payload_size;
	if (event->stack && event->stack->count) {
		stat->stacks++;
		stat->frames += event->stack->count;
	}
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

static void finish(void *self, const struct pass *pass)
{
	struct event_stats *stats = self;
	struct event_stat *list = stats->list;
	size_t used = 0;
	size_t merged = 0;

	(void)pass;
	for (size_t i = 0; i < stats->count; i++)
		if (list[i].count)
			list[used++] = list[i];
	if (used)
		qsort(list, used, sizeof(*list), by_name);
	for (size_t i = 0; i < used; i++) {
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

static void release(void *self)
{
	struct event_stats *stats = self;

	xfree(stats->list);
}

const struct analysis event_stats_analysis = {
	.name = "eventstats",
	.size = sizeof(struct event_stats),
	.every = count_event,
	.finish = finish,
	.release = release,
};
