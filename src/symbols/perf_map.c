/* SPDX-License-Identifier: MIT */
#include "symbols/perf_map.h"

#include "base/error.h"
#include "symbols/map_ranges.h"

static int add_line(struct map_ranges *ranges, struct map_line *line, struct map_totals *totals,
		    struct pp_error *err)
{
	if (ranges->count == MAP_RANGES_MOST)
		return error_set(err, PP_ERROR_LIMIT, "the perf map has more than %zu functions",
				 MAP_RANGES_MOST);
	totals->skipped += !map_ranges_add(ranges, line);
	return 0;
}

static int read_lines(struct map_ranges *ranges, int fd, struct map_totals *totals,
		      struct pp_error *err)
{
	struct map_lines lines = { .fd = fd };
	struct map_line line;
	int got;

	while ((got = map_lines_next(&lines, &line, err)) > 0)
		if (add_line(ranges, &line, totals, err))
			break;
	map_lines_release(&lines);
	totals->functions = ranges->count;
	return got ? -1 : 0;
}

int perf_map_read(int fd, struct symbol_list *list, struct map_totals *totals, struct pp_error *err)
{
	struct map_ranges ranges = { 0 };
	int failed;

	*totals = (struct map_totals){ 0 };
	failed = read_lines(&ranges, fd, totals, err);
	if (!failed)
		map_ranges_list(&ranges, list);
	map_ranges_release(&ranges);
	return failed;
}
