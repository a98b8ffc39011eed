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

static int fill_set(struct provider_set *set, const struct session_args *args, struct pp_error *err)
{
	const struct provider_request request = {
		.verb = PROFILE_COLLECT,
		.profiles = args->profile,
		.providers = args->providers,
		.clr_events = args->clrevents,
		.clr_event_level = args->clreventlevel,
		.rundown = !args->rundown.given ? RUNDOWN_AS_PROFILES_SAY
			   : args->rundown.on	? RUNDOWN_ON
						: RUNDOWN_OFF,
	};

	return provider_set_fill(set, &request, err);
}

int session_plan_make(struct session_plan *plan, const struct session_args *args,
		      struct pp_error *err)
{
	struct provider_set *set = &plan->set;
	bool wait_when_full;

	*plan = (struct session_plan){ 0 };
	if (!args->buffersize)
		return error_set(err, PP_ERROR_USAGE,
				 "--buffersize takes megabytes from 1 on; 256 is usual");
	if (read_mode(args->buffering_mode, &wait_when_full, err) || fill_set(set, args, err))
		return -1;
	plan->providers = xcalloc(set->count, sizeof(*plan->providers));
	for (size_t i = 0; i < set->count; i++)
		plan->providers[i] = (struct pp_session_provider){
			.name = set->providers[i].name,
			.keywords = set->providers[i].keywords,
			.level = set->providers[i].level,
			.arguments = set->providers[i].arguments,
		};
	plan->options = (struct pp_session_options){
		.providers = plan->providers,
		.provider_count = set->count,
		.buffer_mb = args->buffersize,
		.rundown = set->rundown,
		.without_stacks = args->no_stacks,
		.wait_when_full = wait_when_full,
	};
	return 0;
}

void session_plan_release(struct session_plan *plan)
{
	provider_set_release(&plan->set);
	free(plan->providers);
}
