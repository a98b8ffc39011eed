/* SPDX-License-Identifier: MIT */
/*
 * trace_links.h - the trace and span of distributed tracing that a sample belongs to, as recorded
 * with the events that samples are made of.
 *
 * A link is a number, common to all traces; 0 is none.
 */
#ifndef EXPORT_TRACE_LINKS_H
#define EXPORT_TRACE_LINKS_H

#include "base/intern.h"
#include "perfpipe/event.h"

struct export_link {
	uint8_t trace_id[16];
	uint8_t span_id[8]; /* the first digit first; zeros: unknown */
};

struct export_links {
	struct export_link *list; /* the first stands for none */
	size_t count, capacity;
	struct map by_content; /* of base/intern.h: number */
	struct arena arena;
};

/* The event's link, or 0. */
uint32_t export_link_of(struct export_links *links, const struct pp_event *event);
void export_links_release(struct export_links *links);

#endif
