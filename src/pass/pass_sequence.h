/* SPDX-License-Identifier: MIT */
/*
 * pass_sequence.h - a pass over several traces, one after the other, as if they were one.
 *
 * Each trace begins where the one before it ended, so that times go on and lengths add up. Events,
 * kinds, threads and stacks are numbered over all traces; to analyses all of it is one trace.
 * Processes of two traces are two, even if their ids are the same (base/process_key.h), unless the
 * second trace goes on with the first: same process id, same clock, no pause between them. The
 * files of one recording are such traces.
 *
 *	struct pass_sequence sequence = { .all = &pass };
 *
 *	while ((file = trace_file_open(...))) {
 *		next = pass_sequence_file(&sequence, file, &err);
 *		pass_end_trace(&pass, file->trace);
 *		pass_sequence_go_on(&sequence, end_ns);
 *	}
 *	pass_finish(&pass, NULL);
 *	pass_sequence_release(&sequence);
 *	(only now are the files closed: analyses refer to their names)
 */
#ifndef PASS_PASS_SEQUENCE_H
#define PASS_PASS_SEQUENCE_H

#include "base/map.h"
#include "pass/pass.h"

#define PASS_SEQUENCE_PAUSE_NS INT64_C(1000000000) /* at most, between files of one recording */

/* What the current trace numbers, by its index there; and how many all traces have. */
struct sequence_table {
	void **list;
	size_t count;
	size_t all;
};

/* When a trace was recorded, and when its clock began, in Unix time. */
struct sequence_time {
	int64_t from_ns, to_ns, clock_ns;
};

struct pass_sequence {
	struct pass *all;
	struct pass *alone; /* sees the current trace only; or NULL */

	uint32_t number;		/* of the current trace, from 0 */
	int64_t start_ns;		/* where it begins */
	struct pp_trace_header *header; /* its own, but for that; NULL: there was no event */
	struct sequence_time *times;	/* of all traces */
	size_t time_count;
	struct sequence_table kinds, threads, stacks;
	struct map processes; /* by id, the newest */
};

/* All events of the file, as far as it can be read. */
enum pp_next pass_sequence_file(struct pass_sequence *sequence, struct trace_file *file,
				struct pp_error *err);

/* Another trace follows, and begins at this time. */
void pass_sequence_go_on(struct pass_sequence *sequence, int64_t start_ns);

void pass_sequence_release(struct pass_sequence *sequence);

#endif
