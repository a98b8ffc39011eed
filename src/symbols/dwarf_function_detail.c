/* SPDX-License-Identifier: MIT */
#include <dwarf.h>

#include "symbols/dwarf_attributes.h"
#include "symbols/dwarf_functions.h"

#define LONGEST_CHAIN 16 /* of DIEs that complete each other; hostile ones run in circles */

static uint32_t short_number(Dwarf_Attribute *attribute)
{
	const uint64_t value = attribute_number(attribute);

	return value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* The next DIE of the chain; false at its end. */
static bool follow(struct die_attributes *attributes, Dwarf_Die *die)
{
	Dwarf_Attribute *next =
		attributes->origin.code ? &attributes->origin : &attributes->specification;

	return next->code && dwarf_formref_die(next, die) && die_attributes_read(attributes, die);
}

/* The linkage name may be that of a declaration: it counts more than a name that is nearer. */
static const char *name_of(struct die_attributes *attributes, Dwarf_Die *die)
{
	const char *name = NULL;

	for (int i = 0; i < LONGEST_CHAIN; i++) {
		const char *linkage_name = attribute_text(&attributes->linkage_name);

		if (linkage_name)
			return linkage_name;
		if (!name)
			name = attribute_text(&attributes->name);
		if (!follow(attributes, die))
			break;
	}
	return name;
}

static void read_detail(struct function_detail *detail, Dwarf_Die *die)
{
	struct die_attributes attributes;

	detail->inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	die_attributes_read(&attributes, die);
	detail->call_file = attribute_number(&attributes.call_file);
	detail->call_line = short_number(&attributes.call_line);
	detail->call_column = short_number(&attributes.call_column);
	detail->name = name_of(&attributes, die);
}

const struct function_detail *function_tree_detail(struct function_tree *tree, uint32_t index,
						   struct arena *arena)
{
	struct function_node *node = &tree->nodes[index];

	if (!node->detail) {
		struct function_detail *detail = arena_new(arena, struct function_detail);
		Dwarf_Die die = { .addr = (void *)(uintptr_t)(tree->start + node->offset),
				  .cu = tree->unit.cu };

		read_detail(detail, &die);
		node->detail = detail;
	}
	return node->detail;
}
