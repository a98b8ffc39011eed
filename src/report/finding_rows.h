/* SPDX-License-Identifier: MIT */
/*
 * finding_rows.h - findings as rows of a result, each with the command that shows more.
 *
 * The command has an answer for this trace: where the trace lacks what the view needs, it is the
 * one that records it.
 */
#ifndef REPORT_FINDING_ROWS_H
#define REPORT_FINDING_ROWS_H

#include "analyze/summary.h"
#include "report/report.h"

/* A view, and whether the trace has an answer for it. */
struct finding_view {
	const char *name;
	bool recorded;
};

extern const struct result_shape finding_shape;

/* A view that is not listed has an answer. */
struct result_rows finding_rows_of(struct report *report, const struct summary_figures *figures,
				   const struct finding_view *views, size_t count);

#endif
