/* SPDX-License-Identifier: MIT */
/*
 * looks_like.h - what a file is when it is no trace of ours.
 *
 * For the sentence "x.etl is no nettrace file; it looks like a Windows ETL
 * file": give it the first bytes, 512 or more if there are as many.
 */
#ifndef INPUT_LOOKS_LIKE_H
#define INPUT_LOOKS_LIKE_H

#include <stddef.h>

#define LOOKS_UNKNOWN "unknown data"

/* Never NULL: "an empty file", "a perf.data file", "text", ..., or else LOOKS_UNKNOWN. */
const char *looks_like(const void *bytes, size_t size);

#endif
