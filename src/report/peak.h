/* SPDX-License-Identifier: MIT */
/*
 * peak.h - the most in one second, beside a mean rate that has the idle time of a trace in it.
 *
 *	PEAK_FIELDS(struct result, peak, "max_per_second", UNIT_COUNT)		(in a shape)
 *	{ "Thrown", "{count}, {per_second} per second" PEAK_TEXT }		(in its lines)
 *
 *	result->peak = peak_of(report, &stats->burst, result->per_second);
 */
#ifndef REPORT_PEAK_H
#define REPORT_PEAK_H

#include "analyze/burst.h"
#include "report/report.h"

struct peak {
	bool known; /* not where stacks are left out, since a burst is of all */
	uint64_t most;
	bool stands_out; /* it is so far above the mean that people should see both */
};

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): a member has none */
#define PEAK_FIELDS(type_, member_, key_, unit_) \
	FIELD(type_, member_.most, key_, NULL, unit_, .flags = MOST, \
	      KNOWN_IF(type_, member_.known)), \
	FIELD(type_, member_.most, "burst", NULL, unit_, .flags = SHOWN_PEOPLE, \
	      KNOWN_IF(type_, member_.stands_out))
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

#define PEAK_TEXT "[, up to {burst} in one second]"

struct peak peak_of(const struct report *report, const struct burst *burst, double mean);

#endif
