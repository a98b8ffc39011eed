/* SPDX-License-Identifier: MIT */
#include "base/time.h"

#include <stdio.h>
#include <time.h>

#define UNITS_PER_SECOND INT64_C(10000000)

/* Rounds down, also before 1970. */
static int64_t floor_divide(int64_t value, int64_t by)
{
	return value / by - (value % by < 0);
}

const char *time_text(int64_t unix_ns, char text[static TIME_TEXT_SIZE])
{
	return time_text_100ns(floor_divide(unix_ns, 100), text);
}

const char *time_text_100ns(int64_t unix_100ns, char text[static TIME_TEXT_SIZE])
{
	const time_t seconds = (time_t)floor_divide(unix_100ns, UNITS_PER_SECOND);
	const int fraction = (int)(unix_100ns % UNITS_PER_SECOND);
	struct tm tm;
	size_t length;

	gmtime_r(&seconds, &tm);
	length = strftime(text, TIME_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + length, TIME_TEXT_SIZE - length, ".%07dZ",
		 fraction < 0 ? fraction + (int)UNITS_PER_SECOND : fraction);
	return text;
}

const char *time_text_short(int64_t unix_ns, char text[static TIME_TEXT_SIZE])
{
	const int64_t unix_ms = floor_divide(unix_ns, 1000000);
	const time_t seconds = (time_t)floor_divide(unix_ms, 1000);
	struct tm tm;
	size_t length;

	gmtime_r(&seconds, &tm);
	length = strftime(text, TIME_TEXT_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text + length, TIME_TEXT_SIZE - length, ".%03d UTC",
		 (int)(unix_ms - seconds * 1000));
	return text;
}

int64_t time_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t time_unix_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
