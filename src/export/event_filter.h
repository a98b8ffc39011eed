/* SPDX-License-Identifier: MIT */
/*
 * event_filter.h - which events to show, by kind and payload.
 *
 * The pass has already decided on process, thread and time (event_context.wanted). A zeroed filter
 * lets everything through. What depends on the kind of an event is decided once per kind.
 */
#ifndef EXPORT_EVENT_FILTER_H
#define EXPORT_EVENT_FILTER_H

#include "analyze/where.h"
#include "export/event_format.h"
#include "export/event_names.h"
#include "pass/pass.h"
#include "payload/payload_values.h"

struct event_filter {
	const char *provider; /* patterns with * and ?, in any case; NULL: any */
	const char *name;
	bool has_id, has_level;
	uint64_t id;
	uint64_t level;	     /* this one and more important ones */
	uint64_t keywords;   /* at least one in common; 0: any */
	struct where *where; /* on the payload; NULL: any */

	struct event_names names; /* of all events */
	uint64_t asked;		  /* events seen */
	uint64_t passed;	  /* events let through */
	char *kinds;		  /* by index: an enum verdict */
	size_t kind_count;
	struct payload_values values; /* for `where` */
};

void event_filter_release(struct event_filter *filter);

/* A pattern with * and ?, in any case; NULL: any text. */
bool event_pattern_matches(const char *pattern, const char *text);

bool event_filter_passes(struct event_filter *filter, struct event_output *output,
			 const struct event_context *at);

/* At the end: an error if there were events, but none was let through. */
int event_filter_check(const struct event_filter *filter, struct pp_error *err);

#endif
