/* SPDX-License-Identifier: MIT */
#include "analyze/sparkline.h"

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Where bucket `i` begins; the last one ends where bucket SPARKLINE_BUCKETS would begin. */
static int64_t edge(const struct sparkline *when, int i)
{
	const int64_t span = when->to_ns - when->from_ns;

	return when->from_ns + span / SPARKLINE_BUCKETS * i +
	       span % SPARKLINE_BUCKETS * i / SPARKLINE_BUCKETS;
}

void sparkline_add(struct sparkline *when, int64_t start_ns, int64_t size_ns)
{
	const int64_t span = when->to_ns - when->from_ns;
	const int64_t end_ns = start_ns + size_ns;
	int i = 0;

	if (span <= 0 || size_ns <= 0)
		return;
	if (start_ns > when->from_ns)
		i = (int)((double)(start_ns - when->from_ns) / (double)span * SPARKLINE_BUCKETS);
	for (i = i > 0 ? i - 1 : 0; i < SPARKLINE_BUCKETS && edge(when, i) < end_ns; i++) {
		const int64_t overlap =
			least(end_ns, edge(when, i + 1)) - most(start_ns, edge(when, i));

		if (overlap > 0)
			when->buckets[i] += (uint64_t)overlap;
	}
}

static char character(double share)
{
	if (share <= 0)
		return '_';
	if (share < 0.001)
		return '.';
	if (share < 0.01)
		return 'o';
	if (share < 1)
		return (char)('0' + (int)(share * 10));
	return share < 3.5 ? (char)('A' + (int)(share * 10) - 10) : '*';
}

void sparkline_text(const struct sparkline *when, char text[static SPARKLINE_BUCKETS + 1])
{
	for (int i = 0; i < SPARKLINE_BUCKETS; i++) {
		const int64_t size = edge(when, i + 1) - edge(when, i);

		text[i] = size > 0 ? character((double)when->buckets[i] / (double)size) : '_';
	}
	text[SPARKLINE_BUCKETS] = '\0';
}
