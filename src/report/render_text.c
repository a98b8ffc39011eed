/* SPDX-License-Identifier: MIT */
/*
 * A result for people at a terminal: facts as lines, lists as tables and charts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/cut_text.h"
#include "report/figure_text.h"
#include "report/render.h"

#define LABEL	  13 /* columns of a line's title, with the blank after it */
#define GAP	  2
#define NARROWEST 20 /* columns that a wide one has at least */
#define CARD	  10 /* columns of the title in a card */

struct text_page {
	const struct result *result;
	const struct render_options *options;
	struct buffer *out;
};

static void put(struct text_page *page, const char *text)
{
	buffer_bytes(page->out, text, strlen(text));
}

static void put_blanks(struct text_page *page, size_t count)
{
	while (count--)
		buffer_u8(page->out, ' ');
}

static void put_bold(struct text_page *page, const char *text)
{
	put(page, page->options->colour ? "\x1b[1m" : "");
	put(page, text);
	put(page, page->options->colour ? "\x1b[0m" : "");
}

/* The text after its title, in as many lines as it takes; lines break at blanks after commas. */
static void put_wrapped(struct text_page *page, const char *text, size_t indent)
{
	const size_t width = page->options->width;
	size_t column = indent;

	while (*text) {
		const char *end = strstr(text, ", ");
		const size_t size = end ? (size_t)(end - text) + 1 : strlen(text);
		const size_t columns = text_width(text) - (end ? text_width(text + size) : 0);

		if (width && column > indent && column + 1 + columns > width) {
			put(page, "\n");
			put_blanks(page, indent);
			column = indent;
		} else if (column > indent) {
			put(page, " ");
			column++;
		}
		buffer_bytes(page->out, text, size);
		column += columns;
		text += size + (end != NULL);
	}
	put(page, "\n");
}

static void put_line(struct text_page *page, const char *title, const char *text, size_t label)
{
	const size_t width = text_width(title);

	put(page, title);
	if (*text)
		put_blanks(page, width < label ? label - width : 1);
	put_wrapped(page, text, label);
}

/* Colours of findings and the like: the line says itself how bad it is. */
static const char *style_of(const char *title)
{
	if (!strcmp(title, "critical"))
		return "\x1b[31m";
	return strcmp(title, "warning") ? "\x1b[1m" : "\x1b[33m";
}

static void put_card_line(struct text_page *page, const char *title, const char *text)
{
	if (!*title || !page->options->colour) {
		put_line(page, title, text, CARD);
		return;
	}
	put(page, style_of(title));
	put(page, title);
	put(page, "\x1b[0m");
	put_blanks(page, text_width(title) < CARD ? CARD - text_width(title) : 1);
	put_wrapped(page, text, CARD);
}

static void put_template(struct text_page *page, const struct result_shape *shape, const void *data,
			 const struct result_line *line, bool card)
{
	struct arena arena = { 0 };
	const char *title = line_text(shape, data, line->title, &arena);
	const char *text = line_text(shape, data, line->text, &arena);

	if (title && text && line_is_shown(shape, data, line)) {
		if (card)
			put_card_line(page, title, text);
		else
			put_line(page, title, text, LABEL);
	}
	arena_release(&arena);
}

/* Without lines of its own an object has one for each value with a title. */
static void put_plain_lines(struct text_page *page, const struct result_shape *shape,
			    const void *data)
{
	struct arena arena = { 0 };

	for (const struct result_field *field = shape->fields; field->key; field++) {
		const struct result_value value =
			field->unit == UNIT_LIST || field->unit == UNIT_OBJECT
				? (struct result_value){ .known = false }
				: result_value_of(field, data, &arena);

		if (value.known && field->title && result_is_for_people(page->result, field))
			put_line(page, field->title, figure_text_of(field, data, &arena), LABEL);
	}
	arena_release(&arena);
}

static void put_lines(struct text_page *page, const struct result_shape *shape, const void *data,
		      bool last)
{
	if (!shape->lines && !last)
		put_plain_lines(page, shape, data);
	for (const struct result_line *line = shape->lines; line && line->title; line++)
		if (line->last == last)
			put_template(page, shape, data, line, false);
}

/* Which of the columns a table has room for, and how wide each is. */
struct layout {
	size_t *widths; /* by column; 0: left out */
	size_t last;	/* column that is shown */
};

static bool is_wide(const struct result_field *column)
{
	return column->flags & (WIDE | METHOD | PATH);
}

static size_t widest(const struct table_cells *cells, size_t column)
{
	size_t width = text_width(cells->columns[column]->title);

	for (size_t row = 0; row < cells->row_count; row++) {
		const char *text = cells->texts[row * cells->column_count + column];
		const size_t size = text ? text_width(text) : 1;

		width = size > width ? size : width;
	}
	return width;
}

/* Columns that those which are not wide take, gaps included. */
static size_t taken(const struct table_cells *cells, const struct layout *layout)
{
	size_t sum = 0;

	for (size_t c = 0; c < cells->column_count; c++)
		if (!is_wide(cells->columns[c]) && layout->widths[c])
			sum += layout->widths[c] + GAP;
	return sum;
}

static struct layout lay_out(const struct table_cells *cells, size_t width)
{
	struct layout layout = { .widths =
					 xcalloc(cells->column_count + 1, sizeof(*layout.widths)) };

	for (size_t c = 0; c < cells->column_count; c++)
		layout.widths[c] = widest(cells, c);
	for (size_t c = 0; width && c < cells->column_count; c++)
		if (taken(cells, &layout) + NARROWEST > width &&
		    cells->columns[c]->flags & SHOWN_IF_ROOM)
			layout.widths[c] = 0;
	for (size_t c = 0; c < cells->column_count; c++) {
		const size_t left = taken(cells, &layout);
		const size_t room = width > left + NARROWEST ? width - left : NARROWEST;

		if (width && is_wide(cells->columns[c]) && layout.widths[c] > room)
			layout.widths[c] = room;
		layout.last = layout.widths[c] ? c : layout.last;
	}
	return layout;
}

static const char *fitting(const struct result_field *column, const char *text, size_t width,
			   struct arena *arena)
{
	if (!text)
		return is_wide(column) ? "" : "-";
	if (!is_wide(column))
		return text;
	if (column->flags & METHOD)
		return cut_method(arena, text, width);
	return column->flags & PATH ? cut_start(arena, text, width) : cut_end(arena, text, width);
}

/* Blanks are owed until something follows them, so that no line ends with any. */
static void put_cell(struct text_page *page, const struct result_field *column, const char *text,
		     size_t width, size_t *owed)
{
	const size_t padding = width > text_width(text) ? width - text_width(text) : 0;
	const bool left = column_is_text(column);

	*owed += left ? 0 : padding;
	if (*text) {
		put_blanks(page, *owed);
		put(page, text);
		*owed = 0;
	}
	*owed += GAP + (left ? padding : 0);
}

static void put_row(struct text_page *page, const struct table_cells *cells,
		    const struct layout *layout, const char *const *texts)
{
	struct arena arena = { 0 };
	size_t owed = 0;

	for (size_t c = 0; c < cells->column_count; c++)
		if (layout->widths[c])
			put_cell(page, cells->columns[c],
				 fitting(cells->columns[c], texts[c], layout->widths[c], &arena),
				 layout->widths[c], &owed);
	put(page, "\n");
	arena_release(&arena);
}

static void put_titles(struct text_page *page, const struct table_cells *cells,
		       const struct layout *layout)
{
	const char **titles = xcalloc(cells->column_count + 1, sizeof(char *));

	for (size_t c = 0; c < cells->column_count; c++)
		titles[c] = cells->columns[c]->title;
	put(page, page->options->colour ? "\x1b[1m" : "");
	put_row(page, cells, layout, titles);
	put(page, page->options->colour ? "\x1b[0m" : "");
	free(titles);
}

static void put_group(struct text_page *page, const struct result_field *list,
		      const struct result_rows *rows, size_t from, size_t to)
{
	struct table_cells cells = table_cells_of(page->result, list, rows, from, to);
	struct layout layout = lay_out(&cells, page->options->width);

	put_titles(page, &cells, &layout);
	for (size_t i = 0; i < cells.row_count; i++)
		put_row(page, &cells, &layout, cells.texts + i * cells.column_count);
	free(layout.widths);
	table_cells_release(&cells);
}

static void put_more(struct text_page *page, const struct result_rows *rows)
{
	if (rows->total <= rows->count)
		return;
	put(page, "... and ");
	put(page, text_count(rows->total - rows->count).text);
	put(page, " more\n");
}

static void put_table(struct text_page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	struct arena arena = { 0 };
	const char *title;

	for (size_t from = 0, to; from < rows->count; from = to) {
		to = table_group_end(list, rows, from, &title, &arena);
		put(page, "\n");
		if (title) {
			put(page, title);
			put(page, "\n");
		}
		put_group(page, list, rows, from, to);
	}
	put_more(page, rows);
	arena_release(&arena);
}

static void put_object(struct text_page *page, const struct result_shape *shape, const void *data);

static void put_cards(struct text_page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	if (list->title && *list->title) {
		put(page, "\n");
		put(page, list->title);
		put(page, "\n");
	}
	for (size_t i = 0; i < rows->count; i++) {
		const struct result_line *line = list->shape->lines;
		bool nested = false;

		for (const struct result_field *f = list->shape->fields; f->key; f++)
			nested |= f->unit == UNIT_LIST;
		if (nested) {
			put_object(page, list->shape, result_row(rows, i));
			continue;
		}
		for (; line && line->title; line++)
			put_template(page, list->shape, result_row(rows, i), line, true);
	}
}

static void put_insets(struct text_page *page, const struct result_field *list,
		       const struct result_rows *rows)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < rows->count; i++) {
		const char *text = line_text(list->shape, result_row(rows, i),
					     list->shape->lines->text, &arena);

		if (!text)
			continue;
		put_blanks(page, LABEL);
		put(page, text);
		put(page, "\n");
	}
	arena_release(&arena);
}

static void put_chart(struct text_page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	struct buffer drawn = { 0 };

	chart_put_text(list, rows, &drawn);
	if (drawn.size) {
		put(page, "\n");
		put(page, list->chart->title);
		put(page, "\n");
		buffer_bytes(page->out, drawn.bytes, drawn.size);
	}
	buffer_release(&drawn);
}

static void put_list(struct text_page *page, const struct result_field *list,
		     const struct result_rows *rows)
{
	if (!rows->count)
		return;
	if (list->chart)
		put_chart(page, list, rows);
	else if (list->flags & CARDS)
		put_cards(page, list, rows);
	else if (list->flags & INSET)
		put_insets(page, list, rows);
	else
		put_table(page, list, rows);
}

/* Lines first, then what is inside, in the order of the shape. */
static void put_last_lines(struct text_page *page, const struct result_shape *shape,
			   const void *data)
{
	const size_t before = page->out->size;

	put(page, "\n");
	put_lines(page, shape, data, true);
	if (page->out->size == before + 1)
		buffer_rewind(page->out, before);
}

static void put_object(struct text_page *page, const struct result_shape *shape, const void *data)
{
	put_lines(page, shape, data, false);
	for (const struct result_field *field = shape->fields; field->key; field++) {
		struct arena arena = { 0 };
		struct result_value value;

		if ((field->unit == UNIT_OBJECT || field->unit == UNIT_LIST) &&
		    result_is_for_people(page->result, field)) {
			value = result_value_of(field, data, &arena);
			if (value.known && field->unit == UNIT_OBJECT)
				put_object(page, field->shape, value.object);
			else if (value.known)
				put_list(page, field, &value.rows);
		}
		arena_release(&arena);
	}
	put_last_lines(page, shape, data);
}

static void put_title(struct text_page *page)
{
	struct arena arena = { 0 };

	if (!page->result->title)
		return;
	if (page->result->file) {
		put_bold(page, text_safe(&arena, page->result->file));
		put(page, ": ");
	}
	put(page, page->result->title);
	put(page, "\n\n");
	arena_release(&arena);
}

static void put_missing(struct text_page *page)
{
	put(page, "Not recorded: ");
	put(page, page->result->missing);
	put(page, ".\n");
	if (!page->result->remedy)
		return;
	put(page, "This records what is needed:\n\n  ");
	put(page, page->result->remedy);
	put(page, "\n");
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	struct text_page page = { result, options, out };

	put_title(&page);
	if (result->head)
		put_lines(&page, result->head, result->head_data, false);
	if (result->data)
		put_object(&page, result->shape, result->data);
	else
		put_missing(&page);
	if (result->head)
		put_last_lines(&page, result->head, result->head_data);
}

const struct renderer render_text = { .name = "text", .brief = true, .render = render };
