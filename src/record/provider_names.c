/* SPDX-License-Identifier: MIT */
#include "record/provider_names.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/suggest.h"

struct token token_trim(struct token token)
{
	while (token.size && isspace((unsigned char)*token.at)) {
		token.at++;
		token.size--;
	}
	while (token.size && isspace((unsigned char)token.at[token.size - 1]))
		token.size--;
	return token;
}

bool token_next(const char **list, const char *separators, char name[static TOKEN_SIZE])
{
	struct token token = { 0 };

	while (**list && !token.size) {
		token.at = *list;
		token.size = strcspn(*list, separators);
		*list += token.size + ((*list)[token.size] != '\0');
		token = token_trim(token);
	}
	if (token.size >= TOKEN_SIZE)
		token.size = TOKEN_SIZE - 1;
	if (token.size)
		memcpy(name, token.at, token.size);
	name[token.size] = '\0';
	return token.size != 0;
}

static const char *const level_names[LEVELS] = {
	[LEVEL_LOG_ALWAYS] = "LogAlways",
	[LEVEL_CRITICAL] = "Critical",
	[LEVEL_ERROR] = "Error",
	[LEVEL_WARNING] = "Warning",
	[LEVEL_INFORMATIONAL] = "Informational",
	[LEVEL_VERBOSE] = "Verbose",
};

static int unknown_level(const char *text, struct pp_error *err)
{
	struct suggest suggest = { .typed = text };

	for (unsigned i = 0; i < LEVELS; i++)
		suggest_offer(&suggest, level_names[i]);
	return suggest_error(&suggest, "level",
			     "use 0 to 5, LogAlways, Critical, Error, Warning, Informational or "
			     "Verbose",
			     err);
}

int level_parse(const char *text, struct pp_error *err)
{
	const size_t digits = strspn(text, "0123456789");

	for (unsigned i = 0; i < LEVELS; i++)
		if (!strcasecmp(text, level_names[i]))
			return (int)i;
	if (!digits || text[digits])
		return unknown_level(text, err);
	text += strspn(text, "0");
	if (!*text)
		return LEVEL_LOG_ALWAYS;
	return text[1] || *text > '0' + LEVEL_VERBOSE ? LEVEL_VERBOSE : *text - '0';
}

const char *level_name(unsigned level)
{
	assert(level < LEVELS);
	return level_names[level];
}

unsigned level_merge(unsigned a, unsigned b)
{
	if (a == b)
		return a;
	if (a == LEVEL_LOG_ALWAYS || b == LEVEL_LOG_ALWAYS)
		return LEVEL_VERBOSE;
	return a > b ? a : b;
}

/* As in .NET's tools, including the typo in managedheadcollect. */
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

const char *clr_keyword_name(size_t index)
{
	return index < ARRAY_COUNT(keywords_known) ? keywords_known[index].name : NULL;
}

#define KEYWORD_HINT "use names such as gc+exception+loader"

static int find_keyword(const char *name, uint64_t *bits, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; i < ARRAY_COUNT(keywords_known); i++) {
		if (!strcasecmp(keywords_known[i].name, name)) {
			*bits = keywords_known[i].bits;
			return 0;
		}
		suggest_offer(&suggest, keywords_known[i].name);
	}
	return suggest_error(&suggest, "keyword", KEYWORD_HINT, err);
}

int clr_keywords_parse(const char *names, uint64_t *keywords, struct pp_error *err)
{
	char name[TOKEN_SIZE];
	uint64_t bits = 0;

	*keywords = 0;
	while (token_next(&names, "+,", name)) {
		if (find_keyword(name, &bits, err))
			return -1;
		*keywords |= bits;
	}
	if (!*keywords)
		return error_set(err, PP_ERROR_USAGE, "no keyword given; " KEYWORD_HINT);
	return 0;
}

const struct costly_keyword costly_keywords[] = {
	{ "gcheapdump", 0x100000, "writes every object at each GC that gcheapcollect forces" },
	{ "gcsampledobjectallocationhigh", 0x200000,
	  "makes allocating slower for good in a program that is recorded from its start" },
	{ "gcheapsurvivalandmovement", 0x400000,
	  "writes at each GC where all surviving objects are and were" },
	{ "gcheapcollect", 0x800000, "forces a full GC when the recording starts" },
	{ "gcheapandtypenames", 0x1000000, "writes the types of dumped objects with their names" },
	{ "gcsampledobjectallocationlow", 0x2000000,
	  "makes allocating slower for good in a program that is recorded from its start" },
	{ 0 },
};

/* Level 5 where most events of the provider are written at that level. */
const struct known_provider known_providers[] = {
	{ RUNTIME_PROVIDER, LEVEL_INFORMATIONAL, COSTLY_KEYWORDS },
	{ "Microsoft-Windows-DotNETRuntimePrivate", LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft-Windows-DotNETRuntimeRundown", LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft-Windows-DotNETRuntimeStress", LEVEL_INFORMATIONAL, 0 },
	{ SAMPLE_PROVIDER, LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft-DotNETCore-EventPipe", LEVEL_INFORMATIONAL, 0 },
	{ "NativeRuntimeEventSource", LEVEL_INFORMATIONAL, 0 },
	{ "System.Runtime", LEVEL_INFORMATIONAL, 0 },
	{ "System.Threading.Tasks.TplEventSource", LEVEL_VERBOSE, 0 },
	{ "System.Threading.SynchronizationEventSource", LEVEL_VERBOSE, 0 },
	{ "System.Collections.Concurrent.ConcurrentCollectionsEventSource", LEVEL_VERBOSE, 0 },
	{ "System.Buffers.ArrayPoolEventSource", LEVEL_VERBOSE, 0 },
	{ "System.Linq.Parallel.PlinqEventSource", LEVEL_VERBOSE, 0 },
	{ "System.Threading.Tasks.Parallel.EventSource", LEVEL_VERBOSE, 0 },
	{ "System.Threading.Tasks.Dataflow.DataflowEventSource", LEVEL_VERBOSE, 0 },
	{ "System.Diagnostics.Metrics", LEVEL_INFORMATIONAL, 0 },
	{ "System.Net.Http", LEVEL_INFORMATIONAL, 0 },
	{ "System.Net.NameResolution", LEVEL_INFORMATIONAL, 0 },
	{ "System.Net.Security", LEVEL_INFORMATIONAL, 0 },
	{ "System.Net.Sockets", LEVEL_INFORMATIONAL, 0 },
	{ "Private.InternalDiagnostics.System.Net.Http", LEVEL_VERBOSE, 0 },
	{ "Private.InternalDiagnostics.System.Net.NameResolution", LEVEL_VERBOSE, 0 },
	{ "Private.InternalDiagnostics.System.Net.Security", LEVEL_VERBOSE, 0 },
	{ "Private.InternalDiagnostics.System.Net.Sockets", LEVEL_VERBOSE, 0 },
	{ "Private.InternalDiagnostics.System.Net.Quic", LEVEL_VERBOSE, 0 },
	{ "Microsoft-Diagnostics-DiagnosticSource", LEVEL_VERBOSE, 0 },
	{ "Microsoft-Extensions-Logging", LEVEL_VERBOSE, 0 },
	{ "Microsoft-Extensions-DependencyInjection", LEVEL_VERBOSE, 0 },
	{ "Microsoft.AspNetCore.Hosting", LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft-AspNetCore-Server-Kestrel", LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft.AspNetCore.Http.Connections", LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft.EntityFrameworkCore", LEVEL_INFORMATIONAL, 0 },
	{ "Microsoft.Data.SqlClient.EventSource", LEVEL_VERBOSE, 0 },
	{ "Grpc.AspNetCore.Server", LEVEL_INFORMATIONAL, 0 },
	{ "Grpc.Net.Client", LEVEL_INFORMATIONAL, 0 },
	{ 0 },
};

const struct known_provider *known_provider_find(const char *name)
{
	for (const struct known_provider *known = known_providers; known->name; known++)
		if (!strcasecmp(known->name, name))
			return known;
	return NULL;
}

const char *known_provider_near(const char *name)
{
	struct suggest suggest = { .typed = name, .whole = true };

	if (known_provider_find(name))
		return NULL;
	for (const struct known_provider *known = known_providers; known->name; known++)
		suggest_offer(&suggest, known->name);
	return suggest.best;
}
