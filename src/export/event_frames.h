/* SPDX-License-Identifier: MIT */
/*
 * event_frames.h - names for the addresses of events' stacks.
 *
 * Most names are at the end of a trace, so it is read twice: first for the names, then to show the
 * events. Both times in the same order, since an address may mean different methods over time.
 *
 *	struct event_frames *frames = event_frames_new();
 *
 *	event_frames_learn(frames, &first);	(a pass over the whole trace)
 *	pass_file(&first, file, &err);
 *	event_frames_finish(frames, &first, file->trace);
 *	event_frames_follow(frames, &second);	(the pass whose events are shown)
 *	for each event of that: event_frames_look_up(frames, at);
 *	event_frames_free(frames);
 *
 * Events that are shown as they happen have their names from live_frames.h.
 */
#ifndef EXPORT_EVENT_FRAMES_H
#define EXPORT_EVENT_FRAMES_H

#include "base/buffer.h"
#include "pass/pass.h"

struct event_frames;
struct fill_symbols;
struct live_frames;

struct event_frame {
	const char *name;   /* NULL: unknown */
	const char *module; /* the same */
	bool has_offset;
	uint64_t offset;  /* in the method, or else in the module's file */
	const char *file; /* of the source, or NULL */
	uint32_t line;	  /* 0: unknown, or not asked for */
	uint32_t inlined; /* calls inlined there: see event_frames_inlined() */
	uint32_t code;	  /* for that */
};

/* How native code is named; or NULL: by the trace alone. */
struct event_frames *event_frames_new(const struct fill_symbols *symbols);
struct event_frames *event_frames_new_live(struct live_frames *live); /* which is taken */
void event_frames_free(struct event_frames *frames);		      /* takes NULL */

void event_frames_learn(struct event_frames *frames, struct pass *pass);
void event_frames_finish(struct event_frames *frames, struct pass *pass,
			 const struct pp_nettrace *trace);

/* Due before the analysis that shows events is added to the pass. */
void event_frames_follow(struct event_frames *frames, struct pass *pass);

/* Sets the event whose stack event_frames_get() is about, leaf first. */
void event_frames_look_up(struct event_frames *frames, const struct event_context *at);
struct event_frame event_frames_get(const struct event_frames *frames, size_t place);

/* A call inlined there, the innermost first: its name, and its line if that is asked for. */
struct event_frame event_frames_inlined(const struct event_frames *frames,
					const struct event_frame *in, uint32_t number);

/*
 * ,"frames":[{"name":..,"module":..,"offset":..},..], where known with "file" and "line", and with
 * the calls inlined there as "inlined":[{"name":..},..]
 */
void event_put_frames(struct buffer *out, const struct event_frames *frames,
		      const struct pp_stack *stack);

#endif
