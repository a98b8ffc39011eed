/* SPDX-License-Identifier: MIT */
/*
 * progress.h - a line on the terminal while something takes over a second.
 *
 * Nothing is ever written where standard error is no terminal.
 *
 *	struct progress progress = { .what = "reading", .total = size };
 *	progress_update(&progress, done);	(every PROGRESS_STEP events or so)
 *	progress_end(&progress);
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#define PROGRESS_STEP 65536u /* events between two looks at the clock */

struct progress {
	const char *what;
	uint64_t total;	  /* 0: unknown */
	int64_t start_ns; /* set by the first update */
	int64_t shown_ns; /* 0: nothing shown yet */
};

void progress_update(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress); /* wipes the line */

#endif
