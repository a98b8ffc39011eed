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

#include "base/json.h"
#include "report/result.h"

struct render_options {
	size_t width; /* columns of a line; 0: any */
	bool colour;
};

struct renderer {
	const char *name;
	bool brief;    /* lists are as long as a person reads them, unless asked otherwise; */
	unsigned rows; /* or have at most that many rows; 0: all */
	void (*render)(const struct result *result, const struct render_options *options,
		       struct buffer *out);
};

extern const struct renderer render_text, render_json, render_csv, render_markdown, render_html;

/*
 * JSON piece by piece, of a result with a list of any length, which is never in memory as a whole:
 * the beginning of the object, and rows of the list that the caller opens. The caller closes both.
 */
void render_json_begin(struct json *json, const struct result_kind *kind);
void render_json_row(struct json *json, const struct result_kind *kind,
		     const struct result_shape *row_shape, const void *row);

/* NULL if there is none of that name. */
const struct renderer *renderer_find(const char *name);

#endif
