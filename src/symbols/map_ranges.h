/* SPDX-License-Identifier: MIT */
/*
 * map_ranges.h - lines "START SIZE name" that may overlap, resolved into symbols that do not.
 *
 * A byte belongs to the last line that covers it. A line with the size 0 has an unknown end: it
 * covers what no other line does, up to the next start and at most the rest of its page.
 *
 *	struct map_ranges ranges = { 0 };
 *
 *	while (map_lines_next(&lines, &line, err) > 0)
 *		map_ranges_add(&ranges, &line);
 *	map_ranges_list(&ranges, list);
 *	map_ranges_release(&ranges);
 */
#ifndef SYMBOLS_MAP_RANGES_H
#define SYMBOLS_MAP_RANGES_H

#include "symbols/map_lines.h"
#include "symbols/symbol_table.h"

#define MAP_RANGES_MOST ((size_t)1 << 24)

struct map_ranges {
	struct arena names;
	struct map_range *list;
	size_t count, capacity;
};

/* False: it is not such a line. */
bool map_ranges_add(struct map_ranges *ranges, struct map_line *line);

/* Adds them to a list of symbols, which is whole then. */
void map_ranges_list(struct map_ranges *ranges, struct symbol_list *list);

void map_ranges_release(struct map_ranges *ranges);

#endif
