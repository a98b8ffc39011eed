/* SPDX-License-Identifier: MIT */
/*
 * call_diff.h - what changed between two call trees, by name.
 *
 * As PerfView's over-weight report has it: a method's responsibility is its part of the
 * whole change, and its over-weight is its change in percent of what it would have
 * been, had all grown alike; more than 100 is more than its share. Figures are times.
 */
#ifndef ANALYZE_CALL_DIFF_H
#define ANALYZE_CALL_DIFF_H

#include "analyze/call_rows.h"

struct call_change {
	const struct call_name *name; /* of the tree that has it, the newer one first */
	struct call_row before;	      /* all zero if it is new */
	struct call_row after;	      /* all zero if it is gone */
	int64_t inclusive_ns;	      /* the change */
	int64_t exclusive_ns;
	int64_t inclusive; /* the same in samples */
	int64_t exclusive;
	bool has_responsibility;
	bool has_overweight;
	double responsibility; /* percent */
	double overweight;     /* percent */
	int interest;	       /* 0 to 6: how much of it all it explains */
};

struct call_diff {
	struct call_change *rows; /* most interesting first; what did not change is left out */
	size_t count;
};

struct call_diff call_diff_of(const struct calltree *base, const struct calltree *changed);
void call_diff_release(struct call_diff *diff);

#endif
