/* SPDX-License-Identifier: MIT */
/*
 * A result for people at a terminal: facts as lines, lists as tables and charts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/cut_text.h"
#include "report/page.h"

#define LABEL	  13 /* columns of a line's title, with the blank after it */
#define GAP	  2
#define NARROWEST 20 /* columns that a wide one has at least, */
#define ROOMY	  40 /* and that it has before others get any that they do not need */
#define WIDEST	  80 /* columns of others: one long name must not push all rows */
#define CARD	  10 /* columns of the title in a card */

static void put_blanks(struct page *page, size_t count)
{
	while (count--)
		buffer_u8(page->out, ' ');
}

static void put_note(struct page *page, const char *text)
{
	buffer_text(page->out, text);
	buffer_text(page->out, "\n");
}

static void put_bold(struct page *page, const char *text)
{
	buffer_text(page->out, page->options->colour ? "\x1b[1m" : "");
	buffer_text(page->out, text);
	buffer_text(page->out, page->options->colour ? "\x1b[0m" : "");
}

/* Where a line may break: at the blank after a comma or a semicolon; or NULL. */
static const char *break_in(const char *text)
{
	while ((text = strpbrk(text, ",;")) && text[1] != ' ')
		text++;
	return text;
}

/* The text after its title, in as many lines as it takes. */
static void put_wrapped(struct page *page, const char *text, size_t indent)
{
	const size_t width = page->options->width;
	size_t column = indent;

	while (*text) {
		const char *end = break_in(text);
		const size_t size = end ? (size_t)(end - text) + 1 : strlen(text);
		const size_t columns = text_width(text) - (end ? text_width(text + size) : 0);

		if (width && column > indent && column + 1 + columns > width) {
			buffer_text(page->out, "\n");
			put_blanks(page, indent);
			column = indent;
		} else if (column > indent) {
			buffer_text(page->out, " ");
			column++;
		}
		buffer_bytes(page->out, text, size);
		column += columns;
		text += size + (end != NULL);
	}
	buffer_text(page->out, "\n");
}

/* Colours of findings and the like: the line says itself how bad it is. */
static const char *style_of(const char *title)
{
	if (!strcmp(title, "critical"))
		return "\x1b[31m";
	return strcmp(title, "warning") ? "\x1b[1m" : "\x1b[33m";
}

static void put_line(struct page *page, const struct page_fact *fact, enum fact_place place)
{
	const size_t width = text_width(fact->title);
	const size_t label = place == FACTS_CARD ? CARD : LABEL;
	const bool styled = place == FACTS_CARD && *fact->title && page->options->colour;

	buffer_text(page->out, styled ? style_of(fact->title) : "");
	buffer_text(page->out, fact->title);
	buffer_text(page->out, styled ? "\x1b[0m" : "");
	if (*fact->text)
		put_blanks(page, width < label ? label - width : 1);
	put_wrapped(page, fact->text, label);
}

static size_t figure_width(const char *text)
{
	const char *end = strstr(text, "  ");

	return end ? text_width(text) - text_width(end) : 0;
}

/* "97.9 %  System.String": the figures stand below one another. */
static void put_insets(struct page *page, const struct page_fact *facts, size_t count)
{
	size_t widest = 0;

	for (size_t i = 0; i < count; i++)
		if (figure_width(facts[i].text) > widest)
			widest = figure_width(facts[i].text);
	for (size_t i = 0; i < count; i++) {
		put_blanks(page, LABEL + widest - figure_width(facts[i].text));
		put_note(page, facts[i].text);
	}
}

static void put_facts(struct page *page, enum fact_place place, const struct page_fact *facts,
		      size_t count)
{
	if (facts_stand_apart(page, place))
		buffer_text(page->out, "\n");
	if (place == FACTS_INSET)
		put_insets(page, facts, count);
	for (size_t i = 0; i < count && place != FACTS_INSET; i++)
		put_line(page, &facts[i], place);
	page->joined = page->out->size;
}

static void put_heading(struct page *page, const char *title)
{
	if (page->out->size)
		buffer_text(page->out, "\n");
	if (!*title)
		return;
	put_bold(page, title);
	buffer_text(page->out, "\n");
	page->joined = page->out->size;
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
	const size_t most = is_wide(cells->columns[column]) ? SIZE_MAX : WIDEST;
	size_t width = text_width(cells->columns[column]->title);

	for (size_t row = 0; row < cells->row_count; row++) {
		const char *text = cells->texts[row * cells->column_count + column];
		const size_t size = text ? text_width(text) : 1;

		width = size > width && size <= most ? size : width;
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

static bool has_room(const struct table_cells *cells, const struct layout *layout, size_t width)
{
	size_t needed = 0;

	for (size_t c = 0; c < cells->column_count; c++)
		if (is_wide(cells->columns[c]))
			needed = layout->widths[c] < ROOMY ? layout->widths[c] : ROOMY;
	return !width || taken(cells, layout) + needed <= width;
}

static struct layout lay_out(const struct table_cells *cells, size_t width)
{
	struct layout layout = { .widths =
					 xcalloc(cells->column_count + 1, sizeof(*layout.widths)) };
	bool roomy;

	for (size_t c = 0; c < cells->column_count; c++)
		layout.widths[c] = widest(cells, c);
	roomy = has_room(cells, &layout, width);
	for (size_t c = 0; c < cells->column_count; c++)
		if (!roomy && cells->columns[c]->flags & SHOWN_IF_ROOM)
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
static void put_cell(struct page *page, const struct result_field *column, const char *text,
		     size_t width, size_t *owed)
{
	const size_t padding = width > text_width(text) ? width - text_width(text) : 0;
	const bool left = column_is_text(column);

	*owed += left ? 0 : padding;
	if (*text) {
		put_blanks(page, *owed);
		buffer_text(page->out, text);
		*owed = 0;
	}
	*owed += GAP + (left ? padding : 0);
}

static void put_row(struct page *page, const struct table_cells *cells, const struct layout *layout,
		    const char *const *texts)
{
	struct arena arena = { 0 };
	size_t owed = 0;

	for (size_t c = 0; c < cells->column_count; c++)
		if (layout->widths[c])
			put_cell(page, cells->columns[c],
				 fitting(cells->columns[c], texts[c], layout->widths[c], &arena),
				 layout->widths[c], &owed);
	buffer_text(page->out, "\n");
	arena_release(&arena);
}

static void put_titles(struct page *page, const struct table_cells *cells,
		       const struct layout *layout)
{
	const char **titles = xcalloc(cells->column_count + 1, sizeof(char *));

	for (size_t c = 0; c < cells->column_count; c++)
		titles[c] = cells->columns[c]->title;
	buffer_text(page->out, page->options->colour ? "\x1b[1m" : "");
	put_row(page, cells, layout, titles);
	buffer_text(page->out, page->options->colour ? "\x1b[0m" : "");
	xfree(titles);
}

static void put_table(struct page *page, const struct table_cells *cells)
{
	struct layout layout = lay_out(cells, page->options->width);

	put_titles(page, cells, &layout);
	for (size_t i = 0; i < cells->row_count; i++) {
		const bool bold = page->options->colour && row_stands_out(cells, i);

		buffer_text(page->out, bold ? "\x1b[1m" : "");
		put_row(page, cells, &layout, cells->texts + i * cells->column_count);
		buffer_text(page->out, bold ? "\x1b[0m" : "");
	}
	xfree(layout.widths);
}

static void put_chart(struct page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	const size_t before = page->out->size;
	size_t begun;

	put_heading(page, list->chart->title);
	begun = page->out->size;
	chart_put_text(list, rows, page->out);
	if (page->out->size == begun)
		buffer_rewind(page->out, before);
}

static void put_command(struct page *page, const char *command)
{
	buffer_text(page->out, "\n  ");
	put_note(page, command);
}

static void put_title(struct page *page)
{
	struct arena arena = { 0 };

	if (!page->result->title)
		return;
	if (page->result->file) {
		put_bold(page, text_safe(&arena, page->result->file));
		buffer_text(page->out, ": ");
	}
	buffer_text(page->out, page->result->title);
	buffer_text(page->out, "\n\n");
	page->joined = page->out->size;
	arena_release(&arena);
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	static const struct page_format text = {
		.facts = put_facts,
		.heading = put_heading,
		.table = put_table,
		.chart = put_chart,
		.note = put_note,
		.command = put_command,
	};
	struct page page = { .format = &text, .result = result, .options = options, .out = out };

	put_title(&page);
	page_put(&page);
}

const struct renderer render_text = { .name = "text", .brief = true, .render = render };
