/* SPDX-License-Identifier: MIT */
/*
 * Charts of letters that every terminal has.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/figure_text.h"
#include "report/page.h"

#define BAR	40 /* characters of the longest */
#define COLUMNS 60 /* of a time line */
#define ROWS	8
#define LABEL	12

static void put_right(struct buffer *out, const char *text, size_t width)
{
	for (size_t size = text_width(text); size < width; size++)
		buffer_u8(out, ' ');
	buffer_text(out, text);
}

static struct result_value value_at(const struct result_field *list, const struct result_rows *rows,
				    size_t index, const char *key)
{
	const void *row = result_row(rows, index);
	const struct result_field *field = result_find(list->shape, key, &row);

	return result_value_of(field, row, NULL);
}

static void put_bars(const struct result_field *list, const struct result_rows *rows,
		     struct buffer *out)
{
	const struct result_chart *chart = list->chart;
	uint64_t most = 1;

	for (size_t i = 0; i < rows->count; i++) {
		const uint64_t count = value_at(list, rows, i, chart->series[0].key).count;

		most = count > most ? count : most;
	}
	for (size_t i = 0; i < rows->count; i++) {
		const uint64_t count = value_at(list, rows, i, chart->series[0].key).count;
		/* what is there is seen, however small */
		const uint64_t size = count ? (count * BAR + most - 1) / most : 0;

		put_right(out, value_at(list, rows, i, chart->label).text, LABEL);
		buffer_text(out, "  ");
		put_right(out, text_count(count).text, 6);
		buffer_text(out, size ? "  " : "");
		for (uint64_t bar = 0; bar < size; bar++)
			buffer_u8(out, '#');
		buffer_text(out, "\n");
	}
}

/* One series, as the largest value in each column; what is between two points is a line. */
struct drawn_series {
	double values[COLUMNS];
	bool known[COLUMNS];
};

struct timeline {
	struct drawn_series series[CHART_SERIES];
	bool marks[COLUMNS];
	bool marked;
	int64_t from_ns, to_ns;
	double most;
	enum result_unit unit;
};

static size_t column_at(const struct timeline *line, int64_t time_ns)
{
	const double all = (double)(line->to_ns - line->from_ns);
	const double part = all > 0 ? (double)(time_ns - line->from_ns) / all : 0;

	return !(part > 0) ? 0 : part < 1 ? (size_t)(part * COLUMNS) : COLUMNS - 1;
}

static void fill_gaps(struct drawn_series *series)
{
	size_t from = COLUMNS;

	for (size_t to = 0; to < COLUMNS; to++) {
		if (!series->known[to])
			continue;
		for (size_t i = from + 1; from < COLUMNS && i < to; i++) {
			const double part = (double)(i - from) / (double)(to - from);

			series->values[i] =
				series->values[from] * (1 - part) + series->values[to] * part;
		}
		from = to;
	}
}

static void take_row(struct timeline *line, const struct result_field *list,
		     const struct result_rows *rows, size_t index)
{
	const struct result_chart *chart = list->chart;
	const size_t column = column_at(line, value_at(list, rows, index, chart->label).number);

	for (size_t s = 0; s < CHART_SERIES && chart->series[s].key; s++) {
		const struct result_value value = value_at(list, rows, index, chart->series[s].key);
		const double real = result_value_real(&value);
		struct drawn_series *series = &line->series[s];

		if (!value.known)
			continue;
		line->unit = value.unit;
		line->most = real > line->most ? real : line->most;
		if (!series->known[column] || real > series->values[column])
			series->values[column] = real;
		series->known[column] = true;
	}
	if (chart->marks && value_at(list, rows, index, chart->marks).count)
		line->marked = line->marks[column] = true;
}

/* The last series that reaches the level lies on top. */
static char letter_at(const struct timeline *line, const struct result_chart *chart, size_t column,
		      double level)
{
	char letter = ' ';

	for (size_t s = 0; s < CHART_SERIES && chart->series[s].key; s++)
		if (line->series[s].values[column] > level)
			letter = chart->series[s].letter;
	return letter;
}

static void put_row(struct buffer *out, const char *label, const char *text, size_t size)
{
	while (size && text[size - 1] == ' ')
		size--;
	put_right(out, label, LABEL);
	buffer_text(out, "  |");
	buffer_bytes(out, text, size);
	buffer_text(out, "\n");
}

static void put_axis(const struct timeline *line, struct buffer *out)
{
	const struct text_figure from =
		text_duration((uint64_t)(line->from_ns > 0 ? line->from_ns : 0));
	const struct text_figure to = text_duration((uint64_t)(line->to_ns > 0 ? line->to_ns : 0));

	put_right(out, "", LABEL);
	buffer_text(out, "  +");
	for (size_t i = 0; i < COLUMNS; i++)
		buffer_u8(out, '-');
	buffer_text(out, "\n");
	put_right(out, "", LABEL + 3);
	buffer_text(out, from.text);
	put_right(out, to.text, COLUMNS - text_width(from.text));
	buffer_text(out, "\n");
}

static void put_levels(const struct timeline *line, const struct result_chart *chart,
		       struct buffer *out)
{
	struct arena arena = { 0 };
	const char *top = figure_number_text(line->unit, line->most, &arena);
	const bool whole = line->unit == UNIT_COUNT && line->most < ROWS;
	const int rows = whole ? (int)line->most : ROWS;
	char text[COLUMNS];

	for (int row = rows; row > 0; row--) {
		for (size_t i = 0; i < COLUMNS; i++)
			text[i] = letter_at(line, chart, i, (row - 0.5) * line->most / rows);
		put_row(out, row == rows ? top : "", text, COLUMNS);
	}
	for (size_t i = 0; i < COLUMNS; i++)
		text[i] = line->marks[i] ? 'S' : ' ';
	if (line->marked)
		put_row(out, chart->marks_title, text, COLUMNS);
	arena_release(&arena);
}

/* What each letter of several series stands for. */
static void put_legend(const struct result_chart *chart, struct buffer *out)
{
	put_right(out, "", LABEL + 3);
	for (size_t s = 0; s < CHART_SERIES; s++)
		buffer_printf(out, "%s%c %s", s ? "   " : "", chart->series[s].letter,
			      chart->series[s].title);
	buffer_text(out, "\n");
}

static void put_timeline(const struct result_field *list, const struct result_rows *rows,
			 struct buffer *out)
{
	const struct result_chart *chart = list->chart;
	struct timeline line = {
		.from_ns = value_at(list, rows, 0, chart->label).number,
		.to_ns = value_at(list, rows, rows->count - 1, chart->label).number,
	};

	for (size_t i = 0; i < rows->count; i++)
		take_row(&line, list, rows, i);
	if (!(line.most > 0))
		return;
	for (size_t s = 0; s < CHART_SERIES; s++)
		fill_gaps(&line.series[s]);
	if (chart->series[CHART_SERIES - 1].key)
		put_legend(chart, out);
	put_levels(&line, chart, out);
	put_axis(&line, out);
}

void chart_put_text(const struct result_field *list, const struct result_rows *rows,
		    struct buffer *out)
{
	if (list->chart->kind == CHART_BARS)
		put_bars(list, rows, out);
	else
		put_timeline(list, rows, out);
}
