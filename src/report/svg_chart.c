/* SPDX-License-Identifier: MIT */
/*
 * Charts of a page. Colours are the page's: see page.css.
 */
#include "base/markup.h"
#include "base/text.h"
#include "report/figure_text.h"
#include "report/page.h"

#define WIDTH	     860
#define LABEL	     100 /* on the left of what is drawn */
#define HEIGHT	     200 /* of a time line without its axis and legend */
#define BAR	     18	 /* the height of a bar */
#define LEGEND	     20
#define AXIS	     24
#define SMALL_WIDTH  160
#define SMALL_HEIGHT 24
#define LEVELS	     4
#define DRAWN	     (WIDTH - LABEL - 20)

struct chart_drawing {
	const struct result_field *list;
	const struct result_rows *rows;
	const struct result_chart *chart;
	struct buffer *out;
	int64_t from_ns, to_ns;
	double most;
	enum result_unit unit;
	int left, top, width, height; /* of the curves */
	struct arena arena;
};

static struct result_value value_at(struct chart_drawing *d, size_t index, const char *key)
{
	const void *row = result_row(d->rows, index);
	const struct result_field *field = result_find(d->list->shape, key, &row);

	return result_value_of(field, row, &d->arena);
}

static void open_drawing(struct chart_drawing *d, int width, int height)
{
	buffer_printf(d->out,
		      "<svg class=\"chart\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		      "role=\"img\">\n",
		      width, height, width, height);
}

static void put_label(struct chart_drawing *d, double x, double y, const char *anchor,
		      const char *text)
{
	buffer_printf(d->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	markup_text(d->out, text);
	buffer_text(d->out, "</text>\n");
}

static void put_bars(struct chart_drawing *d)
{
	const char *key = d->chart->series[0].key;
	uint64_t most = 1;

	for (size_t i = 0; i < d->rows->count; i++)
		if (value_at(d, i, key).count > most)
			most = value_at(d, i, key).count;
	open_drawing(d, WIDTH, (int)d->rows->count * (BAR + 4));
	for (size_t i = 0; i < d->rows->count; i++) {
		const uint64_t count = value_at(d, i, key).count;
		const double width = (double)count / (double)most * (DRAWN - 60);
		const double y = (double)i * (BAR + 4);

		put_label(d, LABEL - 8, y + 13, "end", value_at(d, i, d->chart->label).text);
		buffer_printf(d->out,
			      "<rect class=\"series0\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" "
			      "height=\"%d\"/>\n",
			      LABEL, y, width, BAR);
		put_label(d, LABEL + width + 6, y + 13, "start", text_count(count).text);
	}
	buffer_text(d->out, "</svg>\n");
}

static double x_of(const struct chart_drawing *d, int64_t time_ns)
{
	const double all = (double)d->to_ns - (double)d->from_ns;
	const double part = all > 0 ? ((double)time_ns - (double)d->from_ns) / all : 0;

	return d->left + d->width * (part < 0 ? 0 : part > 1 ? 1 : part);
}

static double y_of(const struct chart_drawing *d, double value)
{
	return d->top + d->height * (1 - (value > 0 ? value / d->most : 0));
}

/* An area from the first value that is known to the last. */
static void put_series(struct chart_drawing *d, size_t series)
{
	double first = -1, last = 0;

	buffer_printf(d->out, "<path class=\"series%zu\" d=\"", series);
	for (size_t i = 0; i < d->rows->count; i++) {
		const struct result_value value = value_at(d, i, d->chart->series[series].key);

		if (!value.known)
			continue;
		last = x_of(d, value_at(d, i, d->chart->label).number);
		buffer_printf(d->out, "%c%.1f %.1f", first < 0 ? 'M' : 'L', last,
			      y_of(d, result_value_real(&value)));
		first = first < 0 ? last : first;
	}
	if (first >= 0)
		buffer_printf(d->out, "L%.1f %dL%.1f %dZ", last, d->top + d->height, first,
			      d->top + d->height);
	buffer_text(d->out, "\"/>\n");
}

static void put_marks(struct chart_drawing *d)
{
	for (size_t i = 0; d->chart->marks && i < d->rows->count; i++)
		if (value_at(d, i, d->chart->marks).count)
			buffer_printf(d->out,
				      "<circle class=\"mark\" cx=\"%.1f\" cy=\"%d\" r=\"3\">"
				      "<title>%s</title></circle>\n",
				      x_of(d, value_at(d, i, d->chart->label).number),
				      LEGEND + HEIGHT, d->chart->marks_title);
}

static void put_legend(struct chart_drawing *d)
{
	double x = LABEL;

	for (size_t s = 0; s < CHART_SERIES && d->chart->series[s].key; s++) {
		buffer_printf(d->out,
			      "<rect class=\"series%zu\" x=\"%.1f\" y=\"2\" width=\"10\" "
			      "height=\"10\"/>\n",
			      s, x);
		put_label(d, x + 16, 12, "start", d->chart->series[s].title);
		x += 40 + 7 * (double)text_width(d->chart->series[s].title);
	}
	if (!d->chart->marks)
		return;
	buffer_printf(d->out, "<circle class=\"mark\" cx=\"%.1f\" cy=\"7\" r=\"3\"/>\n", x + 5);
	put_label(d, x + 16, 12, "start", d->chart->marks_title);
}

static void put_grid(struct chart_drawing *d)
{
	const int levels = d->unit == UNIT_COUNT && d->most < 2 * LEVELS ? (int)d->most : LEVELS;

	for (int level = 0; level <= levels; level++) {
		const double value = d->most * level / levels;
		const double y = y_of(d, value);

		buffer_printf(
			d->out,
			"<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
			LABEL, y, LABEL + DRAWN, y);
		put_label(d, LABEL - 8, y + 4, "end",
			  figure_number_text(d->unit, value, &d->arena));
	}
	for (int part = 0; part <= LEVELS; part++) {
		const double ns = (double)d->from_ns +
				  ((double)d->to_ns - (double)d->from_ns) * part / LEVELS;

		put_label(d, LABEL + (double)DRAWN * part / LEVELS, LEGEND + HEIGHT + 16,
			  part == 0	   ? "start"
			  : part == LEVELS ? "end"
					   : "middle",
			  figure_number_text(UNIT_TIME, ns, &d->arena));
	}
}

static void measure(struct chart_drawing *d)
{
	d->from_ns = value_at(d, 0, d->chart->label).number;
	d->to_ns = value_at(d, d->rows->count - 1, d->chart->label).number;
	for (size_t s = 0; s < CHART_SERIES && d->chart->series[s].key; s++)
		for (size_t i = 0; i < d->rows->count; i++) {
			const struct result_value value = value_at(d, i, d->chart->series[s].key);

			d->unit = value.unit;
			if (result_value_real(&value) > d->most)
				d->most = result_value_real(&value);
		}
	d->most = d->most > 0 ? d->most : 1;
}

static void put_curves(struct chart_drawing *d)
{
	for (size_t s = 0; s < CHART_SERIES && d->chart->series[s].key; s++)
		put_series(d, s);
}

static void put_timeline(struct chart_drawing *d)
{
	measure(d);
	open_drawing(d, WIDTH, LEGEND + HEIGHT + AXIS);
	put_grid(d);
	put_curves(d);
	put_marks(d);
	put_legend(d);
	buffer_text(d->out, "</svg>\n");
}

void chart_put_svg(const struct result_field *list, const struct result_rows *rows,
		   struct buffer *out)
{
	struct chart_drawing d = { .list = list,
				   .rows = rows,
				   .chart = list->chart,
				   .out = out,
				   .left = LABEL,
				   .top = LEGEND,
				   .width = DRAWN,
				   .height = HEIGHT };

	if (list->chart->kind == CHART_BARS)
		put_bars(&d);
	else
		put_timeline(&d);
	arena_release(&d.arena);
}

void chart_put_small(const struct result_field *list, const struct result_rows *rows,
		     struct buffer *out)
{
	struct chart_drawing d = { .list = list,
				   .rows = rows,
				   .chart = list->chart,
				   .out = out,
				   .width = SMALL_WIDTH,
				   .height = SMALL_HEIGHT };

	measure(&d);
	open_drawing(&d, SMALL_WIDTH, SMALL_HEIGHT);
	put_curves(&d);
	buffer_text(out, "</svg>");
	arena_release(&d.arena);
}
