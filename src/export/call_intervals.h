/* SPDX-License-Identifier: MIT */
/*
 * call_intervals.h - a thread's samples as calls that begin and end.
 *
 * A sample lasts for its weight, from its time on or from where the one before it ends. So
 * what a call shows adds up to what the report says, and a time is off by less than one
 * sample. Between two samples only the calls that differ end and begin; since nodes have
 * larger numbers than their callers, the call that both have is found without depths. What is
 * counted, and no time, lies on an axis that begins with 0.
 *
 *	struct call_intervals calls = { .source = source, .to = self, .at = at, .open = o, .close =
 *c }; call_intervals_walk(&calls, thread);	(at() comes before what happens then)
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

	/* of the thread that was walked last */
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
