/* SPDX-License-Identifier: MIT */
/*
 * gc_process.h - what the parts of gc.h share.
 */
#ifndef ANALYZE_GC_PROCESS_H
#define ANALYZE_GC_PROCESS_H

#include "analyze/gc.h"

extern const struct event_row gc_rows[];

struct gc_process *gc_process_of(struct gc_stats *stats, const struct pp_event *event);

/* The collection that events without a number are about, or NULL. */
struct gc *gc_current(struct gc_process *process);

/* What each heap tells of its generations, and the one summary of all heaps. */
event_handler gc_take_heap_history, gc_take_global_history;
extern const char *const gc_heap_history_fields[];
extern const char *const gc_global_history_fields[];

/* Hands over what no event can change any more. */
void gc_settle(struct gc_stats *stats, struct gc_process *process);

/* What follows from all collections of a process. */
void gc_process_finish(struct gc_process *process);

#endif
