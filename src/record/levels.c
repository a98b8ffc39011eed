/* SPDX-License-Identifier: MIT */
#include "record/levels.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"

static const char *const names[LEVELS] = {
	[LEVEL_LOG_ALWAYS] = "LogAlways",
	[LEVEL_CRITICAL] = "Critical",
	[LEVEL_ERROR] = "Error",
	[LEVEL_WARNING] = "Warning",
	[LEVEL_INFORMATIONAL] = "Informational",
	[LEVEL_VERBOSE] = "Verbose",
};

static int unknown(const char *text, struct pp_error *err)
{
	struct suggest suggest = { .typed = text };

	for (unsigned i = 0; i < LEVELS; i++)
		suggest_offer(&suggest, names[i]);
	if (suggest.best)
		return error_set(err, PP_ERROR_USAGE, "unknown level '%s'; did you mean %s?", text,
				 suggest.best);
	return error_set(err, PP_ERROR_USAGE,
			 "unknown level '%s'; it is 0 to 5, LogAlways, Critical, Error, Warning, "
			 "Informational or Verbose",
			 text);
}

int level_parse(const char *text, struct pp_error *err)
{
	const size_t digits = strspn(text, "0123456789");

	for (unsigned i = 0; i < LEVELS; i++)
		if (!strcasecmp(text, names[i]))
			return (int)i;
	if (!digits || text[digits])
		return unknown(text, err);
	text += strspn(text, "0");
	if (!*text)
		return LEVEL_LOG_ALWAYS;
	return text[1] || *text > '0' + LEVEL_VERBOSE ? LEVEL_VERBOSE : *text - '0';
}

const char *level_name(unsigned level)
{
	assert(level < LEVELS);
	return names[level];
}

unsigned level_merge(unsigned a, unsigned b)
{
	if (a == b)
		return a;
	if (a == LEVEL_LOG_ALWAYS || b == LEVEL_LOG_ALWAYS)
		return LEVEL_VERBOSE;
	return a > b ? a : b;
}
