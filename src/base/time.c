/* SPDX-License-Identifier: MIT */
#include "base/time.h"

#include <stdio.h>
#include <time.h>

#define NS_PER_SECOND INT64_C(1000000000)

const char *time_text(int64_t unix_ns, char text[static TIME_TEXT_SIZE])
{
	time_t seconds = (time_t)(unix_ns / NS_PER_SECOND);
	int64_t fraction = unix_ns % NS_PER_SECOND;
	struct tm tm;
	size_t length;

	if (fraction < 0) { /* down, and not towards 1970 */
		fraction += NS_PER_SECOND;
		seconds--;
	}
	gmtime_r(&seconds, &tm);
	length = strftime(text, TIME_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + length, TIME_TEXT_SIZE - length, ".%07dZ", (int)(fraction / 100));
	return text;
}
