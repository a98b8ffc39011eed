/* SPDX-License-Identifier: MIT */
/*
 * dwarf_line_table.h - the line table of a unit, DWARF 2 to 5.
 */
#ifndef SYMBOLS_DWARF_LINE_TABLE_H
#define SYMBOLS_DWARF_LINE_TABLE_H

#include "base/arena.h"
#include "symbols/dwarf_forms.h"
#include "symbols/range_map.h"

/* The code from an address up to that of the next row. */
struct line_row {
	uint64_t address;
	uint32_t line;
	uint16_t column, file; /* larger ones count as unknown */
};

struct line_sequence {
	size_t first, count; /* rows */
};

struct line_file {
	const char *name;
	uint64_t folder;  /* index */
	const char *path; /* once it was asked for */
};

struct line_table {
	struct dwarf_format format;
	const char **folders;
	size_t folder_count, folder_capacity;
	struct line_file *files;
	size_t file_count, file_capacity;
	struct line_row *rows;
	size_t row_count, row_capacity;
	struct line_sequence *sequences;
	size_t sequence_count, sequence_capacity;
	struct range_map ranges; /* of indexes of sequences */
};

/* Reads the table at an offset of .debug_line; returns its size in bytes. What makes no sense ends
 * it. */
size_t line_table_read(struct line_table *table, const struct dwarf_sections *sections,
		       uint64_t offset, uint8_t address_size);
void line_table_release(struct line_table *table);

/* NULL: the address has no line. */
const struct line_row *line_table_find(const struct line_table *table, uint64_t address);

/* The path of a file by its number, in the compilation's folder if it is relative; or NULL. */
const char *line_table_path(struct line_table *table, uint64_t file, const char *folder,
			    struct arena *arena);

/* For dwarf_line_table.c: the lists of folders and files, and moves to their end. */
void line_files_read(struct line_table *table, struct cursor *c,
		     const struct dwarf_sections *sections);

#endif
