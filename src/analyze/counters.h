/* SPDX-License-Identifier: MIT */
/*
 * counters.h - counters of event sources and meters over time.
 *
 * Memory grows with the counters, and with their readings where those are kept. Only readings that
 * the query asks for count.
 *
 *	const struct counter_stats *stats = pass_want(&pass, &counter_analysis, NULL);
 *
 * Its items are struct counter_reading.
 */
#ifndef ANALYZE_COUNTERS_H
#define ANALYZE_COUNTERS_H

#include "base/record_set.h"
#include "base/strings.h"
#include "pass/pass.h"
#include "payload/payload.h"

enum counter_kind {
	COUNTER_VALUE, /* at that time, or the mean since the last reading */
	COUNTER_TOTAL, /* since the process began */
	COUNTER_RATE,  /* per second */
};

/* A figure that a process reports periodically. */
struct counter {
	struct counter *next;
	const char *provider; /* the event source, or the meter */
	const char *name;
	const char *tags;     /* "verb=GET,status=200", or "" */
	const char *quantile; /* of a histogram: "0.95"; or "" */
	int64_t process_id;
	enum counter_kind kind;
	uint32_t number;   /* index in the list */
	const char *title; /* for people, or NULL */
	const char *unit;  /* or "" */

	/* of its readings */
	uint64_t count;
	double first, least, sum, most, last;
};

struct counter_reading {
	int64_t time_ns;
	double value;
	uint32_t counter; /* its number */
};

struct counter_stats {
	struct analysis_setup setup;
	struct strings strings;
	struct counter **list; /* in order of their first reading */
	size_t count;
	struct record_set by_name;
	struct counter_reading *readings; /* in order of time, unless they are passed on */
	size_t reading_count, reading_capacity;
	struct payload values; /* scratch */
	uint64_t seen;	       /* all readings, wanted by the query or not */
};

extern const struct analysis counter_analysis;

#endif
