/* SPDX-License-Identifier: MIT */
#include "cli/duration.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const struct {
	const char *name;
	double ns;
} units[] = {
	{ "ns", 1 },   { "us", 1e3 },	{ "ms", 1e6 },	 { "s", 1e9 },
	{ "m", 60e9 }, { "h", 3600e9 }, { "min", 60e9 },
};

/* The unit that begins at `*at`, which moves behind it; 0 if there is none such. */
static double unit_ns(const char **at)
{
	size_t length = 0;

	while (isalpha((unsigned char)(*at)[length]))
		length++;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == length && !strncmp(*at, units[i].name, length)) {
			*at += length;
			return units[i].ns;
		}
	return length ? 0 : 1e9;
}

static int wrong(const char *text, const char *what, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "--%s takes a time such as 1.5 (seconds), 12.5ms, 30s or 2m, not \"%s\"",
			 what, text);
}

int duration_parse(const char *text, const char *what, int64_t *ns, struct pp_error *err)
{
	const char *at = text + (*text == '-');
	double sum = 0;

	do {
		char *end = (char *)at;
		const double number =
			isdigit((unsigned char)*at) || *at == '.' ? strtod(at, &end) : -1;
		double unit;

		if (number < 0)
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
