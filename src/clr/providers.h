/* SPDX-License-Identifier: MIT */
/*
 * providers.h - the names of the event providers that we know, as traces spell them. Our own are
 * in the headers of its events.
 */
#ifndef CLR_PROVIDERS_H
#define CLR_PROVIDERS_H

#include "nettrace/thread_times.h"
#include "perfpipe/event.h"

/* The runtime itself: its events are identified by id, without metadata. */
#define CLR_RUNTIME_PROVIDER	 "Microsoft-Windows-DotNETRuntime"
#define CLR_RUNDOWN_PROVIDER	 "Microsoft-Windows-DotNETRuntimeRundown"
#define CLR_PRIVATE_PROVIDER	 "Microsoft-Windows-DotNETRuntimePrivate"
#define CLR_STRESS_PROVIDER	 "Microsoft-Windows-DotNETRuntimeStress"
#define SAMPLE_PROFILER_PROVIDER "Microsoft-DotNETCore-SampleProfiler"
#define EVENT_PIPE_PROVIDER	 "Microsoft-DotNETCore-EventPipe"

/* EventSources of its libraries. */
#define TPL_PROVIDER		    "System.Threading.Tasks.TplEventSource"
#define FRAMEWORK_PROVIDER	    "System.Diagnostics.Eventing.FrameworkEventSource"
#define METRICS_PROVIDER	    "System.Diagnostics.Metrics"
#define DIAGNOSTIC_SOURCE_PROVIDER  "Microsoft-Diagnostics-DiagnosticSource"
#define LOGGING_PROVIDER	    "Microsoft-Extensions-Logging"
#define ASPNETCORE_HOSTING_PROVIDER "Microsoft.AspNetCore.Hosting"
#define KESTREL_PROVIDER	    "Microsoft-AspNetCore-Server-Kestrel"
#define HTTP_PROVIDER		    "System.Net.Http"
#define NAME_RESOLUTION_PROVIDER    "System.Net.NameResolution"
#define NET_SECURITY_PROVIDER	    "System.Net.Security"
#define SOCKETS_PROVIDER	    "System.Net.Sockets"

/* Collectors of kernel events. */
#define UNIVERSAL_SYSTEM_PROVIDER PP_UNIVERSAL_SYSTEM
#define UNIVERSAL_EVENTS_PROVIDER PP_UNIVERSAL_EVENTS

#endif
