/* SPDX-License-Identifier: MIT */
/* The format is described by r2r-perfmap-format of github.com/dotnet/runtime. */
#include "symbols/r2r_map.h"

#include "base/array.h"
#include "base/decimal.h"
#include "symbols/map_ranges.h"

#define PSEUDO_RVA UINT64_C(0xFFFFFFFB) /* and above */

/* Two digits per byte, in the order of the bytes. */
static void set_signature(struct r2r_map_header *header, struct map_line line)
{
	bool valid = line.end - line.at == 2 * sizeof(header->signature);

	for (size_t i = 0; valid && i < sizeof(header->signature); i++) {
		const int high = hex_digit(line.at[2 * i]), low = hex_digit(line.at[2 * i + 1]);

		valid = high >= 0 && low >= 0;
		header->signature[i] = (uint8_t)(valid ? high << 4 | low : 0);
	}
	header->has_signature = valid;
}

static uint32_t decimal(struct map_line line)
{
	uint32_t value = 0;

	for (; line.at < line.end && *line.at >= '0' && *line.at <= '9'; line.at++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint32_t)(*line.at - '0'), &value))
			return 0;
	return line.at == line.end ? value : 0;
}

static void set_header(struct r2r_map_header *header, uint64_t rva, struct map_line value)
{
	uint32_t *const numbers[] = { &header->abi, &header->machine, &header->os,
				      &header->version };

	if (rva - PSEUDO_RVA < ARRAY_COUNT(numbers))
		*numbers[rva - PSEUDO_RVA] = decimal(value);
	else
		set_signature(header, value);
}

/* "FFFFFFFE 00 1": in the place of a function's address and size there is what it means, and 0. */
static bool add_line(struct map_ranges *ranges, struct r2r_map_header *header, struct map_line line)
{
	struct map_line rest = line;
	uint64_t rva, size;

	if (!map_line_hex(&rest, &rva) || !map_line_hex(&rest, &size) || rva > UINT32_MAX)
		return false;
	if (rva < PSEUDO_RVA)
		return ranges->count < MAP_RANGES_MOST && map_ranges_add(ranges, &line);
	set_header(header, rva, rest);
	return true;
}

int r2r_map_read(int fd, struct r2r_map_header *header, struct symbol_list *list,
		 struct map_totals *totals, struct pp_error *err)
{
	struct map_lines lines = { .fd = fd };
	struct map_ranges ranges = { 0 };
	struct map_line line;
	int got;

	*header = (struct r2r_map_header){ 0 };
	*totals = (struct map_totals){ 0 };
	while ((got = map_lines_next(&lines, &line, err)) > 0)
		totals->skipped += !add_line(&ranges, header, line);
	totals->functions = ranges.count;
	map_lines_release(&lines);
	if (!got)
		map_ranges_list(&ranges, list);
	map_ranges_release(&ranges);
	return got;
}
