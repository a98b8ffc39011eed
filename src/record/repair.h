/* SPDX-License-Identifier: MIT */
/*
 * repair.h - a recording whose process was killed gets its names and its end.
 *
 * A runtime names the methods of a recording at the very end, in its rundown. One
 * that is killed leaves a file that is torn somewhere and names nothing. What is
 * torn is cut off, the rundown that was recorded earlier and kept aside is added
 * behind the last event, and then one event (base/recording_end.h) that says how
 * the recording ended; so that every reader finds a whole trace.
 *
 *	const struct repair repair = { .path = "app.nettrace", .stopped_by = "target killed",
 *				   .rundown = names.fd };
 *
 *	if (repair_file(&repair, &err))
 *		return -1;
 */
#ifndef RECORD_REPAIR_H
#define RECORD_REPAIR_H

#include "perfpipe/nettrace_append.h"

struct repair {
	const char *path; /* NetTrace 4, uncompressed; changed in place. For repair_file() */

	int rundown;		/* a recording of the same process, an open file; 0: none */
	const char *stopped_by; /* for the event */
};

/*
 * A recording that has its end is left as it is. Where the file cannot be repaired,
 * nothing in it has been changed; a rundown that cannot be read in whole adds
 * what it has.
 */
int repair_file(const struct repair *repair, struct pp_error *err);

/*
 * The same for one whose bytes are still on their way, of which the sink has had those
 * before `tail->end`: packed, or to a pipe. Nothing is written if that cannot be.
 */
int repair_stream(const struct repair *repair, const struct pp_tail *tail,
		  const struct pp_sink *sink, struct pp_error *err);

#endif
