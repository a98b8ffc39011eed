/* SPDX-License-Identifier: MIT */
/*
 * sparkline.h - a row's time as 32 characters, as in PerfView.
 *
 * Each character is a 32nd of the time shown: _ is none, . and o are under 0.1 and 1 % of one
 * CPU, 0 to 9 are tenths, A to Y continue from 100 to 340 %, * is more.
 */
#ifndef ANALYZE_SPARKLINE_H
#define ANALYZE_SPARKLINE_H

#include <stdint.h>

#define SPARKLINE_BUCKETS 32
#define SPARKLINE_LEGEND                                                                           \
	"_ none, . < 0.1 %%, o < 1 %% of a processor, 0-9 tenths of one, A-Y 1.0 to 3.4, * more"

struct sparkline {
	int64_t from_ns;
	int64_t to_ns;
	uint64_t buckets[SPARKLINE_BUCKETS]; /* ns in each */
};

/* Spreads the time over the buckets it overlaps. */
void sparkline_add(struct sparkline *when, int64_t start_ns, int64_t size_ns);

void sparkline_text(const struct sparkline *when, char text[static SPARKLINE_BUCKETS + 1]);

#endif
