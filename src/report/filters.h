/* SPDX-License-Identifier: MIT */
/*
 * filters.h - what the filters of a report leave, and what to say where that is nothing.
 *
 *	report_matches(report, "exception", stats->total, stats->seen);
 *
 * in a view's build() becomes "no exception matches --include 'Foo'; without it there are 1,234" if
 * there are some, but none passes.
 */
#ifndef REPORT_FILTERS_H
#define REPORT_FILTERS_H

#include <stdint.h>

struct calltree;
struct report;

#define FILTER_NOTES 3

/* For analyses: the stacks that --include and --exclude let pass; NULL: all of them. */
const struct calltree *report_stack_filter(struct report *report);

/* Of what a view counts: how many pass all filters, and how many there are. */
struct filter_matches {
	const char *what; /* one of them: "exception"; NULL: the view does not count any */
	uint64_t passed, recorded;
};

void report_matches(struct report *report, const char *what, uint64_t passed, uint64_t recorded);

/* The same of samples, if time or a number of them passed: on-CPU, or all of them. */
void report_matches_cpu(struct report *report, uint64_t passed);
void report_matches_samples(struct report *report, uint64_t passed);

/* After the view has built its result: what to say of filters, in it. */
void filters_note(struct report *report);

#endif
