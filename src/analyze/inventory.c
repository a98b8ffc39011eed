/* SPDX-License-Identifier: MIT */
#include "analyze/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/unicode.h"
#include "clr/event_name.h"
#include "clr/providers.h"
#include "nettrace/thread_times.h"

/* Up to three texts of the payload, into these places. */
static void read_texts(struct inventory *inventory, const struct event_context *at,
		       const char **places[static 3])
{
	struct cursor c = cursor_over(at->event->payload, at->event->payload_size);

	for (int i = 0; i < 3 && places[i]; i++) {
		const char *text = cursor_utf16z(&c, &inventory->arena);

		if (!c.failed)
			*places[i] = text;
	}
}

static void take_process_info(void *self, const struct event_context *at)
{
	struct inventory *inventory = self;
	const char **places[] = { &inventory->command_line, &inventory->os,
				  &inventory->architecture };

	if (!inventory->command_line)
		read_texts(inventory, at, places);
}

static void take_recording_end(void *self, const struct event_context *at)
{
	struct inventory *inventory = self;
	const char **places[3] = { &inventory->stopped_by };

	if (!inventory->stopped_by)
		read_texts(inventory, at, places);
}

static const struct event_row rows[] = {
	{ EVENT_PIPE_PROVIDER, 0, "ProcessInfo", NULL, take_process_info },
	{ RECORDING_END_PROVIDER, 0, RECORDING_END_NAME, NULL, take_recording_end },
	{ 0 },
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By provider, id, version and name: equal ones are the same kind to people. */
static int by_identity(const void *left, const void *right)
{
	const struct kind_count *a = left;
	const struct kind_count *b = right;
	int order = strcmp(a->kind->provider, b->kind->provider);

	if (!order)
		order = compare(a->kind->id, b->kind->id);
	if (!order)
		order = compare(a->kind->version, b->kind->version);
	return order ? order : strcmp(a->name, b->name);
}

static int by_count(const void *left, const void *right)
{
	const struct kind_count *a = left;
	const struct kind_count *b = right;
	const int order = compare(b->count, a->count);

	return order ? order : by_identity(left, right);
}

static int by_events(const void *left, const void *right)
{
	const struct provider_count *a = left;
	const struct provider_count *b = right;
	const int order = compare(b->events, a->events);

	return order ? order : strcmp(a->name, b->name);
}

static uint64_t count_thread_times(const struct pass *pass)
{
	uint64_t count = 0;

	for (size_t i = 0; i < pass->kind_count; i++)
		if (pass->kinds[i].events && is_thread_times(pass->kinds[i].kind))
			count += pass->kinds[i].events;
	return count;
}

/* Counted by the pass. Those that a trace defined more than once are joined. */
static void gather_kinds(struct inventory *inventory, const struct pass *pass)
{
	struct kind_count *kinds = xcalloc(pass->kind_count + 1, sizeof(*kinds));
	size_t used = 0;
	size_t merged = 0;

	for (size_t i = 0; i < pass->kind_count; i++)
		if (pass->kinds[i].events && !is_thread_times(pass->kinds[i].kind))
			kinds[used++] = (struct kind_count){
				.kind = pass->kinds[i].kind,
				.name = event_kind_name(pass->kinds[i].kind, &inventory->arena),
				.count = pass->kinds[i].events,
			};
	if (used)
		qsort(kinds, used, sizeof(*kinds), by_identity);
	for (size_t i = 0; i < used; i++)
		if (merged && !by_identity(&kinds[merged - 1], &kinds[i]))
			kinds[merged - 1].count += kinds[i].count;
		else
			kinds[merged++] = kinds[i];
	inventory->kinds = kinds;
	inventory->kind_count = merged;
}

/* The kinds from `kinds` on that have the first one's provider. */
static struct provider_count gather_provider(struct kind_count *kinds, size_t left)
{
	struct provider_count provider = { .name = kinds->kind->provider, .kinds = kinds };

	while (provider.kind_count < left &&
	       !strcmp(kinds[provider.kind_count].kind->provider, provider.name))
		provider.events += kinds[provider.kind_count++].count;
	qsort(kinds, provider.kind_count, sizeof(*kinds), by_count);
	return provider;
}

static void finish(void *self, const struct pass *pass)
{
	struct inventory *inventory = self;
	size_t capacity = 0;

	inventory->thread_times = count_thread_times(pass);
	inventory->events = pass->tally.events - inventory->thread_times;
	inventory->first_ticks = pass->tally.earliest_ticks;
	inventory->last_ticks = pass->tally.latest_ticks;
	gather_kinds(inventory, pass);
	for (size_t i = 0; i < inventory->kind_count;) {
		const struct provider_count provider =
			gather_provider(inventory->kinds + i, inventory->kind_count - i);

		inventory->providers = xgrow(inventory->providers, inventory->provider_count,
					     &capacity, sizeof(provider));
		inventory->providers[inventory->provider_count++] = provider;
		i += provider.kind_count;
	}
	if (inventory->provider_count)
		qsort(inventory->providers, inventory->provider_count,
		      sizeof(*inventory->providers), by_events);
}

static void release(void *self)
{
	struct inventory *inventory = self;

	arena_release(&inventory->arena);
	xfree(inventory->kinds);
	xfree(inventory->providers);
}

const struct analysis inventory_analysis = {
	.name = "inventory",
	.size = sizeof(struct inventory),
	.rows = rows,
	.finish = finish,
	.release = release,
};
