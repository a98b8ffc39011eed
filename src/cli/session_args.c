/* SPDX-License-Identifier: MIT */
#include "cli/session_args.h"

#include <strings.h>

#include "base/error.h"

static int read_mode(const char *text, bool *wait_when_full, struct pp_error *err)
{
	*wait_when_full = !strcasecmp(text, "Block") || !strcasecmp(text, "1");
	if (!*wait_when_full && strcasecmp(text, "Drop") != 0 && strcasecmp(text, "0") != 0)
		return error_set(err, PP_ERROR_USAGE,
				 "--buffering-mode takes Drop or Block, not '%s'", text);
	return 0;
}

static enum rundown_choice read_rundown(const struct option_switch *rundown)
{
	if (!rundown->given)
		return RUNDOWN_AS_PROFILES_SAY;
	return rundown->on ? RUNDOWN_ON : RUNDOWN_OFF;
}

int session_args_plan(const struct session_args *args, struct session_plan *plan,
		      struct pp_error *err)
{
	struct session_request request = {
		.providers = { .verb = PROFILE_COLLECT,
			       .profiles = args->profile,
			       .providers = args->providers,
			       .clr_events = args->clrevents,
			       .clr_event_level = args->clreventlevel,
			       .rundown = read_rundown(&args->rundown) },
		.buffer_mb = args->buffersize,
		.without_stacks = args->no_stacks,
	};

	*plan = (struct session_plan){ 0 };
	if (!args->buffersize)
		return error_set(err, PP_ERROR_USAGE,
				 "--buffersize takes a number of megabytes from 1; the default is "
				 "256");
	if (read_mode(args->buffering_mode, &request.wait_when_full, err))
		return -1;
	return session_plan_make(plan, &request, err);
}
