/* SPDX-License-Identifier: MIT */
#include "analyze/loader_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/enums.h"

/* Names of maps live for ever; a number that has none is "?". */
static const char *name_of(const char *map, uint32_t number)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value_map_name(value_map_find(map), number, text);

	return name && name != text ? name : "?";
}

const char *loader_stage_name(const struct loader_stage *stage)
{
	return name_of("ResolutionAttemptedStage", stage->stage);
}

const char *loader_result_name(const struct loader_stage *stage)
{
	return name_of("ResolutionAttemptedResult", stage->result);
}

/* Names are of one pool, so their addresses tell them apart. */
static struct loader_count *count_of(struct loader_count_list *counts, const char *name,
				     const char *result)
{
	const uint64_t key = hash_u64((uint64_t)(uintptr_t)name) ^ (uint64_t)(uintptr_t)result;
	const void *at = map_find(&counts->by_name, key);

	if (at)
		return &counts->list[(uintptr_t)at - 1];
	counts->list = xgrow(counts->list, counts->count, &counts->capacity, sizeof(*counts->list));
	counts->list[counts->count] = (struct loader_count){ .name = name, .result = result };
	map_put(&counts->by_name, key, (void *)(uintptr_t)(counts->count + 1));
	return &counts->list[counts->count++];
}

static int by_count(const void *left, const void *right)
{
	const struct loader_count *a = left;
	const struct loader_count *b = right;
	const int names = strcmp(a->name, b->name);

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return names ? names : strcmp(a->result, b->result);
}

static void sort(struct loader_count_list *counts)
{
	if (counts->count)
		qsort(counts->list, counts->count, sizeof(*counts->list), by_count);
	map_release(&counts->by_name);
}

static void count_load(struct loader_counts *counts, const struct loader_load *load)
{
	static const char none[] = "";
	struct loader_count *context = count_of(&counts->contexts, load->context, none);

	loader_summary_add(&counts->summary, load);
	context->count++;
	context->failed += load->time_ns >= 0 && !load->success;
	if (!load->depth && load->time_ns > 0)
		context->time_ns = ns_plus(context->time_ns, load->time_ns);
	for (const struct loader_stage *stage = load->stages; stage; stage = stage->next)
		count_of(&counts->stages, loader_stage_name(stage), loader_result_name(stage))
			->count++;
	for (const struct loader_probe *probe = load->probes; probe; probe = probe->next)
		if (probe->result)
			count_of(&counts->misses, probe->path, none)->count++;
}

struct loader_counts loader_counts_of(const struct loader_stats *stats)
{
	struct loader_counts counts = { 0 };

	for (size_t i = 0; i < stats->load_count; i++)
		if (stats->loads[i]->wanted)
			count_load(&counts, stats->loads[i]);
	sort(&counts.contexts);
	sort(&counts.stages);
	sort(&counts.misses);
	return counts;
}

void loader_counts_release(struct loader_counts *counts)
{
	free(counts->contexts.list);
	free(counts->stages.list);
	free(counts->misses.list);
}
