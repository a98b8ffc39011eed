/* SPDX-License-Identifier: MIT */
/*
 * view.h - which samples of a trace `convert` writes: --view.
 *
 * A view is a row in views.c. Its samples are the model's, or it makes them itself of events
 * that are none, such as allocations: then `event` calls export_tell().
 */
#ifndef EXPORT_VIEW_H
#define EXPORT_VIEW_H

#include <stdbool.h>

#include "export/trace_links.h"
#include "export/moments.h"
#include "model/model.h"
#include "perfpipe/nettrace.h"

struct export_part;
struct export_source;

enum export_unit {
	EXPORT_NANOSECONDS,
	EXPORT_BYTES,
	EXPORT_COUNT,
};

/* Samples that a view makes of events. */
struct export_told {
	void *analysis; /* the view's own */
	struct samples samples;
	const char **leaves; /* by a sample's leaf - 1: of the source's strings */
	size_t leaf_count, leaf_capacity;
	struct map leaves_by_text;
};

struct export_view {
	const char *name;
	const char *missing; /* of a trace that has it not: "no allocations" */
	const char *remedy;  /* what to give to `perfpipe collect -p PID` */
	enum export_unit unit;
	const char *type;  /* what is weighed, as pprof and OTLP call it: "alloc_space" */
	const char *count; /* and what is counted: "alloc_samples"; NULL: the weight counts */
	const char
		*fold; /* patterns of the runtime's own frames, unless --fold is given; or NULL */
	bool marks;    /* events that prove a thread to run count, too: see fill.h */

	/* Of the model's samples: whether there are any, of which kinds, as bits, and how long
	   they last. */
	bool (*available)(const struct samples *samples);
	unsigned kinds;
	enum sample_until until;

	/* Those that are made of events, instead of the three above. */
	void *(*begin)(void);
	void (*event)(struct export_source *source, struct export_told *told,
		      const struct pp_event *event);
	void (*stop)(struct export_source *source, struct export_told *told); /* or NULL */
	void (*end)(void *analysis);
};

#define EXPORT_VIEWS_MOST 8

extern const struct export_view export_views[EXPORT_VIEWS_MOST]; /* the name NULL ends it */

/* NULL, and an error that lists those there are. */
const struct export_view *export_view_find(const char *name, struct pp_error *err);

bool export_view_is_there(const struct export_view *view, const struct export_part *part);

/* The one for a trace of which nothing was said; NULL if it has none. */
const struct export_view *export_view_for(const struct export_part *part);

struct export_tale {
	int64_t time_ns; /* export_time() */
	uint64_t weight;
	struct moment_place place;
	const char *leaf; /* or NULL */
};

/* Where an event was. */
struct moment_place export_place(struct export_source *source, const struct pp_event *event);

/* Forgets what was told so far. */
void export_untell(struct export_told *told);

/* What an event tells, as a sample of its thread. */
void export_tell(struct export_source *source, struct export_told *told,
		 const struct export_tale *tale);

#endif
