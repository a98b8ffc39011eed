/* SPDX-License-Identifier: MIT */
/*
 * by_time.h - the samples of all threads in order of time, for formats that are one list.
 *
 *	struct by_time walk;
 *	const struct export_thread *thread;
 *	struct export_sample sample;
 *
 *	by_time_begin(&walk, source);
 *	while ((thread = by_time_next(&walk, &sample)))
 *		use(thread, &sample);
 *	by_time_release(&walk);
 */
#ifndef EXPORT_BY_TIME_H
#define EXPORT_BY_TIME_H

#include "base/earliest.h"
#include "export/source.h"

struct by_time_row {
	struct export_walk walk;
	struct export_sample next;
};

struct by_time {
	const struct export_source *source;
	struct by_time_row *rows; /* by thread */
	struct earliest order;
};

void by_time_begin(struct by_time *walk, const struct export_source *source);

/* NULL at the end. */
const struct export_thread *by_time_next(struct by_time *walk, struct export_sample *sample);
void by_time_release(struct by_time *walk);

#endif
