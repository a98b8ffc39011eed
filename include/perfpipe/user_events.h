/* SPDX-License-Identifier: MIT */
/*
 * user_events.h - events of a .NET process to the kernel's tracepoints.
 *
 * For recorders that read them through perf: the runtime writes its events
 * into tracepoints that it registers as we name them. Needs .NET 10, Linux 6.4
 * and the right to open user_events_data. The session has no stream: its
 * descriptor tells only when the process has gone, and closing it ends it.
 */
#ifndef PERFPIPE_USER_EVENTS_H
#define PERFPIPE_USER_EVENTS_H

#include "perfpipe/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* These events of a provider go to this tracepoint. An id is in one set at most. */
struct pp_tracepoint_set {
	const char *tracepoint;
	const uint32_t *event_ids; /* one at least */
	size_t event_id_count;
};

/* Where a provider's events go: a tracepoint for all others, sets, or both. */
struct pp_tracepoints {
	const char *others; /* NULL: they go nowhere */
	const struct pp_tracepoint_set *sets;
	size_t set_count;
};

struct pp_user_events_options {
	const struct pp_session_provider *providers;
	const struct pp_tracepoints *tracepoints; /* as many as providers */
	size_t provider_count;
	int user_events_data; /* the open file of tracefs; stays the caller's */
};

PP_API struct pp_session *pp_session_start_user_events(struct pp_client *client,
						       const struct pp_user_events_options *options,
						       struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
