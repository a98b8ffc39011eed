/* SPDX-License-Identifier: MIT */
#include "cli/size.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"

static const struct {
	const char *name; /* in any case */
	double bytes;
} units[] = {
	{ "B", 1 },
	{ "k", 1e3 },
	{ "kB", 1e3 },
	{ "M", 1e6 },
	{ "MB", 1e6 },
	{ "G", 1e9 },
	{ "GB", 1e9 },
	{ "T", 1e12 },
	{ "TB", 1e12 },
	{ "KiB", 1024 },
	{ "MiB", 1048576 },
	{ "GiB", 1073741824 },
	{ "TiB", 1099511627776 },
};

static double unit_bytes(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(units); i++)
		if (!strcasecmp(units[i].name, name))
			return units[i].bytes;
	return 0;
}

int size_parse(const char *text, const char *what, uint64_t *bytes, struct pp_error *err)
{
	char *end = (char *)text;
	const double number = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	const double unit = unit_bytes(end);

	if (number <= 0 || unit == 0 || number * unit > 9e18 || number * unit < 1)
		return error_set(err, PP_ERROR_USAGE,
				 "--%s takes a size such as 500kB, 100MB or 2GB, not '%s'", what,
				 text);
	*bytes = (uint64_t)(number * unit);
	return 0;
}

bool size_is_meant(const char *text)
{
	const size_t length = strlen(text);

	return length && toupper((unsigned char)text[length - 1]) == 'B';
}
