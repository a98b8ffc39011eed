/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/unicode.h"
#include "cli/terminal.h"

/* A longer cell pushes its own row out, not all the others. */
#define WIDEST 80

#define GAP 2

/* Columns of a terminal that a cell gets, however narrow that is. */
#define LEAST 8

void table_cell(struct table *table, const char *text)
{
	table->cells = xgrow(table->cells, table->count, &table->capacity, sizeof(*table->cells));
	table->cells[table->count++] = text_safe(&table->arena, text);
}

static size_t column_count(const struct table *table)
{
	size_t count = 0;

	while (table->columns[count].title)
		count++;
	return count;
}

static size_t column_width(const struct table *table, size_t column, size_t columns)
{
	size_t widest = text_width(table->columns[column].title);

	for (size_t i = column; i < table->count; i += columns) {
		const size_t width = text_width(table->cells[i]);

		if (width > widest)
			widest = width;
	}
	return widest < WIDEST ? widest : WIDEST;
}

static void put_blanks(FILE *out, size_t count)
{
	fprintf(out, "%*s", (int)count, "");
}

struct line {
	const struct table *table;
	size_t *widths;
	FILE *out;
	size_t owed; /* blanks due before the next thing on the line */
	size_t at;   /* columns of the line that are filled */
	size_t last; /* column */
};

/* Text in at most `room` columns, the last of which says if there was more. */
static void put_cut(FILE *out, const char *text, size_t room)
{
	const char *end = text + strlen(text);
	const char *stop = text;

	if (text_width(text) <= room) {
		fputs(text, out);
		return;
	}
	for (size_t i = 1; i < room; i++)
		utf8_decode(&stop, end);
	fprintf(out, "%.*s…", (int)(stop - text), text);
}

/* How much of the line is left for a cell; it is never less than a word. */
static size_t room_for(const struct line *line, size_t column)
{
	const size_t before = line->at + line->owed;
	const size_t width = line->table->width;

	if (!width || column != line->last)
		return SIZE_MAX;
	return before + LEAST < width ? width - before : LEAST;
}

static void put_cell(struct line *line, size_t column, const char *text)
{
	const size_t width = text_width(text);
	const size_t wanted = line->widths[column];
	const size_t padding = width < wanted ? wanted - width : 0;
	const bool right = line->table->columns[column].align == TABLE_RIGHT;

	if (*text) {
		line->owed += right ? padding : 0;
		put_blanks(line->out, line->owed);
		put_cut(line->out, text, room_for(line, column));
		line->at += line->owed + width;
		line->owed = 0;
	} else {
		line->owed += right ? padding : 0;
	}
	line->owed += GAP + (right ? 0 : padding);
}

static void begin_line(struct line *line)
{
	line->owed = line->table->indent;
	line->at = 0;
}

static void put_titles(struct line *line, size_t columns)
{
	bool titled = false;

	for (size_t i = 0; i < columns; i++)
		titled |= *line->table->columns[i].title != '\0';
	if (!titled)
		return;
	begin_line(line);
	fputs(text_style(line->out, TEXT_BOLD), line->out);
	for (size_t i = 0; i < columns; i++)
		put_cell(line, i, line->table->columns[i].title);
	fprintf(line->out, "%s\n", text_style(line->out, TEXT_PLAIN));
}

void table_print(const struct table *table, FILE *out)
{
	const size_t columns = column_count(table);
	struct line line = { .table = table, .out = out, .last = columns - 1 };

	assert(columns);
	line.widths = xcalloc(columns, sizeof(*line.widths));
	for (size_t i = 0; i < columns; i++)
		line.widths[i] = column_width(table, i, columns);
	put_titles(&line, columns);
	for (size_t i = 0; i < table->count; i++) {
		const size_t column = i % columns;

		if (!column)
			begin_line(&line);
		put_cell(&line, column, table->cells[i]);
		if (column == columns - 1 || i == table->count - 1)
			putc('\n', out);
	}
	free(line.widths);
}

void table_release(struct table *table)
{
	arena_release(&table->arena);
	free(table->cells);
	table->cells = NULL;
	table->count = table->capacity = 0;
}
