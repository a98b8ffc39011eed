/* SPDX-License-Identifier: MIT */
/*
 * diff.h - a view of two traces compared, as a result like any other.
 *
 *	struct diff diff;
 *
 *	view_pair_measure(&pair);			(two reports, built)
 *	diff_init(&diff, &pair, &setup);
 *	diff_add_condition(&diff, &condition, &result);	(for each, tested before)
 *	diff_build(&diff);
 *	render_markdown.render(&diff.result, &options, &out);
 *	diff_release(&diff);
 *	view_pair_release(&pair);
 */
#ifndef REPORT_DIFF_H
#define REPORT_DIFF_H

#include "report/condition.h"
#include "report/metric_diff.h"
#include "report/report.h"

#define DIFF_CONDITIONS 32

struct diff_condition {
	struct condition condition;
	struct condition_result result;
};

/* A view of both traces: what is shown, or what a condition is about. */
struct view_pair {
	const struct report_view *view;
	struct report base, changed;
	struct metrics before, after;
};

struct diff {
	const struct view_pair *pair;
	struct report_setup setup; /* rows and brief */
	struct metric_diff changes;
	struct diff_condition conditions[DIFF_CONDITIONS];
	size_t condition_count;
	bool failed; /* a condition holds */
	struct arena arena;
	struct result result;
};

extern const struct result_kind diff_kind;

/* Finds the metrics of both reports, which are built. */
void view_pair_measure(struct view_pair *pair);
void view_pair_release(struct view_pair *pair);

/* The pair stays until the comparison is released. */
void diff_init(struct diff *diff, const struct view_pair *pair, const struct report_setup *setup);
void diff_add_condition(struct diff *diff, const struct condition *condition,
			const struct condition_result *result);
void diff_build(struct diff *diff);
void diff_release(struct diff *diff);

/* "gc.pause_total_ns > +20%: 1.0 ms became 1.5 ms, +50.00 %"; in the arena. */
const char *diff_condition_text(const struct diff_condition *condition, struct arena *arena);

#endif
