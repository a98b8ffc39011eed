/* SPDX-License-Identifier: MIT */
#include "base/markup.h"
#include "report/html_page.h"
#include "report/page.h"

#define ROWS_MOST   5000 /* of a table, unless asked otherwise: a browser sorts them at once */
#define SEARCH_FROM 10	 /* rows that a search is offered for */

extern const char report_page_css[], report_page_js[];

/* A card's first title may be how bad it is, which the page shows in colour. */
static void put_fact(struct buffer *out, enum fact_place place, const struct page_fact *fact)
{
	buffer_text(out, "<tr><th class=\"");
	markup_text(out, place == FACTS_CARD ? fact->title : "");
	buffer_text(out, "\">");
	markup_text(out, fact->title);
	buffer_text(out, "</th><td>");
	markup_text(out, fact->text);
	buffer_text(out, "</td></tr>\n");
}

static void put_facts(struct page *page, enum fact_place place, const struct page_fact *facts,
		      size_t count)
{
	if (place != FACTS_INSET)
		buffer_text(page->out, "<table class=\"facts\">\n");
	for (size_t i = 0; i < count; i++)
		if (place == FACTS_INSET) {
			buffer_text(page->out, "<div class=\"inset\">");
			markup_text(page->out, facts[i].text);
			buffer_text(page->out, "</div>\n");
		} else {
			put_fact(page->out, place, &facts[i]);
		}
	if (place != FACTS_INSET)
		buffer_text(page->out, "</table>\n");
}

static void put_heading(struct page *page, const char *title)
{
	if (!*title)
		return;
	buffer_text(page->out, "<h2>");
	markup_text(page->out, title);
	buffer_text(page->out, "</h2>\n");
}

static bool stands_left(const struct result_field *column)
{
	return column_is_text(column) || column->unit == UNIT_FLAG;
}

static void put_titles(struct buffer *out, const struct table_cells *cells)
{
	if (cells->row_count >= SEARCH_FROM)
		buffer_text(out, "<p><input type=\"search\" size=\"40\" "
				 "placeholder=\"Show only rows that contain\"></p>\n");
	buffer_text(out, "<table class=\"data\" data-list=\"");
	markup_text(out, cells->list->key);
	buffer_text(out, "\"><thead><tr>");
	for (size_t c = 0; c < cells->column_count; c++) {
		buffer_text(out, stands_left(cells->columns[c]) ? "<th>" : "<th class=\"number\">");
		markup_text(out, cells->columns[c]->title);
		buffer_text(out, "</th>");
	}
	for (const struct result_field *field = cells->list->shape->fields; field->key; field++)
		if (field->chart) {
			buffer_text(out, "<th>");
			markup_text(out, field->chart->title);
			buffer_text(out, "</th>");
		}
	buffer_text(out, "</tr></thead>\n<tbody>\n");
}

/* A number's cell has the number itself, to be sorted by. */
static void put_cell(struct buffer *out, const struct table_cells *cells, size_t row, size_t column,
		     struct arena *arena)
{
	const struct result_field *field = cells->columns[column];
	const char *text = cells->texts[row * cells->column_count + column];

	if (cells->list->flags & TREE && field->flags & METHOD)
		buffer_text(out, "<td class=\"tree\">");
	else if (stands_left(field))
		buffer_text(out,
			    field->flags & (WIDE | METHOD | PATH) ? "<td class=\"wide\">" : "<td>");
	else if (field->unit == UNIT_TEXT)
		buffer_text(out, "<td class=\"number\">");
	else
		buffer_printf(out, "<td class=\"number\" data-value=\"%.17g\">",
			      cell_number(cells, row, column, arena));
	markup_text(out, text ? text : "");
	buffer_text(out, "</td>");
}

static void put_row_charts(struct buffer *out, const struct table_cells *cells, const void *row,
			   struct arena *arena)
{
	for (const struct result_field *field = cells->list->shape->fields; field->key; field++) {
		struct result_value value;

		if (!field->chart)
			continue;
		value = result_value_of(field, row, arena);
		buffer_text(out, "<td>");
		if (value.known && value.rows.count > 1)
			chart_put_small(field, &value.rows, out);
		buffer_text(out, "</td>");
	}
}

static void put_table(struct page *page, const struct table_cells *cells)
{
	put_titles(page->out, cells);
	for (size_t i = 0; i < cells->row_count; i++) {
		struct arena arena = { 0 };

		buffer_text(page->out, row_stands_out(cells, i) ? "<tr class=\"strong\">" : "<tr>");
		for (size_t c = 0; c < cells->column_count; c++)
			put_cell(page->out, cells, i, c, &arena);
		put_row_charts(page->out, cells, result_row(cells->rows, cells->from + i), &arena);
		buffer_text(page->out, "</tr>\n");
		arena_release(&arena);
	}
	buffer_text(page->out, "</tbody></table>\n");
}

static void put_chart(struct page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	buffer_printf(page->out, "<figure data-list=\"%s\"><figcaption>", list->key);
	markup_text(page->out, list->chart->title);
	buffer_text(page->out, "</figcaption>\n");
	chart_put_svg(list, rows, page->out);
	buffer_text(page->out, "</figure>\n");
}

static void put_note(struct page *page, const char *text)
{
	buffer_text(page->out, "<p>");
	markup_text(page->out, text);
	buffer_text(page->out, "</p>\n");
}

static void put_command(struct page *page, const char *command)
{
	buffer_text(page->out, "<pre>");
	markup_text(page->out, command);
	buffer_text(page->out, "</pre>\n");
}

void html_open(struct buffer *out, const char *title)
{
	buffer_text(out,
		    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
	markup_text(out, title);
	buffer_text(out, "</title>\n<meta http-equiv=\"Content-Security-Policy\" content=\""
			 "default-src 'none'; style-src 'unsafe-inline'; "
			 "script-src 'unsafe-inline'\">\n<style>\n");
	buffer_text(out, report_page_css);
	buffer_text(out, "</style>\n</head><body>\n<h1>");
	markup_text(out, title);
	buffer_text(out, "</h1>\n");
}

void html_close(struct buffer *out)
{
	buffer_text(out, "<p>Made by perfpipe " PERFPIPE_VERSION ".</p>\n<script>\n");
	buffer_text(out, report_page_js);
	buffer_text(out, "</script>\n</body></html>\n");
}

void html_put_result(const struct result *result, struct buffer *out)
{
	static const struct page_format html = {
		.has_room = true,
		.facts = put_facts,
		.heading = put_heading,
		.table = put_table,
		.chart = put_chart,
		.note = put_note,
		.command = put_command,
	};

	page_put(&(struct page){ .format = &html, .result = result, .out = out });
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	struct buffer title = { 0 };

	(void)options;
	if (result->file)
		buffer_printf(&title, "%s: ", result->file);
	buffer_text(&title, result->title ? result->title : result->kind->summary);
	buffer_u8(&title, 0);
	html_open(out, title.failed ? "" : (const char *)title.bytes);
	html_put_result(result, out);
	html_close(out);
	buffer_release(&title);
}

const struct renderer render_html = { .name = "html", .rows = ROWS_MOST, .render = render };
