/* SPDX-License-Identifier: MIT */
#include "symbols/range_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct address_range {
	uint64_t start, end;
	uint32_t value;
};

void range_map_add(struct range_map *map, uint64_t start, uint64_t end, uint32_t value)
{
	if (start >= end)
		return;
	map->ranges =
		xgrow(map->ranges, map->range_count, &map->range_capacity, sizeof(*map->ranges));
	map->ranges[map->range_count++] = (struct address_range){ start, end, value };
}

static int by_start(const void *a, const void *b)
{
	const struct address_range *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->value < right->value ? -1 : left->value > right->value;
}

/* Compilers list functions by address: then there is nothing to sort. */
static void sort_ranges(struct range_map *map)
{
	for (size_t i = 1; i < map->range_count; i++)
		if (by_start(&map->ranges[i - 1], &map->ranges[i]) > 0) {
			qsort(map->ranges, map->range_count, sizeof(*map->ranges), by_start);
			return;
		}
}

/* The ranges that the sweep is in, as a heap: the one with the highest value at [0]. */
struct open_ranges {
	const struct address_range **heap;
	size_t count;
};

static void open_range(struct open_ranges *open, const struct address_range *range)
{
	size_t i = open->count++;

	for (; i && open->heap[(i - 1) / 2]->value < range->value; i = (i - 1) / 2)
		open->heap[i] = open->heap[(i - 1) / 2];
	open->heap[i] = range;
}

static void close_top(struct open_ranges *open)
{
	const struct address_range *last = open->heap[--open->count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < open->count) {
		if (child + 1 < open->count &&
		    open->heap[child + 1]->value > open->heap[child]->value)
			child++;
		if (open->heap[child]->value <= last->value)
			break;
		open->heap[i] = open->heap[child];
		i = child;
	}
	open->heap[i] = last;
}

static void put_entry(struct range_map *map, uint64_t start, uint32_t value)
{
	if (map->count && map->starts[map->count - 1] == start)
		map->count--; /* what it replaces is empty */
	if (map->count ? map->values[map->count - 1] == value : value == RANGE_NONE)
		return;
	map->starts[map->count] = start;
	map->values[map->count++] = value;
}

/* Ends the ranges that end at or before `until`, each of which uncovers the one below it. */
static void sweep_to(struct range_map *map, struct open_ranges *open, uint64_t until)
{
	while (open->count && open->heap[0]->end <= until) {
		const uint64_t end = open->heap[0]->end;

		while (open->count && open->heap[0]->end <= end)
			close_top(open);
		put_entry(map, end, open->count ? open->heap[0]->value : RANGE_NONE);
	}
}

void range_map_seal(struct range_map *map)
{
	const size_t most = 2 * map->range_count;
	struct open_ranges open = { .heap = xcalloc(map->range_count + 1, sizeof(*open.heap)) };

	sort_ranges(map);
	map->starts = xcalloc(most + 1, sizeof(*map->starts));
	map->values = xcalloc(most + 1, sizeof(*map->values));
	for (size_t i = 0; i < map->range_count; i++) {
		sweep_to(map, &open, map->ranges[i].start);
		open_range(&open, &map->ranges[i]);
		put_entry(map, map->ranges[i].start, open.heap[0]->value);
	}
	sweep_to(map, &open, UINT64_MAX);
	xfree(open.heap);
	xfree(map->ranges);
	map->ranges = NULL;
	map->starts = xrealloc(map->starts, map->count + 1, sizeof(*map->starts));
	map->values = xrealloc(map->values, map->count + 1, sizeof(*map->values));
}

uint32_t range_map_find(const struct range_map *map, uint64_t address)
{
	size_t low = 0, high = map->count; /* the entry is before `high` */

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (map->starts[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? map->values[low - 1] : RANGE_NONE;
}

void range_map_release(struct range_map *map)
{
	xfree(map->ranges);
	xfree(map->starts);
	xfree(map->values);
	*map = (struct range_map){ 0 };
}
