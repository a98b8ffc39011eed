/* SPDX-License-Identifier: MIT */
/*
 * The cells of a list as people see them, for text, Markdown and HTML.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/figure_text.h"
#include "report/render.h"

#define DEEPEST 40 /* blanks in front of a name in a tree */

bool column_is_text(const struct result_field *column)
{
	return !(column->flags & RIGHT) &&
	       (column->unit == UNIT_TEXT || column->unit == UNIT_ENUM ||
		column->unit == UNIT_TEXTS || column->unit == UNIT_MAP);
}

static bool says_something(const struct result_field *column, const struct result_rows *rows,
			   struct arena *arena)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct result_value value =
			result_value_of(column, result_row(rows, i), arena);

		if (result_value_says_something(&value))
			return true;
	}
	return false;
}

static bool is_column(const struct result *result, const struct result_field *field,
		      const struct result_rows *rows, struct arena *arena)
{
	if (!result_is_for_people(result, field) || field->unit == UNIT_LIST ||
	    field->unit == UNIT_OBJECT || field->flags & GROUPS)
		return false;
	return !(field->flags & SHOWN_IF_ANY) || says_something(field, rows, arena);
}

static const char *indented(const char *text, const struct result_shape *shape, const void *row,
			    struct arena *arena)
{
	const struct result_field *field = result_find(shape, "depth", &row);
	const struct result_value depth = result_value_of(field, row, arena);
	const size_t blanks = depth.count < DEEPEST ? (size_t)depth.count : DEEPEST;
	char *made = arena_alloc(arena, blanks + strlen(text) + 1);

	memset(made, ' ', blanks);
	memcpy(made + blanks, text, strlen(text) + 1);
	return made;
}

static const char *cell_text(const struct result_field *list, const struct result_field *column,
			     const void *row, struct arena *arena)
{
	const struct result_value value = result_value_of(column, row, arena);
	const char *text;

	if (!value.known)
		return NULL;
	if (value.unit == UNIT_FLAG)
		return value.flag ? "*" : "";
	text = figure_text_of(column, row, arena);
	return list->flags & TREE && column->flags & METHOD
		       ? indented(text, list->shape, row, arena)
		       : text;
}

struct table_cells table_cells_of(const struct result *result, const struct result_field *list,
				  const struct result_rows *rows, size_t from, size_t to)
{
	struct table_cells cells = { .row_count = to - from };
	size_t capacity = 0;
	size_t count = 0;

	for (const struct result_field *field = list->shape->fields; field->key; field++)
		if (is_column(result, field, rows, &cells.arena)) {
			cells.columns = xgrow(cells.columns, cells.column_count, &capacity,
					      sizeof(*cells.columns));
			cells.columns[cells.column_count++] = field;
		}
	cells.texts = xcalloc(cells.row_count * cells.column_count + 1, sizeof(char *));
	for (size_t i = from; i < to; i++)
		for (size_t c = 0; c < cells.column_count; c++)
			cells.texts[count++] = cell_text(list, cells.columns[c],
							 result_row(rows, i), &cells.arena);
	return cells;
}

void table_cells_release(struct table_cells *cells)
{
	free(cells->columns);
	free(cells->texts);
	arena_release(&cells->arena);
}

static const struct result_field *group_column(const struct result_field *list)
{
	for (const struct result_field *field = list->shape->fields; field->key; field++)
		if (field->flags & GROUPS)
			return field;
	return NULL;
}

size_t table_group_end(const struct result_field *list, const struct result_rows *rows, size_t from,
		       const char **title, struct arena *arena)
{
	const struct result_field *column = group_column(list);
	size_t to = from + 1;

	*title = list->title && *list->title ? list->title : NULL;
	if (!column || from >= rows->count)
		return rows->count;
	*title = figure_text_of(column, result_row(rows, from), arena);
	while (to < rows->count &&
	       !strcmp(*title, figure_text_of(column, result_row(rows, to), arena)))
		to++;
	if (!**title)
		*title = NULL;
	return to;
}
