/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_attributes.h"

#include <dwarf.h>
#include <stddef.h>

#include "base/array.h"

static const struct {
	unsigned code;
	size_t place; /* in struct die_attributes */
} wanted[] = {
	{ DW_AT_name, offsetof(struct die_attributes, name) },
	{ DW_AT_linkage_name, offsetof(struct die_attributes, linkage_name) },
	{ DW_AT_MIPS_linkage_name, offsetof(struct die_attributes, linkage_name) }, /* DWARF 3 */
	{ DW_AT_abstract_origin, offsetof(struct die_attributes, origin) },
	{ DW_AT_specification, offsetof(struct die_attributes, specification) },
	{ DW_AT_call_file, offsetof(struct die_attributes, call_file) },
	{ DW_AT_call_line, offsetof(struct die_attributes, call_line) },
	{ DW_AT_call_column, offsetof(struct die_attributes, call_column) },
	{ DW_AT_comp_dir, offsetof(struct die_attributes, folder) },
	{ DW_AT_stmt_list, offsetof(struct die_attributes, line_table) },
	{ DW_AT_dwo_name, offsetof(struct die_attributes, split_name) },
	{ DW_AT_GNU_dwo_name, offsetof(struct die_attributes, split_name) }, /* DWARF 4 */
};

static int keep_attribute(Dwarf_Attribute *attribute, void *context)
{
	for (size_t i = 0; i < ARRAY_COUNT(wanted); i++)
		if (wanted[i].code == attribute->code)
			*(Dwarf_Attribute *)((char *)context + wanted[i].place) = *attribute;
	return DWARF_CB_OK;
}

bool die_attributes_read(struct die_attributes *attributes, Dwarf_Die *die)
{
	*attributes = (struct die_attributes){ 0 };
	if (dwarf_getattrs(die, keep_attribute, attributes, 0) == 1)
		return true;
	*attributes = (struct die_attributes){ 0 };
	return false;
}

uint64_t attribute_number(Dwarf_Attribute *attribute)
{
	Dwarf_Word value;

	return attribute->code && !dwarf_formudata(attribute, &value) ? value : 0;
}

const char *attribute_text(Dwarf_Attribute *attribute)
{
	return attribute->code ? dwarf_formstring(attribute) : NULL;
}
