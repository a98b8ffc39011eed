/* SPDX-License-Identifier: MIT */
/*
 * duration.h - times as people type them: 12.5, 12.5ms, 30s, 2m, 1h30m, 2d,
 * hh:mm:ss and dd:hh:mm:ss. hh:mm could also be mm:ss, and is rejected.
 *
 * And as we print them, 0.192459348 or "1 min 40 s": exact to the nanosecond.
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdint.h>

#include "perfpipe/error.h"

/* A bare number is seconds. `what` names the option in the error; may be negative. */
int duration_parse(const char *text, const char *what, int64_t *ns, struct pp_error *err);

/* The same; zero and negative values are rejected. */
int duration_parse_positive(const char *text, const char *what, int64_t *ns, struct pp_error *err);

#endif
