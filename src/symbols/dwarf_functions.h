/* SPDX-License-Identifier: MIT */
/*
 * dwarf_functions.h - the functions of a unit that have code, and those inlined into them.
 *
 * One pass over the DIEs of the unit leaves the place of each in the tree and its ranges. What a
 * function is called and where it was inlined is read when it is first asked about.
 */
#ifndef SYMBOLS_DWARF_FUNCTIONS_H
#define SYMBOLS_DWARF_FUNCTIONS_H

#include "base/arena.h"
#include "symbols/dwarf_abbrevs.h"
#include "symbols/range_map.h"

/* What is read when it is asked for. */
struct function_detail {
	const char *name; /* the linkage name if it has one; NULL: it has none at all */
	uint64_t call_file;
	uint32_t call_line, call_column; /* where it was inlined */
	bool inlined;
};

struct function_node {
	uint32_t offset; /* of the DIE, from the start of the unit */
	uint32_t parent; /* RANGE_NONE: it is in no other function */
	const struct function_detail *detail;
};

struct function_tree {
	Dwarf_Die unit;
	const uint8_t *start; /* of the unit */
	struct function_node *nodes;
	size_t count, capacity;
	struct range_map ranges; /* of indexes of nodes */
};

/* A tree without functions if the unit makes no sense, or with those before that place. */
void function_tree_read(struct function_tree *tree, const Dwarf_Die *unit,
			const struct dwarf_sections *sections, struct abbrevs *abbrevs);
void function_tree_release(struct function_tree *tree);

/* The innermost at an address; RANGE_NONE: there is none. */
static inline uint32_t function_tree_find(const struct function_tree *tree, uint64_t address)
{
	return range_map_find(&tree->ranges, address);
}

const struct function_detail *function_tree_detail(struct function_tree *tree, uint32_t index,
						   struct arena *arena);

#endif
