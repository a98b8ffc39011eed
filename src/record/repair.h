/* SPDX-License-Identifier: MIT */
/*
 * repair.h - method names and an end for the trace of a process that was killed.
 *
 * A runtime lists the methods of a trace at the very end, in its rundown. One that is killed leaves
 * a file that is torn somewhere and has no names. The torn block is cut off; an early rundown is
 * added after the last event, and then one event (nettrace/recording_end.h) that says how the
 * recording ended. So every reader finds a whole trace.
 *
 *	const struct repair repair = { .stopped_by = "target killed", .rundown = early.fd };
 *
 *	if (repair_stream(&repair, &tail, &sink, &err))
 *		return -1;
 */
#ifndef RECORD_REPAIR_H
#define RECORD_REPAIR_H

#include "perfpipe/nettrace_append.h"

struct repair {
	int rundown;		/* open file of an early rundown of the same process; 0: none */
	const char *stopped_by; /* text for the event */
	uint64_t *added;	/* where added events are counted; or NULL */
};

/*
 * The sink has received the bytes before `tail->end`. Nothing is written if the trace cannot be
 * repaired; of a rundown that is torn itself, the readable part is added.
 */
int repair_stream(const struct repair *repair, const struct pp_tail *tail,
		  const struct pp_sink *sink, struct pp_error *err);

#endif
