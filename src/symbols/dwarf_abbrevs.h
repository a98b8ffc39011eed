/* SPDX-License-Identifier: MIT */
/*
 * dwarf_abbrevs.h - the abbreviations of a unit: what its DIEs consist of.
 *
 * Only DIEs of functions that have code are of interest, and an abbreviation says whether they
 * may; of all others it knows how to skip them.
 */
#ifndef SYMBOLS_DWARF_ABBREVS_H
#define SYMBOLS_DWARF_ABBREVS_H

#include "symbols/dwarf_forms.h"

struct abbrev_attribute {
	uint16_t name; /* DW_AT_low_pc, DW_AT_high_pc, DW_AT_ranges; 0: any other */
	uint16_t form;
	enum form_size size;
};

/* Part of a DIE: bytes to skip, and then one attribute of any size. */
struct abbrev_step {
	uint32_t bytes;
	enum form_size then; /* 0: this is the last step */
};

struct abbrev {
	uint32_t first_step;
	uint32_t first_attribute; /* of a function */
	uint32_t attribute_count;
	bool defined;
	bool has_children;
	bool has_code; /* a function, inlined or not, with addresses */
};

struct abbrevs {
	const uint8_t *section; /* .debug_abbrev */
	uint64_t offset;	/* in it */
	struct dwarf_format format;
	struct abbrev *list; /* by code */
	size_t count;
	struct abbrev_step *steps;
	size_t step_count, step_capacity;
	struct abbrev_attribute *attributes;
	size_t attribute_count, attribute_capacity;
};

/* Reads a table, unless it is this one already. */
void abbrevs_read(struct abbrevs *abbrevs, const struct cursor *section, uint64_t offset,
		  const struct dwarf_format *format);
void abbrevs_release(struct abbrevs *abbrevs);

/* NULL: there is none with that code. */
static inline const struct abbrev *abbrevs_find(const struct abbrevs *abbrevs, uint64_t code)
{
	return code < abbrevs->count && abbrevs->list[code].defined ? &abbrevs->list[code] : NULL;
}

/* Skips the attributes of a DIE. */
static inline void abbrev_skip(const struct abbrevs *abbrevs, const struct abbrev *abbrev,
			       struct cursor *c)
{
	const struct abbrev_step *step = &abbrevs->steps[abbrev->first_step];

	for (; step->then; step++) {
		cursor_bytes(c, step->bytes);
		dwarf_form_skip(c, step->then, &abbrevs->format);
	}
	cursor_bytes(c, step->bytes);
}

#endif
