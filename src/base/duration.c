/* SPDX-License-Identifier: MIT */
#include "base/duration.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static const struct {
	const char *name;
	double ns;
} units[] = {
	{ "ns", 1 },   { "us", 1e3 },	{ "ms", 1e6 },	 { "s", 1e9 },
	{ "m", 60e9 }, { "h", 3600e9 }, { "min", 60e9 }, { "d", 86400e9 },
};

/* The unit at `*at`, which is moved past it; 0 if it is unknown. */
static double unit_ns(const char **at)
{
	size_t length = 0;

	while (isalpha((unsigned char)(*at)[length]))
		length++;
	for (size_t i = 0; i < ARRAY_COUNT(units); i++)
		if (strlen(units[i].name) == length && !strncmp(*at, units[i].name, length)) {
			*at += length;
			return units[i].ns;
		}
	return length ? 0 : 1e9;
}

static int wrong(const char *text, const char *what, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "--%s takes a time such as 1.5 (seconds), 12.5ms, 30s, 1h30m or 00:01:30, "
			 "not \"%s\"",
			 what, text);
}

/* dd:hh:mm:ss and hh:mm:ss. Two parts may be hours and minutes, or minutes and seconds. */
static int parse_clock(const char *text, const char *what, int64_t *ns, struct pp_error *err)
{
	static const uint64_t seconds_each[] = { 86400, 3600, 60, 1 };
	uint64_t parts[4] = { 0 };
	size_t count = 0;
	uint64_t seconds = 0;

	for (const char *at = text;; at++) {
		const size_t digits = strspn(at, "0123456789");

		if (!digits || digits > 6 || count == 4)
			return wrong(text, what, err);
		parts[count++] = strtoull(at, NULL, 10);
		at += digits;
		if (!*at)
			break;
		if (*at != ':')
			return wrong(text, what, err);
	}
	if (count == 2)
		return error_set(err, PP_ERROR_USAGE,
				 "--%s %s can be read as %" PRIu64 "h%" PRIu64 "m or as %" PRIu64
				 "m%" PRIu64 "s; write the one that is meant",
				 what, text, parts[0], parts[1], parts[0], parts[1]);
	for (size_t i = 0; i < count; i++)
		seconds += parts[i] * seconds_each[4 - count + i];
	*ns = (int64_t)(seconds * 1000000000);
	return 0;
}

int duration_parse(const char *text, const char *what, int64_t *ns, struct pp_error *err)
{
	const char *at = text + (*text == '-');
	double sum = 0;

	if (strchr(text, ':'))
		return parse_clock(text, what, ns, err);
	do {
		char *end = (char *)at;
		const double number =
			isdigit((unsigned char)*at) || *at == '.' ? strtod(at, &end) : -1;
		double unit;

		if (number < 0 || end == at)
			return wrong(text, what, err);
		at = end;
		unit = unit_ns(&at);
		if (unit == 0)
			return wrong(text, what, err);
		sum += number * unit;
	} while (*at);
	if (sum > 9e18)
		return wrong(text, what, err);
	*ns = (int64_t)(*text == '-' ? -sum : sum);
	return 0;
}

int duration_parse_positive(const char *text, const char *what, int64_t *ns, struct pp_error *err)
{
	if (duration_parse(text, what, ns, err))
		return -1;
	if (*ns <= 0)
		return error_set(err, PP_ERROR_USAGE, "--%s takes a time above zero, not %s", what,
				 text);
	return 0;
}
