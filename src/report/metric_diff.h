/* SPDX-License-Identifier: MIT */
/*
 * metric_diff.h - what changed from some runs of a program to others, by metric.
 *
 * Each side has one run or several; a figure is their mean, and its error follows from their spread
 * or, of one run, from that of its parts or from what was counted. A row or metric that a run lacks
 * counts as 0 there. Rows come by table, the largest change first; metrics of the view itself have
 * different units, and so come by how large their change is relative to them.
 *
 *	struct metric_diff diff = metric_diff_of(&before, &after, "inclusive");
 *	...
 *	metric_diff_release(&diff);
 */
#ifndef REPORT_METRIC_DIFF_H
#define REPORT_METRIC_DIFF_H

#include "analyze/estimate.h"
#include "report/metrics.h"

struct metric_run {
	struct metrics metrics;
	double scale; /* of what grows with time: 0.5 for a trace of twice the length */
	bool cpu_measured;
	double unsteady;   /* error of all figures, relative to them, since others had the CPU */
	double rundown_ns; /* after what was recorded; durations include it */
	struct metrics *slices; /* of equal parts of its time; NULL: not known */
	size_t slice_count;
};

/* One side of a comparison. */
struct metric_side {
	const struct metric_run *runs;
	size_t count;
};

/* One metric of both sides. */
struct metric_pair {
	const char *name;
	enum result_unit unit;
	bool is_main; /* what such rows are compared by */
	bool is_sum;
	struct estimate before, after, change;
	double noise;	/* a larger change is more than noise; NAN: not known */
	bool is_noise;	/* the change is not larger */
	bool unsure;	/* CPU that was not measured: any other load changes it as well */
	bool by_length; /* the largest of runs of different length: not comparable */

	/* of rows whose metrics add up; percent */
	bool has_share, has_overweight;
	double share;	   /* of all that changed in their table, up or down */
	double overweight; /* that share relative to the row's share of the base */
};

/* A row with at least one metric that changed. */
struct metric_change {
	const struct metric_row *row;
	size_t table;		   /* the place of its table among the result's */
	double size;		   /* of the first change */
	struct metric_pair *pairs; /* those that changed; what rows are compared by comes first */
	size_t pair_count;
};

struct metric_total; /* of a metric over all rows of a table */

struct metric_diff {
	struct metric_change *rows;
	size_t count;
	struct metric_total *totals;
	size_t total_count, total_capacity;
	bool several;	      /* runs on both sides */
	size_t compared;      /* metrics whose error is known: as many chances of a false alarm */
	size_t beyond_noise;  /* changes that are more than that for sure */
	size_t unsure;	      /* other changes that would be */
	size_t by_length;     /* changes of what is not comparable */
	struct metrics names; /* of all rows */
	struct arena arena;
};

/* `main` replaces "exclusive" in the names of what rows are compared by; or NULL. */
struct metric_diff metric_diff_of(const struct metric_side *before, const struct metric_side *after,
				  const char *main);
void metric_diff_release(struct metric_diff *diff);

/* The metric that changed, or NULL. */
const struct metric_pair *metric_change_called(const struct metric_change *change,
					       const char *name);

/* A figure of a side, where `value` finds that of a run; `grows` if it is to be scaled. */
struct metric_value {
	double value;
	bool grows, on_cpu, has_error;
	double error;
	/* what parts add up to; an exact figure has none */
	enum metric_sum { SUM_NONE, SUM_TOTAL, SUM_MEAN, SUM_MOST, SUM_EXACT } sum;
};

struct metric_value metric_value_of(const struct metric *metric); /* NULL: nothing was counted */

typedef struct metric_value find_value(const struct metrics *metrics, const void *what);

struct estimate metric_side_estimate(const struct metric_side *side, find_value *find,
				     const void *what, bool scaled);

/* Whether lengths differ, so that what grows with time is compared by rate. */
bool metric_sides_are_scaled(const struct metric_side *before, const struct metric_side *after);

/* In percent of what it was; false where that was 0. */
bool metric_percent(double before, double after, double *percent);

#endif
