/* SPDX-License-Identifier: MIT */
/*
 * spread.h - how times are spread, in memory that does not grow with them.
 *
 * Percentiles are off by 3 percent at most; the sum and the longest are exact.
 *
 *	struct spread spread = { 0 };
 *
 *	spread_add(&spread, time_ns);
 *	p95_ns = spread_percentile(&spread, 95);
 */
#ifndef ANALYZE_SPREAD_H
#define ANALYZE_SPREAD_H

#include <stdint.h>

#define SPREAD_STEPS   16 /* in which each power of two is divided */
#define SPREAD_BUCKETS (SPREAD_STEPS * 61)

struct spread {
	uint64_t count;
	uint64_t total_ns;
	uint64_t max_ns;
	uint32_t buckets[SPREAD_BUCKETS];
};

void spread_add(struct spread *spread, uint64_t time_ns);

/* The time that so many percent are not above; 0 if there is none. */
uint64_t spread_percentile(const struct spread *spread, double percent);

#endif
