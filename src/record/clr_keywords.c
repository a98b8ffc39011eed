/* SPDX-License-Identifier: MIT */
#include "record/clr_keywords.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "record/tokens.h"

/* As .NET's tools call them, the slip in one of them too. */
static const struct {
	const char *name;
	uint64_t bits;
} keywords_known[] = {
	{ "gc", 0x1 },
	{ "gchandle", 0x2 },
	{ "fusion", 0x4 },
	{ "assemblyloader", 0x4 },
	{ "loader", 0x8 },
	{ "jit", 0x10 },
	{ "ngen", 0x20 },
	{ "startenumeration", 0x40 },
	{ "endenumeration", 0x80 },
	{ "security", 0x400 },
	{ "appdomainresourcemanagement", 0x800 },
	{ "jittracing", 0x1000 },
	{ "interop", 0x2000 },
	{ "contention", 0x4000 },
	{ "exception", 0x8000 },
	{ "threading", 0x10000 },
	{ "jittedmethodiltonativemap", 0x20000 },
	{ "overrideandsuppressngenevents", 0x40000 },
	{ "type", 0x80000 },
	{ "gcheapdump", 0x100000 },
	{ "gcsampledobjectallocationhigh", 0x200000 },
	{ "gcheapsurvivalandmovement", 0x400000 },
	{ "gcheapcollect", 0x800000 },
	{ "managedheadcollect", 0x800000 },
	{ "managedheapcollect", 0x800000 },
	{ "gcheapandtypenames", 0x1000000 },
	{ "gcsampledobjectallocationlow", 0x2000000 },
	{ "perftrack", 0x20000000 },
	{ "stack", 0x40000000 },
	{ "threadtransfer", 0x80000000 },
	{ "debugger", 0x100000000 },
	{ "monitoring", 0x200000000 },
	{ "codesymbols", 0x400000000 },
	{ "eventsource", 0x800000000 },
	{ "compilation", 0x1000000000 },
	{ "compilationdiagnostic", 0x2000000000 },
	{ "methoddiagnostic", 0x4000000000 },
	{ "typediagnostic", 0x8000000000 },
	{ "jitinstrumentationdata", 0x10000000000 },
	{ "profiler", 0x20000000000 },
	{ "waithandle", 0x40000000000 },
	{ "allocationsampling", 0x80000000000 },
};

#define KNOWN (sizeof(keywords_known) / sizeof(keywords_known[0]))

static int find(const char *name, uint64_t *bits, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; i < KNOWN; i++) {
		if (!strcasecmp(keywords_known[i].name, name)) {
			*bits = keywords_known[i].bits;
			return 0;
		}
		suggest_offer(&suggest, keywords_known[i].name);
	}
	if (suggest.best)
		return error_set(err, PP_ERROR_USAGE,
				 "unknown name '%s' in --clrevents; did you mean %s?", name,
				 suggest.best);
	return error_set(err, PP_ERROR_USAGE,
			 "unknown name '%s' in --clrevents, which takes names such as "
			 "gc+exception+loader",
			 name);
}

int clr_keywords_parse(const char *names, uint64_t *keywords, struct pp_error *err)
{
	char name[TOKEN_SIZE];
	uint64_t bits = 0;

	*keywords = 0;
	while (token_next(&names, "+,", name)) {
		if (find(name, &bits, err))
			return -1;
		*keywords |= bits;
	}
	if (!*keywords)
		return error_set(err, PP_ERROR_USAGE,
				 "--clrevents takes names such as gc+exception+loader");
	return 0;
}
