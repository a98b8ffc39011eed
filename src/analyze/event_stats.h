/* SPDX-License-Identifier: MIT */
/*
 * event_stats.h - events by name: how many, how large, and how many with a stack.
 *
 * Events of one provider and one name count together, whatever their ids and versions.
 * Memory grows with the kinds only.
 *
 *	const struct event_stats *stats = pass_want(&pass, &event_stats_analysis, NULL);
 */
#ifndef ANALYZE_EVENT_STATS_H
#define ANALYZE_EVENT_STATS_H

#include "pass/pass.h"

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
	struct event_stat *list; /* by kind->index; at the end most events first */
	size_t count;
	struct event_stat all; /* at the end */
};

extern const struct analysis event_stats_analysis;

#endif
