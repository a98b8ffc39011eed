/* SPDX-License-Identifier: MIT */
#include "record/profiles.h"

#include <stddef.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "perfpipe/session.h"
#include "record/provider_names.h"
#include "record/providers.h"

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

#define RUNDOWN_GC 0x1 /* settings of the collector, and no names of methods */

/* Gives events that belong to one request the same activity id, from task to task. */
#define FLOW_OF_ACTIVITIES                                                                         \
	{                                                                                          \
		"System.Threading.Tasks.TplEventSource", 0x80, LEVEL_INFORMATIONAL, NULL           \
	}

/* What is taken of a command: its text and settings, and of its connection. */
#define COMMAND_FIELDS                                                                             \
	"Command.CommandText;Command.CommandTimeout;Command.CommandType;"                          \
	"Command.Connection.ConnectionString;Command.Connection.Database;"                         \
	"Command.Connection.DataSource;Command.Connection.ServerVersion;"                          \
	"Command.Connection.PacketSize;ConnectionId;"

/* SqlClient came first as System.Data, now as Microsoft.Data; the listener is the same. */
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

static const struct profile_provider common[] = {
	{ RUNTIME_PROVIDER,
	  GC | ASSEMBLY_LOADER | LOADER | JIT | EXCEPTION | THREADING | IL_TO_NATIVE_MAP |
		  COMPILATION,
	  LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

static const struct profile_provider sampled[] = {
	{ SAMPLE_PROVIDER, UINT64_C(0xF00000000000), LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

static const struct profile_provider gc_verbose[] = {
	{ RUNTIME_PROVIDER, GC | GC_HANDLE | EXCEPTION, LEVEL_VERBOSE, NULL },
	{ 0 },
};

static const struct profile_provider gc_collect[] = {
	{ RUNTIME_PROVIDER, GC, LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-Windows-DotNETRuntimePrivate", GC, LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

static const struct profile_provider database[] = {
	FLOW_OF_ACTIVITIES,
	{ "Microsoft-Diagnostics-DiagnosticSource", 0x3, LEVEL_VERBOSE,
	  "FilterAndPayloadSpecs=\"" DATABASE_SPECS "\"" },
	{ 0 },
};

static const struct profile_provider exceptions[] = {
	{ RUNTIME_PROVIDER, EXCEPTION, LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

static const struct profile_provider contention[] = {
	{ RUNTIME_PROVIDER, CONTENTION, LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

static const struct profile_provider threadpool[] = {
	{ RUNTIME_PROVIDER, THREADING, LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

static const struct profile_provider http[] = {
	{ "System.Net.Http", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.NameResolution", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.Security", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	{ "System.Net.Sockets", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	FLOW_OF_ACTIVITIES,
	{ 0 },
};

static const struct profile_provider aspnet[] = {
	{ "Microsoft.AspNetCore.Hosting", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-AspNetCore-Server-Kestrel", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	FLOW_OF_ACTIVITIES,
	{ 0 },
};

static const struct profile_provider loader[] = {
	{ RUNTIME_PROVIDER, ASSEMBLY_LOADER | LOADER, LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

/* The loads of methods come at level 5 only, whatever the manifest says. */
static const struct profile_provider jit[] = {
	{ RUNTIME_PROVIDER, LOADER | JIT | COMPILATION, LEVEL_VERBOSE, NULL },
	{ 0 },
};

static const struct profile_provider startup[] = {
	{ RUNTIME_PROVIDER,
	  ASSEMBLY_LOADER | LOADER | JIT | EXCEPTION | COMPILATION | COMPILATION_DIAGNOSTIC |
		  TYPE_DIAGNOSTIC,
	  LEVEL_VERBOSE, NULL },
	{ SAMPLE_PROVIDER, UINT64_C(0xF00000000000), LEVEL_INFORMATIONAL, NULL },
	{ "Microsoft-Extensions-DependencyInjection", 0x1, LEVEL_VERBOSE, NULL },
	{ "Microsoft.AspNetCore.Hosting", ALL_KEYWORDS, LEVEL_INFORMATIONAL, NULL },
	{ 0 },
};

/* clang-format off */
const struct profile profiles[] = {
	{ "dotnet-common",
	  "Collections, loads, compilations, exceptions and pool threads of the runtime",
	  "Low",
	  common, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "dotnet-sampled-thread-time",
	  "Where threads spend their time, waiting or working: stacks of all managed threads",
	  "Moderate: all managed threads are stopped for each sample, hundreds of times a second",
	  sampled, PP_RUNDOWN_DEFAULT, PROFILE_COLLECT,
	  "which has cpu-sampling and thread-time" },
	{ "gc-verbose",
	  "Collections, handles and exceptions, and samples of what is allocated",
	  "Moderate: an event with a stack for about every 100 kB that are allocated",
	  gc_verbose, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "gc-collect",
	  "Collections alone, to watch a program for hours",
	  "Very low: some events for each collection, and no names of methods at the end",
	  gc_collect, RUNDOWN_GC, PROFILE_BOTH, NULL },
	{ "database",
	  "Commands sent through SqlClient and Entity Framework Core, with their text",
	  "Grows with the number of commands; their texts and connection strings are recorded",
	  database, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "exceptions",
	  "Exceptions that are thrown, and where they are caught",
	  "Some events with stacks for each exception; nothing where none is thrown",
	  exceptions, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "contention",
	  "Waits for locks, with the stack of who waits and the thread that holds the lock",
	  "Two events for each wait; nothing for a lock that is free",
	  contention, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "threadpool",
	  "Threads of the pool: started, stopped, waiting, and why their number is changed",
	  "Low",
	  threadpool, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "http",
	  "Requests of HttpClient, and their names, sockets and TLS handshakes",
	  "Eight events with stacks for each request, and some for each connection",
	  http, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "aspnet",
	  "Requests that ASP.NET Core and Kestrel serve, and their connections",
	  "Four events with stacks for each request, and some for each connection",
	  aspnet, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "loader",
	  "Assemblies and modules that are loaded, and where they were looked for",
	  "Very low once the program has started",
	  loader, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "jit",
	  "Methods as they are compiled, and compiled again at a higher tier",
	  "Some events for each method, so much at the start and little later",
	  jit, PP_RUNDOWN_DEFAULT, PROFILE_BOTH, NULL },
	{ "startup",
	  "What a program does until it is ready: loads, types, compilations, samples",
	  "High: many thousands of events; meant for a program that waits at its start for us",
	  startup, PP_RUNDOWN_DEFAULT, PROFILE_COLLECT,
	  "which has dotnet-common, loader and jit" },
	{ "cpu-sampling",
	  "Where processors spend their time, in the kernel and native code too",
	  "Low: the kernel takes the samples",
	  NULL, 0, PROFILE_COLLECT_LINUX,
	  "which samples all managed threads with dotnet-sampled-thread-time" },
	{ "thread-time",
	  "Where threads run and where they wait, from the kernel's context switches",
	  "Grows with the number of context switches of the machine",
	  NULL, 0, PROFILE_COLLECT_LINUX,
	  "which samples all managed threads with dotnet-sampled-thread-time" },
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
	if (suggest.best)
		error_set(err, PP_ERROR_USAGE, "unknown profile '%s'; did you mean %s?", name,
			  suggest.best);
	else
		error_set(err, PP_ERROR_USAGE,
			  "unknown profile '%s'; perfpipe list-profiles shows those there are",
			  name);
	return NULL;
}
