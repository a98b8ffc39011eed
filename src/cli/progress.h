/* SPDX-License-Identifier: MIT */
/*
 * progress.h - a line on the terminal while something takes over a second.
 *
 * Nothing is written unless standard error is a terminal.
 *
 *	struct progress progress = { .what = "reading", .total = size };
 *	progress_update(&progress, done);	(now and then)
 *	progress_end(&progress);
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "input/trace_file.h"
#include "pass/pass.h"

struct progress {
	const char *what;
	uint64_t total;	  /* 0: unknown */
	int64_t start_ns; /* set by the first update */
	int64_t shown_ns; /* 0: nothing shown yet */
};

void progress_update(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress); /* wipes the line */

/* Shows how far the pass is in a file, until progress_end(). */
void progress_begin(struct progress *progress, struct pass *pass);

/* pass_file() with progress on the way. */
enum pp_next progress_pass(struct pass *pass, struct trace_file *file, const char *what,
			   struct pp_error *err);

/*
 * Of a trace that was read to its end: warnings if it is truncated or damaged, or if something
 * follows it. False if it is damaged, with which no command succeeds.
 */
bool progress_check(const struct trace_file *file);

/* A warning if it lost events, for outputs that do not say so themselves. */
void warn_if_lossy(const struct trace_file *file);

#endif
