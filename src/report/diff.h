/* SPDX-License-Identifier: MIT */
/*
 * diff.h - a view of two traces compared, as a result like any other.
 *
 *	struct diff diff;
 *
 *	diff_init(&diff, &base, &changed, &setup);	(two reports, built)
 *	diff_add_condition(&diff, &condition, &result);	(for each, tested before)
 *	diff_build(&diff);
 *	render_markdown.render(&diff.result, &options, &out);
 *	diff_release(&diff);
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

struct diff {
	const struct report *base, *changed;
	struct report_setup setup; /* rows and brief */
	struct metrics before, after;
	struct metric_diff changes;
	struct diff_condition conditions[DIFF_CONDITIONS];
	size_t condition_count;
	bool failed; /* a condition holds */
	struct arena arena;
	struct result result;
};

extern const struct result_kind diff_kind;

/* Both reports are of one view, and stay until the comparison is released. */
void diff_init(struct diff *diff, const struct report *base, const struct report *changed,
	       const struct report_setup *setup);
void diff_add_condition(struct diff *diff, const struct condition *condition,
			const struct condition_result *result);
void diff_build(struct diff *diff);
void diff_release(struct diff *diff);

/* "gc.pause_total_ns > +20%: 1.0 ms became 1.5 ms, +50.00 %"; in the arena. */
const char *diff_condition_text(const struct diff_condition *condition, struct arena *arena);

#endif
