/* SPDX-License-Identifier: MIT */
/*
 * view.h - which samples of a trace `convert` writes: --view.
 *
 * A view is a row in views.c. Its samples are the model's, or they are derived from the items of
 * an analysis, such as allocations.
 */
#ifndef EXPORT_VIEW_H
#define EXPORT_VIEW_H

#include "analyze/calltree.h"
#include "analyze/sample_query.h"
#include "export/string_table.h"
#include "fill/fill.h"
#include "model/model.h"
#include "pass/analysis.h"

struct export_part;

enum export_unit {
	EXPORT_NANOSECONDS,
	EXPORT_BYTES,
	EXPORT_COUNT,
};

/* Samples made from the items of an analysis. */
struct derived_samples {
	struct samples samples;
	struct string_table leaves; /* by a sample's leaf: a frame below its stack; 0: none */
	struct fill *fill;	    /* while the trace is read: numbers threads */
	bool from_ticks;	    /* allocations: sampled ones no longer count */
};

void derived_samples_release(struct derived_samples *derived);

extern const char *const export_unit_names[]; /* "nanoseconds", "bytes", "count" */

struct export_view {
	const char *name;
	const char *missing; /* for errors: "no allocations" */
	const char *remedy;  /* options of `perfpipe collect` that record it */
	enum export_unit unit;
	const char *type;  /* what is weighed, as pprof and OTLP call it: "alloc_space" */
	const char *count; /* and what is counted: "alloc_samples"; NULL: the weight counts */
	const char *fold;  /* frames of the runtime's own, unless --fold is given; or NULL */
	bool states;	   /* it also has threads that wait */
	bool marks;	   /* events that prove a thread to run count, too: see fill.h */

	/* Of the model's samples: whether there are any, of which kinds, as bits, and how long
	   they last. */
	bool (*available)(const struct samples *samples);
	unsigned kinds;
	enum sample_until until;

	/* Whose items they are derived from, instead of the three above. */
	const struct analysis *analysis;
	void (*take)(void *derived, const void *item);
};

#define EXPORT_VIEWS_MOST 8

extern const struct export_view export_views[EXPORT_VIEWS_MOST]; /* the name NULL ends it */

/* NULL and an error if it is unknown. */
const struct export_view *export_view_find(const char *name, struct pp_error *err);

bool export_view_is_available(const struct export_view *view, const struct export_part *part);

/* The default for a trace; NULL if it has no samples of any view. */
const struct export_view *export_view_for(const struct export_part *part);
const struct export_view *export_view_for_flames(const struct export_part *part);

/* What to convert; must live as long as the source. */
struct export_query {
	const struct export_view *view; /* NULL: the one that suits the first trace */
	struct sample_query samples;
	struct call_query calls;
	bool folds; /* calls.fold was given, so the view's own is not used */

	bool anonymize;	      /* nettrace: without paths, arguments and texts */
	const char *provider; /* events of these alone, for formats of events; NULL: all */
	bool raw_names;
	bool as_sampled; /* samples as the sampler marks them, not as time is accounted */
	bool tiers;
	struct fill_symbols symbols;
	size_t budget;	      /* bytes of what grows with traces, in memory; 0: SPOOL_BUDGET */
	bool json;	      /* for a format that has two forms */
	bool flames;	      /* --flamegraph */
	bool svg;	      /* with it: the output's name ends with .svg */
	const char *exporter; /* "perfpipe@1.0" */
};

#endif
