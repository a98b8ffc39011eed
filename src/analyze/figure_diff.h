/* SPDX-License-Identifier: MIT */
/*
 * figure_diff.h - what is different between the figures of a view of two traces.
 *
 * A row or figure that one of them lacks counts as 0 there.
 *
 *	struct figure_diff diff = figure_diff_of(&before, &after);
 *	...
 *	figure_diff_release(&diff);
 */
#ifndef ANALYZE_FIGURE_DIFF_H
#define ANALYZE_FIGURE_DIFF_H

#include "analyze/figures.h"

/* A row with at least one figure that changed. */
struct figure_change {
	const struct figure_row *before; /* NULL: it is new */
	const struct figure_row *after;	 /* NULL: it is gone */
	size_t table;			 /* the place of its table among the view's */
	double size;			 /* of the change of what its rows are compared by */
};

struct figure_diff {
	struct figure_change *rows; /* by table, the largest change first */
	size_t count;
};

/* One figure of both sides. */
struct figure_pair {
	const char *name;
	double before, after;
};

struct figure_diff figure_diff_of(const struct figures *before, const struct figures *after);
void figure_diff_release(struct figure_diff *diff);

/* The row that is there, the newer one first. */
const struct figure_row *figure_change_row(const struct figure_change *change);

/* The pair with the number `index`, of all that both rows have; false past the last. */
bool figure_change_pair(const struct figure_change *change, size_t index, struct figure_pair *pair);
struct figure_pair figure_change_called(const struct figure_change *change, const char *name);

/* In percent of what it was; false where that was 0. */
bool figure_percent(double before, double after, double *percent);

#endif
