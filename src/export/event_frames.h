/* SPDX-License-Identifier: MIT */
/*
 * event_frames.h - names for the addresses of events' stacks.
 *
 * Most names stand at the end of a trace, so it is read twice: first all events are
 * learnt, then they are shown. Both times events must come in the same order, since
 * an address may mean one method now and another later.
 *
 *	struct event_frames *frames = event_frames_new();
 *	for each event: event_frames_learn(frames, header, event);
 *	event_frames_finish(frames, trace);
 *	for each event, again: event_frames_meet(frames, header, event);
 *	event_frames_free(frames);
 */
#ifndef EXPORT_EVENT_FRAMES_H
#define EXPORT_EVENT_FRAMES_H

#include "base/buffer.h"
#include "perfpipe/nettrace.h"

struct event_frames;

struct event_frame {
	const char *name;   /* NULL: not known */
	const char *module; /* the same */
	bool has_offset;
	uint64_t offset; /* in the method, or else in the module's file */
};

struct event_frames *event_frames_new(void);
void event_frames_free(struct event_frames *frames); /* takes NULL */

void event_frames_learn(struct event_frames *frames, const struct pp_trace_header *header,
			const struct pp_event *event);
void event_frames_finish(struct event_frames *frames, const struct pp_nettrace *trace);

/* The event at hand is this one; event_frames_get() is about its stack, leaf first. */
void event_frames_meet(struct event_frames *frames, const struct pp_trace_header *header,
		       const struct pp_event *event);
struct event_frame event_frames_get(const struct event_frames *frames, size_t place);

/* ,"frames":[{"name":..,"module":..,"offset":..},..] */
void event_put_frames(struct buffer *out, const struct event_frames *frames,
		      const struct pp_stack *stack);

#endif
