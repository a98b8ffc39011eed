/* SPDX-License-Identifier: MIT */
/*
 * user_events.h - events of a .NET process as tracepoints of the kernel.
 *
 * For recorders that read them through perf: the runtime writes its events to tracepoints,
 * which it registers under the names given here. Needs .NET 10, Linux 6.4 and permission to
 * open user_events_data. The session has no stream: its descriptor only shows when the process
 * has ended, and closing it ends the session.
 */
#ifndef PERFPIPE_USER_EVENTS_H
#define PERFPIPE_USER_EVENTS_H

#include "perfpipe/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * These events of a provider go to this tracepoint. An id may be in one set at most. Sets and
 * tracepoints are items of lists, so they have no size of their own.
 */
struct pp_tracepoint_set {
	const char *tracepoint;
	const uint32_t *event_ids; /* at least one */
	size_t event_id_count;
};

/* Where the events of a provider go: to sets, to a tracepoint for all others, or both. */
struct pp_tracepoints {
	const char *others; /* NULL: they are dropped */
	const struct pp_tracepoint_set *sets;
	size_t set_count;
};

struct pp_user_events_options {
	size_t size; /* of this struct */
	const struct pp_session_provider *providers;
	const struct pp_tracepoints *tracepoints; /* one per provider */
	size_t provider_count;
	int user_events_data; /* the open file in tracefs; remains the caller's */
};

PP_API struct pp_session *pp_session_start_user_events(struct pp_client *client,
						       const struct pp_user_events_options *options,
						       struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
