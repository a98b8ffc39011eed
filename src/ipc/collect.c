/* SPDX-License-Identifier: MIT */
#include "ipc/collect.h"

#define PROVIDERS_MOST 1000u /* the runtime takes no more */
#define LEVEL_MOST     5u
#define BUFFER_MB      256u

enum wire {
	SESSION_STREAM = 0,
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
				 "%.100s: level %u is too high, the most verbose is %u",
				 provider->name, provider->level, LEVEL_MOST);
	return 0;
}

int collect_check(const struct pp_session_options *options, struct pp_error *err)
{
	if (!options->provider_count)
		return error_set(err, PP_ERROR_USAGE, "a session needs a provider");
	if (options->provider_count > PROVIDERS_MOST)
		return error_set(err, PP_ERROR_LIMIT, "a session takes %u providers, not %zu",
				 PROVIDERS_MOST, options->provider_count);
	for (size_t i = 0; i < options->provider_count; i++)
		if (check_provider(&options->providers[i], err))
			return -1;
	return 0;
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

struct collect_plan collect_first(const struct pp_session_options *options)
{
	struct collect_plan plan = {
		.command = 2,
		.rundown = options->rundown,
		.without_stacks = options->without_stacks,
	};

	if (options->wait_when_full)
		plan.command = 6;
	else if (any_filter(options))
		plan.command = 5;
	else if (!usual_rundown(options->rundown))
		plan.command = 4;
	else if (options->without_stacks)
		plan.command = 3;
	return plan;
}

/* Keywords beyond the usual ones get those; others, of which only a part is wanted, get none. */
static void give_up_rundown(struct collect_plan *plan)
{
	const bool more = (plan->rundown & PP_RUNDOWN_DEFAULT) == PP_RUNDOWN_DEFAULT;

	plan->rundown = more ? PP_RUNDOWN_DEFAULT : 0;
	plan->given_up |= more ? PP_GAVE_UP_RUNDOWN_DETAIL : PP_GAVE_UP_RUNDOWN;
}

bool collect_older(struct collect_plan *plan)
{
	if (plan->command == 4) {
		give_up_rundown(plan);
		plan->command = plan->without_stacks ? 3 : 2;
		return true;
	}
	if (plan->command == 3) {
		plan->without_stacks = false;
		plan->given_up |= PP_GAVE_UP_STACKS_OFF;
		plan->command = 2;
		return true;
	}
	return false;
}

static void put_filter(struct buffer *message, const struct pp_session_provider *provider)
{
	const size_t count = provider->filter == PP_FILTER_NONE ? 0 : provider->event_id_count;

	/* an empty list of exceptions lets all pass */
	buffer_u8(message, provider->filter == PP_FILTER_ONLY);
	buffer_u32(message, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		buffer_u32(message, provider->event_ids[i]);
}

static void put_providers(struct buffer *message, const struct pp_session_options *options,
			  bool with_filters)
{
	buffer_u32(message, (uint32_t)options->provider_count);
	for (size_t i = 0; i < options->provider_count; i++) {
		const struct pp_session_provider *provider = &options->providers[i];

		buffer_u64(message, provider->keywords);
		buffer_u32(message, provider->level);
		message_put_text(message, provider->name);
		message_put_text(message, provider->arguments ? provider->arguments : "");
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
	else
		buffer_u8(message, plan->rundown != 0);
	if (plan->command >= 3)
		buffer_u8(message, !plan->without_stacks);
	put_providers(message, options, plan->command >= 5);
	if (plan->command >= 6)
		buffer_u32(message, options->wait_when_full ? BUFFER_WAIT : BUFFER_DROP);
}

int collect_parse(struct cursor *payload, uint64_t *id)
{
	*id = cursor_u64(payload);
	return *id ? 0 : -1;
}
