/* SPDX-License-Identifier: MIT */
/*
 * target_run.h - running an engine with its targets, from the first search to the last signal.
 *
 *	code = target_run(&engine, targets, &err);
 *	if (code == EXIT_DONE)
 *		report(targets);
 *	abandoned = !target_run_end(&engine, targets);
 */
#ifndef CLI_TARGET_RUN_H
#define CLI_TARGET_RUN_H

#include "cli/exit_code.h"
#include "record/targets.h"

/* EXIT_DONE, or the code for the error that kept everything from being recorded. */
enum exit_code target_run(struct engine *engine, struct targets *targets, struct pp_error *err);

/* The code for a process that is not recorded. */
enum exit_code target_refusal(const struct pp_error *err);

/* Frees and closes both. False: threads that do not end still use what the targets were given. */
bool target_run_end(struct engine *engine, struct targets *targets);

#endif
