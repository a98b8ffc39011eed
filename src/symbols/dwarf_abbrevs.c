/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_abbrevs.h"

#include <dwarf.h>

#include "base/alloc.h"

/* Of a function. Attributes may take no bytes, so a small file could have millions of them. */
#define MOST_ATTRIBUTES 256u

static void add_step(struct abbrevs *abbrevs, uint32_t bytes, enum form_size then)
{
	abbrevs->steps = xgrow(abbrevs->steps, abbrevs->step_count, &abbrevs->step_capacity,
			       sizeof(*abbrevs->steps));
	abbrevs->steps[abbrevs->step_count++] = (struct abbrev_step){ bytes, then };
}

static bool is_wanted(uint64_t name)
{
	return name == DW_AT_low_pc || name == DW_AT_high_pc || name == DW_AT_ranges;
}

static void add_attribute(struct abbrevs *abbrevs, uint64_t name, uint64_t form)
{
	abbrevs->attributes = xgrow(abbrevs->attributes, abbrevs->attribute_count,
				    &abbrevs->attribute_capacity, sizeof(*abbrevs->attributes));
	abbrevs->attributes[abbrevs->attribute_count++] = (struct abbrev_attribute){
		is_wanted(name) ? (uint16_t)name : 0,
		form > UINT16_MAX ? 0 : (uint16_t)form,
		dwarf_form_size(form, &abbrevs->format),
	};
}

/* Steps of the attributes from `first` on: neighbours of fixed size become one. */
static void add_steps(struct abbrevs *abbrevs, size_t first)
{
	uint32_t bytes = 0;

	for (size_t i = first; i < abbrevs->attribute_count; i++) {
		const enum form_size size = abbrevs->attributes[i].size;

		if (size <= FORM_SIZE_MOST) {
			bytes += size;
			continue;
		}
		add_step(abbrevs, bytes, size);
		bytes = 0;
	}
	add_step(abbrevs, bytes, 0);
}

/* Returns whether one of them is an address. */
static bool read_attributes(struct abbrevs *abbrevs, struct cursor *c)
{
	bool has_address = false;

	while (!c->failed) {
		const uint64_t name = dwarf_uleb(c), form = dwarf_uleb(c);

		if (form == DW_FORM_implicit_const)
			cursor_sleb64(c);
		if (!name && !form)
			break;
		add_attribute(abbrevs, name, form);
		has_address |= name == DW_AT_low_pc || name == DW_AT_ranges;
	}
	return has_address;
}

/* Codes count from 1, so the list is as long as the table has entries; hostile ones end it. */
static bool read_abbrev(struct abbrevs *abbrevs, struct cursor *c, size_t most)
{
	const uint64_t code = dwarf_uleb(c), tag = dwarf_uleb(c);
	const bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
	struct abbrev abbrev = { .defined = true, .has_children = cursor_u8(c) };

	if (!code || code > most || c->failed)
		return false;
	abbrev.first_step = (uint32_t)abbrevs->step_count;
	abbrev.first_attribute = (uint32_t)abbrevs->attribute_count;
	abbrev.has_code = read_attributes(abbrevs, c) && is_function;
	add_steps(abbrevs, abbrev.first_attribute);
	abbrev.attribute_count = (uint32_t)abbrevs->attribute_count - abbrev.first_attribute;
	abbrev.has_code = abbrev.has_code && abbrev.attribute_count <= MOST_ATTRIBUTES;
	if (!abbrev.has_code)
		abbrevs->attribute_count = abbrev.first_attribute;
	abbrevs->list = xroom(abbrevs->list, &abbrevs->count, code, sizeof(*abbrevs->list));
	if (!abbrevs->list[code].defined)
		abbrevs->list[code] = abbrev;
	return !c->failed;
}

static bool is_same_format(const struct dwarf_format *a, const struct dwarf_format *b)
{
	return a->address_size == b->address_size && a->offset_size == b->offset_size &&
	       a->version == b->version;
}

void abbrevs_read(struct abbrevs *abbrevs, const struct cursor *section, uint64_t offset,
		  const struct dwarf_format *format)
{
	struct cursor c = *section;

	if (abbrevs->list && abbrevs->section == section->at && abbrevs->offset == offset &&
	    is_same_format(&abbrevs->format, format))
		return;
	abbrevs_release(abbrevs);
	abbrevs->section = section->at;
	abbrevs->offset = offset;
	abbrevs->format = *format;
	cursor_bytes(&c, offset);
	while (read_abbrev(abbrevs, &c, cursor_left(section)))
		;
}

void abbrevs_release(struct abbrevs *abbrevs)
{
	xfree(abbrevs->list);
	xfree(abbrevs->steps);
	xfree(abbrevs->attributes);
	*abbrevs = (struct abbrevs){ 0 };
}
