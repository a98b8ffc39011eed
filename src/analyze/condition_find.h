/* SPDX-License-Identifier: MIT */
/*
 * condition_find.h - what a condition is about.
 */
#ifndef ANALYZE_CONDITION_FIND_H
#define ANALYZE_CONDITION_FIND_H

#include "analyze/condition.h"

/* Fills in all but whether it holds. */
int condition_find(const struct condition *condition, const struct figures *before,
		   const struct figures *after, struct condition_result *result,
		   struct pp_error *err);

/* Whether all of the text is what the pattern says: * is anything, ? one character. */
bool glob_matches(const char *pattern, const char *text);

#endif
