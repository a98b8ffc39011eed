/* SPDX-License-Identifier: MIT */
/*
 * stopping_event.h - the event that ends a recording.
 *
 * Named by its provider, its name (as perfpipe shows it, Task/Opcode, or as its source
 * calls it) and a filter on its fields, all in any case:
 *
 *	filter := pair { "," pair }
 *	pair   := field ":" value	of which all must hold
 *	value  := bare | '"' any '"'	a bare one goes up to the next comma, and may hold colons
 *
 * Values are compared as `perfpipe events --where FIELD==VALUE` does. A field that such
 * events do not have is told once, and the recording goes on.
 */
#ifndef CLI_STOPPING_EVENT_H
#define CLI_STOPPING_EVENT_H

#include "base/buffer.h"
#include "record/segment.h"

struct stopping_event {
	const char *provider;
	const char *name;   /* NULL: any of the provider's */
	const char *filter; /* NULL: whatever its fields are */
};

/* Do its parts go together, and does the filter make sense? */
int stopping_event_check(const struct stopping_event *event, struct pp_error *err);

/* Watches for it; `event` is borrowed. */
struct recording_observer stopping_event_observer(const struct stopping_event *event);

/* The filter as an expression of analyze/where.h, with a NUL behind it. */
int stopping_filter_expression(const char *filter, struct buffer *out, struct pp_error *err);

#endif
