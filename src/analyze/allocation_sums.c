/* SPDX-License-Identifier: MIT */
/*
 * What allocations come to at the end: estimates, how far they may be off, and order.
 */
#include <math.h>
#include <string.h>

#include "analyze/allocations.h"

#define SIGMAS 1.96 /* within which the truth lies 19 times of 20 */

uint64_t alloc_error(const struct alloc_sum *sum)
{
	const double error = SIGMAS * sqrt(sum->variance);

	return alloc_whole(error);
}

static void set_bytes(struct alloc_sum *sum)
{
	sum->bytes = alloc_whole(sum->estimate);
}

/* Ticks share out a known sum: the larger a part is, the less can it be off. */
static void scale(struct alloc_sum *sum, const struct alloc_sum *all)
{
	const double share = all->bytes ? (double)sum->bytes / (double)all->bytes : 1;

	sum->variance *= share < 1 ? 1 - share : 0;
}

typedef void sum_change(struct alloc_sum *sum, const struct alloc_sum *all);

static void change_bytes(struct alloc_sum *sum, const struct alloc_sum *all)
{
	(void)all;
	set_bytes(sum);
}

static void change_all(struct alloc_table *table, sum_change *change)
{
	for (size_t i = 0; i < table->type_count; i++) {
		change(&table->types[i]->all, &table->all);
		for (int heap = 0; heap < ALLOC_HEAPS; heap++)
			change(&table->types[i]->heaps[heap], &table->all);
	}
	for (size_t i = 0; i < table->site_count; i++)
		change(&table->sites[i]->sum, &table->all);
}

static int by_sum(const struct alloc_sum *a, const struct alloc_sum *b)
{
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return (a->count < b->count) - (a->count > b->count);
}

static int types_by_bytes(const void *left, const void *right)
{
	const struct alloc_type *a = *(const struct alloc_type *const *)left;
	const struct alloc_type *b = *(const struct alloc_type *const *)right;
	const int order = by_sum(&a->all, &b->all);
	const int names = order ? order : strcmp(a->name, b->name);

	return names ? names : (a->type_id > b->type_id) - (a->type_id < b->type_id);
}

static int sites_by_bytes(const void *left, const void *right)
{
	const struct alloc_site *a = *(const struct alloc_site *const *)left;
	const struct alloc_site *b = *(const struct alloc_site *const *)right;
	const int order = by_sum(&a->sum, &b->sum);
	const int names = order ? order : strcmp(a->type->name, b->type->name);

	if (names || a->stack == b->stack)
		return names ? names : (int)a->heap - (int)b->heap;
	return a->stack < b->stack ? -1 : 1;
}

static void sum_up(struct alloc_table *table)
{
	table->all = (struct alloc_sum){ 0 };
	table->types = record_set_list(&table->types_by_name, NULL, &table->type_count);
	table->sites = record_set_list(&table->sites_by_place, NULL, &table->site_count);

	for (size_t i = 0; i < table->site_count; i++) {
		const struct alloc_site *site = table->sites[i];

		alloc_sum_add(&table->all, &site->sum);
		alloc_sum_add(&table->heaps[site->heap], &site->sum);
		alloc_sum_add(&site->type->all, &site->sum);
		alloc_sum_add(&site->type->heaps[site->heap], &site->sum);
	}
}

static void sort(struct alloc_table *table)
{
	record_set_list(&table->types_by_name, types_by_bytes, &table->type_count);
	record_set_list(&table->sites_by_place, sites_by_bytes, &table->site_count);
}

void alloc_sum_up(struct alloc_stats *stats)
{
	struct alloc_table *ticks = &stats->tables[ALLOC_TICKS];
	struct alloc_table *samples = &stats->tables[ALLOC_SAMPLES];
	struct alloc_table *objects = &stats->tables[ALLOC_OBJECTS];

	for (int i = 0; i < ALLOC_SOURCES; i++)
		sum_up(&stats->tables[i]);
	change_all(ticks, scale);
	/* what they cannot know of all is what came after the last one */
	if (ticks->all.count)
		ticks->all.variance = pow((double)ticks->all.bytes / (double)ticks->all.count, 2);
	change_all(samples, change_bytes);
	set_bytes(&samples->all);
	for (int heap = 0; heap < ALLOC_HEAPS; heap++)
		set_bytes(&samples->heaps[heap]);
	for (size_t i = 0; i < objects->type_count; i++) {
		const char *name = alloc_type_name(stats, objects->types[i]->process_id,
						   objects->types[i]->type_id);

		objects->types[i]->name = name ? name : "";
	}
	for (int i = 0; i < ALLOC_SOURCES; i++)
		sort(&stats->tables[i]);
}
