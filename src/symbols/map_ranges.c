/* SPDX-License-Identifier: MIT */
/*
 * How overlaps are resolved: a sweep over all starts and ends in the order of addresses keeps the
 * lines that cover the current address in a heap, the last of the file at the top. So the time is
 * O(n log n) whatever overlaps what.
 */
#include "symbols/map_ranges.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/merge_heap.h"

#define PAGE UINT64_C(4096)

struct map_range {
	uint64_t start, end;
	const char *name;
	uint32_t line; /* 0: of unknown size */
};

/* False: it is empty, or has more bytes than there are addresses. */
static bool set_end(struct map_range *range, uint64_t size, size_t line)
{
	range->line = size ? (uint32_t)line : 0;
	range->end = size ? range->start + size : (range->start | (PAGE - 1)) + 1;
	return range->end > range->start;
}

bool map_ranges_add(struct map_ranges *ranges, struct map_line *line)
{
	struct map_range range = { 0 };
	uint64_t size;

	if (!map_line_hex(line, &range.start) || !map_line_hex(line, &size) ||
	    !set_end(&range, size, ranges->count + 1))
		return false;
	range.name = map_line_text(line, &ranges->names);
	if (!*range.name)
		return false;
	ranges->list = xgrow(ranges->list, ranges->count, &ranges->capacity, sizeof(range));
	ranges->list[ranges->count++] = range;
	return true;
}

static int by_start(const void *left, const void *right)
{
	const struct map_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

struct sweep {
	const struct map_range *ranges;
	size_t count, next; /* the first one that starts after `at` */
	struct merge_heap covering;
	uint64_t at;
	struct symbol piece; /* size 0: none */
	struct symbol_list *list;
};

/* The last line is the first of the heap; those of unknown size come after all others. */
static void add_covering(struct sweep *sweep, size_t i)
{
	const struct map_range *range = &sweep->ranges[i];

	merge_heap_add(&sweep->covering,
		       range->line ? -(int64_t)range->line : INT64_MAX - (int64_t)i, (uint32_t)i);
}

/* The line that `at` belongs to; NULL: none. */
static const struct map_range *covering_line(struct sweep *sweep)
{
	struct merge_heap *covering = &sweep->covering;

	while (sweep->next < sweep->count && sweep->ranges[sweep->next].start <= sweep->at)
		add_covering(sweep, sweep->next++);
	while (covering->count && sweep->ranges[covering->heap[0].number].end <= sweep->at)
		merge_heap_next(covering, false, 0);
	return covering->count ? &sweep->ranges[covering->heap[0].number] : NULL;
}

static void end_piece(struct sweep *sweep)
{
	if (sweep->piece.size)
		symbol_list_add(sweep->list, &sweep->piece);
	sweep->piece.size = 0;
}

/* Names are those of lines: equal pointers are of the same line. */
static void extend_piece(struct sweep *sweep, const struct map_range *range, uint64_t end)
{
	struct symbol *piece = &sweep->piece;

	if (!piece->size || piece->name != range->name || piece->start + piece->size != sweep->at) {
		end_piece(sweep);
		*piece = (struct symbol){ .start = sweep->at,
					  .limit = UINT64_MAX,
					  .name = range->name };
	}
	piece->size = end - piece->start;
}

static void add_pieces(struct sweep *sweep)
{
	while (sweep->next < sweep->count || sweep->covering.count) {
		const struct map_range *range;
		uint64_t end;

		if (!sweep->covering.count)
			sweep->at = sweep->ranges[sweep->next].start;
		range = covering_line(sweep);
		if (!range)
			continue;
		end = range->end;
		if (sweep->next < sweep->count && sweep->ranges[sweep->next].start < end)
			end = sweep->ranges[sweep->next].start;
		extend_piece(sweep, range, end);
		sweep->at = end;
	}
	end_piece(sweep);
	merge_heap_release(&sweep->covering);
}

/* Lines of unknown size end where another one begins. */
static void end_unsized(struct map_ranges *ranges)
{
	uint64_t next = UINT64_MAX; /* the first start after that of the line */

	for (size_t i = ranges->count; i-- > 0;) {
		struct map_range *range = &ranges->list[i];

		if (i + 1 < ranges->count && range[1].start != range->start)
			next = range[1].start;
		if (!range->line && range->end > next)
			range->end = next;
	}
}

void map_ranges_list(struct map_ranges *ranges, struct symbol_list *list)
{
	struct sweep sweep = { .ranges = ranges->list, .count = ranges->count, .list = list };

	if (ranges->count)
		qsort(ranges->list, ranges->count, sizeof(*ranges->list), by_start);
	end_unsized(ranges);
	add_pieces(&sweep);
	list->whole = true;
}

void map_ranges_release(struct map_ranges *ranges)
{
	xfree(ranges->list);
	arena_release(&ranges->names);
	*ranges = (struct map_ranges){ 0 };
}
