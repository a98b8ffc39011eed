/* SPDX-License-Identifier: MIT */
/*
 * counters.h - what counters of event sources and meters were over time.
 *
 * Memory grows with the counters, and with their readings where those are kept. Readings that the
 * query does not ask for count nowhere.
 *
 *	const struct counter_stats *stats = pass_want(&pass, &counter_analysis, NULL);
 *
 * Its items are struct counter_reading.
 */
#ifndef ANALYZE_COUNTERS_H
#define ANALYZE_COUNTERS_H

#include "base/strings.h"
#include "pass/pass.h"
#include "payload/payload.h"

enum counter_kind {
	COUNTER_VALUE, /* at that time, or the mean since the last reading */
	COUNTER_TOTAL, /* since the process began */
	COUNTER_RATE,  /* per second */
};

/* A figure that a process reports again and again. */
struct counter {
	const char *provider; /* the event source, or the meter */
	const char *name;
	const char *title;    /* for people, or NULL */
	const char *unit;     /* or "" */
	const char *tags;     /* "verb=GET,status=200", or "" */
	const char *quantile; /* of a histogram: "0.95"; or "" */
	int64_t process_id;
	uint8_t kind; /* an enum counter_kind */

	/* of its readings */
	uint64_t count;
	double first, least, sum, most, last;

	struct counter *next; /* of equal hash */
	uint32_t number;      /* of its place in the list */
};

struct counter_reading {
	int64_t time_ns;
	double value;
	uint32_t counter; /* its number */
};

struct counter_stats {
	void (*take)(void *to, const void *item); /* or NULL */
	void *to;
	struct arena arena;
	struct strings strings;
	struct counter **list; /* in the order in which they came */
	size_t count, capacity;
	struct counter_reading *readings; /* in order of time, unless they are handed out */
	size_t reading_count, reading_capacity;
	struct map by_name;
	struct payload values; /* scratch */
	uint64_t seen;	       /* readings of all times and processes */
};

extern const struct analysis counter_analysis;

#endif
