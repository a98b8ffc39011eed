/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_forms.h"

#include <dwarf.h>
#include <gelf.h>

#include "base/array.h"

struct wanted_section {
	const char *name;
	size_t place; /* in struct dwarf_sections */
};

#define WANTED(field)                                                                              \
	{                                                                                          \
#field, offsetof(struct dwarf_sections, field)                                     \
	}

static const struct wanted_section wanted[] = {
	WANTED(info), WANTED(abbrev), WANTED(line), WANTED(line_str), WANTED(str),
};

/* ".debug_info", ".zdebug_info" (compressed in the old way) or ".debug_info.dwo" */
static bool is_section(const char *name, const char *suffix)
{
	const size_t size = strlen(suffix);

	if (!strncmp(name, ".debug_", 7))
		name += 7;
	else if (!strncmp(name, ".zdebug_", 8))
		name += 8;
	else
		return false;
	return !strncmp(name, suffix, size) && (!name[size] || !strcmp(name + size, ".dwo"));
}

/* Like libdw, which has unpacked it, takes the first of several. */
static void keep_section(struct dwarf_sections *sections, const char *name, Elf_Scn *scn)
{
	for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
		struct cursor *place = (struct cursor *)((char *)sections + wanted[i].place);
		const Elf_Data *data;

		if (place->at || !is_section(name, wanted[i].name))
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			*place = cursor_over(data->d_buf, data->d_size);
	}
}

struct dwarf_sections dwarf_sections_of(Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	const char *ident = elf_getident(elf, NULL);
	struct dwarf_sections sections = { .swapped = ident && ident[EI_DATA] == ELFDATA2MSB };
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return sections;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		const char *name =
			gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		if (name && header.sh_type != SHT_NOBITS)
			keep_section(&sections, name, scn);
	}
	return sections;
}

const char *dwarf_section_text(const struct cursor *section, uint64_t offset)
{
	const size_t size = cursor_left(section);

	if (offset >= size || !memchr(section->at + offset, 0, size - offset))
		return NULL;
	return (const char *)section->at + offset;
}

uint64_t dwarf_fixed(struct cursor *c, const struct dwarf_format *format, unsigned size)
{
	uint64_t value = 0;
	const uint8_t *bytes = cursor_bytes(c, size);

	if (!bytes || size > sizeof(value))
		return 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)bytes[i] << 8 * (format->swapped ? size - 1 - i : i);
	return value;
}

enum { SIZE_OF_ADDRESS = 64, SIZE_OF_OFFSET, SIZE_OF_REFERENCE };

static const uint8_t form_sizes[] = {
	[DW_FORM_addr] = SIZE_OF_ADDRESS,
	[DW_FORM_block2] = FORM_BLOCK2,
	[DW_FORM_block4] = FORM_BLOCK4,
	[DW_FORM_data2] = 2,
	[DW_FORM_data4] = 4,
	[DW_FORM_data8] = 8,
	[DW_FORM_string] = FORM_STRING,
	[DW_FORM_block] = FORM_BLOCK,
	[DW_FORM_block1] = FORM_BLOCK1,
	[DW_FORM_data1] = 1,
	[DW_FORM_flag] = 1,
	[DW_FORM_sdata] = FORM_LEB,
	[DW_FORM_strp] = SIZE_OF_OFFSET,
	[DW_FORM_udata] = FORM_LEB,
	[DW_FORM_ref_addr] = SIZE_OF_REFERENCE,
	[DW_FORM_ref1] = 1,
	[DW_FORM_ref2] = 2,
	[DW_FORM_ref4] = 4,
	[DW_FORM_ref8] = 8,
	[DW_FORM_ref_udata] = FORM_LEB,
	[DW_FORM_indirect] = FORM_INDIRECT,
	[DW_FORM_sec_offset] = SIZE_OF_OFFSET,
	[DW_FORM_exprloc] = FORM_BLOCK,
	[DW_FORM_flag_present] = 0,
	[DW_FORM_strx] = FORM_LEB,
	[DW_FORM_addrx] = FORM_LEB,
	[DW_FORM_ref_sup4] = 4,
	[DW_FORM_strp_sup] = SIZE_OF_OFFSET,
	[DW_FORM_data16] = 16,
	[DW_FORM_line_strp] = SIZE_OF_OFFSET,
	[DW_FORM_ref_sig8] = 8,
	[DW_FORM_implicit_const] = 0, /* it is in the abbreviation */
	[DW_FORM_loclistx] = FORM_LEB,
	[DW_FORM_rnglistx] = FORM_LEB,
	[DW_FORM_ref_sup8] = 8,
	[DW_FORM_strx1] = 1,
	[DW_FORM_strx2] = 2,
	[DW_FORM_strx3] = 3,
	[DW_FORM_strx4] = 4,
	[DW_FORM_addrx1] = 1,
	[DW_FORM_addrx2] = 2,
	[DW_FORM_addrx3] = 3,
	[DW_FORM_addrx4] = 4,
};

/* Of extensions of GNU, before DWARF 5 and in files of dwz. */
static enum form_size gnu_form_size(uint64_t form, const struct dwarf_format *format)
{
	switch (form) {
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return FORM_LEB;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return format->offset_size;
	default:
		return FORM_UNKNOWN;
	}
}

enum form_size dwarf_form_size(uint64_t form, const struct dwarf_format *format)
{
	/* 0 and 2 are not forms */
	if (form >= ARRAY_COUNT(form_sizes) || !form || form == DW_FORM_addr + 1)
		return gnu_form_size(form, format);
	switch (form_sizes[form]) {
	case SIZE_OF_ADDRESS:
		return format->address_size;
	case SIZE_OF_OFFSET:
		return format->offset_size;
	case SIZE_OF_REFERENCE:
		return format->version > 2 ? format->offset_size : format->address_size;
	default:
		return form_sizes[form];
	}
}

static void skip_text(struct cursor *c)
{
	const uint8_t *end = cursor_left(c) ? memchr(c->at, 0, cursor_left(c)) : NULL;

	if (end)
		c->at = end + 1;
	else
		cursor_fail(c);
}

static void skip_indirect(struct cursor *c, const struct dwarf_format *format)
{
	const enum form_size size = dwarf_form_size(dwarf_uleb(c), format);

	/* one that leads to another has no use */
	dwarf_form_skip(c, size == FORM_INDIRECT ? FORM_UNKNOWN : size, format);
}

void dwarf_form_skip(struct cursor *c, enum form_size size, const struct dwarf_format *format)
{
	switch (size) {
	case FORM_LEB:
		dwarf_uleb(c);
		return;
	case FORM_STRING:
		skip_text(c);
		return;
	case FORM_BLOCK1:
		cursor_bytes(c, cursor_u8(c));
		return;
	case FORM_BLOCK2:
		cursor_bytes(c, dwarf_fixed(c, format, 2));
		return;
	case FORM_BLOCK4:
		cursor_bytes(c, dwarf_fixed(c, format, 4));
		return;
	case FORM_BLOCK:
		cursor_bytes(c, dwarf_uleb(c));
		return;
	case FORM_INDIRECT:
		skip_indirect(c, format);
		return;
	case FORM_UNKNOWN:
		cursor_fail(c);
		return;
	default:
		cursor_bytes(c, size);
	}
}

/* Linkers set such addresses to 0, to 1 in lists that 0 ends, or to one of the last two. */
bool dwarf_range_is_discarded(uint64_t start, uint64_t end, const struct dwarf_format *format)
{
	const uint64_t last = format->address_size == 4 ? UINT32_MAX : UINT64_MAX;

	return start >= end || start <= 1 || start >= last - 1;
}
