/* SPDX-License-Identifier: MIT */
/*
 * event_name.h - event names as the .NET tools print them.
 *
 * A name is a task, or a task and an opcode: "GC/Start". The names of the runtime's own events are
 * in a table, others in the trace's metadata, and an opcode on a single event (a label) changes the
 * second half. An event without a name is "EventID(7)".
 *
 *	struct event_identity event = { .provider = "Demo", .name = "JobStart",
 *					.opcode = -1, .label_opcode = -1 };
 *	event_display_name(&event, &arena); returns "Job/Start"
 */
#ifndef CLR_EVENT_NAME_H
#define CLR_EVENT_NAME_H

#include <stdint.h>

#include "base/arena.h"
#include "perfpipe/event.h"

struct event_identity {
	const char *provider;
	const char *name; /* from the metadata, or "" */
	uint32_t id;
	int opcode;	  /* from the metadata, or -1 */
	int label_opcode; /* from the labels of a single event, or -1 */
};

/* In the arena, or a constant. */
const char *event_display_name(const struct event_identity *event, struct arena *arena);

/* The name of an event of this kind, with the opcode of its labels or -1. */
const char *event_labelled_name(const struct pp_kind *kind, int label_opcode, struct arena *arena);

/* From the metadata, or implied by a name such as "JobStart"; -1: none. */
int event_kind_opcode(const struct pp_kind *kind);

/* The name of the events of a kind whose labels do not change it. */
const char *event_kind_name(const struct pp_kind *kind, struct arena *arena);

#endif
