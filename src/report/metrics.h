/* SPDX-License-Identifier: MIT */
/*
 * metrics.h - the numbers of a result by name, so that those of two traces can be compared.
 *
 * They follow from the shape: a number of the result is a metric of its own, called by its path,
 * "server.p95_ns"; a row of a list is called by the fields that are its KEY, a method by name and
 * module, and has metrics of its own. Lists of single happenings are left out, and rows of one
 * name are summed up. Errors follow from the keys, too (result_shape.h): what is counted beside a
 * time says of how many it is the sum.
 *
 *	struct metrics metrics = metrics_of(&result);
 *
 *	row = metrics_find(&metrics, "types", "System.Byte[]");
 *	metrics_release(&metrics);
 */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

#include "base/map.h"
#include "report/result.h"

struct metric {
	const char *name;
	double value;
	enum result_unit unit;
	bool is_sum;  /* of several rows; else the largest counts, as of percentiles */
	bool grows;   /* the longer the trace, the more */
	bool on_cpu;  /* see ON_CPU */
	bool largest; /* of all in the trace: a longer one has more to choose from */
	bool exact;   /* see EXACT */

	/* By counting: of n things that happened by themselves, sqrt(n) is the standard error. */
	bool has_error;
	double error;
};

struct metric_row {
	const char *table; /* the list; "" for the result's own */
	const char *name;  /* what it is called by first, such as a method without its module */
	const char *label; /* with all that identifies it */
	const char *main;  /* the metric that rows are compared by first; NULL: any */
	bool is_main;	   /* of the list that CSV has */
	bool is_method;
	struct metric *list;
	size_t count, capacity;
	struct metric_row *next; /* of equal hash */
};

/* Texts live as long as the metrics. */
struct metrics {
	struct arena arena;
	struct metric_row **rows; /* in the order of the result, its own first */
	size_t row_count, row_capacity;
	struct map by_label; /* chained by hash */
	bool available;	     /* the result has data */
};

struct metrics metrics_of(const struct result *result);

/* And which of their rows each row of a list is, by its address. */
struct metrics metrics_by_row(const struct result *result, struct map *rows);
void metrics_release(struct metrics *metrics);

/* Adds the rows and metrics that are not there yet. */
void metrics_add(struct metrics *metrics, const struct metrics *more);

/* NULL if there is none. */
struct metric_row *metrics_find(const struct metrics *metrics, const char *table,
				const char *label);
struct metric *metric_find(const struct metric_row *row, const char *name);

/* What rows are compared by first; NULL if they have no metric. */
const char *metric_main(const struct metric_row *row);

#endif
