/* SPDX-License-Identifier: MIT */
/*
 * clr_keywords.h - the names that --clrevents takes for the runtime's keywords.
 */
#ifndef RECORD_CLR_KEYWORDS_H
#define RECORD_CLR_KEYWORDS_H

#include <stdint.h>

#include "perfpipe/error.h"

/* "gc+exception", in any case; commas do as well. Fails on a name that is none, and on none at all.
 */
int clr_keywords_parse(const char *names, uint64_t *keywords, struct pp_error *err);

#endif
