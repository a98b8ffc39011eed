/* SPDX-License-Identifier: MIT */
/*
 * time.h - timestamps as text, and clocks.
 */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdint.h>

#define TIME_TEXT_SIZE 40

/*
 * RFC 3339 in UTC with seven digits, as .NET prints it: 2026-11-15T03:25:46.5440000Z. Finer digits
 * are cut off. Writes to `text` and returns it.
 */
const char *time_text(int64_t unix_ns, char text[static TIME_TEXT_SIZE]);

/* In units of 100 ns, whose range covers all years of .NET; nanoseconds end in 2262. */
const char *time_text_100ns(int64_t unix_100ns, char text[static TIME_TEXT_SIZE]);

/* For people: 2026-11-15 03:25:46.544 UTC. */
const char *time_text_short(int64_t unix_ns, char text[static TIME_TEXT_SIZE]);

int64_t time_monotonic_ns(void);
int64_t time_unix_ns(void);

#endif
