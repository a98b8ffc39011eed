/* SPDX-License-Identifier: MIT */
/*
 * size.h - sizes as people type them: 500kB, 100MB, 1.5GB, 64MiB, 10M.
 *
 * kB, MB and GB are powers of a thousand, as they are printed; KiB, MiB and GiB of
 * 1024. A unit is needed: nobody knows what a bare 100 means.
 */
#ifndef CLI_SIZE_H
#define CLI_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "perfpipe/error.h"

/* `what` names the option in the error. */
int size_parse(const char *text, const char *what, uint64_t *bytes, struct pp_error *err);

/* Does the text end in a B, as a size does that could else be a time (10M, 10m)? */
bool size_is_meant(const char *text);

#endif
