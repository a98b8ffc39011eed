/* SPDX-License-Identifier: MIT */
/*
 * awaits.h - awaits as samples of the view threadtime: the time until a method continued, in which
 * its thread did something else.
 *
 * Many awaits of a process overlap, and no sample of a thread may. So they are on tracks of their
 * own, which formats show as threads: as many as there are awaits at a time.
 */
#ifndef EXPORT_AWAITS_H
#define EXPORT_AWAITS_H

#include "model/samples.h"

#define EXPORT_AWAITS_ID   5000000 /* of their first track: more than the id of a thread */
#define EXPORT_AWAITS_NAME "Awaits"

struct export_part;

struct await_track {
	uint32_t process; /* of the model */
	uint32_t number;  /* within its process */
};

struct export_awaits {
	struct samples samples; /* by track */
	struct await_track *tracks;
	size_t track_count, track_capacity;
};

/* Once tasks are joined; the part's query selects them. */
void export_awaits_take(struct export_part *part);

void export_awaits_release(struct export_awaits *awaits);

#endif
