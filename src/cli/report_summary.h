/* SPDX-License-Identifier: MIT */
/*
 * report_summary.h - what the parts of the view `summary` share.
 */
#ifndef CLI_REPORT_SUMMARY_H
#define CLI_REPORT_SUMMARY_H

#include "analyze/findings.h"
#include "cli/report_calls.h"

#define SUMMARY_ROWS 5

/* All that the page shows. */
struct summary_page {
	const struct summary *summary;
	struct summary_figures figures;
	struct calltree calls; /* samples on a processor */
	struct call_rows methods;
	const struct request_table *requests; /* or NULL */
	struct finding found[FINDINGS_MOST];
	size_t found_count;
	size_t rows; /* of each list */
};

void report_summary_json(struct report *report, const struct summary_page *page);

void report_findings(struct report *report, const struct summary_page *page);
void report_findings_json(struct report *report, const struct summary_page *page);

#endif
