/* SPDX-License-Identifier: MIT */
#include "analyze/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/unicode.h"
#include "clr/event_name.h"
#include "nettrace/recording_end.h"

/* Events whose payload is text about the trace itself, and where each text goes. */
static const struct {
	const char *provider;
	const char *name;
	size_t texts[3]; /* offsets in struct inventory; 0 ends them */
} describers[] = {
	{ "Microsoft-DotNETCore-EventPipe",
	  "ProcessInfo",
	  { offsetof(struct inventory, command_line), offsetof(struct inventory, os),
	    offsetof(struct inventory, architecture) } },
	{ RECORDING_END_PROVIDER, RECORDING_END_NAME, { offsetof(struct inventory, stopped_by) } },
};

static void read_texts(struct inventory *inventory, const struct pp_event *event,
		       const size_t *offsets)
{
	struct cursor c = cursor_over(event->payload, event->payload_size);

	for (int i = 0; i < 3 && offsets[i]; i++) {
		const char *text = cursor_utf16z(&c, &inventory->arena);

		if (!c.failed)
			memcpy((char *)inventory + offsets[i], &text, sizeof(text));
	}
}

void inventory_meet(struct inventory *inventory, const struct pp_event *event)
{
	const struct pp_kind *kind = event->kind;

	if (!inventory->events)
		inventory->first_ticks = inventory->last_ticks = event->ticks;
	inventory->kinds = xroom(inventory->kinds, &inventory->kind_count, kind->index,
				 sizeof(*inventory->kinds));
	inventory->kinds[kind->index].kind = kind;
	for (size_t i = 0; i < sizeof(describers) / sizeof(describers[0]); i++)
		if (!strcmp(kind->provider, describers[i].provider) &&
		    !strcmp(kind->name, describers[i].name))
			read_texts(inventory, event, describers[i].texts);
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By provider, then id, version and name: equal ones are the same to a reader. */
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

/* Drop kinds without events and join those that a trace defined in several ways. */
static void merge_kinds(struct inventory *inventory)
{
	struct kind_count *kinds = inventory->kinds;
	size_t met = 0;
	size_t merged = 0;

	for (size_t i = 0; i < inventory->kind_count; i++)
		if (kinds[i].count) {
			kinds[met] = kinds[i];
			kinds[met].name = event_kind_name(kinds[i].kind, &inventory->arena);
			met++;
		}
	if (met)
		qsort(kinds, met, sizeof(*kinds), by_identity);
	for (size_t i = 0; i < met; i++)
		if (merged && !by_identity(&kinds[merged - 1], &kinds[i]))
			kinds[merged - 1].count += kinds[i].count;
		else
			kinds[merged++] = kinds[i];
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

void inventory_finish(struct inventory *inventory)
{
	size_t capacity = 0;

	merge_kinds(inventory);
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

void inventory_release(struct inventory *inventory)
{
	arena_release(&inventory->arena);
	free(inventory->kinds);
	free(inventory->providers);
}
