/* SPDX-License-Identifier: MIT */
/*
 * span_time.h - activities by name: how many, how long, and how that time was spent.
 *
 * A thread's time belongs to the activity that the thread is in, and to all around it; so does
 * the time of an await. Other time is spent waiting for something that was not recorded: gaps of
 * a millisecond and more are unknown time. Of a query with stacks, activities are those that have
 * time at such stacks, and their time is that one.
 *
 * The model must have been filled with activities, and with tasks for awaits.
 *
 *	struct span_rows rows = span_rows_of(&model, &query);
 *	...
 *	span_rows_release(&rows);
 */
#ifndef ANALYZE_SPAN_TIME_H
#define ANALYZE_SPAN_TIME_H

#include "analyze/thread_time.h"

struct span_time {
	uint64_t cpu_ns;
	uint64_t ready_ns;   /* threads waited for a processor */
	uint64_t blocked_ns; /* threads waited or were in native code */
	uint64_t await_ns;
	uint64_t unknown_ns; /* 0 of an activity that did not end */
	int64_t known_until_ns;
};

/*
 * Calls `take` for each activity, in the order in which they end. Memory grows with those that are
 * open at a time, and by 8 bytes for each id of an activity.
 */
typedef void span_time_take(void *to, const struct model_span *span, const struct span_time *time);

void span_times(const struct model *model, const struct sample_query *query, span_time_take *take,
		void *to);

/* Activities of one name. */
struct span_row {
	const char *provider;
	const char *name;
	uint64_t count;
	uint64_t unfinished; /* without a length */
	uint64_t total_ns;
	uint64_t longest_ns;
	struct span_time time; /* of all together */
};

struct span_rows {
	struct span_row *rows; /* most time first */
	size_t count, capacity;
};

struct span_rows span_rows_of(const struct model *model, const struct sample_query *query);

void span_rows_release(struct span_rows *rows);

#endif
