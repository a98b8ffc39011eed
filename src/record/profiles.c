/* SPDX-License-Identifier: MIT */
#include "record/profiles.h"

#include <stddef.h>
#include <strings.h>

#include "base/suggest.h"
#include "perfpipe/session.h"
#include "record/provider_names.h"
#include "record/provider_set.h"

/* Keywords of the runtime. */
#define GC		       UINT64_C(0x1)
#define GC_HANDLE	       UINT64_C(0x2)
#define ASSEMBLY_LOADER	       UINT64_C(0x4)
#define LOADER		       UINT64_C(0x8)
#define JIT		       UINT64_C(0x10)
#define CONTENTION	       UINT64_C(0x4000)
#define EXCEPTION	       UINT64_C(0x8000)
#define THREADING	       UINT64_C(0x10000)
#define IL_TO_NATIVE_MAP       UINT64_C(0x20000)
#define COMPILATION	       UINT64_C(0x1000000000)
#define COMPILATION_DIAGNOSTIC UINT64_C(0x2000000000)
#define TYPE_DIAGNOSTIC	       UINT64_C(0x8000000000)

#define RUNDOWN_GC 0x1 /* GC settings, and no method names */

/* Carries the activity id of a request from task to task. */
#define ACTIVITY_FLOW                                                                              \
	{                                                                                          \
		"System.Threading.Tasks.TplEventSource", 0x80, LEVEL_INFORMATIONAL, NULL           \
	}

/* Fields of a database command and its connection. */
#define COMMAND_FIELDS                                                                             \
	"Command.CommandText;Command.CommandTimeout;Command.CommandType;"                          \
	"Command.Connection.ConnectionString;Command.Connection.Database;"                         \
	"Command.Connection.DataSource;Command.Connection.ServerVersion;"                          \
	"Command.Connection.PacketSize;ConnectionId;"

/* SqlClient was System.Data first and is Microsoft.Data now; the listener is the same. */
#define SQL_CLIENT(package)                                                                        \
	"SqlClientDiagnosticListener/" package                                                     \
	".WriteCommandBefore@Activity1Start:-" COMMAND_FIELDS "Operation\r\n"                      \
	"SqlClientDiagnosticListener/" package ".WriteCommandAfter@Activity1Stop:-\r\n"            \
	"SqlClientDiagnosticListener/" package ".WriteCommandError@Activity1Stop:-\r\n"

#define ENTITY_FRAMEWORK(event)                                                                    \
	"Microsoft.EntityFrameworkCore/Microsoft.EntityFrameworkCore.Database.Command." event

#define DATABASE_SPECS                                                                             \
	SQL_CLIENT("System.Data.SqlClient")                                                        \
	SQL_CLIENT("Microsoft.Data.SqlClient")                                                     \
	ENTITY_FRAMEWORK("CommandExecuting@Activity2Start:-" COMMAND_FIELDS "IsAsync\r\n")         \
	ENTITY_FRAMEWORK("CommandExecuted@Activity2Stop:-\r\n")                                    \
	ENTITY_FRAMEWORK("CommandError@Activity2Stop:-\r\n")

/* The activity itself must be enabled for its start, and that for its stop, which has the status.
 */
#define REQUEST_IN "Microsoft.AspNetCore/Microsoft.AspNetCore.Hosting.HttpRequestIn"
#define STATUS_SPECS                                                                               \
	REQUEST_IN ":-\r\n" REQUEST_IN ".Start@Activity1Start:-\r\n" REQUEST_IN                    \
		   ".Stop@Activity1Stop:-Response.StatusCode\r\n"

/* clang-format off */
const struct profile profiles[] = {
	{ "dotnet-common",
	  "GC, loader, JIT, exceptions and thread pool of the runtime",
	  "Low",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER,
	      GC | ASSEMBLY_LOADER | LOADER | JIT | EXCEPTION | THREADING | IL_TO_NATIVE_MAP |
		      COMPILATION,
	      LEVEL_INFORMATIONAL, NULL } } },
	{ "dotnet-sampled-thread-time",
	  "Where threads spend their time, running or waiting: stacks of all managed threads",
	  "Moderate: each sample suspends all managed threads, hundreds of times per second",
	  PP_RUNDOWN_DEFAULT, PROFILE_COLLECT,
	  "which has cpu-sampling and thread-time",
	  { { SAMPLE_PROVIDER, UINT64_C(0xF00000000000), LEVEL_INFORMATIONAL, NULL } } },
	{ "gc-verbose",
	  "GCs, handles, exceptions and sampled allocations",
	  "Moderate: an event with a stack for about every 100 kB allocated",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER, GC | GC_HANDLE | EXCEPTION, LEVEL_VERBOSE, NULL } } },
	{ "gc-collect",
	  "GCs only, light enough to record for hours",
	  "Very low: a few events per GC, and no method names at the end",
	  RUNDOWN_GC, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER, GC, LEVEL_INFORMATIONAL, NULL },
	    { "Microsoft-Windows-DotNETRuntimePrivate", GC, LEVEL_INFORMATIONAL, NULL } } },
	{ "database",
	  "Commands sent through SqlClient and Entity Framework Core, with their text",
	  "Grows with the number of commands; their texts and connection strings are recorded",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { ACTIVITY_FLOW,
	    { "Microsoft-Diagnostics-DiagnosticSource", 0x3, LEVEL_VERBOSE,
	      "FilterAndPayloadSpecs=\"" DATABASE_SPECS "\"" } } },
	{ "exceptions",
	  "Exceptions thrown, and where they are caught",
	  "A few events with stacks per exception; nothing if none is thrown",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER, EXCEPTION, LEVEL_INFORMATIONAL, NULL } } },
	{ "contention",
	  "Lock contention, with the stack of the waiting thread and the owner of the lock",
	  "Two events per wait; nothing for an uncontended lock",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER, CONTENTION, LEVEL_INFORMATIONAL, NULL } } },
	{ "threadpool",
	  "Thread pool threads: started, stopped, waiting, and why their number is adjusted",
	  "Low",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER, THREADING, LEVEL_INFORMATIONAL, NULL } } },
	{ "http",
	  "HttpClient requests, with name resolution, sockets and TLS handshakes",
	  "Eight events with stacks per request, and a few per connection",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { "System.Net.Http", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	    { "System.Net.NameResolution", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	    { "System.Net.Security", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	    { "System.Net.Sockets", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	    ACTIVITY_FLOW } },
	{ "aspnet",
	  "Requests served by ASP.NET Core and Kestrel, their statuses and connections",
	  "Six events with stacks per request, and a few per connection",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { "Microsoft.AspNetCore.Hosting", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	    { "Microsoft-AspNetCore-Server-Kestrel", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	    { "Microsoft-Diagnostics-DiagnosticSource", 0x2, LEVEL_INFORMATIONAL,
	      "FilterAndPayloadSpecs=\"" STATUS_SPECS "\"" },
	    ACTIVITY_FLOW } },
	{ "loader",
	  "Assemblies and modules loaded, and where they were looked for",
	  "Very low once the program has started",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  { { RUNTIME_PROVIDER, ASSEMBLY_LOADER | LOADER, LEVEL_INFORMATIONAL, NULL } } },
	{ "jit",
	  "Methods compiled by the JIT, and recompiled at a higher tier",
	  "A few events per method: many at startup, few later",
	  PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL,
	  /* method loads are written at level 5 only, whatever the manifest says */
	  { { RUNTIME_PROVIDER, LOADER | JIT | COMPILATION, LEVEL_VERBOSE, NULL } } },
	{ "startup",
	  "What a program does until it is ready: loads, types, JIT compilations, samples",
	  "High: many thousands of events; meant for a program that is launched or starts suspended",
	  PP_RUNDOWN_DEFAULT, PROFILE_COLLECT,
	  "which has dotnet-common, loader and jit",
	  { { RUNTIME_PROVIDER,
	      ASSEMBLY_LOADER | LOADER | JIT | EXCEPTION | COMPILATION | COMPILATION_DIAGNOSTIC |
		      TYPE_DIAGNOSTIC,
	      LEVEL_VERBOSE, NULL },
	    { SAMPLE_PROVIDER, UINT64_C(0xF00000000000), LEVEL_INFORMATIONAL, NULL },
	    { "Microsoft-Extensions-DependencyInjection", 0x1, LEVEL_VERBOSE, NULL },
	    { "Microsoft.AspNetCore.Hosting", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL } } },
	{ "cpu-sampling",
	  "Where CPU time is spent, including the kernel and native code",
	  "Low: the kernel takes the samples",
	  0, PROFILE_COLLECT_LINUX,
	  "which samples all managed threads with dotnet-sampled-thread-time",
	  { { 0 } } },
	{ "thread-time",
	  "Where threads run and where they wait, from kernel context switches",
	  "Grows with the number of context switches on the machine",
	  0, PROFILE_COLLECT_LINUX,
	  "which samples all managed threads with dotnet-sampled-thread-time",
	  { { 0 } } },
	{ 0 },
};
/* clang-format on */

const struct profile *profile_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (const struct profile *profile = profiles; profile->name; profile++) {
		if (!strcasecmp(profile->name, name))
			return profile;
		suggest_offer(&suggest, profile->name);
	}
	suggest_error(&suggest, "profile", "perfpipe list-profiles shows all profiles", err);
	return NULL;
}
