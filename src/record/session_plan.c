/* SPDX-License-Identifier: MIT */
#include "record/session_plan.h"

#include <stdlib.h>

#include "base/alloc.h"

int session_plan_make(struct session_plan *plan, const struct session_request *request,
		      struct pp_error *err)
{
	struct provider_set *set = &plan->set;

	*plan = (struct session_plan){ 0 };
	if (provider_set_fill(set, &request->providers, err))
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
		.buffer_mb = request->buffer_mb,
		.rundown = set->rundown,
		.without_stacks = request->without_stacks,
		.wait_when_full = request->wait_when_full,
	};
	return 0;
}

void session_plan_release(struct session_plan *plan)
{
	provider_set_release(&plan->set);
	free(plan->providers);
}
