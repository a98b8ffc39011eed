/* SPDX-License-Identifier: MIT */
/*
 * session_args.h - the options about what a session records, for all commands that start one.
 *
 *	struct args { struct session_args session; ... };
 *	static const struct option_spec options[] = { SESSION_OPTIONS(struct args, session), ... };
 */
#ifndef CLI_SESSION_ARGS_H
#define CLI_SESSION_ARGS_H

#include "cli/option.h"
#include "perfpipe/session.h"
#include "record/provider_set.h"

struct session_args {
	const char *providers;
	const char *profile;
	const char *clrevents;
	const char *clreventlevel;
	unsigned buffersize;
	struct option_switch rundown;
	bool no_stacks;
	const char *buffering_mode;
};

#define SESSION_DEFAULTS                                                                           \
	{                                                                                          \
		.buffersize = 256, .buffering_mode = "Drop"                                        \
	}

/* NOLINTBEGIN(bugprone-macro-parentheses): a member cannot be put in parentheses */
/* clang-format off */
#define SESSION_OPTIONS(type, field)                                                               \
	OPTION(0, "providers", type, field.providers, "LIST", "name[:keywords[:level[:arguments]]],..."), \
	OPTION(0, "profile", type, field.profile, "PROFILE,...", "named sets of providers; see list-profiles"),   \
	OPTION(0, "clrevents", type, field.clrevents, "LIST", "events of the runtime, as in gc+exception"),  \
	OPTION(0, "clreventlevel", type, field.clreventlevel, "LEVEL", "of --clrevents (default: informational)"), \
	OPTION(0, "buffersize", type, field.buffersize, "MB", "buffer in the process"),         \
	OPTION(0, "buffering-mode", type, field.buffering_mode, "MODE", "Drop events or Block threads when full"), \
	OPTION(0, "no-stacks", type, field.no_stacks, NULL, "record events without stacks")
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* What a session is started with. */
struct session_plan {
	struct provider_set set;
	struct pp_session_provider *providers; /* of the options */
	struct pp_session_options options;
};

/* Release the plan also if that fails. */
int session_args_plan(const struct session_args *args, struct session_plan *plan,
		      struct pp_error *err);
void session_plan_release(struct session_plan *plan);

#endif
