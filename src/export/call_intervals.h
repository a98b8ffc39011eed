/* SPDX-License-Identifier: MIT */
/*
 * call_intervals.h - a thread's samples as calls that begin and end.
 *
 * A sample lasts as long as its weight, from its time or from the end of the one before. So calls
 * add up to the figures of the report, and times are off by less than a sample. Between two samples
 * only the calls that differ end and begin; as callers have smaller numbers, the last common call
 * is found without depths. Counts lie on an axis from 0.
 *
 *	struct call_intervals calls = { .source = source, .to = self, .at = set_time,
 *					.open = open_call, .close = close_call };
 *	call_intervals_walk(&calls, thread);	(sets the time before it opens and closes)
 *	call_intervals_release(&calls);
 */
#ifndef EXPORT_CALL_INTERVALS_H
#define EXPORT_CALL_INTERVALS_H

#include "export/source.h"

struct call_intervals {
	/* the caller's */
	const struct export_source *source;
	void *to;
	void (*at)(void *to, int64_t time);
	void (*open)(void *to, uint32_t frame);
	void (*close)(void *to, uint32_t frame);

	/* of the last thread */
	int64_t start;
	int64_t end;

	const struct export_stacks *stacks;
	uint32_t *path; /* of calls to be opened, the innermost first */
	size_t path_capacity;
	uint32_t node; /* the innermost call that is open */
	uint32_t leaf; /* open below it, or EXPORT_NONE */
};

void call_intervals_walk(struct call_intervals *calls, const struct export_thread *thread);
void call_intervals_release(struct call_intervals *calls);

#endif
