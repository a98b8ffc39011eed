/* SPDX-License-Identifier: MIT */
/*
 * collect_hints.h - what `perfpipe collect` suggests: the command that was meant, and the next one.
 */
#ifndef CLI_COLLECT_HINTS_H
#define CLI_COLLECT_HINTS_H

#include <stdio.h>

#include "record/targets.h"

#define COLLECT_SHOWS_CHILD_IO                                                                     \
	"--show-child-io does nothing: the output of a launched program is shown unless "          \
	"--hide-child-io is given"

/* For a program that could not be launched: a lone word may be the process that was meant. */
void collect_suggest_process(char *const *command, struct pp_error *err);

/* The next command to try, on the newest file, if it is one that can be read again. */
void collect_suggest_report(const struct targets *targets, FILE *out);

#endif
