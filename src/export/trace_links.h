/* SPDX-License-Identifier: MIT */
/*
 * trace_links.h - which trace and span of distributed tracing a sample belongs to, where the events
 * that samples are made of say so.
 *
 * A link is a number: 0 is none. Links are those of all traces together.
 */
#ifndef EXPORT_TRACE_LINKS_H
#define EXPORT_TRACE_LINKS_H

#include "base/map.h"
#include "perfpipe/event.h"

struct export_link {
	uint8_t trace_id[16];
	uint8_t span_id[8]; /* as it is written: the first digit first; zeros: not known */
};

struct export_links {
	struct export_link *list; /* the first stands for none */
	size_t count, capacity;
	struct map by_content;
};

/* The event's link, or 0. */
uint32_t export_link_of(struct export_links *links, const struct pp_event *event);
void export_links_release(struct export_links *links);

#endif
