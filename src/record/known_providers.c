/* SPDX-License-Identifier: MIT */
#include "record/known_providers.h"

#include <stddef.h>
#include <strings.h>

#include "base/suggest.h"
#include "record/levels.h"

/* Level 5 where most of what the provider has is written at that level. */
const struct known_provider known_providers[] = {
	{ RUNTIME_PROVIDER, LEVEL_INFORMATIONAL,
	  "which forces a full collection and writes the whole heap" },
	{ "Microsoft-Windows-DotNETRuntimePrivate", LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-Windows-DotNETRuntimeRundown", LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-Windows-DotNETRuntimeStress", LEVEL_INFORMATIONAL, NULL },
	{ SAMPLE_PROVIDER, LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-DotNETCore-EventPipe", LEVEL_INFORMATIONAL, NULL },
	{ "NativeRuntimeEventSource", LEVEL_INFORMATIONAL, NULL },
	{ "System.Runtime", LEVEL_INFORMATIONAL, NULL },
	{ "System.Threading.Tasks.TplEventSource", LEVEL_VERBOSE, NULL },
	{ "System.Threading.SynchronizationEventSource", LEVEL_VERBOSE, NULL },
	{ "System.Collections.Concurrent.ConcurrentCollectionsEventSource", LEVEL_VERBOSE, NULL },
	{ "System.Buffers.ArrayPoolEventSource", LEVEL_VERBOSE, NULL },
	{ "System.Linq.Parallel.PlinqEventSource", LEVEL_VERBOSE, NULL },
	{ "System.Threading.Tasks.Parallel.EventSource", LEVEL_VERBOSE, NULL },
	{ "System.Threading.Tasks.Dataflow.DataflowEventSource", LEVEL_VERBOSE, NULL },
	{ "System.Diagnostics.Metrics", LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.Http", LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.NameResolution", LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.Security", LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.Sockets", LEVEL_INFORMATIONAL, NULL },
	{ "Private.InternalDiagnostics.System.Net.Http", LEVEL_VERBOSE, NULL },
	{ "Private.InternalDiagnostics.System.Net.NameResolution", LEVEL_VERBOSE, NULL },
	{ "Private.InternalDiagnostics.System.Net.Security", LEVEL_VERBOSE, NULL },
	{ "Private.InternalDiagnostics.System.Net.Sockets", LEVEL_VERBOSE, NULL },
	{ "Private.InternalDiagnostics.System.Net.Quic", LEVEL_VERBOSE, NULL },
	{ "Microsoft-Diagnostics-DiagnosticSource", LEVEL_VERBOSE, NULL },
	{ "Microsoft-Extensions-Logging", LEVEL_VERBOSE, NULL },
	{ "Microsoft-Extensions-DependencyInjection", LEVEL_VERBOSE, NULL },
	{ "Microsoft.AspNetCore.Hosting", LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-AspNetCore-Server-Kestrel", LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft.AspNetCore.Http.Connections", LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft.EntityFrameworkCore", LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft.Data.SqlClient.EventSource", LEVEL_VERBOSE, NULL },
	{ "Grpc.AspNetCore.Server", LEVEL_INFORMATIONAL, NULL },
	{ "Grpc.Net.Client", LEVEL_INFORMATIONAL, NULL },
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
