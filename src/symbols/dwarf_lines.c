/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_lines.h"

#include <dwarf.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/map.h"
#include "symbols/dwarf_attributes.h"
#include "symbols/dwarf_units.h"

struct dwarf_lines {
	struct elf_file *debug, *alt;
	Dwarf *dwarf, *alt_dwarf;
	struct heap_drop *drop; /* ends both, if a public call is left */
	struct dwarf_sections sections;
	struct dwarf_units units;
	struct abbrevs abbrevs; /* of the unit read last */
	struct map tables;	/* struct line_table by offset */
	size_t line_bytes_left; /* tables do not overlap, unless a file is hostile */
	struct arena arena;	/* details of functions, paths */
};

static void drop_handles(void *object)
{
	struct dwarf_lines *lines = object;

	dwarf_end(lines->dwarf);
	dwarf_end(lines->alt_dwarf);
}

static _Noreturn void no_memory(void)
{
	guard_fail(PP_ERROR_MEMORY, "out of memory");
}

static Dwarf *begin(struct elf_file *file, struct pp_error *err)
{
	Dwarf *dwarf = dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);

	if (dwarf)
		dwarf_new_oom_handler(dwarf, no_memory);
	else
		error_set(err, PP_ERROR_FORMAT, "%s has no debug information that can be read: %s",
			  elf_file_name(file), dwarf_errmsg(-1));
	return dwarf;
}

/* What libdw itself notes where there is none. Without it, libdw would open what a file names. */
#define NO_ALT ((Dwarf *)-1)

static int begin_all(struct dwarf_lines *lines, struct pp_error *err)
{
	lines->dwarf = begin(lines->debug, err);
	if (!lines->dwarf)
		return -1;
	/* without it names are missing, but not lines */
	lines->alt_dwarf = lines->alt ? begin(lines->alt, NULL) : NULL;
	dwarf_setalt(lines->dwarf, lines->alt_dwarf ? lines->alt_dwarf : NO_ALT);
	return 0;
}

struct dwarf_lines *dwarf_lines_open(struct elf_file *debug, struct elf_file *alt,
				     struct pp_error *err)
{
	struct dwarf_lines *lines = xcalloc(1, sizeof(*lines));

	lines->debug = debug;
	lines->alt = alt;
	lines->drop = heap_on_drop(drop_handles, lines);
	if (begin_all(lines, err)) {
		dwarf_lines_close(lines);
		return NULL;
	}
	lines->sections = dwarf_sections_of(lines->dwarf);
	lines->line_bytes_left = cursor_left(&lines->sections.line);
	dwarf_units_read(&lines->units, lines->dwarf, cursor_left(&lines->sections.info));
	return lines;
}

static void free_content(struct unit_content *content)
{
	if (!content)
		return;
	function_tree_release(&content->functions);
	xfree(content);
}

static void free_tables(struct map *tables)
{
	for (size_t i = 0; i < tables->capacity; i++)
		if (tables->slots[i].value) {
			line_table_release(tables->slots[i].value);
			xfree(tables->slots[i].value);
		}
	map_release(tables);
}

void dwarf_lines_close(struct dwarf_lines *lines)
{
	if (!lines)
		return;
	for (size_t i = 0; i < lines->units.count; i++)
		free_content(lines->units.list[i].content);
	dwarf_units_release(&lines->units);
	free_tables(&lines->tables);
	abbrevs_release(&lines->abbrevs);
	arena_release(&lines->arena);
	heap_forget_drop(lines->drop);
	drop_handles(lines);
	elf_file_close(lines->debug);
	elf_file_close(lines->alt);
	xfree(lines);
}

static struct line_table *read_table(struct dwarf_lines *lines, uint64_t offset,
				     uint8_t address_size)
{
	struct line_table *table = xcalloc(1, sizeof(*table));
	const size_t size = line_table_read(table, &lines->sections, offset, address_size);

	map_put(&lines->tables, offset, table);
	lines->line_bytes_left -= size < lines->line_bytes_left ? size : lines->line_bytes_left;
	return table;
}

/* NULL: the unit has none. */
static struct line_table *table_of(struct dwarf_lines *lines, Dwarf_CU *unit,
				   struct die_attributes *attributes)
{
	const uint64_t offset = attribute_number(&attributes->line_table);
	struct line_table *table = map_find(&lines->tables, offset);
	uint8_t address_size = 8;

	if (table || !attributes->line_table.code || !lines->line_bytes_left)
		return table;
	dwarf_cu_info(unit, NULL, NULL, NULL, NULL, NULL, &address_size, NULL);
	return read_table(lines, offset, address_size);
}

/* A hostile file could name a pipe, which nobody ever opens at the other end. */
static bool is_harmless(struct arena *arena, const char *folder, const char *name)
{
	struct stat found;
	const char *path = *name == '/' ? name : arena_printf(arena, "%s/%s", folder, name);

	return stat(path, &found) || S_ISREG(found.st_mode);
}

/* libdw looks for the file of a split unit in the folder of the compilation and of our file. */
static bool may_open_split(struct dwarf_lines *lines, struct die_attributes *attributes)
{
	const char *name = attribute_text(&attributes->split_name);
	const char *folder = attribute_text(&attributes->folder);
	const char *file = elf_file_name(lines->debug), *slash = strrchr(file, '/');
	struct arena *arena = &lines->arena;

	return name && is_harmless(arena, folder ? folder : ".", name) &&
	       is_harmless(arena, slash ? arena_text(arena, file, (size_t)(slash - file)) : ".",
			   name);
}

/* The functions of a skeleton are in a file of their own; without it there are lines only. */
static void read_functions(struct dwarf_lines *lines, struct dwarf_unit *unit,
			   struct die_attributes *attributes)
{
	struct function_tree *functions = &unit->content->functions;
	struct dwarf_sections sections;
	uint8_t type = DW_UT_compile;
	Dwarf_Die split = { 0 };

	dwarf_cu_info(unit->die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL);
	if (type != DW_UT_skeleton) {
		function_tree_read(functions, &unit->die, &lines->sections, &lines->abbrevs);
		return;
	}
	if (!may_open_split(lines, attributes) ||
	    dwarf_cu_info(unit->die.cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) || !split.addr)
		return;
	sections = dwarf_sections_of(dwarf_cu_getdwarf(split.cu));
	function_tree_read(functions, &split, &sections, &lines->abbrevs);
}

static void read_unit(struct dwarf_lines *lines, struct dwarf_unit *unit)
{
	struct die_attributes attributes;

	unit->content = xcalloc(1, sizeof(*unit->content));
	die_attributes_read(&attributes, &unit->die);
	unit->content->folder = attribute_text(&attributes.folder);
	unit->content->lines = table_of(lines, unit->die.cu, &attributes);
	read_functions(lines, unit, &attributes);
}

/* A place in the source, by the number of its file. */
struct place {
	uint64_t file;
	uint32_t line, column;
	bool known;
};

static struct place place_at(const struct unit_content *unit, uint64_t address)
{
	const struct line_row *row = unit->lines ? line_table_find(unit->lines, address) : NULL;

	if (!row)
		return (struct place){ 0 };
	return (struct place){ row->file, row->line, row->column, true };
}

static struct place place_of_call(const struct function_detail *inlined)
{
	return (struct place){ inlined->call_file, inlined->call_line, inlined->call_column, true };
}

static void put_frame(struct dwarf_lines *lines, const struct unit_content *unit,
		      const struct place *place, struct symbol_frame *frame)
{
	*frame = (struct symbol_frame){ .line = place->line, .column = place->column };
	if (place->known && unit->lines)
		frame->file =
			line_table_path(unit->lines, place->file, unit->folder, &lines->arena);
}

/* The last frame is for the function itself: it replaces one if there are too many. */
static size_t put_frames(struct dwarf_lines *lines, struct unit_content *unit, uint64_t address,
			 struct symbol_frame *frames)
{
	uint32_t node = function_tree_find(&unit->functions, address);
	struct place place = place_at(unit, address);
	size_t count = 0;

	while (node != RANGE_NONE) {
		const struct function_detail *detail =
			function_tree_detail(&unit->functions, node, &lines->arena);

		if (count == SYMBOL_FRAMES)
			count--;
		put_frame(lines, unit, &place, &frames[count]);
		frames[count].function = detail->name;
		frames[count++].inlined = detail->inlined;
		node = detail->inlined ? unit->functions.nodes[node].parent : RANGE_NONE;
		place = place_of_call(detail);
	}
	if (!count && place.known)
		put_frame(lines, unit, &place, &frames[count++]);
	return count;
}

size_t dwarf_lines_find(struct dwarf_lines *lines, uint64_t address, struct symbol_frame *frames)
{
	struct dwarf_unit *unit = dwarf_units_find(&lines->units, address);

	if (!unit)
		return 0;
	if (!unit->content)
		read_unit(lines, unit);
	return put_frames(lines, unit->content, address, frames);
}
