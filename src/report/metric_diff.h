/* SPDX-License-Identifier: MIT */
/*
 * metric_diff.h - what is different between the metrics of a result of two traces.
 *
 * A row or metric that one of them lacks counts as 0 there.
 *
 *	struct metric_diff diff = metric_diff_of(&before, &after);
 *	...
 *	metric_diff_release(&diff);
 */
#ifndef REPORT_METRIC_DIFF_H
#define REPORT_METRIC_DIFF_H

#include "report/metrics.h"

/* A row with at least one metric that changed. */
struct metric_change {
	const struct metric_row *before; /* NULL: it is new */
	const struct metric_row *after;	 /* NULL: it is gone */
	size_t table;			 /* the place of its table among the result's */
	double size;			 /* of the change of what its rows are compared by */
};

struct metric_diff {
	struct metric_change *rows; /* by table, the largest change first */
	size_t count;
};

/* One metric of both sides. */
struct metric_pair {
	const char *name;
	enum result_unit unit;
	double before, after;
};

struct metric_diff metric_diff_of(const struct metrics *before, const struct metrics *after);
void metric_diff_release(struct metric_diff *diff);

/* The row that is there, the newer one first. */
const struct metric_row *metric_change_row(const struct metric_change *change);

/* The pair with the number `index`, of all that both rows have; false past the last. */
bool metric_change_pair(const struct metric_change *change, size_t index, struct metric_pair *pair);
struct metric_pair metric_change_called(const struct metric_change *change, const char *name);

/* In percent of what it was; false where that was 0. */
bool metric_percent(double before, double after, double *percent);

#endif
