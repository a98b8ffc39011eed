/* SPDX-License-Identifier: MIT */
/*
 * event_filter.h - which events are to be shown.
 *
 * Zero lets everything through, but for `to_ns`, which must be INT64_MAX. What
 * depends on an event's kind alone is decided once a kind.
 */
#ifndef EXPORT_EVENT_FILTER_H
#define EXPORT_EVENT_FILTER_H

#include "analyze/where.h"
#include "export/event_format.h"

struct event_filter {
	const char *provider; /* patterns with * and ?, in any case; NULL: any */
	const char *name;
	bool has_id, has_thread, has_process, has_level;
	uint64_t id;
	uint64_t thread;
	uint64_t process;
	uint64_t level;	   /* this one and those that matter more */
	uint64_t keywords; /* at least one in common; 0: any */
	bool has_from;
	int64_t from_ns;     /* included */
	int64_t to_ns;	     /* excluded */
	struct where *where; /* on the payload; NULL: any */

	uint64_t asked;	 /* how many events there were, */
	uint64_t passed; /* and how many were let through */
	char *kinds;	 /* by index: not asked yet, let through, or not */
	size_t kind_count;
	struct value *values; /* of one payload, for `where` */
	size_t value_capacity;
	struct buffer texts; /* of those values */
};

void event_filter_release(struct event_filter *filter);

bool event_filter_passes(struct event_filter *filter, struct event_output *output,
			 const struct pp_event *event);

#endif
