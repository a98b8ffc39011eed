/* SPDX-License-Identifier: MIT */
/*
 * looks_like.h - guesses what a file is that is not a trace.
 *
 * For messages such as "x.etl is not a trace; it looks like a Windows ETL file". Pass the first 512
 * bytes or more, or all if there are fewer.
 */
#ifndef INPUT_LOOKS_LIKE_H
#define INPUT_LOOKS_LIKE_H

#include <stddef.h>

#define LOOKS_UNKNOWN "unknown data"

/* Never NULL: "an empty file", "a perf.data file", "text", ..., or LOOKS_UNKNOWN. */
const char *looks_like(const void *bytes, size_t size);

#endif
