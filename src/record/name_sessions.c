/* SPDX-License-Identifier: MIT */
#include "record/name_sessions.h"

#include <poll.h>

#include "base/array.h"
#include "base/time.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define PATIENCE_NS (INT64_C(10) * 1000 * 1000 * 1000) /* for the list */

/* Loader, JIT, and what says when precompiled code is first used. */
#define CODE_KEYWORDS UINT64_C(0x2000000018)

/* Older runtimes cannot filter by id, and send a few more. */
static const uint32_t code_events[] = { CLR_METHOD_LOAD_VERBOSE, CLR_METHOD_UNLOAD_VERBOSE,
					CLR_MODULE_LOAD, CLR_MODULE_UNLOAD,
					CLR_R2R_GET_ENTRY_POINT };

static const struct pp_session_provider code_loads = {
	.name = CLR_RUNTIME_PROVIDER,
	.keywords = CODE_KEYWORDS,
	.level = 5,
	.filter = PP_FILTER_ONLY,
	.event_ids = code_events,
	.event_id_count = ARRAY_COUNT(code_events),
};

static const struct pp_session_options loads_options = {
	.size = sizeof(loads_options),
	.providers = &code_loads,
	.provider_count = 1,
	.without_stacks = true,
};

/* A session needs a provider; at this level this one writes nothing. */
static const struct pp_session_provider nothing = { .name = CLR_RUNTIME_PROVIDER, .level = 1 };

static const struct pp_session_options list_options = {
	.size = sizeof(list_options),
	.providers = &nothing,
	.provider_count = 1,
	.rundown = PP_RUNDOWN_DEFAULT,
};

static struct segment *start(const struct pp_client *client,
			     const struct pp_session_options *options, const struct live_pass *live)
{
	const struct segment_setup setup = { .client = client, .session = options, .live = live };
	struct pp_error ignored = { 0 }; /* addresses are shown instead */

	return segment_new(&setup, &ignored);
}

void name_sessions_start(struct name_sessions *names, const struct pp_client *client,
			 const struct live_pass *live)
{
	names->begun_ns = time_monotonic_ns();
	names->loads = start(client, &loads_options, live); /* first, so that none is missed */
	names->list = start(client, &list_options, live);
}

void name_sessions_take_list(struct name_sessions *names)
{
	if (names->list)
		segment_stop(names->list, STOP_DURATION);
}

bool name_sessions_are_ready(const struct name_sessions *names, int64_t now_ns)
{
	return !names->list || names->list->state == RECORDING_ENDED ||
	       now_ns - names->begun_ns > PATIENCE_NS;
}

static void watch(struct segment *segment, struct poll_set *set)
{
	if (segment && segment->state != RECORDING_ENDED)
		segment_watch(segment, set);
}

void name_sessions_watch(struct name_sessions *names, struct poll_set *set)
{
	watch(names->loads, set);
	watch(names->list, set);
	if (!name_sessions_are_ready(names, time_monotonic_ns()))
		poll_set_wake(set, names->begun_ns + PATIENCE_NS);
}

void name_sessions_tick(struct name_sessions *names, int64_t now_ns)
{
	if (names->loads)
		segment_tick(names->loads, now_ns);
	if (names->list)
		segment_tick(names->list, now_ns);
}

void name_sessions_stop(struct name_sessions *names)
{
	if (names->loads)
		segment_stop(names->loads, STOP_DURATION);
}

bool name_sessions_catch_up(struct name_sessions *names, int wait_ms)
{
	struct segment *loads = names->loads;
	struct pollfd fd = { .events = POLLIN };

	if (!loads || loads->state == RECORDING_ENDED)
		return false;
	fd.fd = pp_session_fd(loads->session);
	if (poll(&fd, 1, wait_ms) <= 0)
		return false;
	segment_read(loads);
	return true;
}

void name_sessions_release(struct name_sessions *names)
{
	name_sessions_stop(names);
	segment_free(names->loads);
	segment_free(names->list);
	*names = (struct name_sessions){ 0 };
}
