/* SPDX-License-Identifier: MIT */
/*
 * burst.h - the most of something within a second, since a mean over the whole trace has idle time
 * in it. Seconds are those of the trace; what is added comes in order of time.
 *
 *	struct burst burst = { 0 };
 *
 *	burst_add(&burst, at->time_ns, 1);
 *	use(burst.most);
 */
#ifndef ANALYZE_BURST_H
#define ANALYZE_BURST_H

#include <stdint.h>

struct burst {
	int64_t second; /* the current one */
	uint64_t amount;
	uint64_t most;
};

static inline void burst_add(struct burst *burst, int64_t time_ns, uint64_t amount)
{
	const int64_t second = time_ns / 1000000000 - (time_ns < 0);

	if (second != burst->second)
		burst->amount = 0;
	burst->second = second;
	burst->amount += amount;
	if (burst->amount > burst->most)
		burst->most = burst->amount;
}

#endif
