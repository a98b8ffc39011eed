/* SPDX-License-Identifier: MIT */
/*
 * collect_status.h - what is shown while recordings run and when they have ended.
 *
 * While they run: a line for each recording on a terminal, drawn over and over. At the end
 * a line each on stderr, or an object each on stdout.
 */
#ifndef CLI_COLLECT_STATUS_H
#define CLI_COLLECT_STATUS_H

#include <stdio.h>

#include "record/engine.h"

struct status_rate {
	uint64_t events; /* at that time */
	int64_t time_ns;
	double per_second;
};

struct collect_status {
	const struct engine *engine;
	unsigned buffer_mb;	   /* for the advice */
	int64_t shown_ns;	   /* when it was drawn */
	size_t lines;		   /* on the terminal now */
	struct status_rate *rates; /* by recording */
	size_t rate_count;
	bool advised; /* that buffers are too small */
};

/* From now on the engine draws it several times a second. */
void collect_status_begin(struct collect_status *status, struct engine *engine);

/* Takes the lines away, until they are drawn again or for good. */
void collect_status_clear(struct collect_status *status);
void collect_status_end(struct collect_status *status);

/* A line on what became of the recording. */
void collect_report_text(const struct recording *recording, unsigned buffer_mb, FILE *out);

/* The same as data. */
void collect_report_json(const struct recording *recording, FILE *out);

#endif
