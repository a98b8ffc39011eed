/* SPDX-License-Identifier: MIT */
#include "cli/sheet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/unicode.h"
#include "cli/table.h"
#include "cli/text.h"

#define NARROWEST 20 /* columns that a wide one has at least */
#define GAP	  2

static void add(struct sheet *sheet, struct sheet_cell cell)
{
	sheet->cells = xgrow(sheet->cells, sheet->count, &sheet->capacity, sizeof(*sheet->cells));
	sheet->cells[sheet->count++] = cell;
}

void sheet_text(struct sheet *sheet, const char *text)
{
	if (!text)
		sheet_unknown(sheet);
	else
		add(sheet,
		    (struct sheet_cell){ .known = true,
					 .text = arena_text(&sheet->arena, text, strlen(text)) });
}

void sheet_count(struct sheet *sheet, uint64_t count)
{
	add(sheet, (struct sheet_cell){ .known = true, .number = (int64_t)count });
}

void sheet_number(struct sheet *sheet, int64_t number)
{
	add(sheet, (struct sheet_cell){ .known = true, .number = number });
}

void sheet_time(struct sheet *sheet, int64_t time_ns)
{
	add(sheet, (struct sheet_cell){ .known = true, .number = time_ns });
}

void sheet_percent(struct sheet *sheet, double percent)
{
	add(sheet, (struct sheet_cell){ .known = isfinite(percent), .real = percent });
}

void sheet_real(struct sheet *sheet, double real)
{
	sheet_percent(sheet, real);
}

void sheet_flag(struct sheet *sheet, bool flag)
{
	add(sheet, (struct sheet_cell){ .known = true, .number = flag });
}

void sheet_unknown(struct sheet *sheet)
{
	add(sheet, (struct sheet_cell){ .known = false });
}

void sheet_release(struct sheet *sheet)
{
	arena_release(&sheet->arena);
	free(sheet->cells);
	sheet->cells = NULL;
	sheet->count = sheet->capacity = 0;
}

static size_t column_count(const struct sheet *sheet)
{
	size_t count = 0;

	assert(sheet->columns[0].key);
	do
		count++;
	while (sheet->columns[count].key);
	assert(count);
	return count;
}

size_t sheet_rows(const struct sheet *sheet)
{
	const size_t columns = column_count(sheet);

	assert(columns);
	return sheet->count / columns;
}

static bool is_text(const struct sheet_column *column)
{
	return column->kind == SHEET_TEXT || column->kind == SHEET_FIGURE;
}

static bool is_shown(const struct sheet *sheet, size_t column, enum sheet_flags not_for)
{
	return !(sheet->hidden >> column & 1) && !(sheet->columns[column].flags & not_for);
}

static struct text_figure time_figure(int64_t time_ns)
{
	struct text_figure figure = text_duration((uint64_t)(time_ns < 0 ? -time_ns : time_ns));

	if (time_ns < 0) {
		memmove(figure.text + 1, figure.text, sizeof(figure.text) - 1);
		figure.text[0] = '-';
		figure.text[sizeof(figure.text) - 1] = '\0';
	}
	return figure;
}

/* Whole from a thousand on, as long as that is a number people read. */
static struct text_figure real_figure(double real)
{
	struct text_figure figure;

	if (real >= 1000 && real < 1e15)
		return text_count((uint64_t)(real + 0.5));
	snprintf(figure.text, sizeof(figure.text), "%.4g", real);
	return figure;
}

static struct text_figure figure_of(const struct sheet_cell *cell, enum sheet_kind kind)
{
	struct text_figure figure = { "" };

	switch (kind) {
	case SHEET_COUNT:
		return text_count((uint64_t)cell->number);
	case SHEET_ID:
		snprintf(figure.text, sizeof(figure.text), "%lld", (long long)cell->number);
		return figure;
	case SHEET_TIME:
		return time_figure(cell->number);
	case SHEET_SIZE:
		return text_size((uint64_t)cell->number);
	case SHEET_PERCENT:
		snprintf(figure.text, sizeof(figure.text), "%.2f", cell->real);
		return figure;
	case SHEET_REAL:
		return real_figure(cell->real);

	case SHEET_FLAG:
		snprintf(figure.text, sizeof(figure.text), "%s", cell->number ? "*" : "");
		return figure;
	default:
		return figure;
	}
}

/* The first `size` bytes and … */
static const char *with_end_cut(struct arena *arena, const char *safe, size_t width)
{
	const char *end = safe + strlen(safe);
	const char *at = safe;
	char *made;

	if (text_width(safe) <= width)
		return safe;
	for (size_t i = 0; i + 1 < width; i++)
		utf8_decode(&at, end);
	made = arena_alloc(arena, (size_t)(at - safe) + sizeof("…"));
	memcpy(made, safe, (size_t)(at - safe));
	memcpy(made + (at - safe), "…", sizeof("…"));
	return made;
}

/* Blanks in front stay, then comes … and what fits of the end. */
static const char *with_start_cut(struct arena *arena, const char *safe, size_t width)
{
	const size_t blanks = strspn(safe, " ");
	const char *end = safe + strlen(safe);
	const char *at = safe + blanks;
	char *made;

	if (text_width(safe) <= width || blanks + 2 > width)
		return with_end_cut(arena, safe, width);
	for (size_t left = text_width(at); left + blanks + 1 > width; left--)
		utf8_decode(&at, end);
	made = arena_alloc(arena, blanks + sizeof("…") + (size_t)(end - at));
	memset(made, ' ', blanks);
	memcpy(made + blanks, "…", sizeof("…") - 1);
	memcpy(made + blanks + sizeof("…") - 1, at, (size_t)(end - at));
	return made;
}

/* Without the module, then without what the arguments are, then without the namespace. */
static const char *cut_method(struct arena *arena, const char *safe, size_t width)
{
	const char *module = strstr(safe, " [");
	const char *arguments = strchr(safe, '(');
	char *made;

	if (text_width(safe) <= width)
		return safe;
	if (module && safe[strlen(safe) - 1] == ']') {
		safe = arena_text(arena, safe, (size_t)(module - safe));
		arguments = strchr(safe, '(');
	}
	if (text_width(safe) > width && arguments && arguments[1] && arguments[1] != ')') {
		made = arena_alloc(arena, (size_t)(arguments - safe) + sizeof("(…)"));
		memcpy(made, safe, (size_t)(arguments - safe));
		memcpy(made + (arguments - safe), "(…)", sizeof("(…)"));
		safe = made;
	}
	return with_start_cut(arena, safe, width);
}

static const char *cut(struct arena *arena, const struct sheet_column *column, const char *text,
		       size_t width)
{
	const char *safe = text_safe(arena, text);

	if ((column->flags & SHEET_METHOD) == SHEET_METHOD)
		return cut_method(arena, safe, width);
	if ((column->flags & SHEET_PATH) == SHEET_PATH)
		return with_start_cut(arena, safe, width);
	return with_end_cut(arena, safe, width);
}

/* How much room the columns that are not wide leave. */
static size_t room_left(const struct sheet *sheet, size_t width)
{
	const size_t columns = column_count(sheet);
	size_t taken = 0;

	for (size_t c = 0; c < columns; c++) {
		size_t widest = text_width(sheet->columns[c].title);

		if (!is_shown(sheet, c, SHEET_DATA) || sheet->columns[c].flags & SHEET_WIDE)
			continue;
		for (size_t i = c; i < sheet->count; i += columns) {
			const struct sheet_cell *cell = &sheet->cells[i];
			size_t size = 1;

			if (cell->known && is_text(&sheet->columns[c]))
				size = text_width(cell->text);
			else if (cell->known)
				size = text_width(figure_of(cell, sheet->columns[c].kind).text);
			widest = size > widest ? size : widest;
		}
		taken += widest + GAP;
	}
	return width > taken + NARROWEST ? width - taken : NARROWEST;
}

static void print_cell(struct table *table, const struct sheet_column *column,
		       const struct sheet_cell *cell, size_t room)
{
	struct arena scratch = { 0 };

	if (!cell->known)
		table_cell(table, column->flags & SHEET_WIDE ? "" : "-");
	else if (!is_text(column))
		table_cell(table, figure_of(cell, column->kind).text);
	else if (column->flags & SHEET_WIDE && room)
		table_cell(table, cut(&scratch, column, cell->text, room));
	else
		table_cell(table, cell->text);
	arena_release(&scratch);
}

void sheet_print(const struct sheet *sheet, FILE *out, size_t width)
{
	const size_t columns = column_count(sheet);
	const size_t room = width ? room_left(sheet, width) : 0;
	struct table_column *titles = xcalloc(columns + 1, sizeof(*titles));
	struct table table = { .columns = titles };
	size_t shown = 0;

	assert(columns);
	for (size_t c = 0; c < columns; c++)
		if (is_shown(sheet, c, SHEET_DATA))
			titles[shown++] =
				(struct table_column){ .title = sheet->columns[c].title,
						       .align = sheet->columns[c].kind == SHEET_TEXT
									? TABLE_LEFT
									: TABLE_RIGHT };
	for (size_t i = 0; i < sheet->count; i++)
		if (is_shown(sheet, i % columns, SHEET_DATA))
			print_cell(&table, &sheet->columns[i % columns], &sheet->cells[i], room);
	if (sheet->title)
		fprintf(out, "%s\n", sheet->title);
	table_print(&table, out);
	table_release(&table);
	free(titles);
}

static double two_decimals(double real)
{
	if (real < -1e12 || real > 1e12)
		return real;
	return (double)(int64_t)(real * 100 + (real < 0 ? -0.5 : 0.5)) / 100;
}

static void put_json_cell(struct json *json, const struct sheet_column *column,
			  const struct sheet_cell *cell)
{
	if (!cell->known)
		json_put_null(json, column->key);
	else if (is_text(column))
		json_put_text(json, column->key, cell->text);
	else if (column->kind == SHEET_FLAG)
		json_put_bool(json, column->key, cell->number != 0);
	else if (column->kind == SHEET_PERCENT) {
		json_begin_value(json, column->key);
		buffer_real(json->out, two_decimals(cell->real), false);
	} else if (column->kind == SHEET_REAL) {
		json_begin_value(json, column->key);
		buffer_real(json->out, cell->real, false);
	} else {
		json_put_i64(json, column->key, cell->number);
	}
}

void sheet_put_json(const struct sheet *sheet, struct json *json)
{
	const size_t columns = column_count(sheet);

	json_open_array(json, sheet->key);
	for (size_t i = 0; i + columns <= sheet->count; i += columns) {
		json_open_object(json, NULL);
		for (size_t c = 0; c < columns; c++)
			if (is_shown(sheet, c, SHEET_PEOPLE))
				put_json_cell(json, &sheet->columns[c], &sheet->cells[i + c]);
		json_close(json);
	}
	json_close(json);
}

/* RFC 4180: quotes around what holds a comma, a quote or a line's end. */
static void put_csv_text(struct buffer *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		buffer_bytes(out, text, strlen(text));
		return;
	}
	buffer_u8(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buffer_u8(out, '"');
		buffer_u8(out, (uint8_t)*text);
	}
	buffer_u8(out, '"');
}

static void put_csv_cell(struct buffer *out, const struct sheet_column *column,
			 const struct sheet_cell *cell)
{
	if (!cell->known)
		return;
	if (is_text(column))
		put_csv_text(out, cell->text);
	else if (column->kind == SHEET_PERCENT)
		buffer_real(out, two_decimals(cell->real), false);
	else if (column->kind == SHEET_REAL)
		buffer_real(out, cell->real, false);
	else
		buffer_signed(out, cell->number);
}

void sheet_put_csv(const struct sheet *sheet, struct buffer *out)
{
	const size_t columns = column_count(sheet);
	bool comma = false;

	assert(columns);
	for (size_t c = 0; c < columns; c++)
		if (is_shown(sheet, c, SHEET_PEOPLE)) {
			buffer_bytes(out, ",", comma);
			put_csv_text(out, sheet->columns[c].key);
			comma = true;
		}
	buffer_bytes(out, "\r\n", 2);
	comma = false;
	for (size_t i = 0; i < sheet->count; i++) {
		if (is_shown(sheet, i % columns, SHEET_PEOPLE)) {
			buffer_bytes(out, ",", comma);
			put_csv_cell(out, &sheet->columns[i % columns], &sheet->cells[i]);
			comma = true;
		}
		if (i % columns == columns - 1) {
			buffer_bytes(out, "\r\n", 2);
			comma = false;
		}
	}
}
