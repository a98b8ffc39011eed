/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/figure_text.h"
#include "report/result_files.h"

/* Facts that are being gathered, so that a format gets all of one place at once. */
struct facts {
	struct page_fact *list;
	size_t count, capacity;
	struct arena arena;
};

static void add_fact(struct facts *facts, const char *title, const char *text)
{
	facts->list = xgrow(facts->list, facts->count, &facts->capacity, sizeof(*facts->list));
	facts->list[facts->count++] = (struct page_fact){ title, text };
}

static void add_line(struct facts *facts, const struct result_shape *shape, const void *data,
		     const struct result_line *line)
{
	const char *title = line_text(shape, data, line->title, &facts->arena);
	const char *text = line_text(shape, data, line->text, &facts->arena);

	if (title && text && line_is_shown(shape, data, line))
		add_fact(facts, title, text);
}

/* Without lines of its own an object has one for each value with a title. */
static void add_values(struct facts *facts, const struct page *page,
		       const struct result_shape *shape, const void *data)
{
	for (const struct result_field *field = shape->fields; field->key; field++)
		if (field->title && *field->title && field->unit != UNIT_LIST &&
		    field->unit != UNIT_OBJECT && result_is_for_people(page->result, field) &&
		    result_value_of(field, data, &facts->arena).known)
			add_fact(facts, field->title, figure_text_of(field, data, &facts->arena));
}

static void add_facts(struct facts *facts, const struct page *page,
		      const struct result_shape *shape, const void *data, enum fact_place place)
{
	if (!shape->lines && place != FACTS_LAST)
		add_values(facts, page, shape, data);
	for (const struct result_line *line = shape->lines; line && line->title; line++)
		if (line->last == (place == FACTS_LAST))
			add_line(facts, shape, data, line);
}

static void put_gathered(struct page *page, struct facts *facts, enum fact_place place)
{
	if (facts->count)
		page->format->facts(page, place, facts->list, facts->count);
	xfree(facts->list);
	arena_release(&facts->arena);
}

static void put_facts(struct page *page, const struct result_shape *shape, const void *data,
		      enum fact_place place)
{
	struct facts facts = { 0 };

	add_facts(&facts, page, shape, data, place);
	put_gathered(page, &facts, place);
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

bool facts_stand_apart(const struct page *page, enum fact_place place)
{
	return place == FACTS_LAST || (place != FACTS_INSET && page->out->size != page->joined);
}

bool column_is_text(const struct result_field *column)
{
	return !(column->flags & RIGHT) &&
	       (column->unit == UNIT_TEXT || column->unit == UNIT_ENUM ||
		column->unit == UNIT_TEXTS || column->unit == UNIT_MAP);
}

bool row_stands_out(const struct table_cells *cells, size_t row)
{
	struct arena arena = { 0 };
	bool strong = false;

	for (size_t c = 0; c < cells->column_count && !strong; c++)
		if (cells->columns[c]->flags & STRONG)
			strong = result_value_of(cells->columns[c],
						 result_row(cells->rows, cells->from + row), &arena)
					 .flag;
	arena_release(&arena);
	return strong;
}

static bool is_column(const struct page *page, const struct result_field *field,
		      const struct result_rows *rows, struct arena *arena)
{
	if (!result_is_for_people(page->result, field) || field->unit == UNIT_LIST ||
	    field->unit == UNIT_OBJECT || field->flags & GROUPS)
		return false;
	return !(field->flags & SHOWN_IF_ANY) || says_something(field, rows, arena);
}

#define DEEPEST 40 /* blanks in front of a name in a tree */

static const char *indented(const char *text, const struct result_shape *shape, const void *row,
			    struct arena *arena)
{
	const struct result_field *field = result_find(shape, "depth", &row);
	const struct result_value depth = result_value_of(field, row, arena);
	const int blanks = depth.count < DEEPEST ? (int)depth.count : DEEPEST;

	return arena_printf(arena, "%*s%s", blanks, "", text);
}

/* A column that no shape has: the rows' shares of one trace. */
struct share_column {
	struct result_field field; /* first */
	size_t file;
};

static const char share_key[] = "by_file";

static const double *share_of(const struct result *result, const struct result_field *column,
			      const void *row)
{
	const double *shares = result_shares(result, row);

	return shares ? &shares[((const struct share_column *)column)->file] : NULL;
}

static const char *share_text(const struct page *page, const struct result_field *column,
			      const void *row, struct arena *arena)
{
	const double *share = share_of(page->result, column, row);

	return share ? figure_number_text(column->unit, *share, arena) : NULL;
}

double cell_number(const struct table_cells *cells, size_t row, size_t column, struct arena *arena)
{
	const struct result_field *field = cells->columns[column];
	const void *of = result_row(cells->rows, cells->from + row);
	const double *share = field->key == share_key ? share_of(cells->result, field, of) : NULL;
	const struct result_value value = result_value_of(field, of, arena);

	if (share)
		return *share;
	return value.known ? result_value_real(&value) : -1;
}

static const char *cell_text(const struct page *page, const struct result_field *list,
			     const struct result_field *column, const void *row,
			     struct arena *arena)
{
	struct result_value value;
	const char *text;

	if (column->key == share_key)
		return share_text(page, column, row, arena);
	value = result_value_of(column, row, arena);
	if (!value.known)
		return NULL;
	if (value.unit == UNIT_FLAG)
		return value.flag ? "*" : "";
	if (column->flags & NO_ZERO && !result_value_says_something(&value))
		return "";
	text = figure_text_of(column, row, arena);
	return list->flags & TREE && column->flags & METHOD
		       ? indented(text, list->shape, row, arena)
		       : text;
}

struct columns {
	struct table_cells *cells;
	size_t capacity;
	size_t shares;		      /* columns of shares that are still to come, */
	enum result_unit shares_unit; /* of this */
};

static void add_column(struct columns *columns, const struct result_field *field)
{
	struct table_cells *cells = columns->cells;

	cells->columns = xgrow(cells->columns, cells->column_count, &columns->capacity,
			       sizeof(*cells->columns));
	cells->columns[cells->column_count++] = field;
}

static void add_shares(struct columns *columns)
{
	struct arena *arena = &columns->cells->arena;

	for (size_t i = 0; i < columns->shares; i++) {
		struct share_column *column = arena_new(arena, struct share_column);

		column->field = (struct result_field){ .key = share_key,
						       .title = arena_printf(arena, "#%zu", i + 1),
						       .unit = columns->shares_unit };
		column->file = i;
		add_column(columns, &column->field);
	}
	columns->shares = 0;
}

static size_t count_shares(const struct page *page, const struct result_rows *rows)
{
	if (!rows->count || !result_shares(page->result, result_row(rows, 0)))
		return 0;
	return page->result->files->count <= RESULT_FILES_COLUMNS ? page->result->files->count : 0;
}

/* Shares come before what is wide, which stands last. */
static void find_columns(const struct page *page, struct table_cells *cells,
			 const struct result_rows *shown)
{
	const struct result_field *of = result_share_field(page->result, cells->list);
	struct columns columns = { .cells = cells };

	if (of && is_column(page, of, shown, &cells->arena)) {
		columns.shares = count_shares(page, shown);
		columns.shares_unit = of->unit;
	}

	for (const struct result_field *field = cells->list->shape->fields; field->key; field++) {
		if (!is_column(page, field, shown, &cells->arena))
			continue;
		if (field->flags & (WIDE | METHOD | PATH) && columns.shares)
			add_shares(&columns);
		add_column(&columns, field);
	}
	if (columns.shares)
		add_shares(&columns);
}

static void put_rows(struct page *page, const struct result_field *list,
		     const struct result_rows *rows, size_t from, size_t to)
{
	struct table_cells cells = { .result = page->result,
				     .list = list,
				     .rows = rows,
				     .from = from,
				     .row_count = to - from };
	const struct result_rows shown = { .first = rows->stride
							    ? result_row(rows, from)
							    : (const void *const *)rows->first +
								      from,
					   .count = to - from,
					   .stride = rows->stride };
	size_t count = 0;

	find_columns(page, &cells, &shown);
	cells.texts = xcalloc(cells.row_count * cells.column_count + 1, sizeof(char *));
	for (size_t i = from; i < to; i++)
		for (size_t c = 0; c < cells.column_count; c++)
			cells.texts[count++] = cell_text(page, list, cells.columns[c],
							 result_row(rows, i), &cells.arena);
	page->format->table(page, &cells);
	xfree(cells.columns);
	xfree(cells.texts);
	arena_release(&cells.arena);
}

static const struct result_field *group_column(const struct result_field *list)
{
	for (const struct result_field *field = list->shape->fields; field->key; field++)
		if (field->flags & GROUPS)
			return field;
	return NULL;
}

/* Where the rows that have the group text of the first end; it is their title. */
static size_t group_end(const struct result_field *list, const struct result_rows *rows,
			size_t from, const char **title, struct arena *arena)
{
	const struct result_field *column = group_column(list);
	size_t to = from + 1;

	*title = list->title ? list->title : "";
	if (!column)
		return rows->count;
	*title = figure_text_of(column, result_row(rows, from), arena);
	while (to < rows->count &&
	       !strcmp(*title, figure_text_of(column, result_row(rows, to), arena)))
		to++;
	return to;
}

static void put_table(struct page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	struct arena arena = { 0 };
	const char *title;
	char more[64];

	for (size_t from = 0, to; from < rows->count; from = to) {
		to = group_end(list, rows, from, &title, &arena);
		page->format->heading(page, title);
		put_rows(page, list, rows, from, to);
	}
	snprintf(more, sizeof(more), "... and %s more",
		 text_count(rows->total > rows->count ? rows->total - rows->count : 0).text);
	if (rows->total > rows->count)
		page->format->note(page, more);
	arena_release(&arena);
}

static bool has_lists(const struct result_shape *shape)
{
	for (const struct result_field *field = shape->fields; field->key; field++)
		if (field->unit == UNIT_LIST)
			return true;
	return false;
}

static void put_card_title(struct page *page, const struct result_field *list, const void *row)
{
	const struct result_field *title = group_column(list);
	struct arena arena = { 0 };

	if (title)
		page->format->heading(page, figure_text_of(title, row, &arena));
	arena_release(&arena);
}

static void put_cards(struct page *page, const struct result_field *list,
		      const struct result_rows *rows)
{
	if (list->title && *list->title)
		page->format->heading(page, list->title);
	for (size_t i = 0; i < rows->count; i++) {
		const void *row = result_row(rows, i);

		put_card_title(page, list, row);
		if (has_lists(list->shape))
			page_put_object(page, list->shape, row);
		else
			put_facts(page, list->shape, row, FACTS_CARD);
	}
}

static void put_insets(struct page *page, const struct result_field *list,
		       const struct result_rows *rows)
{
	struct facts facts = { 0 };

	for (size_t i = 0; i < rows->count; i++)
		add_facts(&facts, page, list->shape, result_row(rows, i), FACTS_INSET);
	put_gathered(page, &facts, FACTS_INSET);
}

static void put_list(struct page *page, const struct result_field *list,
		     const struct result_rows *rows)
{
	if (!rows->count)
		return;
	if (list->chart)
		page->format->chart(page, list, rows);
	else if (list->flags & CARDS)
		put_cards(page, list, rows);
	else if (list->flags & INSET)
		put_insets(page, list, rows);
	else
		put_table(page, list, rows);
}

void page_put_object(struct page *page, const struct result_shape *shape, const void *data)
{
	put_facts(page, shape, data, FACTS_FIRST);
	for (const struct result_field *field = shape->fields; field->key; field++) {
		struct arena arena = { 0 };
		struct result_value value;

		if ((field->unit == UNIT_OBJECT || field->unit == UNIT_LIST) &&
		    (page->format->has_room || !(field->flags & SHOWN_ON_PAGE)) &&
		    result_is_for_people(page->result, field)) {
			value = result_value_of(field, data, &arena);
			if (value.known && field->unit == UNIT_OBJECT)
				page_put_object(page, field->shape, value.object);
			else if (value.known)
				put_list(page, field, &value.rows);
		}
		arena_release(&arena);
	}
	put_facts(page, shape, data, FACTS_LAST);
}

static void put_missing(struct page *page)
{
	struct buffer text = { 0 };

	if (page->result->files)
		page->format->heading(page, ""); /* after the table of files */
	buffer_text(&text, "Not recorded: ");
	buffer_text(&text, page->result->missing);
	buffer_bytes(&text, ".", sizeof("."));
	page->format->note(page, text.failed ? "" : (const char *)text.bytes);
	buffer_release(&text);
	if (!page->result->remedy)
		return;
	page->format->note(page, "To record it:");
	page->format->command(page, page->result->remedy);
}

static void put_head(struct page *page)
{
	const struct result_shape *head = page->result->kind->head;

	put_facts(page, head, page->result->head, FACTS_FIRST);
	for (const struct result_field *field = head->fields; field->key; field++) {
		const struct result_value value = result_value_of(field, page->result->head, NULL);

		if (field->unit == UNIT_LIST)
			put_list(page, field, &value.rows);
	}
}

/* What a list of zeros would not say, as a sentence. */
static void put_nothing(struct page *page)
{
	struct buffer text = { 0 };

	buffer_text(&text, page->result->nothing);
	buffer_bytes(&text, ".", sizeof("."));
	if (!text.failed)
		text.bytes[0] = (uint8_t)toupper(text.bytes[0]);
	page->format->note(page, text.failed ? "" : (const char *)text.bytes);
	buffer_release(&text);
}

void page_put(struct page *page)
{
	const struct result *result = page->result;

	if (result->head)
		put_head(page);
	if (result->nothing)
		put_nothing(page);
	else if (result->data)
		page_put_object(page, result->kind->shape, result->data);
	else
		put_missing(page);
	if (result->head)
		put_facts(page, result->kind->head, result->head, FACTS_LAST);
}
