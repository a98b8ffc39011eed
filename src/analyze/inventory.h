/* SPDX-License-Identifier: MIT */
/*
 * inventory.h - the contents of a trace: its kinds of events, with counts, and its time.
 *
 * Events may come in any order; memory grows with the kinds only. It refers to the reader's kinds.
 *
 *	const struct inventory *inventory = pass_want(&pass, &inventory_analysis, NULL);
 */
#ifndef ANALYZE_INVENTORY_H
#define ANALYZE_INVENTORY_H

#include "base/arena.h"
#include "pass/pass.h"

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
	struct kind_count *kinds; /* at the end, by provider */
	size_t kind_count;
	int64_t first_ticks; /* of the oldest event and the newest, if there are events */
	int64_t last_ticks;
	uint64_t events; /* without readings of thread times, which are the recorder's */
	uint64_t thread_times;

	/* of the program and the recording; NULL: not recorded */
	const char *command_line;
	const char *os;
	const char *architecture;
	const char *stopped_by;

	/* at the end, the provider with most events first */
	struct provider_count *providers;
	size_t provider_count;
};

extern const struct analysis inventory_analysis;

#endif
