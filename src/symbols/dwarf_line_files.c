/* SPDX-License-Identifier: MIT */
#include <dwarf.h>
#include <string.h>

#include "base/alloc.h"
#include "symbols/dwarf_line_table.h"

static void add_folder(struct line_table *table, const char *name)
{
	table->folders = xgrow(table->folders, table->folder_count, &table->folder_capacity,
			       sizeof(*table->folders));
	table->folders[table->folder_count++] = name;
}

static void add_file(struct line_table *table, const char *name, uint64_t folder)
{
	table->files = xgrow(table->files, table->file_count, &table->file_capacity,
			     sizeof(*table->files));
	table->files[table->file_count++] = (struct line_file){ .name = name, .folder = folder };
}

/* NULL at the end of a list, which is an empty text, and of the bytes. */
static const char *next_text(struct cursor *c)
{
	const char *text = (const char *)c->at;

	dwarf_form_skip(c, FORM_STRING, NULL);
	return !c->failed && *text ? text : NULL;
}

/* Before DWARF 5: both count from 1, and 0 is the compilation's folder or main file. */
static void read_texts(struct line_table *table, struct cursor *c)
{
	const char *name;

	add_folder(table, NULL);
	while ((name = next_text(c)))
		add_folder(table, name);
	add_file(table, NULL, 0);
	while ((name = next_text(c))) {
		const uint64_t folder = dwarf_uleb(c);

		dwarf_uleb(c); /* time */
		dwarf_uleb(c); /* size */
		add_file(table, name, folder);
	}
}

#define MOST_FIELDS 256 /* a byte says how many there are */

struct entry_fields {
	unsigned count;
	struct {
		uint64_t content, form;
	} list[MOST_FIELDS];
};

static void read_fields(struct entry_fields *fields, struct cursor *c)
{
	fields->count = cursor_u8(c);
	for (unsigned i = 0; i < fields->count; i++) {
		fields->list[i].content = dwarf_uleb(c);
		fields->list[i].form = dwarf_uleb(c);
	}
}

static const char *read_name(uint64_t form, struct cursor *c, const struct dwarf_format *format,
			     const struct dwarf_sections *sections)
{
	const char *text = (const char *)c->at;

	switch (form) {
	case DW_FORM_string:
		dwarf_form_skip(c, FORM_STRING, format);
		return c->failed ? NULL : text;
	case DW_FORM_line_strp:
		return dwarf_section_text(&sections->line_str,
					  dwarf_fixed(c, format, format->offset_size));
	case DW_FORM_strp:
		return dwarf_section_text(&sections->str,
					  dwarf_fixed(c, format, format->offset_size));
	default:
		dwarf_form_skip(c, dwarf_form_size(form, format), format);
		return NULL;
	}
}

static uint64_t read_index(uint64_t form, struct cursor *c, const struct dwarf_format *format)
{
	const enum form_size size = dwarf_form_size(form, format);

	if (form == DW_FORM_udata)
		return dwarf_uleb(c);
	if (size && size <= sizeof(uint64_t))
		return dwarf_fixed(c, format, size);
	dwarf_form_skip(c, size, format);
	return 0;
}

static struct line_file read_entry(const struct entry_fields *fields, struct cursor *c,
				   const struct dwarf_format *format,
				   const struct dwarf_sections *sections)
{
	struct line_file entry = { 0 };

	for (unsigned i = 0; i < fields->count; i++) {
		const uint64_t form = fields->list[i].form;

		if (fields->list[i].content == DW_LNCT_path)
			entry.name = read_name(form, c, format, sections);
		else if (fields->list[i].content == DW_LNCT_directory_index)
			entry.folder = read_index(form, c, format);
		else
			dwarf_form_skip(c, dwarf_form_size(form, format), format);
	}
	return entry;
}

/* The number of entries, each of which has a byte at least. */
static uint64_t read_count(const struct entry_fields *fields, struct cursor *c)
{
	const uint64_t count = dwarf_uleb(c);

	if (count && (!fields->count || count > cursor_left(c)))
		cursor_fail(c);
	return c->failed ? 0 : count;
}

/* DWARF 5: both count from 0, and their entries have any fields. */
static void read_entries(struct line_table *table, struct cursor *c,
			 const struct dwarf_sections *sections)
{
	struct entry_fields fields;
	uint64_t count;

	read_fields(&fields, c);
	count = read_count(&fields, c);
	for (uint64_t i = 0; i < count && !c->failed; i++)
		add_folder(table, read_entry(&fields, c, &table->format, sections).name);
	read_fields(&fields, c);
	count = read_count(&fields, c);
	for (uint64_t i = 0; i < count && !c->failed; i++) {
		const struct line_file file = read_entry(&fields, c, &table->format, sections);

		add_file(table, file.name, file.folder);
	}
}

void line_files_read(struct line_table *table, struct cursor *c,
		     const struct dwarf_sections *sections)
{
	if (table->format.version >= 5)
		read_entries(table, c, sections);
	else
		read_texts(table, c);
}

static bool ends_in_slash(const char *text)
{
	return *text && text[strlen(text) - 1] == '/';
}

/* Both parts may be NULL or empty. */
static const char *join(const char *folder, const char *name, struct arena *arena)
{
	if (!folder || !*folder || *name == '/')
		return name;
	return arena_printf(arena, "%s%s%s", folder, ends_in_slash(folder) ? "" : "/", name);
}

const char *line_table_path(struct line_table *table, uint64_t file, const char *folder,
			    struct arena *arena)
{
	struct line_file *entry = file < table->file_count ? &table->files[file] : NULL;
	const char *within;

	if (!entry || !entry->name || !*entry->name)
		return NULL;
	if (!entry->path) {
		within = entry->folder < table->folder_count ? table->folders[entry->folder] : NULL;
		entry->path = join(folder, join(within, entry->name, arena), arena);
	}
	return entry->path;
}
