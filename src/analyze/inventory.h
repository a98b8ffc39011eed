/* SPDX-License-Identifier: MIT */
/*
 * inventory.h - what a trace holds: how many events of which kind, from when to when.
 *
 * Add every event, in any order, then finish; memory grows with the kinds only.
 *
 *	struct inventory inventory = { 0 };
 *	inventory_add(&inventory, event);
 *	inventory_finish(&inventory);
 *	inventory_release(&inventory);
 */
#ifndef ANALYZE_INVENTORY_H
#define ANALYZE_INVENTORY_H

#include "base/arena.h"
#include "perfpipe/event.h"

struct kind_count {
	const struct pp_kind *kind;
	const char *name; /* as the .NET tools show it */
	uint64_t count;
};

/* Kinds of one provider, most frequent first. */
struct provider_count {
	const char *name;
	uint64_t events;
	const struct kind_count *kinds;
	size_t kind_count;
};

struct inventory {
	struct arena arena;
	struct kind_count *kinds; /* by kind index until finished, then by provider */
	size_t kind_count;
	int64_t first_ticks; /* of the oldest event and the youngest, if there are events */
	int64_t last_ticks;
	uint64_t events;

	/* what the trace says of the program and the recording; NULL where it does not */
	const char *command_line;
	const char *os;
	const char *architecture;
	const char *stopped_by;

	/* after inventory_finish(), the provider with most events first */
	struct provider_count *providers;
	size_t provider_count;
};

/* The first event of a kind: makes room for it, and reads those that describe the trace. */
void inventory_meet(struct inventory *inventory, const struct pp_event *event);

static inline void inventory_add(struct inventory *inventory, const struct pp_event *event)
{
	const size_t index = event->kind->index;

	if (index >= inventory->kind_count || !inventory->kinds[index].count)
		inventory_meet(inventory, event);
	inventory->kinds[index].count++;
	inventory->events++;
	if (event->ticks < inventory->first_ticks)
		inventory->first_ticks = event->ticks;
	if (event->ticks > inventory->last_ticks)
		inventory->last_ticks = event->ticks;
}

void inventory_finish(struct inventory *inventory);
void inventory_release(struct inventory *inventory);

#endif
