/* SPDX-License-Identifier: MIT */
#include "analyze/histogram.h"

#include <stddef.h>

/* A bucket per number below 2 * HISTOGRAM_STEPS, then that many steps per power of two. */
static size_t bucket_of(uint64_t time_ns)
{
	const int bits = 63 - __builtin_clzll(time_ns | HISTOGRAM_STEPS);
	const int shift = bits - 4; /* the steps are 2 to the 4th */

	return (size_t)shift * HISTOGRAM_STEPS + (size_t)(time_ns >> shift);
}

/* The middle of the times in the bucket. */
static uint64_t middle_of(size_t bucket)
{
	const size_t shift = bucket / HISTOGRAM_STEPS > 1 ? bucket / HISTOGRAM_STEPS - 1 : 0;
	const uint64_t low = (uint64_t)(bucket - shift * HISTOGRAM_STEPS) << shift;

	return low + (shift ? UINT64_C(1) << (shift - 1) : 0);
}

void histogram_add(struct histogram *spread, uint64_t time_ns)
{
	spread->count++;
	spread->total_ns += time_ns;
	if (time_ns > spread->max_ns)
		spread->max_ns = time_ns;
	spread->buckets[bucket_of(time_ns)]++;
}

uint64_t histogram_percentile(const struct histogram *spread, double percent)
{
	const double wanted = (double)spread->count * percent / 100;
	uint64_t passed = 0;

	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		passed += spread->buckets[i];
		if (spread->buckets[i] && (double)passed >= wanted)
			return middle_of(i) < spread->max_ns ? middle_of(i) : spread->max_ns;
	}
	return spread->max_ns;
}
