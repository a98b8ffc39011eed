/* SPDX-License-Identifier: MIT */
/*
 * time.h - points in time as text, and the clock that never goes back.
 */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>

#define TIME_TEXT_SIZE 40

/*
 * RFC 3339 in UTC with seven digits, as .NET has them: 2026-11-15T03:25:46.5440000Z.
 * What is finer is cut off. Writes into `text` and returns it.
 */
const char *time_text(int64_t unix_ns, char text[static TIME_TEXT_SIZE]);

/* The same for units of 100 ns, which reach beyond the years that nanoseconds do. */
const char *time_text_100ns(int64_t unix_100ns, char text[static TIME_TEXT_SIZE]);

int64_t time_monotonic_ns(void); /* of CLOCK_MONOTONIC */
int64_t time_unix_ns(void);

#endif
