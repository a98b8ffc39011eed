/* SPDX-License-Identifier: MIT */
#include "analyze/runtime_info.h"

#include "clr/event_ids.h"
#include "clr/providers.h"

enum { /* of StartupFlags */
       CONCURRENT_GC = 0x1,
       SERVER_GC = 0x1000,
};

enum { START_MAJOR, START_MINOR, START_BUILD, START_FLAGS };
static const char start_fields[] = "BclMajorVersion BclMinorVersion BclBuildNumber StartupFlags";

/* Written at the start or the end of a trace, so that the time of the query does not matter. */
static void take_start(void *self, const struct event_context *at)
{
	struct runtime_info *runtime = self;

	if (!at->values[START_BUILD].known ||
	    !event_query_asks_for(&at->pass->query, at->event->thread->process_id))
		return;
	runtime->recorded = true;
	for (int i = 0; i < 3; i++)
		runtime->version[i] = (uint32_t)at->values[i].number;
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
