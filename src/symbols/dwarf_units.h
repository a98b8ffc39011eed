/* SPDX-License-Identifier: MIT */
/*
 * dwarf_units.h - the compilation units of a file, and which of them has an address.
 *
 * Where several claim an address the first one counts.
 */
#ifndef SYMBOLS_DWARF_UNITS_H
#define SYMBOLS_DWARF_UNITS_H

#include "symbols/dwarf_functions.h"
#include "symbols/dwarf_line_table.h"

/* What is read when the unit is first asked about. */
struct unit_content {
	struct function_tree functions;
	struct line_table *lines; /* shared by units that name the same one; NULL: none */
	const char *folder;	  /* of the compilation; NULL: unknown */
};

struct dwarf_unit {
	Dwarf_Die die;
	bool has_ranges;
	struct unit_content *content;
};

struct dwarf_units {
	struct dwarf_unit *list; /* by offset */
	size_t count, capacity;
	struct range_map ranges;
};

/* `size` is that of .debug_info, which bounds the number of ranges. */
void dwarf_units_read(struct dwarf_units *units, Dwarf *dwarf, size_t size);
void dwarf_units_release(struct dwarf_units *units); /* not their content */

/* NULL: no unit has the address. */
struct dwarf_unit *dwarf_units_find(const struct dwarf_units *units, uint64_t address);

#endif
