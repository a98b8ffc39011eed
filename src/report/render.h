/* SPDX-License-Identifier: MIT */
/*
 * render.h - results as text, JSON, CSV, Markdown and HTML.
 *
 * A renderer appends to a buffer and knows nothing of any view: it walks the result's shape. To
 * add one, add a file and a row in renderers.c.
 *
 *	const struct renderer *renderer = renderer_find("markdown");
 *	renderer->render(&result, &(struct render_options){ .width = 80 }, &out);
 */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include "base/buffer.h"
#include "report/result.h"

struct render_options {
	size_t width; /* columns of a line; 0: any */
	bool colour;
};

struct renderer {
	const char *name;
	bool brief; /* lists are as long as a person reads them, unless asked otherwise */
	void (*render)(const struct result *result, const struct render_options *options,
		       struct buffer *out);
};

extern const struct renderer render_text, render_json, render_csv, render_markdown, render_html;

/* NULL if there is none of that name. */
const struct renderer *renderer_find(const char *name);

/* The columns of a list that people see, and their cells, for renderers of tables. */
struct table_cells {
	const struct result_field **columns;
	size_t column_count;
	const char **texts; /* row by row; NULL: not known */
	size_t row_count;
	struct arena arena;
};

/* Rows from `from` to before `to`. */
struct table_cells table_cells_of(const struct result *result, const struct result_field *list,
				  const struct result_rows *rows, size_t from, size_t to);
void table_cells_release(struct table_cells *cells);

/* Where the rows from `from` on that have one group text end; `*title` is that text, or NULL. */
size_t table_group_end(const struct result_field *list, const struct result_rows *rows, size_t from,
		       const char **title, struct arena *arena);

/* The column is a text, and stands on the left. */
bool column_is_text(const struct result_field *column);

/* The chart of a list drawn with letters, each line indented and with its end. */
void chart_put_text(const struct result_field *list, const struct result_rows *rows,
		    struct buffer *out);

#endif
