/* SPDX-License-Identifier: MIT */
/*
 * dwarf_attributes.h - attributes of a DIE, in one pass instead of one for each.
 *
 * That pass is also what checks that they end inside the section: libdw's calls for a single one
 * do not, so a text at the end of a hostile file would have none.
 */
#ifndef SYMBOLS_DWARF_ATTRIBUTES_H
#define SYMBOLS_DWARF_ATTRIBUTES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* `code` is 0 where the DIE does not have one. */
struct die_attributes {
	Dwarf_Attribute name, linkage_name, origin, specification;
	Dwarf_Attribute call_file, call_line, call_column;
	Dwarf_Attribute folder, line_table, split_name; /* of a unit */
};

bool die_attributes_read(struct die_attributes *attributes, Dwarf_Die *die);

uint64_t attribute_number(Dwarf_Attribute *attribute);	/* 0: it has none */
const char *attribute_text(Dwarf_Attribute *attribute); /* NULL: it has none */

#endif
