/* SPDX-License-Identifier: MIT */
/*
 * report_alloc.h - what the parts of the view `alloc` share.
 */
#ifndef CLI_REPORT_ALLOC_H
#define CLI_REPORT_ALLOC_H

#include "analyze/allocations.h"
#include "cli/report_calls.h"

/* What one source tells, where its stacks lead, and what it is called. */
struct alloc_recorded {
	const struct alloc_table *table;
	enum alloc_source source;
	struct calltree tree; /* bytes stand for ns */
};

/* The sheet of methods that allocate, and for data that of whole stacks. */
void report_alloc_methods(struct report *report, const struct alloc_recorded *told);
void report_alloc_stacks(struct report *report, const struct alloc_recorded *told);

#endif
