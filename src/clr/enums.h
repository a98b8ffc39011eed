/* SPDX-License-Identifier: MIT */
/*
 * enums.h - names for the numbers in the runtime's events.
 *
 * Spelt as the .NET tools spell them, since that is what people search for.
 * enums.tsv, from which the maps are made, has them all.
 *
 *	const struct value_map *map = value_map_find("GCReason");
 *	char text[VALUE_MAP_TEXT];
 *	value_map_name(map, 1, text); gives "Induced"
 */
#ifndef CLR_ENUMS_H
#define CLR_ENUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_map;

#define VALUE_MAP_TEXT 1024 /* holds all names of the largest map of bits at once */

const struct value_map *value_map_find(const char *name); /* NULL: none */

/*
 * "Induced"; for bits "Generic|Jitted|OptimizationTier=QuickJitted", with bits
 * that have no name as 0x200 at the end, and "None" when no bit is set. NULL if
 * the number has no name. Writes into `text` or returns what lives for ever.
 */
const char *value_map_name(const struct value_map *map, uint64_t number,
			   char text[static VALUE_MAP_TEXT]);

/* The map names the places in an array, and not what stands there: value_map_name(map, place). */
bool value_map_is_index(const struct value_map *map);

#endif
