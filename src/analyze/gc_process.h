/* SPDX-License-Identifier: MIT */
/*
 * gc_process.h - the collections of one process, while events are read.
 */
#ifndef ANALYZE_GC_PROCESS_H
#define ANALYZE_GC_PROCESS_H

#include "analyze/gc.h"

#define GC_NONE SIZE_MAX

struct gc_process {
	struct gc_process *next;
	int64_t id;
	struct gc *list;
	size_t count, capacity;

	/* the current suspension; its thread is NULL if there is none */
	const struct pp_thread *suspender;
	uint32_t suspend_reason;
	int64_t suspend_ns;
	bool suspended;
	int64_t suspend_end_ns; /* if `suspended` */
	size_t suspended_for;	/* the first collection that began in it, or GC_NONE */

	size_t background;	/* the open one, or GC_NONE */
	size_t last_background; /* the last one that ended, or GC_NONE */
	int64_t last_end_ns;
	uint64_t ticked[3];
	uint64_t ticked_before[3]; /* at the last collection's end */
};

extern const struct event_row gc_rows[];

struct gc_process *gc_process_of(struct gc_stats *stats, const struct event_context *at);

/* The collection that events without a number belong to, or NULL. */
struct gc *gc_current(struct gc_process *process);

/* The history of each heap's generations, and the one of all heaps together. */
event_handler gc_take_heap_history, gc_take_global_history;
extern const char gc_heap_history_fields[];
extern const char gc_global_history_fields[];

/* Passes on, as items, all collections or those that no event can change any more. */
void gc_pass_on(const struct gc_stats *stats, struct gc_process *process, bool all);

/* Derives what follows from all collections of a process. */
void gc_process_finish(struct gc_process *process);

#endif
