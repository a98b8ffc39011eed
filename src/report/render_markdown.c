/* SPDX-License-Identifier: MIT */
/*
 * A result for pull requests and notes: facts as a list, lists as tables.
 */
#include <string.h>

#include "base/text.h"
#include "report/figure_text.h"
#include "report/render.h"

struct markdown_page {
	const struct result *result;
	struct buffer *out;
};

static void put(struct markdown_page *page, const char *text)
{
	buffer_bytes(page->out, text, strlen(text));
}

/* Safe text in which nothing is markup: bars would end a cell. */
static void put_escaped(struct markdown_page *page, const char *text)
{
	for (; *text; text++) {
		if (strchr("|`<>*_[]\\", *text))
			buffer_u8(page->out, '\\');
		buffer_u8(page->out, (uint8_t)*text);
	}
}

static void put_fact(struct markdown_page *page, const char *title, const char *text)
{
	put(page, "- ");
	if (*title) {
		put(page, "**");
		put_escaped(page, title);
		put(page, "**: ");
	}
	put_escaped(page, text);
	put(page, "\n");
}

static void put_template(struct markdown_page *page, const struct result_shape *shape,
			 const void *data, const struct result_line *line)
{
	struct arena arena = { 0 };
	const char *title = line_text(shape, data, line->title, &arena);
	const char *text = line_text(shape, data, line->text, &arena);

	if (title && text && line_is_shown(shape, data, line))
		put_fact(page, title, text);
	arena_release(&arena);
}

static void put_plain_facts(struct markdown_page *page, const struct result_shape *shape,
			    const void *data)
{
	struct arena arena = { 0 };

	for (const struct result_field *field = shape->fields; field->key; field++)
		if (field->title && field->unit != UNIT_LIST && field->unit != UNIT_OBJECT &&
		    result_is_for_people(page->result, field) &&
		    result_value_of(field, data, &arena).known)
			put_fact(page, field->title, figure_text_of(field, data, &arena));
	arena_release(&arena);
}

static void put_facts(struct markdown_page *page, const struct result_shape *shape,
		      const void *data, bool last)
{
	if (!shape->lines && !last)
		put_plain_facts(page, shape, data);
	for (const struct result_line *line = shape->lines; line && line->title; line++)
		if (line->last == last)
			put_template(page, shape, data, line);
}

static void put_titles(struct markdown_page *page, const struct table_cells *cells)
{
	put(page, "|");
	for (size_t c = 0; c < cells->column_count; c++) {
		put(page, " ");
		put_escaped(page, cells->columns[c]->title);
		put(page, " |");
	}
	put(page, "\n|");
	for (size_t c = 0; c < cells->column_count; c++)
		put(page, column_is_text(cells->columns[c]) ? "---|" : "---:|");
	put(page, "\n");
}

static void put_rows(struct markdown_page *page, const struct result_field *list,
		     const struct result_rows *rows, size_t from, size_t to)
{
	struct table_cells cells = table_cells_of(page->result, list, rows, from, to);

	put_titles(page, &cells);
	for (size_t i = 0; i < cells.row_count * cells.column_count; i++) {
		put(page, i % cells.column_count ? " " : "| ");
		put_escaped(page, cells.texts[i] ? cells.texts[i] : "");
		put(page, (i + 1) % cells.column_count ? " |" : " |\n");
	}
	table_cells_release(&cells);
}

static void put_heading(struct markdown_page *page, const char *title)
{
	put(page, "\n");
	if (!title)
		return;
	put(page, "**");
	put_escaped(page, title);
	put(page, "**\n\n");
}

static void put_table(struct markdown_page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	struct arena arena = { 0 };
	const char *title;

	for (size_t from = 0, to; from < rows->count; from = to) {
		to = table_group_end(list, rows, from, &title, &arena);
		put_heading(page, title);
		put_rows(page, list, rows, from, to);
	}
	if (rows->total > rows->count) {
		put(page, "\n... and ");
		put(page, text_count(rows->total - rows->count).text);
		put(page, " more\n");
	}
	arena_release(&arena);
}

static void put_chart(struct markdown_page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	put_heading(page, list->chart->title);
	put(page, "```\n");
	chart_put_text(list, rows, page->out);
	put(page, "```\n");
}

static void put_object(struct markdown_page *page, const struct result_shape *shape,
		       const void *data);

static void put_list(struct markdown_page *page, const struct result_field *list,
		     const struct result_rows *rows)
{
	struct arena arena = { 0 };

	if (rows->count && list->chart)
		put_chart(page, list, rows);
	else if (rows->count && !(list->flags & (CARDS | INSET)))
		put_table(page, list, rows);
	else if (rows->count && list->flags & CARDS)
		put_heading(page, list->title);
	for (size_t i = 0; i < rows->count && list->flags & CARDS; i++)
		put_object(page, list->shape, result_row(rows, i));
	for (size_t i = 0; i < rows->count && list->flags & INSET; i++) {
		const char *text = line_text(list->shape, result_row(rows, i),
					     list->shape->lines->text, &arena);

		put(page, "  ");
		put_fact(page, "", text ? text : "");
	}
	arena_release(&arena);
}

static void put_object(struct markdown_page *page, const struct result_shape *shape,
		       const void *data)
{
	struct arena arena = { 0 };

	put_facts(page, shape, data, false);
	for (const struct result_field *field = shape->fields; field->key; field++) {
		struct result_value value;

		if ((field->unit != UNIT_OBJECT && field->unit != UNIT_LIST) ||
		    !result_is_for_people(page->result, field))
			continue;
		value = result_value_of(field, data, &arena);
		if (value.known && field->unit == UNIT_OBJECT)
			put_object(page, field->shape, value.object);
		else if (value.known)
			put_list(page, field, &value.rows);
	}
	put_facts(page, shape, data, true);
	arena_release(&arena);
}

static void put_missing(struct markdown_page *page)
{
	put(page, "Not recorded: ");
	put_escaped(page, page->result->missing);
	put(page, ".\n");
	if (!page->result->remedy)
		return;
	put(page, "This records what is needed: `");
	put(page, page->result->remedy);
	put(page, "`\n");
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	struct markdown_page page = { result, out };
	struct arena arena = { 0 };

	(void)options;
	put(&page, "### perfpipe ");
	put(&page, result->title ? result->title : result->name);
	put(&page, "\n\n");
	if (result->file)
		put_fact(&page, "File", text_safe(&arena, result->file));
	if (result->head)
		put_facts(&page, result->head, result->head_data, false);
	if (result->data)
		put_object(&page, result->shape, result->data);
	else
		put_missing(&page);
	put(&page, "\n");
	if (result->head)
		put_facts(&page, result->head, result->head_data, true);
	arena_release(&arena);
}

const struct renderer render_markdown = { .name = "markdown", .brief = true, .render = render };
