/* SPDX-License-Identifier: MIT */
#include "analyze/runtime_info.h"

#include <stdio.h>
#include <string.h>

#include "clr/event_ids.h"
#include "clr/providers.h"

enum { /* of StartupFlags */
       CONCURRENT_GC = 0x1,
       SERVER_GC = 0x1000,
};

enum { START_MAJOR, START_MINOR, START_BUILD, START_FLAGS, START_PATH };
static const char start_fields[] =
	"BclMajorVersion BclMinorVersion BclBuildNumber StartupFlags RuntimeDllPath";

/* The directory of .../Microsoft.NETCore.App/3.1.32/libcoreclr.so; false: it is not a version. */
static bool take_folder(struct runtime_info *runtime, const char *path)
{
	const char *end = strrchr(path, '/');
	const char *start = end ? memrchr(path, '/', (size_t)(end - path)) : NULL;

	if (!start || start[1] < '0' || start[1] > '9')
		return false;
	snprintf(runtime->version, sizeof(runtime->version), "%.*s", (int)(end - start - 1),
		 start + 1);
	return true;
}

/* Before .NET 5 a runtime of .NET Core said that it was 4.0.0. */
static void take_version(struct runtime_info *runtime, const struct event_context *at)
{
	const struct field_value *values = at->values;

	if (values[START_MAJOR].number != 4)
		snprintf(runtime->version, sizeof(runtime->version), "%u.%u.%u",
			 (unsigned)values[START_MAJOR].number, (unsigned)values[START_MINOR].number,
			 (unsigned)values[START_BUILD].number);
	else if (!take_folder(runtime, event_string(at, START_PATH)))
		snprintf(runtime->version, sizeof(runtime->version), "3.x");
}

/* Written at the start or the end of a trace, so that the time of the query does not matter. */
static void take_start(void *self, const struct event_context *at)
{
	struct runtime_info *runtime = self;

	if (!at->values[START_BUILD].known ||
	    !event_query_asks_for(&at->pass->query, at->event->thread->process_id))
		return;
	runtime->recorded = true;
	take_version(runtime, at);
	runtime->server_gc = at->values[START_FLAGS].number & SERVER_GC;
	runtime->concurrent_gc = at->values[START_FLAGS].number & CONCURRENT_GC;
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_RUNTIME_INFORMATION_START, NULL, start_fields, take_start },
	{ CLR_RUNDOWN_PROVIDER, RUNDOWN_RUNTIME_INFORMATION_DC_START, NULL, start_fields,
	  take_start },
	{ 0 },
};

const struct analysis runtime_info_analysis = {
	.name = "runtime",
	.size = sizeof(struct runtime_info),
	.rows = rows,
};
