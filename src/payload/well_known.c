/* SPDX-License-Identifier: MIT */
/*
 * Universal.System (written by one-collect) declares its strings as a single unit of UTF-8 but
 * writes a 16-bit size and that many bytes, so its metadata is unusable; the ids are fixed.
 * Argument lists of DiagnosticSource had no metadata before .NET 5; its event names are fixed.
 */
#include <string.h>

#include "base/array.h"
#include "clr/providers.h"
#include "nettrace/universal_fields.h"
#include "payload/plan_make.h"

#define LIST(array)                                                                                \
	{                                                                                          \
		(array), ARRAY_COUNT(array)                                                        \
	}

#define UTF16Z(name_)                                                                              \
	{                                                                                          \
		.name = (name_), .type = {.code = PP_TYPE_UTF16Z }                                 \
	}

static const struct pp_field argument_fields[] = { UTF16Z("Key"), UTF16Z("Value") };
static const struct pp_type argument = { .code = PP_TYPE_OBJECT, .fields = LIST(argument_fields) };
static const struct pp_field diagnostic_fields[] = {
	UTF16Z("SourceName"),
	UTF16Z("EventName"),
	{ .name = "Arguments", .type = { .code = PP_TYPE_ARRAY, .element = &argument } },
};
static const char *const diagnostic_events[] = {
	"Event",	 "Activity1Start",	    "Activity1Stop",	      "Activity2Start",
	"Activity2Stop", "RecursiveActivity1Start", "RecursiveActivity1Stop",
};

struct pp_fields well_known_before_metadata(const struct pp_kind *kind)
{
	if (kind->id < UNIVERSAL_SYSTEM_EVENTS &&
	    !strcmp(kind->provider, UNIVERSAL_SYSTEM_PROVIDER))
		return universal_fields[kind->id];
	return (struct pp_fields){ 0 };
}

struct pp_fields well_known_without_metadata(const struct pp_kind *kind)
{
	if (strcmp(kind->provider, DIAGNOSTIC_SOURCE_PROVIDER))
		return (struct pp_fields){ 0 };
	for (size_t i = 0; i < ARRAY_COUNT(diagnostic_events); i++)
		if (!strcmp(kind->name, diagnostic_events[i]))
			return (struct pp_fields)LIST(diagnostic_fields);
	return (struct pp_fields){ 0 };
}
