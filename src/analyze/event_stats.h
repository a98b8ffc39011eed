/* SPDX-License-Identifier: MIT */
/*
 * event_stats.h - how many events of which name, how large, and how many with a stack.
 *
 * Events of one provider and one name count together, whatever their ids and versions.
 * Memory grows with the kinds only.
 *
 *	struct event_stats stats = { 0 };
 *
 *	event_stats_add(&stats, event, time_ns);
 *	event_stats_finish(&stats);
 *	event_stats_release(&stats);
 */
#ifndef ANALYZE_EVENT_STATS_H
#define ANALYZE_EVENT_STATS_H

#include "base/arena.h"
#include "perfpipe/event.h"

struct event_stat {
	const char *provider;
	const char *name; /* as the .NET tools show it */
	uint64_t count;
	uint64_t bytes; /* of payloads */
	uint64_t largest;
	uint64_t stacks; /* events that have one */
	uint64_t frames; /* of those, in all */
	int64_t first_ns, last_ns;
};

struct event_stats {
	struct arena arena;
	struct event_stat *list; /* by kind index until finished, then most events first */
	size_t count;
	struct event_stat all; /* after event_stats_finish() */
};

/* The first event of a kind: makes room for it. */
void event_stats_meet(struct event_stats *stats, const struct pp_kind *kind);

static inline void event_stats_add(struct event_stats *stats, const struct pp_event *event,
				   int64_t time_ns)
{
	struct event_stat *stat;

	if (event->kind->index >= stats->count || !stats->list[event->kind->index].name)
		event_stats_meet(stats, event->kind);
	stat = &stats->list[event->kind->index];
	if (!stat->count || time_ns < stat->first_ns)
		stat->first_ns = time_ns;
	if (!stat->count || time_ns > stat->last_ns)
		stat->last_ns = time_ns;
	stat->count++;
	stat->bytes += event->payload_size;
	if (event->payload_size > stat->largest)
		stat->largest = event->payload_size;
	if (event->stack && event->stack->count) {
		stat->stacks++;
		stat->frames += event->stack->count;
	}
}

void event_stats_finish(struct event_stats *stats);
void event_stats_release(struct event_stats *stats);

#endif
