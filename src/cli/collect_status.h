/* SPDX-License-Identifier: MIT */
/*
 * collect_status.h - the progress and the result of recordings.
 *
 * While they run: a line for each on the terminal, redrawn several times per second. At the end: a
 * line for each.
 */
#ifndef CLI_COLLECT_STATUS_H
#define CLI_COLLECT_STATUS_H

#include <stdio.h>

#include "record/targets.h"

struct status_rate {
	uint64_t events; /* at `time_ns` */
	int64_t time_ns;
	double per_second;
};

struct collect_status {
	const struct engine *engine;
	unsigned buffer_mb;	   /* for the advice */
	int64_t shown_ns;	   /* when it was last drawn */
	size_t lines;		   /* on the terminal now */
	struct status_rate *rates; /* by recording */
	size_t rate_count;
	bool advised; /* about buffers that are too small */
};

/* From now on the engine draws it. */
void collect_status_begin(struct collect_status *status, struct engine *engine);

/* Removes the lines, until they are drawn again or for good. */
void collect_status_clear(struct collect_status *status);
void collect_status_end(struct collect_status *status);

/* A line about the result. `what` stands for the file; NULL: its name. */
void collect_report_text(const struct recording *recording, const char *what, unsigned buffer_mb,
			 FILE *out);

/* All that were recorded. */
void collect_report_json(const struct targets *targets, FILE *out);

#endif
