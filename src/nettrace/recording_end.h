/* SPDX-License-Identifier: MIT */
/*
 * recording_end.h - the event Perfpipe/RecordingEnd, which says that the recording of a
 * repaired or truncated trace did not end normally, and why.
 *
 * It is the last event of the trace. A trace that has it is not complete.
 */
#ifndef NETTRACE_RECORDING_END_H
#define NETTRACE_RECORDING_END_H

#include <string.h>

#include "perfpipe/event.h"

#define RECORDING_END_PROVIDER "Perfpipe"
#define RECORDING_END_NAME     "RecordingEnd"
#define RECORDING_END_ID       1

/* Its only field, "stopped_by", is a string such as "target killed" or "a cut at byte 20000". */
extern const struct pp_kind recording_end_kind;

static inline bool is_recording_end(const struct pp_kind *kind)
{
	return kind->id == RECORDING_END_ID && !strcmp(kind->provider, RECORDING_END_PROVIDER) &&
	       !strcmp(kind->name, RECORDING_END_NAME);
}

#endif
