/* SPDX-License-Identifier: MIT */
/*
 * stopping_event.h - the event that ends a recording.
 *
 * It is known by its provider, its name (as perfpipe shows it, Task/Opcode, or as its source
 * calls it) and a filter on its fields. Case does not matter in any of them.
 *
 *	filter := pair { "," pair }	all of which must match
 *	pair   := field ":" value
 *	value  := bare | '"' any '"'	a bare one ends at the next comma, and may contain colons
 *
 *	const struct stopping_event event = { .provider = "Orders", .name = "Order/Stop",
 *					      .filter = "id:17,customer:\"a, b\"" };
 *
 * Values are compared as in `perfpipe events --where FIELD==VALUE`. If such events have none of
 * the fields, a note says so once, and the recording goes on.
 */
#ifndef RECORD_STOPPING_EVENT_H
#define RECORD_STOPPING_EVENT_H

#include "base/buffer.h"
#include "pass/pass.h"

struct stopping_event {
	const char *provider;
	const char *name;   /* NULL: any event of the provider */
	const char *filter; /* NULL: any fields */

	void (*note)(void *context, const char *sentence); /* or NULL */
	void *context;
};

/* Are all parts there that others need, and is the filter well-formed? */
int stopping_event_check(const struct stopping_event *event, struct pp_error *err);

/* Stops the pass when it comes; its options are a struct stopping_event that was checked. */
extern const struct analysis stopping_event_analysis;

/* The filter as an expression of analyze/where.h, with a NUL at its end. */
int stopping_filter_expression(const char *filter, struct buffer *out, struct pp_error *err);

#endif
