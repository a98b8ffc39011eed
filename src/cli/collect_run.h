/* SPDX-License-Identifier: MIT */
/*
 * collect_run.h - recording from the command line: what `perfpipe collect` and `perfpipe profile`
 * run, with notes and progress on standard error.
 */
#ifndef CLI_COLLECT_RUN_H
#define CLI_COLLECT_RUN_H

#include "cli/collect_args.h"

/* All is borrowed. */
struct collect_plan {
	const struct collect_args *args;
	char *const *command; /* a program to launch; NULL ends it. NULL: none */
};

enum exit_code collect_run(const struct collect_plan *plan, struct pp_error *err);

#endif
