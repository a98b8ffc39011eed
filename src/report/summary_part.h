/* SPDX-License-Identifier: MIT */
/*
 * summary_part.h - the result of the view `summary` as a part of another view's, which wants
 * summary_analyses of its pass.
 */
#ifndef REPORT_SUMMARY_PART_H
#define REPORT_SUMMARY_PART_H

#include "report/report.h"

struct summary_choice {
	bool no_methods;	     /* people see them elsewhere */
	const char *const *recorded; /* views of what was recorded, even if nothing happened; NULL
					ends them */
};

extern const struct result_shape summary_shape;

/* Data of that shape. */
const void *summary_part(struct report *report, const struct summary_choice *choice);

#endif
