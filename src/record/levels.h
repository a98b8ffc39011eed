/* SPDX-License-Identifier: MIT */
/*
 * levels.h - how much a provider is asked to tell, from critical to verbose.
 *
 * 0, LogAlways, is odd: of .NET 10 a session at level 0 gets everything, of older
 * runtimes only the few events that are written at level 0. So 0 and another level
 * come together as 5, which is everything to all of them.
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

/* What gives the events of both. */
unsigned level_merge(unsigned a, unsigned b);

#endif
