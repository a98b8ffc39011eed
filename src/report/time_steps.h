/* SPDX-License-Identifier: MIT */
/*
 * time_steps.h - time spent on something over the time of a trace, for charts: steps of
 * equal length, and what was spent in each.
 */
#ifndef REPORT_TIME_STEPS_H
#define REPORT_TIME_STEPS_H

#include "report/report.h"

#define TIME_STEPS	 120 /* of a view's time line */
#define TIME_STEP_SERIES 2

struct time_step {
	int64_t time_ns; /* when the step begins */
	int64_t spent_ns[TIME_STEP_SERIES];
	double processors[TIME_STEP_SERIES]; /* that this keeps busy; after time_steps_rows() */
	bool measured; /* they are processors; else threads, which may have waited for one */
};

struct time_steps {
	struct time_step *list;
	size_t count;
	int64_t from_ns;
	double step_ns;
};

/* None where the time is too long to measure, as hostile traces claim. */
struct time_steps time_steps_of(struct report *report, size_t count);

/* The first and the last step take what is outside. */
size_t time_steps_find(const struct time_steps *steps, int64_t time_ns);
void time_steps_add(struct time_steps *steps, size_t series, int64_t time_ns, int64_t spent_ns);
struct result_rows time_steps_rows(const struct time_steps *steps);

#endif
