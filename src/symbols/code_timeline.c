/* SPDX-License-Identifier: MIT */
/*
 * A segment tree over the spans between all starts and ends: node 1 is the root, nodes 2n and 2n+1
 * are below node n, and the leaves, one per span, come last. Code belongs to the few nodes that
 * cover it exactly, at most two per level, and each node has the numbers of its code in the order
 * of time. A search walks from a leaf to the root with a binary search in each node. Building takes
 * O(n log n) and a search O(log² n), whatever overlaps what.
 */
#include "symbols/code_timeline.h"

#include <stdlib.h>

#include "base/alloc.h"

void code_timeline_add(struct code_timeline *timeline, const struct placed_code *placed)
{
	timeline->placed = xgrow(timeline->placed, timeline->count, &timeline->capacity,
				 sizeof(*timeline->placed));
	timeline->placed[timeline->count++] = *placed;
}

struct ordered_code {
	struct placed_code placed;
	size_t order;
};

static int by_time(const void *left, const void *right)
{
	const struct ordered_code *a = left, *b = right;

	if (a->placed.from_ns != b->placed.from_ns)
		return a->placed.from_ns < b->placed.from_ns ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static void sort_by_time(struct code_timeline *timeline)
{
	struct ordered_code *ordered = xcalloc(timeline->count, sizeof(*ordered));

	for (size_t i = 0; i < timeline->count; i++)
		ordered[i] = (struct ordered_code){ timeline->placed[i], i };
	qsort(ordered, timeline->count, sizeof(*ordered), by_time);
	for (size_t i = 0; i < timeline->count; i++)
		timeline->placed[i] = ordered[i].placed;
	xfree(ordered);
}

static int by_address(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void find_bounds(struct code_timeline *timeline)
{
	uint64_t *bounds = xcalloc(2 * timeline->count, sizeof(*bounds));
	size_t last = 0;

	for (size_t i = 0; i < timeline->count; i++) {
		bounds[2 * i] = timeline->placed[i].start;
		bounds[2 * i + 1] = timeline->placed[i].end;
	}
	qsort(bounds, 2 * timeline->count, sizeof(*bounds), by_address);
	for (size_t i = 1; i < 2 * timeline->count; i++)
		if (bounds[i] != bounds[last])
			bounds[++last] = bounds[i];
	timeline->bounds = bounds;
	timeline->span_count = last;
}

/* The last bound at or before the address, which is not before the first one. */
static size_t span_of(const struct code_timeline *timeline, uint64_t address)
{
	size_t first = 0, end = timeline->span_count + 1;

	while (end - first > 1) {
		const size_t middle = first + (end - first) / 2;

		if (timeline->bounds[middle] <= address)
			first = middle;
		else
			end = middle;
	}
	return first;
}

/* Calls `each` for the nodes that together cover what is placed. */
static void walk_nodes(struct code_timeline *timeline, size_t number,
		       void (*each)(struct code_timeline *timeline, size_t node, size_t number))
{
	const struct placed_code *placed = &timeline->placed[number];
	size_t left = timeline->span_count + span_of(timeline, placed->start);
	size_t right = timeline->span_count + span_of(timeline, placed->end);

	for (; left < right; left /= 2, right /= 2) {
		if (left & 1)
			each(timeline, left++, number);
		if (right & 1)
			each(timeline, --right, number);
	}
}

static void count_number(struct code_timeline *timeline, size_t node, size_t number)
{
	(void)number;
	timeline->nodes[node + 1]++;
}

static void put_number(struct code_timeline *timeline, size_t node, size_t number)
{
	timeline->numbers[timeline->nodes[node]++] = (uint32_t)number;
}

/* Counts the numbers of each node, then puts them where those of the nodes before it end. */
static void fill_nodes(struct code_timeline *timeline)
{
	const size_t node_count = 2 * timeline->span_count;
	uint32_t *nodes = timeline->nodes = xcalloc(node_count + 1, sizeof(*nodes));

	for (size_t i = 0; i < timeline->count; i++)
		walk_nodes(timeline, i, count_number);
	for (size_t i = 1; i <= node_count; i++)
		nodes[i] += nodes[i - 1];
	timeline->numbers = xcalloc(nodes[node_count] + 1, sizeof(*timeline->numbers));
	for (size_t i = 0; i < timeline->count; i++)
		walk_nodes(timeline, i, put_number);
	/* each now ends where the next one begins */
	for (size_t i = node_count; i > 0; i--)
		nodes[i] = nodes[i - 1];
	nodes[0] = 0;
}

void code_timeline_seal(struct code_timeline *timeline)
{
	if (!timeline->count)
		return;
	sort_by_time(timeline);
	find_bounds(timeline);
	fill_nodes(timeline);
}

/* What is known of a place while the nodes above it are searched. */
struct timeline_search {
	const struct placed_code *last; /* NULL: none yet */
	int64_t until_ns;
};

static void search_node(const struct code_timeline *timeline, size_t node, int64_t time_ns,
			struct timeline_search *search)
{
	size_t first = timeline->nodes[node], end = timeline->nodes[node + 1];
	const size_t stop = end, start = first;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (timeline->placed[timeline->numbers[middle]].from_ns <= time_ns)
			first = middle + 1;
		else
			end = middle;
	}
	if (first > start &&
	    (!search->last || &timeline->placed[timeline->numbers[first - 1]] > search->last))
		search->last = &timeline->placed[timeline->numbers[first - 1]];
	if (first < stop && timeline->placed[timeline->numbers[first]].from_ns < search->until_ns)
		search->until_ns = timeline->placed[timeline->numbers[first]].from_ns;
}

bool code_timeline_find(const struct code_timeline *timeline, uint64_t address, int64_t time_ns,
			struct placed_code *found, int64_t *until_ns)
{
	struct timeline_search search = { .until_ns = INT64_MAX };

	if (!timeline->count || address < timeline->bounds[0] ||
	    address >= timeline->bounds[timeline->span_count])
		return false;
	for (size_t node = timeline->span_count + span_of(timeline, address); node; node /= 2)
		search_node(timeline, node, time_ns, &search);
	if (!search.last || !search.last->code)
		return false;
	*found = *search.last;
	*until_ns = search.until_ns;
	return true;
}

void code_timeline_release(struct code_timeline *timeline)
{
	xfree(timeline->placed);
	xfree(timeline->bounds);
	xfree(timeline->nodes);
	xfree(timeline->numbers);
	*timeline = (struct code_timeline){ 0 };
}
