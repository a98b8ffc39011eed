/* SPDX-License-Identifier: MIT */
/*
 * dwarf_forms.h - how attributes are stored: fields of either byte order, and what to skip.
 *
 * libdw reads the attributes of the few DIEs that are asked about. What goes over all DIEs of a
 * unit, or over all rows of a line table, reads bytes itself, which takes a tenth of the time.
 */
#ifndef SYMBOLS_DWARF_FORMS_H
#define SYMBOLS_DWARF_FORMS_H

#include <elfutils/libdw.h>

#include "base/cursor.h"

struct dwarf_format {
	uint8_t address_size; /* bytes */
	uint8_t offset_size;  /* 4, or 8 in 64-bit DWARF */
	uint16_t version;
	bool swapped; /* the file is big-endian */
};

/* The sections that are read without libdw; empty if the file does not have them. */
struct dwarf_sections {
	struct cursor info, abbrev, line, line_str, str;
	bool swapped;
};

struct dwarf_sections dwarf_sections_of(Dwarf *dwarf);

/* A NUL-terminated text at an offset of a section; NULL if there is none. */
const char *dwarf_section_text(const struct cursor *section, uint64_t offset);

static inline uint64_t dwarf_uleb(struct cursor *c)
{
	if (c->at < c->end && *c->at < 0x80)
		return *c->at++;
	return cursor_varint64(c);
}

/* A number of `size` bytes, at most 8. */
uint64_t dwarf_fixed(struct cursor *c, const struct dwarf_format *format, unsigned size);

/* The size of a form in bytes, or how to find it. */
enum form_size {
	FORM_SIZE_MOST = 16,
	FORM_LEB = 32,
	FORM_STRING,
	FORM_BLOCK1, /* preceded by its size */
	FORM_BLOCK2,
	FORM_BLOCK4,
	FORM_BLOCK,
	FORM_INDIRECT, /* preceded by its form */
	FORM_UNKNOWN,  /* what follows cannot be read */
};

enum form_size dwarf_form_size(uint64_t form, const struct dwarf_format *format);
void dwarf_form_skip(struct cursor *c, enum form_size size, const struct dwarf_format *format);

/* Whether a linker left out the code of a range: it is empty, or where no code is. */
bool dwarf_range_is_discarded(uint64_t start, uint64_t end, const struct dwarf_format *format);

#endif
