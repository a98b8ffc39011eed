/* SPDX-License-Identifier: MIT */
#include "base/duration.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

#define SECOND_NS UINT64_C(1000000000)
#define MOST_NS	  UINT64_C(9000000000000000000)

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", SECOND_NS },
	{ "m", 60 * SECOND_NS },
	{ "min", 60 * SECOND_NS },
	{ "h", 3600 * SECOND_NS },
	{ "d", 86400 * SECOND_NS },
};

/* The unit at `*at`, which is moved past it; 0 if it is unknown. */
static uint64_t unit_ns(const char **at)
{
	size_t length = 0;

	while (isalpha((unsigned char)(*at)[length]))
		length++;
	for (size_t i = 0; i < ARRAY_COUNT(units); i++)
		if (strlen(units[i].name) == length && !strncmp(*at, units[i].name, length)) {
			*at += length;
			return units[i].ns;
		}
	return length ? 0 : SECOND_NS;
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

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " ");
}

/*
 * Digits with a point among them, in this unit. In whole numbers: a time that was printed selects
 * the event that it was printed for, and not the one after it.
 */
static uint64_t scale(const char *digits, size_t size, uint64_t unit)
{
	uint64_t whole = 0, fraction = 0;
	bool after_point = false;

	for (size_t i = 0; i < size; i++) {
		if (digits[i] == '.') {
			after_point = true;
		} else if (after_point) {
			unit /= 10;
			fraction += unit * (uint64_t)(digits[i] - '0');
		} else if (__builtin_mul_overflow(whole, 10, &whole) ||
			   __builtin_add_overflow(whole, unit * (uint64_t)(digits[i] - '0'),
						  &whole)) {
			return UINT64_MAX;
		}
	}
	return whole > MOST_NS ? whole : whole + fraction;
}

/* The number and the unit at `*at`, which is moved past them; -1: there are none, or too much. */
static int parse_part(const char **at, uint64_t *sum)
{
	const char *digits = *at;
	const size_t size = strspn(digits, ".0123456789");
	const char *point = memchr(digits, '.', size);
	uint64_t unit;

	if (size == (point != NULL) ||
	    (point && memchr(point + 1, '.', size - (size_t)(point + 1 - digits))))
		return -1;
	*at = skip_blanks(digits + size);
	unit = unit_ns(at);
	*at = skip_blanks(*at);
	if (!unit || __builtin_add_overflow(*sum, scale(digits, size, unit), sum))
		return -1;
	return *sum > MOST_NS ? -1 : 0;
}

int duration_parse(const char *text, const char *what, int64_t *ns, struct pp_error *err)
{
	const char *at = skip_blanks(text);
	const bool negative = *at == '-';
	uint64_t sum = 0;

	if (strchr(text, ':'))
		return parse_clock(text, what, ns, err);
	at += negative;
	do {
		if (parse_part(&at, &sum))
			return wrong(text, what, err);
	} while (*at);
	*ns = negative ? -(int64_t)sum : (int64_t)sum;
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
