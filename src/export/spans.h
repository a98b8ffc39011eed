/* SPDX-License-Identifier: MIT */
/*
 * spans.h - GCs, compilations, exceptions, lock contention and activities such as requests, for
 * formats with a timeline; and counters.
 *
 * A format that sets `spans` reads them in order of time, any number of times. A trace may have
 * spans without samples, and more of them than fit into memory: so no format stores them.
 *
 *	struct span_reader reader = { .source = source };
 *	const struct export_span *span;
 *	while ((span = span_next(&reader)))	(it stays until the next call)
 *		...
 *	span_reader_release(&reader);
 *
 * The same for source->counters, with point_next() and reel_reader_release(&reader.reel).
 */
#ifndef EXPORT_SPANS_H
#define EXPORT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/external_sort.h"
#include "clr/enums.h"
#include "perfpipe/nettrace.h"

struct export_part;
struct export_source;
struct kept_span;
struct pass;

enum export_span_kind {
	EXPORT_GC,	  /* of the process */
	EXPORT_GC_PAUSE,  /* during which all threads are stopped */
	EXPORT_JIT,	  /* compilation of a method */
	EXPORT_EXCEPTION, /* an instant */
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
	bool unfinished; /* its end was not recorded: it lasts until the end of the trace */
	bool on_thread;	 /* rather than of the process */
	uint32_t process;
	int64_t thread_id;
	const char *thread_name; /* or NULL */
	const char *name;	 /* "GC #3", "Shop.Orders.Place", ... */
	int64_t start_ns;
	int64_t end_ns;
	uint32_t part;
	uint32_t stack;				/* of the part; 0: none */
	struct export_note notes[EXPORT_NOTES]; /* those with a key */
};

/* A span with its texts that are made when it is read. */
struct shown_span {
	struct export_span span;
	char name[40];
	char texts[2][VALUE_MAP_TEXT];
};

struct span_reader {
	const struct export_source *source;
	struct external_sort_reader *parts;
	const struct kept_span **heads; /* by part: what comes next; NULL: nothing */
	size_t part;			/* that the last one was from */
	struct shown_span shown;
};

const struct export_span *span_next(struct span_reader *reader); /* NULL at the end */
void span_reader_release(struct span_reader *reader);

struct export_point {
	int64_t time_ns;
	double value;
};

struct export_counter {
	uint32_t process;
	uint32_t part;
	const char *name; /* "GC heap size", "System.Runtime/cpu-usage" */
	const char *unit; /* "bytes", "%", "MB"; "" if it is not known */
	size_t count;
	struct reel points;  /* with the part's times, as the next one */
	int64_t earliest_ns; /* if it has any */
};

struct point_reader {
	const struct export_source *source;
	const struct export_counter *counter;
	struct reel_reader reel;
	struct export_point point;
};

const struct export_point *point_next(struct point_reader *reader); /* NULL at the end */

extern const char *const export_span_names[EXPORT_SPAN_KINDS]; /* "gc", "gc-pause", "jit", ... */

/* For source.c: the spans of the source's last part while it is read. */
struct export_spans;

struct export_spans *export_spans_new(struct export_source *source);
void export_spans_free(struct export_spans *spans); /* takes NULL */

/* Adds the analyses that find spans; activities are taken from the model. */
void export_spans_want(struct export_spans *spans, struct pass *pass);

/* Once the model of the part is built. */
void export_spans_end(struct export_spans *spans);

/* After the last part. */
void export_spans_finish(struct export_source *source);

#endif
