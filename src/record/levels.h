/* SPDX-License-Identifier: MIT */
/*
 * levels.h - how much a provider is asked to tell, from critical to verbose.
 *
 * The more verbose of two levels is the larger number. That holds for 0,
 * LogAlways, too: a session at level 0 gets the few events that are written at
 * level 0, and nothing else. (Event listeners inside a program take 0 as
 * "everything"; the runtime's sessions do not.)
 */
#ifndef RECORD_LEVELS_H
#define RECORD_LEVELS_H

#include "perfpipe/error.h"

enum level {
	LEVEL_LOG_ALWAYS,
	LEVEL_CRITICAL,
	LEVEL_ERROR,
	LEVEL_WARNING,
	LEVEL_INFORMATIONAL,
	LEVEL_VERBOSE,
	LEVELS,
};

/* A number, of which those above 5 mean 5, or a name in any case; -1 and an error for others. */
int level_parse(const char *text, struct pp_error *err);

const char *level_name(unsigned level); /* "Informational" */

#endif
