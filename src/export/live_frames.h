/* SPDX-License-Identifier: MIT */
/*
 * live_frames.h - names for stacks of events that are shown as they happen.
 *
 * Names come from streams of their own, read by passes to which live_frames_listen() is added; an
 * address has the name that it has now. A method that was compiled a moment ago may be reported
 * later than the first event with it on its stack: then `more` waits for it.
 *
 *	struct live_frames *frames = live_frames_new(read_more, context);
 *
 *	live_frames_listen(frames, &pass);
 *	frame = live_frames_get(frames, process_id, address);
 *	live_frames_free(frames);
 */
#ifndef EXPORT_LIVE_FRAMES_H
#define EXPORT_LIVE_FRAMES_H

#include "export/event_frames.h"

struct live_frames;

/* Reads more names, or waits for them for up to `wait_ms`; false: none came. */
typedef bool live_frames_more(void *context, int wait_ms);

struct live_frames *live_frames_new(live_frames_more *more, void *context);
void live_frames_free(struct live_frames *frames); /* takes NULL */

/* For two passes at most; names of the first one are newer. */
void live_frames_listen(struct live_frames *frames, struct pass *pass);

struct event_frame live_frames_get(struct live_frames *frames, int64_t process_id,
				   uint64_t address);

#endif
