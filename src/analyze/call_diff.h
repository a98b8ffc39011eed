/* SPDX-License-Identifier: MIT */
/*
 * call_diff.h - changes from one call tree to another, by name.
 *
 * As in PerfView's over-weight report, a method's responsibility is its part of the whole change,
 * and its over-weight its change in percent of that expected if all had grown alike: above 100, it
 * grew more than its share. Figures are times.
 *
 *	struct call_diff diff = call_diff_of(&before, &after);
 *	...
 *	call_diff_release(&diff);
 */
#ifndef ANALYZE_CALL_DIFF_H
#define ANALYZE_CALL_DIFF_H

#include "analyze/call_rows.h"

struct call_change {
	const struct call_name *name; /* of the newer tree, or else of the older */
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
	int interest;	       /* 0 to 6 */
};

struct call_diff {
	struct call_change *rows; /* changed ones, most interesting first */
	size_t count;
};

struct call_diff call_diff_of(const struct calltree *base, const struct calltree *changed);
void call_diff_release(struct call_diff *diff);

#endif
