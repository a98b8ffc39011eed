/* SPDX-License-Identifier: MIT */
/*
 * generated.h - the tables that make_table.awk and make_enums.awk generate; see events.h and
 * enums.h for how to use them.
 */
#ifndef CLR_GENERATED_H
#define CLR_GENERATED_H

#include <stddef.h>

#include "clr/enums.h"
#include "clr/events.h"

extern const struct clr_event clr_table[]; /* by provider, id and version */
extern const size_t clr_table_count;
extern const char clr_texts[]; /* each NUL-terminated */

/* A row of enums.tsv; strings are offsets into clr_map_texts. */
struct value_name {
	uint64_t value; /* or the mask */
	uint16_t name;	/* "-": none */
	uint16_t shown; /* by the .NET tools; "" is the same name, "-" not at all */
	uint8_t shift;
	bool masked; /* a number in these bits, not a single value */
};

enum value_map_kind {
	VALUE_MAP_VALUE,
	VALUE_MAP_BITS,
	VALUE_MAP_INDEX,
};

struct value_map {
	uint16_t name;
	uint16_t first; /* of its rows in clr_value_names */
	uint8_t count;
	uint8_t kind; /* an enum value_map_kind */
};

extern const struct value_map clr_maps[];
extern const size_t clr_map_count;
extern const struct value_name clr_value_names[];
extern const char clr_map_texts[];

#endif
