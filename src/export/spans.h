/* SPDX-License-Identifier: MIT */
/*
 * spans.h - what happened beside the samples, for formats with a time line: collections,
 * compilations, exceptions, waits for locks, activities such as requests; and counters.
 *
 * A format that sets `spans` finds them in source->spans, by time, and source->counters.
 * Times are the source's. They are there also where the trace has no samples.
 */
#ifndef EXPORT_SPANS_H
#define EXPORT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/nettrace.h"

struct export_part;
struct export_source;
struct model;

enum export_span_kind {
	EXPORT_GC,	  /* a collection, of the process */
	EXPORT_GC_PAUSE,  /* threads stood still for it */
	EXPORT_JIT,	  /* a method was compiled */
	EXPORT_EXCEPTION, /* thrown; start and end are the same */
	EXPORT_WAIT,	  /* for a lock */
	EXPORT_ACTIVITY,  /* from a start event to its stop event */
	EXPORT_SPAN_KINDS,
};

/* A fact of a span: `text`, or `number` where that is NULL. */
struct export_note {
	const char *key;
	const char *text;
	int64_t number;
};

#define EXPORT_NOTES 5

struct export_span {
	enum export_span_kind kind;
	bool unfinished; /* its end was not recorded: it lasts until the trace's */
	bool on_thread;	 /* thread_id says on which; else it is the process's */
	uint32_t process;
	int64_t thread_id;
	const char *thread_name; /* or NULL */
	const char *name;	 /* "GC #3", "Shop.Orders.Place", ... */
	int64_t start_ns;
	int64_t end_ns;
	uint32_t part;
	uint32_t stack;		 /* of the part; 0: none */
	const uint8_t *activity; /* 16 bytes: its id and that of the one around it; or NULL */
	const uint8_t *parent;
	struct export_note notes[EXPORT_NOTES]; /* those with a key */
};

struct export_point {
	int64_t time_ns;
	double value;
};

struct export_counter {
	uint32_t process;
	uint32_t part;
	const char *name; /* "GC heap size", "System.Runtime/cpu-usage" */
	const char *unit; /* "bytes", "%", "MB"; "" if it is not known */
	struct export_point *points;
	size_t count, capacity;
};

extern const char *const export_span_names[EXPORT_SPAN_KINDS]; /* "gc", "gc-pause", "jit", ... */

/* For source.c: what a part collects while it is read. */
struct export_spans;

struct export_spans *export_spans_new(void);
void export_spans_free(struct export_spans *spans); /* takes NULL */
void export_spans_event(struct export_spans *spans, struct export_source *source,
			const struct pp_event *event);

/* No more events. */
void export_spans_stop(struct export_spans *spans, const struct model *model);

/* Adds all of it to the source; `part` is the last one. */
void export_spans_end(struct export_spans *spans, struct export_source *source);

/* Sorts them, and gives them the source's times. */
void export_spans_finish(struct export_source *source);

#endif
