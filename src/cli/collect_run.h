/* SPDX-License-Identifier: MIT */
/*
 * collect_run.h - recording from the command line: what `perfpipe collect` and `perfpipe profile`
 * run, with notes and progress on standard error.
 */
#ifndef CLI_COLLECT_RUN_H
#define CLI_COLLECT_RUN_H

#include "cli/collect_args.h"
#include "cli/report_print.h"

/* All is borrowed. */
struct collect_request {
	const struct collect_args *args;
	char *const *command;		    /* a program to launch; NULL ends it. NULL: none */
	const struct report_choice *report; /* to print of each file at the end; NULL: none */
	bool no_file; /* but for the report: nothing is kept. There must be one target only */
	bool brief;   /* what is recorded is not listed */
};

enum exit_code collect_run(const struct collect_request *plan, struct pp_error *err);

#endif
