/* SPDX-License-Identifier: MIT */
/*
 * time_steps.h - time spent on something over the time of a trace, for charts: so many steps of
 * equal length, and what was spent in each.
 */
#ifndef REPORT_TIME_STEPS_H
#define REPORT_TIME_STEPS_H

#include "report/report.h"

#define TIME_STEP_SERIES 2

struct time_step {
	int64_t time_ns; /* when the step begins */
	int64_t spent_ns[TIME_STEP_SERIES];
	double processors[TIME_STEP_SERIES]; /* that this keeps busy; after time_steps_rows() */
};

struct time_steps {
	struct time_step *list;
	size_t count;
	int64_t from_ns;
	double step_ns;
};

struct time_steps time_steps_of(struct report *report);
void time_steps_add(struct time_steps *steps, size_t series, int64_t time_ns, int64_t spent_ns);
struct result_rows time_steps_rows(const struct time_steps *steps);

#endif
