/* SPDX-License-Identifier: MIT */
#include "ipc/collect.h"

#define PROVIDERS_MOST 1000u /* the runtime accepts no more */
#define LEVEL_MOST     5u
#define BUFFER_MB      256u

enum wire {
	SESSION_STREAM = 0,
	SESSION_USER_EVENTS = 1,
	FORMAT_NETTRACE = 1,
	BUFFER_DROP = 0,
	BUFFER_WAIT = 1,
};

static int check_provider(const struct pp_session_provider *provider, struct pp_error *err)
{
	if (!provider->name || !*provider->name)
		return error_set(err, PP_ERROR_USAGE, "a provider has no name");
	if (provider->level > LEVEL_MOST)
		return error_set(err, PP_ERROR_USAGE,
				 "%.100s: level %u is too high; the most verbose one is %u",
				 provider->name, provider->level, LEVEL_MOST);
	return 0;
}

static int check_providers(const struct pp_session_provider *providers, size_t count,
			   struct pp_error *err)
{
	if (!count)
		return error_set(err, PP_ERROR_USAGE, "a session needs a provider");
	if (count > PROVIDERS_MOST)
		return error_set(err, PP_ERROR_LIMIT, "a session takes %u providers, not %zu",
				 PROVIDERS_MOST, count);
	for (size_t i = 0; i < count; i++)
		if (check_provider(&providers[i], err))
			return -1;
	return 0;
}

int collect_check(const struct pp_session_options *options, struct pp_error *err)
{
	return check_providers(options->providers, options->provider_count, err);
}

static bool any_filter(const struct pp_session_options *options)
{
	for (size_t i = 0; i < options->provider_count; i++)
		if (options->providers[i].filter != PP_FILTER_NONE)
			return true;
	return false;
}

static bool usual_rundown(uint64_t rundown)
{
	return rundown == 0 || rundown == PP_RUNDOWN_DEFAULT;
}

/* The oldest command that can do all of it, and that lets the rundown be left out. */
static int command_for(const struct collect_plan *plan)
{
	if (plan->wait_when_full)
		return 6;
	if (plan->filters)
		return 5;
	if (!usual_rundown(plan->rundown))
		return 4;
	return plan->without_stacks ? 3 : 2;
}

struct collect_plan collect_first(const struct pp_session_options *options)
{
	struct collect_plan plan = {
		.rundown = options->rundown,
		.without_stacks = options->without_stacks,
		.filters = any_filter(options),
		.wait_when_full = options->wait_when_full,
	};

	plan.command = command_for(&plan);
	return plan;
}

/* A superset of the default keywords becomes those; anything else becomes none. */
static void give_up_rundown(struct collect_plan *plan)
{
	const bool more = (plan->rundown & PP_RUNDOWN_DEFAULT) == PP_RUNDOWN_DEFAULT;

	plan->rundown = more ? PP_RUNDOWN_DEFAULT : 0;
	plan->given_up |= more ? PP_GAVE_UP_RUNDOWN_DETAIL : PP_GAVE_UP_RUNDOWN;
}

static void give_up_stacks_off(struct collect_plan *plan)
{
	plan->without_stacks = false;
	plan->given_up |= PP_GAVE_UP_STACKS_OFF;
}

static void give_up_filters(struct collect_plan *plan)
{
	plan->filters = false;
	plan->given_up |= PP_GAVE_UP_FILTERS;
}

static void give_up_waiting(struct collect_plan *plan)
{
	plan->wait_when_full = false;
	plan->given_up |= PP_GAVE_UP_WAITING;
}

/* The first command always makes the default rundown, even where it had become none. */
static void give_up_rundown_off(struct collect_plan *plan)
{
	if (plan->given_up & PP_GAVE_UP_RUNDOWN)
		plan->given_up ^= PP_GAVE_UP_RUNDOWN | PP_GAVE_UP_RUNDOWN_DETAIL;
	else if (!plan->rundown)
		plan->given_up |= PP_GAVE_UP_RUNDOWN_OFF;
	plan->rundown = PP_RUNDOWN_DEFAULT;
}

bool collect_older(struct collect_plan *plan)
{
	static void (*const give_up[])(struct collect_plan * plan) = {
		[2] = give_up_rundown_off, [3] = give_up_stacks_off, [4] = give_up_rundown,
		[5] = give_up_filters,	   [6] = give_up_waiting,
	};

	if (plan->command < 2)
		return false;
	give_up[plan->command](plan);
	plan->command = plan->command == 2 ? 1 : command_for(plan);
	return true;
}

static void put_filter(struct buffer *message, const struct pp_session_provider *provider)
{
	const size_t count = provider->filter == PP_FILTER_NONE ? 0 : provider->event_id_count;

	/* an empty list of exclusions passes everything */
	buffer_u8(message, provider->filter == PP_FILTER_ONLY);
	buffer_u32(message, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		buffer_u32(message, provider->event_ids[i]);
}

static void put_provider(struct buffer *message, const struct pp_session_provider *provider,
			 const char *arguments)
{
	buffer_u64(message, provider->keywords);
	buffer_u32(message, provider->level);
	message_put_text(message, provider->name);
	message_put_text(message, arguments);
}

static void put_providers(struct buffer *message, const struct pp_session_options *options,
			  bool with_filters)
{
	buffer_u32(message, (uint32_t)options->provider_count);
	for (size_t i = 0; i < options->provider_count; i++) {
		const struct pp_session_provider *provider = &options->providers[i];

		/* none are sent as an empty string, as .NET's own client does */
		put_provider(message, provider, provider->arguments ? provider->arguments : "");
		if (with_filters)
			put_filter(message, provider);
	}
}

void collect_request(struct buffer *message, const struct collect_plan *plan,
		     const struct pp_session_options *options)
{
	message_begin(message, (enum command_code)(COMMAND_COLLECT_TRACING + plan->command - 1));
	if (plan->command >= 5)
		buffer_u32(message, SESSION_STREAM);
	buffer_u32(message, options->buffer_mb ? options->buffer_mb : BUFFER_MB);
	buffer_u32(message, FORMAT_NETTRACE);
	if (plan->command >= 4)
		buffer_u64(message, plan->rundown);
	else if (plan->command >= 2)
		buffer_u8(message, plan->rundown != 0);
	if (plan->command >= 3)
		buffer_u8(message, !plan->without_stacks);
	put_providers(message, options, plan->command >= 5);
	if (plan->command >= 6)
		buffer_u32(message, options->wait_when_full ? BUFFER_WAIT : BUFFER_DROP);
}

static int check_tracepoints(const struct pp_tracepoints *tracepoints, struct pp_error *err)
{
	if (!tracepoints->others && !tracepoints->set_count)
		return error_set(err, PP_ERROR_USAGE, "a provider has no tracepoint");
	for (size_t i = 0; i < tracepoints->set_count; i++)
		if (!tracepoints->sets[i].tracepoint || !tracepoints->sets[i].event_id_count)
			return error_set(err, PP_ERROR_USAGE,
					 "a set of events has no tracepoint or no events");
	return 0;
}

int collect_check_user_events(const struct pp_user_events_options *options, struct pp_error *err)
{
	if (check_providers(options->providers, options->provider_count, err))
		return -1;
	for (size_t i = 0; i < options->provider_count; i++)
		if (check_tracepoints(&options->tracepoints[i], err))
			return -1;
	return 0;
}

static void put_tracepoints(struct buffer *message, const struct pp_tracepoints *tracepoints)
{
	message_put_text(message, tracepoints->others);
	buffer_u32(message, (uint32_t)tracepoints->set_count);
	for (size_t i = 0; i < tracepoints->set_count; i++) {
		const struct pp_tracepoint_set *set = &tracepoints->sets[i];

		message_put_text(message, set->tracepoint);
		buffer_u32(message, (uint32_t)set->event_id_count);
		for (size_t j = 0; j < set->event_id_count; j++)
			buffer_u32(message, set->event_ids[j]);
	}
}

void collect_user_events_request(struct buffer *message,
				 const struct pp_user_events_options *options)
{
	message_begin(message, COMMAND_COLLECT_TRACING5);
	buffer_u32(message, SESSION_USER_EVENTS);
	buffer_u64(message, 0); /* there is no file for a rundown */
	buffer_u32(message, (uint32_t)options->provider_count);
	for (size_t i = 0; i < options->provider_count; i++) {
		put_provider(message, &options->providers[i], options->providers[i].arguments);
		put_filter(message, &options->providers[i]);
		put_tracepoints(message, &options->tracepoints[i]);
	}
}
