/* SPDX-License-Identifier: MIT */
/*
 * report_gc.h - what the parts of the view `gc` share.
 */
#ifndef CLI_REPORT_GC_H
#define CLI_REPORT_GC_H

#include "analyze/gc.h"
#include "cli/report.h"

/* The collections that the options ask for. */
struct gc_chosen {
	const struct gc **list; /* by time */
	size_t count;
	struct gc_summary summary;
	int64_t from_ns; /* what the trace, or the part of it that is shown, goes over */
	int64_t to_ns;
	int64_t over_ns; /* -1: not said */
	uint64_t over_count;
};

/* A rate as a whole number, whatever the trace says. */
static inline uint64_t gc_whole(double rate)
{
	return rate < 9e18 ? rate > 0 ? (uint64_t)rate : 0 : UINT64_MAX;
}

/* Percent of the time shown. */
double gc_percent(const struct gc_chosen *chosen, int64_t time_ns);

/* Those to list: with --over only some. */
bool gc_is_listed(const struct gc_chosen *chosen, const struct gc *gc);

void report_gc_json(struct report *report, const struct gc_chosen *chosen);

/* Pauses by their length, and the heap over time, drawn in text. */
void report_gc_histogram(struct report *report, const struct gc_chosen *chosen);
void report_gc_timeline(struct report *report, const struct gc_chosen *chosen);

#endif
