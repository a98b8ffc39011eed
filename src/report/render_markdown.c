/* SPDX-License-Identifier: MIT */
/*
 * A result for pull requests and notes: facts as a list, lists as tables.
 */
#include <string.h>

#include "base/text.h"
#include "report/page.h"

/* Safe text in which nothing is markup: bars would end a cell. */
static void put_escaped(struct page *page, const char *text)
{
	for (; *text; text++) {
		if (strchr("|`<>*_[]\\", *text))
			buffer_u8(page->out, '\\');
		buffer_u8(page->out, (uint8_t)*text);
	}
}

static void put_fact(struct page *page, const char *title, const char *text)
{
	buffer_text(page->out, "- ");
	if (*title) {
		buffer_text(page->out, "**");
		put_escaped(page, title);
		buffer_text(page->out, *text ? "**: " : "**");
	}
	put_escaped(page, text);
	buffer_text(page->out, "\n");
}

static void put_facts(struct page *page, enum fact_place place, const struct page_fact *facts,
		      size_t count)
{
	if (facts_stand_apart(page, place))
		buffer_text(page->out, "\n");
	for (size_t i = 0; i < count; i++) {
		const bool nested = place == FACTS_INSET || (place == FACTS_CARD && i > 0);

		buffer_text(page->out, nested ? "  " : "");
		put_fact(page, place == FACTS_INSET ? "" : facts[i].title, facts[i].text);
	}
	page->joined = page->out->size;
}

static void put_heading(struct page *page, const char *title)
{
	buffer_text(page->out, "\n");
	if (!*title)
		return;
	buffer_text(page->out, "**");
	put_escaped(page, title);
	buffer_text(page->out, "**\n\n");
	page->joined = page->out->size;
}

static void put_titles(struct page *page, const struct table_cells *cells)
{
	buffer_text(page->out, "|");
	for (size_t c = 0; c < cells->column_count; c++) {
		buffer_text(page->out, " ");
		put_escaped(page, cells->columns[c]->title);
		buffer_text(page->out, " |");
	}
	buffer_text(page->out, "\n|");
	for (size_t c = 0; c < cells->column_count; c++)
		buffer_text(page->out, column_is_text(cells->columns[c]) ? "---|" : "---:|");
	buffer_text(page->out, "\n");
}

static void put_table(struct page *page, const struct table_cells *cells)
{
	put_titles(page, cells);
	for (size_t i = 0; i < cells->row_count * cells->column_count; i++) {
		buffer_text(page->out, i % cells->column_count ? " " : "| ");
		put_escaped(page, cells->texts[i] ? cells->texts[i] : "");
		buffer_text(page->out, (i + 1) % cells->column_count ? " |" : " |\n");
	}
}

static void put_chart(struct page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	struct buffer drawn = { 0 };

	chart_put_text(list, rows, &drawn);
	if (drawn.size) {
		put_heading(page, list->chart->title);
		buffer_text(page->out, "```\n");
		buffer_bytes(page->out, drawn.bytes, drawn.size);
		buffer_text(page->out, "```\n");
	}
	buffer_release(&drawn);
}

static void put_note(struct page *page, const char *text)
{
	buffer_text(page->out, "\n");
	put_escaped(page, text);
	buffer_text(page->out, "\n");
}

static void put_command(struct page *page, const char *command)
{
	buffer_text(page->out, "\n    ");
	buffer_text(page->out, command);
	buffer_text(page->out, "\n");
}

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	static const struct page_format markdown = {
		.facts = put_facts,
		.heading = put_heading,
		.table = put_table,
		.chart = put_chart,
		.note = put_note,
		.command = put_command,
	};
	struct page page = {
		.format = &markdown, .result = result, .options = options, .out = out
	};
	struct arena arena = { 0 };

	/* "report/gc" is of report; a comparison's title says itself what it is */
	buffer_text(out, result->kind->head ? "### perfpipe report: " : "### perfpipe ");
	buffer_text(out, result->title ? result->title : result->kind->summary);
	buffer_text(out, "\n\n");
	if (result->file)
		put_fact(&page, "File", text_safe(&arena, result->file));
	page.joined = out->size;
	page_put(&page);
	arena_release(&arena);
}

const struct renderer render_markdown = { .name = "markdown", .brief = true, .render = render };
