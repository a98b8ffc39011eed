/* SPDX-License-Identifier: MIT */
#include "analyze/view_inputs.h"

#include <stddef.h>
#include <string.h>

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define SAMPLER "Microsoft-DotNETCore-SampleProfiler"

const char *const view_names[] = {
	"cpu",	      "threadtime", "gc",	"jit",	  "alloc",    "exceptions",
	"contention", "threadpool", "requests", "loader", "counters", NULL,
};

/* A view is fed by events whose names begin so; "" is any event of the provider. */
static const struct {
	const char *view;
	const char *provider; /* NULL: any */
	const char *name;
} feeds[] = {
	{ "cpu", SAMPLER, "Thread/Sample" },
	{ "cpu", "Universal.Events", "cpu" },
	{ "threadtime", SAMPLER, "Thread/Sample" },
	{ "threadtime", "Universal.Events", "cswitch" },
	{ "gc", RUNTIME, "GC/Start" },
	{ "jit", RUNTIME, "Method/JittingStarted" },
	{ "jit", RUNTIME, "Method/LoadVerbose" },
	{ "alloc", RUNTIME, "GC/AllocationTick" },
	{ "alloc", RUNTIME, "GC/SampledObjectAllocation" },
	{ "alloc", RUNTIME, "AllocationSampling" },
	{ "exceptions", RUNTIME, "Exception/Start" },
	{ "contention", RUNTIME, "Contention/Start" },
	{ "contention", RUNTIME, "WaitHandleWait/Start" },
	{ "threadpool", RUNTIME, "ThreadPool" },
	{ "threadpool", "System.Diagnostics.Eventing.FrameworkEventSource", "ThreadPool" },
	{ "requests", "Microsoft.AspNetCore.Hosting", "" },
	{ "requests", "Microsoft-AspNetCore-Server-Kestrel", "" },
	{ "requests", "System.Net.Http", "" },
	{ "requests", "System.Net.NameResolution", "Resolution" },
	{ "requests", "System.Net.Security", "Handshake" },
	{ "requests", "System.Net.Sockets", "Connect" },
	{ "requests", "Microsoft-Diagnostics-DiagnosticSource", "Activity" },
	{ "loader", RUNTIME, "Loader/" },
	{ "loader", RUNTIME, "AssemblyLoader/" },
	{ "counters", NULL, "EventCounters" },
	{ "counters", "System.Diagnostics.Metrics", "GaugeValuePublished" },
	{ "counters", "System.Diagnostics.Metrics", "CounterRateValuePublished" },
	{ "counters", "System.Diagnostics.Metrics", "UpDownCounterRateValuePublished" },
	{ "counters", "System.Diagnostics.Metrics", "HistogramValuePublished" },
};

static bool has_event(const struct inventory *inventory, const char *provider, const char *name)
{
	for (size_t i = 0; i < inventory->kind_count; i++)
		if ((!provider || !strcmp(inventory->kinds[i].kind->provider, provider)) &&
		    !strncmp(inventory->kinds[i].name, name, strlen(name)))
			return true;
	return false;
}

bool view_is_fed(const char *view, const struct inventory *inventory)
{
	for (size_t i = 0; i < sizeof(feeds) / sizeof(feeds[0]); i++)
		if (!strcmp(feeds[i].view, view) &&
		    has_event(inventory, feeds[i].provider, feeds[i].name))
			return true;
	return false;
}
