/* SPDX-License-Identifier: MIT */
/*
 * diff.h - what the parts of `perfpipe diff` share.
 *
 * Every view is compared by the figures in its JSON (analyze/figures.h); the view cpu also has
 * a table of its own. Conditions may name other views, which are then read as well.
 */
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include "analyze/condition.h"
#include "analyze/figure_diff.h"
#include "cli/command.h"
#include "cli/report.h"

struct diff_args {
	struct report_args report; /* first: the options of reports are there */
	struct option_texts fail_if;
	bool markdown;
};

/* A view of both traces. */
struct diff_view {
	const struct report_view *view;
	struct figures before;
	struct figures after;
};

struct diff_condition {
	struct condition condition;
	struct condition_result result;
};

struct diff {
	const struct diff_args *args;
	const char *base; /* paths */
	const char *changed;
	struct diff_view views[OPTION_TEXTS_MOST + 1]; /* the first is what is shown */
	size_t view_count;
	struct diff_condition conditions[OPTION_TEXTS_MOST];
	size_t condition_count;
	bool failed; /* a condition holds */
	struct arena arena;
};

/* The figures of both traces in that view; NULL with an error. */
struct diff_view *diff_view_of(struct diff *diff, const struct report_view *view,
			       struct pp_error *err);

/* Reads and tests all of them; -1 with an error. */
int diff_test(struct diff *diff, struct pp_error *err);

/* Those that hold, with the reason: for people, as a list of Markdown, as data. */
void diff_print_conditions(const struct diff *diff, FILE *out);
void diff_put_conditions(const struct diff *diff, struct json *json);

/* The view cpu with the over-weight of each method. */
int diff_print_cpu(struct diff *diff, struct pp_error *err);

/* Any view: rows and figures that changed. */
void diff_print_changes(struct diff *diff);

/* "1.5 ms" or "+1.5 ms" of a figure of that unit. */
struct text_figure diff_figure(enum figure_unit unit, double value, bool with_sign);

#endif
