/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_functions.h"

#include <dwarf.h>

#include "base/alloc.h"

#define DEEPEST 4096u /* DIE in a unit */

struct scan {
	struct cursor c;
	const uint8_t *start;
	const struct abbrevs *abbrevs;
	struct function_tree *tree;
	/* Many DIEs may share one list of ranges, so that few bytes have millions of them. Real
	 * ones are far fewer than the bytes of the unit. */
	size_t ranges_left;
	uint32_t depth;
	uint32_t parents[DEEPEST]; /* the function around, by depth */
};

/* Where the addresses of a DIE are; `form` is 0 for an attribute that it does not have. */
struct code_attributes {
	struct {
		struct cursor at;
		uint16_t form;
		enum form_size size;
	} low, high;
	bool has_ranges;
};

static struct code_attributes read_attributes(struct scan *scan, const struct abbrev *abbrev)
{
	const struct abbrev_attribute *attribute =
		scan->abbrevs->attributes + abbrev->first_attribute;
	struct code_attributes code = { 0 };

	for (uint32_t i = 0; i < abbrev->attribute_count; i++, attribute++) {
		if (attribute->name == DW_AT_low_pc) {
			code.low.at = scan->c;
			code.low.form = attribute->form;
			code.low.size = attribute->size;
		} else if (attribute->name == DW_AT_high_pc) {
			code.high.at = scan->c;
			code.high.form = attribute->form;
			code.high.size = attribute->size;
		}
		code.has_ranges |= attribute->name == DW_AT_ranges;
		dwarf_form_skip(&scan->c, attribute->size, &scan->abbrevs->format);
	}
	return code;
}

static bool is_size(uint16_t form)
{
	return form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4 ||
	       form == DW_FORM_data8;
}

/* One range with an address and a size is what nearly all have; false: it is something else. */
static bool read_one_range(struct code_attributes *code, const struct dwarf_format *format,
			   uint64_t *start, uint64_t *end)
{
	if (code->has_ranges || code->low.form != DW_FORM_addr)
		return false;
	*start = dwarf_fixed(&code->low.at, format, code->low.size);
	if (code->high.form == DW_FORM_udata)
		*end = *start + dwarf_uleb(&code->high.at);
	else if (is_size(code->high.form))
		*end = *start + dwarf_fixed(&code->high.at, format, code->high.size);
	else
		return false;
	return true;
}

static void add_range(struct scan *scan, uint64_t start, uint64_t end)
{
	if (!dwarf_range_is_discarded(start, end, &scan->abbrevs->format))
		range_map_add(&scan->tree->ranges, start, end, (uint32_t)scan->tree->count);
}

static void add_listed_ranges(struct scan *scan, const uint8_t *die_at)
{
	/* libdw finds the abbreviation when it needs it */
	Dwarf_Die die = { .addr = (void *)(uintptr_t)die_at, .cu = scan->tree->unit.cu };
	Dwarf_Addr base, start, end;

	for (ptrdiff_t at = 0; scan->ranges_left; scan->ranges_left--) {
		at = dwarf_ranges(&die, at, &base, &start, &end);
		if (at <= 0)
			return;
		add_range(scan, start, end);
	}
}

/* Returns what is around its children: the function, unless it has no code. */
static uint32_t add_function(struct scan *scan, const struct abbrev *abbrev, const uint8_t *die_at)
{
	struct function_tree *tree = scan->tree;
	const size_t before = tree->ranges.range_count;
	struct code_attributes code = read_attributes(scan, abbrev);
	const uint32_t parent = scan->parents[scan->depth];
	uint64_t start, end;

	if (scan->c.failed)
		return parent;
	if (read_one_range(&code, &scan->abbrevs->format, &start, &end))
		add_range(scan, start, end);
	else
		add_listed_ranges(scan, die_at);
	if (tree->ranges.range_count == before)
		return parent;
	tree->nodes = xgrow(tree->nodes, tree->count, &tree->capacity, sizeof(*tree->nodes));
	tree->nodes[tree->count] = (struct function_node){
		.offset = (uint32_t)(die_at - scan->start),
		.parent = parent,
	};
	return (uint32_t)tree->count++;
}

/* Returns whether there may be more. */
static bool read_die(struct scan *scan)
{
	const uint8_t *die_at = scan->c.at;
	const uint64_t code = dwarf_uleb(&scan->c);
	const struct abbrev *abbrev = abbrevs_find(scan->abbrevs, code);
	uint32_t around = scan->parents[scan->depth];

	if (!code) /* the end of the children */
		return scan->depth && scan->depth-- > 1;
	if (!abbrev)
		return false;
	if (abbrev->has_code)
		around = add_function(scan, abbrev, die_at);
	else
		abbrev_skip(scan->abbrevs, abbrev, &scan->c);
	if (!abbrev->has_children)
		return scan->depth > 0;
	if (scan->depth + 1 == DEEPEST)
		return false;
	scan->parents[++scan->depth] = around;
	return true;
}

/* The bytes of the DIEs of a unit: libdw has checked its header, we the size it states. */
static struct cursor unit_bytes(const Dwarf_Die *unit, const struct dwarf_sections *sections,
				const uint8_t **start)
{
	Dwarf_Die die = *unit;
	const uint8_t *first = die.addr;
	struct cursor c = sections->info;
	const struct dwarf_format format = { .swapped = sections->swapped };
	uint64_t size;

	if (first < c.at || first >= c.end || dwarf_cuoffset(&die) > (size_t)(first - c.at))
		return cursor_over(NULL, 0);
	c.at = *start = first - dwarf_cuoffset(&die);
	size = dwarf_fixed(&c, &format, 4);
	if (size == UINT32_MAX)
		size = dwarf_fixed(&c, &format, 8);
	if (size < cursor_left(&c))
		c.end = c.at + size;
	if (c.failed || first >= c.end || c.end - *start > UINT32_MAX)
		return cursor_over(NULL, 0);
	c.at = first;
	return c;
}

static void scan_dies(struct scan *scan)
{
	scan->ranges_left = cursor_left(&scan->c);
	scan->parents[0] = RANGE_NONE;
	while (cursor_left(&scan->c) && read_die(scan))
		;
	range_map_seal(&scan->tree->ranges);
}

void function_tree_read(struct function_tree *tree, const Dwarf_Die *unit,
			const struct dwarf_sections *sections, struct abbrevs *abbrevs)
{
	struct dwarf_format format = { .swapped = sections->swapped };
	Dwarf_Off abbrev_offset;
	Dwarf_Die found;
	struct scan *scan;
	struct cursor c;

	tree->unit = *unit;
	c = unit_bytes(unit, sections, &tree->start);
	if (!cursor_left(&c) ||
	    !dwarf_cu_die(unit->cu, &found, &format.version, &abbrev_offset, &format.address_size,
			  &format.offset_size, NULL, NULL))
		return;
	abbrevs_read(abbrevs, &sections->abbrev, abbrev_offset, &format);
	scan = xcalloc(1, sizeof(*scan));
	scan->c = c;
	scan->start = tree->start;
	scan->abbrevs = abbrevs;
	scan->tree = tree;
	scan_dies(scan);
	xfree(scan);
}

void function_tree_release(struct function_tree *tree)
{
	xfree(tree->nodes);
	range_map_release(&tree->ranges);
}
