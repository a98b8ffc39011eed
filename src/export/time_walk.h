/* SPDX-License-Identifier: MIT */
/*
 * time_walk.h - the samples of all threads in order of time, for formats that are one list.
 *
 *	struct time_walk walk;
 *	const struct export_thread *thread;
 *	struct export_sample sample;
 *
 *	time_walk_begin(&walk, source);
 *	while ((thread = time_walk_next(&walk, &sample)))
 *		use(thread, &sample);
 *	time_walk_release(&walk);
 */
#ifndef EXPORT_TIME_WALK_H
#define EXPORT_TIME_WALK_H

#include "base/merge_heap.h"
#include "export/source.h"

struct time_walk_thread {
	struct export_walk walk;
	struct export_sample next;
};

struct time_walk {
	const struct export_source *source;
	struct time_walk_thread *rows; /* by thread */
	struct merge_heap order;
};

void time_walk_begin(struct time_walk *walk, const struct export_source *source);

/* NULL at the end. */
const struct export_thread *time_walk_next(struct time_walk *walk, struct export_sample *sample);
void time_walk_release(struct time_walk *walk);

#endif
