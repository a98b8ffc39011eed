/* SPDX-License-Identifier: MIT */
/*
 * Any loader events in any order must leave the analysis consistent. The input is a sequence of
 * events, each
 *
 *	byte 0    which event of the table below
 *	byte 1    bits 0-1 thread | bit 2 another process | bits 4-5 version
 *	bytes 2-3 nanoseconds since the last; 65535: a jump to the end of time
 *	byte 4    size of the payload, which follows
 */
#include <stdint.h>
#include <stdlib.h>

#include "analyze/loader.h"
#include "base/array.h"
#include "base/cursor.h"
#include "clr/providers.h"

#define VERSIONS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	const char *provider;
	uint32_t id;
} events[] = {
	{ CLR_RUNTIME_PROVIDER, 290 }, { CLR_RUNTIME_PROVIDER, 291 }, { CLR_RUNTIME_PROVIDER, 292 },
	{ CLR_RUNTIME_PROVIDER, 293 }, { CLR_RUNTIME_PROVIDER, 294 }, { CLR_RUNTIME_PROVIDER, 295 },
	{ CLR_RUNTIME_PROVIDER, 296 }, { CLR_RUNTIME_PROVIDER, 152 }, { CLR_RUNTIME_PROVIDER, 154 },
	{ CLR_RUNTIME_PROVIDER, 155 }, { CLR_RUNDOWN_PROVIDER, 154 }, { CLR_RUNDOWN_PROVIDER, 156 },
};

#define EVENTS ARRAY_COUNT(events)

struct fuzzed {
	struct pass pass;
	struct pp_kind kinds[EVENTS * VERSIONS];
	struct pp_thread threads[8];
	int64_t ticks;
};

/* The payload is in memory of exactly its size. */
static void add_one(struct fuzzed *all, struct cursor *c)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };
	const size_t which = cursor_u8(c) % EVENTS;
	const uint8_t how = cursor_u8(c);
	const uint16_t step = cursor_u16(c);
	const size_t size = cursor_u8(c);
	struct cursor payload = cursor_within(c, size);
	const size_t index = which * VERSIONS + (how >> 4) % VERSIONS;
	uint8_t *copy = malloc(size ? size : 1);

	all->ticks = step == UINT16_MAX		     ? INT64_MAX
		     : all->ticks > INT64_MAX - step ? INT64_MIN
						     : all->ticks + step;
	cursor_copy(&payload, copy, size);
	all->kinds[index] = (struct pp_kind){ .index = index,
					      .provider = events[which].provider,
					      .name = "",
					      .id = events[which].id,
					      .version = (how >> 4) % VERSIONS };
	if (!c->failed)
		pass_event(&all->pass, &header,
			   &(struct pp_event){ .ticks = all->ticks,
					       .payload = copy,
					       .payload_size = (uint32_t)size,
					       .cpu = -1,
					       .kind = &all->kinds[index],
					       .thread = &all->threads[how % 8] });
	free(copy);
}

static void check(const struct loader_stats *stats)
{
	const struct loader_summary *summary = &stats->summary;

	if (summary->count != stats->load_count ||
	    summary->cached + summary->failed + summary->unfinished > 2 * summary->count ||
	    summary->probes_failed > summary->probes)
		abort();
	for (size_t i = 0; i < stats->assembly_count; i++)
		if (!stats->assemblies[i]->name || !stats->assemblies[i]->path)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	struct fuzzed *all = calloc(1, sizeof(*all));
	const struct loader_stats *stats;

	pass_init(&all->pass, NULL);
	stats = pass_want(&all->pass, &loader_analysis, NULL);
	for (size_t i = 0; i < 8; i++)
		all->threads[i] = (struct pp_thread){ .index = i,
						      .id = (int64_t)i,
						      .process_id = 1 + (i >= 4) };
	while (cursor_left(&c))
		add_one(all, &c);
	pass_finish(&all->pass, NULL);
	check(stats);
	pass_release(&all->pass);
	free(all);
	return 0;
}
