/* SPDX-License-Identifier: MIT */
#include "cli/session_args.h"

#include <stdlib.h>
#include <strings.h>

#include "base/alloc.h"
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

static void set_options(struct session_plan *plan, const struct session_args *args)
{
	const struct provider_set *set = &plan->set;

	plan->providers = xcalloc(set->count, sizeof(*plan->providers));
	for (size_t i = 0; i < set->count; i++)
		plan->providers[i] = (struct pp_session_provider){
			.name = set->providers[i].name,
			.keywords = set->providers[i].keywords,
			.level = set->providers[i].level,
			.arguments = set->providers[i].arguments,
		};
	plan->options.size = sizeof(plan->options);
	plan->options.providers = plan->providers;
	plan->options.provider_count = set->count;
	plan->options.buffer_mb = args->buffersize;
	plan->options.rundown = set->rundown;
	plan->options.without_stacks = args->no_stacks;
}

int session_args_plan(const struct session_args *args, struct session_plan *plan,
		      struct pp_error *err)
{
	const struct provider_request request = {
		.verb = PROFILE_COLLECT,
		.profiles = args->profile,
		.providers = args->providers,
		.clr_events = args->clrevents,
		.clr_event_level = args->clreventlevel,
		.rundown = read_rundown(&args->rundown),
	};

	*plan = (struct session_plan){ 0 };
	if (!args->buffersize)
		return error_set(err, PP_ERROR_USAGE,
				 "--buffersize takes a number of megabytes from 1; the default is "
				 "256");
	if (read_mode(args->buffering_mode, &plan->options.wait_when_full, err) ||
	    provider_set_fill(&plan->set, &request, err))
		return -1;
	set_options(plan, args);
	return 0;
}

void session_plan_release(struct session_plan *plan)
{
	provider_set_release(&plan->set);
	xfree(plan->providers);
}
