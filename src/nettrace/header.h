/* SPDX-License-Identifier: MIT */
/*
 * header.h - the trace object, in each version.
 */
#ifndef NETTRACE_HEADER_H
#define NETTRACE_HEADER_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/error.h"
#include "perfpipe/nettrace.h"

/* Size of the trace object in versions 1 and 2, and in 3 to 5. */
#define HEADER_SIZE_V1 36u
#define HEADER_SIZE_V3 48u

/*
 * Fills `header`, whose `netperf`, `version` and `minor_version` are set, from the trace object.
 * Properties of version 6 go into the arena.
 */
int header_parse(struct pp_trace_header *header, struct cursor c, struct arena *arena,
		 struct pp_error *err);

#endif
