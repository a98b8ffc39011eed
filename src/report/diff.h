/* SPDX-License-Identifier: MIT */
/*
 * diff.h - a view of two traces compared, or of several runs on each side, as a result like any
 * other.
 *
 *	struct diff diff;
 *
 *	diff_side_add(&pair.base, &report, true);	(of each trace; reports may be closed)
 *	view_pair_scale(&pair, false);
 *	diff_init(&diff, &pair, &setup);
 *	view_pair_test(&pair, &condition, &result, &err);
 *	diff_add_condition(&diff, &condition, &result);
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
	bool failed; /* it holds, and by more than noise unless noise counts as well */
};

/* What is known of a trace besides its metrics. */
struct diff_trace {
	const char *file;
	double seconds; /* recorded */
	bool cpu_measured;
	uint64_t events_lost, samples_unresolved;
	bool events_lost_at_least, complete;
};

struct diff_side {
	struct metric_run *runs;
	struct diff_trace *traces; /* of the same numbers */
	size_t count, run_capacity, trace_capacity;
	bool available; /* all of them have data */
};

/* A view of both sides: what is shown, or what a condition is about. */
struct view_pair {
	const struct report_view *view;
	struct diff_side base, changed;
	bool by_rate;	/* lengths differ, and what grows with time is scaled */
	double seconds; /* to this length: the mean of the base's */
};

struct diff_setup {
	struct report_setup report; /* rows and brief */
	bool inclusive;		    /* methods are compared by inclusive figures */
	bool strict;		    /* conditions within noise count */
};

struct diff {
	const struct view_pair *pair;
	struct diff_setup setup;
	struct metric_diff changes;
	struct diff_condition conditions[DIFF_CONDITIONS];
	size_t condition_count;
	bool failed; /* a condition did */
	struct arena arena;
	struct result result;
};

extern const struct result_kind diff_kind;

/* Adds a trace by its report, which is built; with parts of it. The file's name is borrowed. */
void diff_side_add(struct diff_side *side, struct report *report, bool slices);

/* Adds the view of parts of a trace's time: from its model, or from a file that is read again. */
void metric_run_slice(struct metric_run *run, struct report *whole);
void metric_run_drop_slices(struct metric_run *run);

struct metric_side diff_side_metrics(const struct diff_side *side);

/* With all traces: decides whether they are compared by rate. `totals`: never. */
void view_pair_scale(struct view_pair *pair, bool totals);
void view_pair_release(struct view_pair *pair);

/* -1 with an error if the traces do not have what the condition is about, or not measured. */
int view_pair_test(const struct view_pair *pair, const struct condition *condition,
		   struct condition_result *result, struct pp_error *err);

/* The pair stays until the comparison is released. */
void diff_init(struct diff *diff, const struct view_pair *pair, const struct diff_setup *setup);
void diff_add_condition(struct diff *diff, const struct condition *condition,
			const struct condition_result *result);
void diff_build(struct diff *diff);
void diff_release(struct diff *diff);

/* "Failed", "Noise", or NULL for a condition that does not hold. */
const char *diff_condition_verdict(const struct diff_condition *condition);

/* "gc.pause_total_ns > +20%: 1.0 ms became 1.5 ms, +50.00 %"; in the arena. */
const char *diff_condition_text(const struct diff_condition *condition, struct arena *arena);

size_t diff_conditions_holding(const struct diff *diff);
size_t diff_conditions_failed(const struct diff *diff);

/* "2 of 3 hold, 1 within noise", or NULL if there are none. */
const char *diff_conditions_text(const struct diff *diff, struct arena *arena);

/* "by rate: ...", or NULL; in the arena. */
const char *diff_rate_text(const struct view_pair *pair, struct arena *arena);

#endif
