/* SPDX-License-Identifier: MIT */
/*
 * counters.h - EventCounters: what a program's counters had every so often.
 *
 * Any provider may have them; their event is called EventCounters and has one object with a
 * Name, and a Mean or an Increment.
 */
#ifndef EXPORT_COUNTERS_H
#define EXPORT_COUNTERS_H

#include "export/spans.h"
#include "payload/payload.h"

struct counters {
	struct plans plans;
	struct payload payload;
};

void counters_event(struct counters *counters, struct export_source *source,
		    const struct pp_event *event);
void counters_release(struct counters *counters);

/* A point of the counter of that name, which is added if it is new. */
void export_counter_add(struct export_source *source, uint32_t process, const char *name,
			const char *unit, const struct export_point *point);

#endif
