/* SPDX-License-Identifier: MIT */
/*
 * session_plan.h - from what was asked for to what a session is started with.
 *
 *	const struct session_request request = {
 *		.providers = { .verb = PROFILE_COLLECT, .profiles = "gc-verbose" },
 *		.buffer_mb = 256,
 *	};
 *	struct session_plan plan;
 *
 *	if (!session_plan_make(&plan, &request, &err))
 *		start(&plan.options);
 *	session_plan_release(&plan);
 */
#ifndef RECORD_SESSION_PLAN_H
#define RECORD_SESSION_PLAN_H

#include "perfpipe/session.h"
#include "record/provider_set.h"

struct session_request {
	struct provider_request providers;
	unsigned buffer_mb;
	bool without_stacks;
	bool wait_when_full;
};

struct session_plan {
	struct provider_set set;
	struct pp_session_provider *providers; /* of the options */
	struct pp_session_options options;
};

/* Release it also if that fails. */
int session_plan_make(struct session_plan *plan, const struct session_request *request,
		      struct pp_error *err);
void session_plan_release(struct session_plan *plan);

#endif
