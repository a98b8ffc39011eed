/* SPDX-License-Identifier: MIT */
/*
 * runtime_trace.h - small traces of the .NET runtime's own events, for analyses.
 *
 * A tick is a nanosecond. Threads from RUNTIME_OTHER on belong to another process.
 *
 *	struct builder b = runtime_start();
 *	runtime_event(&b, 1, 7, 100, &payload);
 *	runtime_feed(&b, add, &stats);
 */
#ifndef RUNTIME_TRACE_H
#define RUNTIME_TRACE_H

#include "trace_reading.h"

#define RUNTIME_PROCESS 11
#define RUNTIME_OTHER	100

typedef void runtime_add(void *self, const struct pp_trace_header *header,
			 const struct pp_event *event);

/* Builds the trace up to an open block of events. */
struct builder runtime_start(void);

/* An event of the runtime, by id; `payload`, which may be NULL, is released. */
void runtime_event(struct builder *b, uint32_t id, uint64_t thread, int64_t ticks,
		   struct builder *payload);

/* A thread starts waiting for a lock, and gets it, after a time recorded in the event. */
void runtime_waits(struct builder *b, uint64_t thread, int64_t now, uint64_t lock, uint64_t owner);
void runtime_got_it_after(struct builder *b, uint64_t thread, int64_t now, double told_ns);

/* Reads the trace, or its first `size` bytes, and releases the builder. */
void runtime_feed(struct builder *b, runtime_add *add, void *self);
void runtime_feed_cut(struct builder *b, size_t size, runtime_add *add, void *self);

#endif
