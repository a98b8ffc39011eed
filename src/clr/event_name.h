/* SPDX-License-Identifier: MIT */
/*
 * event_name.h - events called as the .NET tools call them.
 *
 * A name is a task, or a task and an opcode: "GC/Start". The runtime's own
 * events have theirs in a table, others in the trace's metadata, and an opcode
 * on a single event (a label) changes its second half. What has no name is
 * "EventID(7)".
 *
 *	struct event_identity event = { .provider = "Demo", .name = "JobStart",
 *					.opcode = -1, .label_opcode = -1 };
 *	event_display_name(&event, &arena); gives "Job/Start"
 */
#ifndef CLR_EVENT_NAME_H
#define CLR_EVENT_NAME_H

#include <stdint.h>

#include "base/arena.h"
#include "perfpipe/event.h"

struct event_identity {
	const char *provider;
	const char *name; /* in the metadata, "" if it has none */
	uint32_t id;
	int opcode;	  /* in the metadata, -1 if it has none */
	int label_opcode; /* in the labels of this one event, -1 if they have none */
};

/* Lives in the arena or for ever. */
const char *event_display_name(const struct event_identity *event, struct arena *arena);

/* The same of all events of a kind whose labels do not say otherwise. */
const char *event_kind_name(const struct pp_kind *kind, struct arena *arena);

#endif
