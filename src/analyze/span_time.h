/* SPDX-License-Identifier: MIT */
/*
 * span_time.h - where the time of an activity went.
 *
 * A thread's time belongs to the activity that the thread is in, and to all around it; so does
 * the time of an await. Other time is spent waiting for something that was not recorded: gaps of
 * a millisecond and more are unknown time.
 *
 * The model must have been filled with activities, and with tasks for awaits.
 */
#ifndef ANALYZE_SPAN_TIME_H
#define ANALYZE_SPAN_TIME_H

#include "analyze/thread_time.h"

struct span_time {
	uint64_t cpu_ns;
	uint64_t blocked_ns; /* threads waited or were in native code */
	uint64_t await_ns;
	uint64_t unknown_ns; /* 0 of an activity that did not end */
	int64_t known_until_ns;
};

/* By number of the span; to be freed. */
struct span_time *span_time_of(const struct model *model, const struct sample_query *query);

#endif
