/* SPDX-License-Identifier: MIT */
#include "clr/events.h"

#include <string.h>

#include "clr/generated.h"
#include "clr/providers.h"

static const char *const providers[CLR_GC_DYNAMIC] = {
	[CLR_RUNTIME] = CLR_RUNTIME_PROVIDER,
	[CLR_RUNDOWN] = CLR_RUNDOWN_PROVIDER,
	[CLR_SAMPLE_PROFILER] = SAMPLE_PROFILER_PROVIDER,
	[CLR_PRIVATE] = CLR_PRIVATE_PROVIDER,
	[CLR_STRESS] = CLR_STRESS_PROVIDER,
};

/* The sort key of a row: ids have at most 16 bits, versions at most 8. */
static uint64_t key_of(unsigned provider, uint32_t id, uint32_t version)
{
	return (uint64_t)provider << 48 | (uint64_t)id << 8 | (version < 0xFF ? version : 0xFF);
}

static uint64_t key_at(size_t i)
{
	return key_of(clr_table[i].provider, clr_table[i].id, clr_table[i].version);
}

/* The number of rows up to and including this key. */
static size_t rows_up_to(uint64_t key)
{
	size_t low = 0;
	size_t high = clr_table_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (key_at(middle) <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct clr_event *find(unsigned provider, uint32_t id, uint32_t version)
{
	const size_t rows = rows_up_to(key_of(provider, id, version));
	const struct clr_event *event = rows ? &clr_table[rows - 1] : NULL;

	if (!event || event->provider != provider || event->id != id)
		return NULL;
	return event;
}

const struct clr_event *clr_event_rows(uint32_t *count)
{
	*count = (uint32_t)clr_table_count;
	return clr_table;
}

const struct clr_event *clr_event_find(const char *provider, uint32_t id, uint32_t version)
{
	for (unsigned i = 0; i < CLR_GC_DYNAMIC; i++)
		if (!strcmp(providers[i], provider))
			return find(i, id, version);
	return NULL;
}

const struct clr_event *clr_dynamic_rows(uint32_t *count)
{
	const size_t before = rows_up_to(key_of(CLR_GC_DYNAMIC, 0, 0) - 1);

	*count = (uint32_t)(clr_table_count - before);
	return &clr_table[before];
}

const struct clr_event *clr_dynamic_find(const char *name, uint32_t version)
{
	uint32_t count;
	const struct clr_event *rows = clr_dynamic_rows(&count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(clr_text(rows[i].symbol), name))
			return find(CLR_GC_DYNAMIC, rows[i].id, version);
	return NULL;
}

const char *clr_text(uint32_t offset)
{
	return clr_texts + offset;
}
