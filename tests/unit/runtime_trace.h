/* SPDX-License-Identifier: MIT */
/*
 * runtime_trace.h - small traces of the .NET runtime's own events, for analyses.
 *
 * A tick is a nanosecond. Threads from RUNTIME_OTHER on belong to another process.
 *
 *	struct builder b = runtime_start();
 *	runtime_event(&b, 1, 7, 100, &payload);
 *	stats = runtime_analyze(&b, &gc_analysis, NULL, &pass);
 */
#ifndef RUNTIME_TRACE_H
#define RUNTIME_TRACE_H

#include "pass/pass.h"
#include "trace_reading.h"

#define RUNTIME_PROCESS 11
#define RUNTIME_OTHER	100

/* Builds the trace up to an open block of events. */
struct builder runtime_start(void);

/* An event of the runtime, by id; `payload`, which may be NULL, is released. */
void runtime_event(struct builder *b, uint32_t id, uint64_t thread, int64_t ticks,
		   struct builder *payload);

/* A thread starts waiting for a lock, and gets it, after a time recorded in the event. */
void runtime_waits(struct builder *b, uint64_t thread, int64_t now, uint64_t lock, uint64_t owner);
void runtime_got_it_after(struct builder *b, uint64_t thread, int64_t now, double recorded_ns);

/*
 * Analyzes the trace and releases its builder; the result belongs to a new pass, which the caller
 * releases. The number of an event's stack is that of its thread.
 */
void *runtime_analyze(struct builder *b, const struct analysis *analysis,
		      const struct event_query *query, struct pass *pass);

/* The same for the first `size` bytes only. */
void *runtime_analyze_cut(struct builder *b, size_t size, const struct analysis *analysis,
			  struct pass *pass);

/* Runs the caller's pass over the whole trace and finishes it. */
void runtime_feed(struct builder *b, struct pass *pass);

/* For pass.stacks, as above. */
struct recorded_stack runtime_stack(void *object, const struct event_context *at);

#endif
