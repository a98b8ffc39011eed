/* SPDX-License-Identifier: MIT */
/*
 * targets_launch.h - what became of a program that was launched.
 */
#ifndef CLI_TARGETS_LAUNCH_H
#define CLI_TARGETS_LAUNCH_H

#include "cli/targets.h"

/* When the loop has ended: the terminal is as it was, and we can say what became of it. */
void launch_leave(struct targets *targets);

/* Its exit code, or 0 if it was us who ended it. The error says why nothing was recorded. */
int launch_result(const struct targets *targets, struct pp_error *err);

#endif
