/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - the distribution of times, in constant memory.
 *
 * Percentiles are off by 3 percent at most; the sum and the longest are exact.
 *
 *	struct histogram spread = { 0 };
 *
 *	histogram_add(&spread, time_ns);
 *	p95_ns = histogram_percentile(&spread, 95);
 */
#ifndef ANALYZE_HISTOGRAM_H
#define ANALYZE_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_STEPS	  16 /* per power of two */
#define HISTOGRAM_BUCKETS (HISTOGRAM_STEPS * 61)

struct histogram {
	uint64_t count;
	uint64_t total_ns;
	uint64_t max_ns;
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *spread, uint64_t time_ns);

/* The time that `percent` of all do not exceed; 0 if there are none. */
uint64_t histogram_percentile(const struct histogram *spread, double percent);

#endif
