/* SPDX-License-Identifier: MIT */
/*
 * range_map.h - which of many ranges of addresses counts at an address.
 *
 * Ranges are added in any order and may overlap: where they do, the one with the highest value
 * counts. So functions numbered in the order of their tree are found by the innermost one. After
 * sealing, the map has twice as many entries as ranges at most, none of which overlap.
 *
 *	range_map_add(&map, 0x1000, 0x1080, 0);
 *	range_map_add(&map, 0x1010, 0x1020, 1);
 *	range_map_seal(&map);
 *	range_map_find(&map, 0x1018)	1
 *	range_map_find(&map, 0x1020)	0
 *	range_map_find(&map, 0x1080)	RANGE_NONE
 */
#ifndef SYMBOLS_RANGE_MAP_H
#define SYMBOLS_RANGE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define RANGE_NONE UINT32_MAX

struct address_range;

/* Zero is a valid empty map. */
struct range_map {
	struct address_range *ranges; /* until it is sealed */
	size_t range_count, range_capacity;
	uint64_t *starts; /* each up to the next one */
	uint32_t *values; /* RANGE_NONE: a gap */
	size_t count;
};

/* Empty and reversed ranges are ignored. `value` is not RANGE_NONE. */
void range_map_add(struct range_map *map, uint64_t start, uint64_t end, uint32_t value);
void range_map_seal(struct range_map *map); /* before it is searched, once */
uint32_t range_map_find(const struct range_map *map, uint64_t address);
void range_map_release(struct range_map *map);

#endif
