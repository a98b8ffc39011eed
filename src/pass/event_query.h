/* SPDX-License-Identifier: MIT */
/*
 * event_query.h - which events are asked for: of a process, a thread, a stretch of time.
 *
 *	struct event_query query = EVENT_QUERY_ALL;
 *
 *	query.from_ns = 1500000000;
 *	if (event_query_passes(&query, event->thread, time_ns))
 *		...
 */
#ifndef PASS_EVENT_QUERY_H
#define PASS_EVENT_QUERY_H

#include "base/process_key.h"
#include "perfpipe/event.h"

struct event_query {
	bool has_process;
	bool has_thread;
	int64_t process_id;
	int64_t thread_id;
	int64_t from_ns; /* INT64_MIN: from the start; inclusive */
	int64_t to_ns;	 /* INT64_MAX: to the end; exclusive */
};

#define EVENT_QUERY_ALL                                                                            \
	{                                                                                          \
		.from_ns = INT64_MIN, .to_ns = INT64_MAX                                           \
	}

static inline bool event_query_is_all(const struct event_query *query)
{
	return !query->has_process && !query->has_thread && query->from_ns == INT64_MIN &&
	       query->to_ns == INT64_MAX;
}

/* For what has no time, or one that does not matter. */
static inline bool event_query_asks_for(const struct event_query *query, int64_t process_id)
{
	return !query->has_process || process_key_id(process_id) == query->process_id;
}

/* For what concerns a whole process, whichever thread it happened on: a garbage collection. */
static inline bool event_query_passes_process(const struct event_query *query, int64_t process_id,
					      int64_t time_ns)
{
	return event_query_asks_for(query, process_id) && time_ns >= query->from_ns &&
	       time_ns < query->to_ns;
}

static inline bool event_query_passes_thread(const struct event_query *query, int64_t process_id,
					     int64_t thread_id, int64_t time_ns)
{
	return (!query->has_thread || thread_id == query->thread_id) &&
	       event_query_passes_process(query, process_id, time_ns);
}

static inline bool event_query_passes(const struct event_query *query,
				      const struct pp_thread *thread, int64_t time_ns)
{
	return event_query_passes_thread(query, thread->process_id, thread->id, time_ns);
}

/* The query's stretch of time within that of the trace. */
static inline int64_t event_query_from(const struct event_query *query, int64_t first_ns)
{
	return query->from_ns > first_ns ? query->from_ns : first_ns;
}

static inline int64_t event_query_to(const struct event_query *query, int64_t last_ns)
{
	return query->to_ns < last_ns ? query->to_ns : last_ns;
}

#endif
