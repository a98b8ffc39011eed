/* SPDX-License-Identifier: MIT */
/*
 * enums.h - names for the numbers in the runtime's events.
 *
 * Spelled as the .NET tools spell them, since that is what people search for. enums.tsv, from which
 * the maps are generated, lists them all.
 *
 *	const struct value_map *map = value_map_find("GCReason");
 *	char text[VALUE_MAP_TEXT];
 *	value_map_name(map, 1, text); returns "Induced"
 */
#ifndef CLR_ENUMS_H
#define CLR_ENUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_map;

#define VALUE_MAP_TEXT 1024 /* holds all names of the largest map of bits */

const struct value_map *value_map_find(const char *name); /* NULL if unknown */

/*
 * "Induced"; for bits "Generic|Jitted|OptimizationTier=QuickJitted", with unnamed bits as 0x200 at
 * the end, and "None" if no bit is set. NULL if the number has no name. In `text`, or a constant.
 */
const char *value_map_name(const struct value_map *map, uint64_t number,
			   char text[static VALUE_MAP_TEXT]);

/* The map names the positions in an array, not its values: value_map_name(map, position). */
bool value_map_is_index(const struct value_map *map);

#endif
