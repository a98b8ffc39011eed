/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_units.h"

#include <dwarf.h>

#include "base/alloc.h"

#define FEWEST_RANGES 65536u /* that are read of any file */

/* The higher value counts, and the first unit is to. */
static uint32_t value_of(size_t index)
{
	return RANGE_NONE - 1 - (uint32_t)index;
}

static struct dwarf_format format_of(struct dwarf_unit *unit)
{
	struct dwarf_format format = { 0 };

	dwarf_cu_info(unit->die.cu, NULL, NULL, NULL, NULL, NULL, &format.address_size,
		      &format.offset_size);
	return format;
}

static void add_range(struct dwarf_units *units, size_t index, uint64_t start, uint64_t end)
{
	const struct dwarf_format format = format_of(&units->list[index]);

	if (!dwarf_range_is_discarded(start, end, &format))
		range_map_add(&units->ranges, start, end, value_of(index));
}

/* Of DW_AT_ranges, or DW_AT_low_pc and DW_AT_high_pc. */
static void add_ranges(struct dwarf_units *units, size_t index, size_t *left)
{
	Dwarf_Addr base, start, end;

	for (ptrdiff_t at = 0; *left; --*left) {
		at = dwarf_ranges(&units->list[index].die, at, &base, &start, &end);
		if (at <= 0)
			return;
		add_range(units, index, start, end);
	}
}

static void add_unit(struct dwarf_units *units, const Dwarf_Die *die, size_t *left)
{
	const size_t before = units->ranges.range_count;

	units->list = xgrow(units->list, units->count, &units->capacity, sizeof(*units->list));
	units->list[units->count] = (struct dwarf_unit){ .die = *die };
	add_ranges(units, units->count, left);
	units->list[units->count++].has_ranges = units->ranges.range_count > before;
}

/* The unit whose DIE is at the offset; `count`: there is none. */
static size_t unit_at(const struct dwarf_units *units, Dwarf_Off offset)
{
	size_t low = 0, high = units->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (dwarf_dieoffset(&units->list[middle].die) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < units->count && dwarf_dieoffset(&units->list[low].die) == offset)
		return low;
	return units->count;
}

/* Of units whose DIE has no addresses. .debug_aranges is not used for others, since compilers leave
 * it out or, of assembler code and after some linkers, incomplete. */
static void add_arange(struct dwarf_units *units, Dwarf_Arange *arange)
{
	Dwarf_Addr start;
	Dwarf_Word size;
	Dwarf_Off offset;
	size_t index;

	if (dwarf_getarangeinfo(arange, &start, &size, &offset))
		return;
	index = unit_at(units, offset);
	if (index < units->count && !units->list[index].has_ranges)
		add_range(units, index, start, start + size);
}

static void add_aranges(struct dwarf_units *units, Dwarf *dwarf)
{
	Dwarf_Aranges *aranges;
	size_t count;

	if (dwarf_getaranges(dwarf, &aranges, &count))
		return;
	for (size_t i = 0; i < count; i++)
		add_arange(units, dwarf_onearange(aranges, i));
}

static bool lacks_ranges(const struct dwarf_units *units)
{
	for (size_t i = 0; i < units->count; i++)
		if (!units->list[i].has_ranges)
			return true;
	return false;
}

void dwarf_units_read(struct dwarf_units *units, Dwarf *dwarf, size_t size)
{
	size_t left = size + FEWEST_RANGES; /* of all, also of those that do not count */
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die;

	while (!dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, NULL))
		if ((type == DW_UT_compile || type == DW_UT_skeleton) && die.addr)
			add_unit(units, &die, &left);
	if (lacks_ranges(units))
		add_aranges(units, dwarf);
	range_map_seal(&units->ranges);
}

void dwarf_units_release(struct dwarf_units *units)
{
	xfree(units->list);
	range_map_release(&units->ranges);
}

struct dwarf_unit *dwarf_units_find(const struct dwarf_units *units, uint64_t address)
{
	const uint32_t value = range_map_find(&units->ranges, address);

	return value == RANGE_NONE ? NULL : &units->list[RANGE_NONE - 1 - value];
}
