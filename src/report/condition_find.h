/* SPDX-License-Identifier: MIT */
/*
 * condition_find.h - what a condition is about.
 */
#ifndef REPORT_CONDITION_FIND_H
#define REPORT_CONDITION_FIND_H

#include "report/condition.h"

/* Fills in all but whether it holds. */
int condition_find(const struct condition *condition, const struct metric_side *before,
		   const struct metric_side *after, struct condition_result *result,
		   struct pp_error *err);

/* Whether all of the text is what the pattern says: * is anything, ? one character. */
bool glob_matches(const char *pattern, const char *text);

#endif
