/* SPDX-License-Identifier: MIT */
/*
 * provider_names.h - the names of .NET's providers whose events we interpret. Those of Universal.*
 * are in perfpipe/event.h, and our own in nettrace/recording_end.h.
 */
#ifndef CLR_PROVIDER_NAMES_H
#define CLR_PROVIDER_NAMES_H

/* The runtime's own events: identified by id, without metadata. */
#define CLR_RUNTIME_PROVIDER	 "Microsoft-Windows-DotNETRuntime"
#define CLR_RUNDOWN_PROVIDER	 "Microsoft-Windows-DotNETRuntimeRundown"
#define CLR_PRIVATE_PROVIDER	 "Microsoft-Windows-DotNETRuntimePrivate"
#define CLR_STRESS_PROVIDER	 "Microsoft-Windows-DotNETRuntimeStress"
#define SAMPLE_PROFILER_PROVIDER "Microsoft-DotNETCore-SampleProfiler"

/* Writes ProcessInfo at the start of a session. */
#define EVENTPIPE_PROVIDER "Microsoft-DotNETCore-EventPipe"

/* EventSources of the libraries. */
#define TASKS_PROVIDER		   "System.Threading.Tasks.TplEventSource"
#define FRAMEWORK_PROVIDER	   "System.Diagnostics.Eventing.FrameworkEventSource"
#define METRICS_PROVIDER	   "System.Diagnostics.Metrics"
#define DIAGNOSTIC_SOURCE_PROVIDER "Microsoft-Diagnostics-DiagnosticSource"
#define LOGGING_PROVIDER	   "Microsoft-Extensions-Logging"
#define HTTP_PROVIDER		   "System.Net.Http"
#define NAME_RESOLUTION_PROVIDER   "System.Net.NameResolution"
#define NET_SECURITY_PROVIDER	   "System.Net.Security"
#define SOCKETS_PROVIDER	   "System.Net.Sockets"
#define HOSTING_PROVIDER	   "Microsoft.AspNetCore.Hosting"
#define KESTREL_PROVIDER	   "Microsoft-AspNetCore-Server-Kestrel"

#endif
