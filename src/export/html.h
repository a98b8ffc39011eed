/* SPDX-License-Identifier: MIT */
/*
 * html.h - what the files of the page share: cells and tables.
 *
 *	html_open_table(out, &threads);		(a const struct html_table)
 *	html_open_row(out);
 *	html_cell_count(out, id);
 *	html_cell_text(out, name);
 *	html_close_row(out);
 *	html_close_table(out, left_out);
 */
#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H

#include "export/flames.h"
#include "export/format.h"

#define HTML_COLUMNS 8

struct html_table {
	const char *id;
	const char *title;
	const char *columns[HTML_COLUMNS]; /* NULL ends them */
};

void html_put(struct output_buffer *out, const char *text);
void html_open_table(struct output_buffer *out, const struct html_table *table);
void html_close_table(struct output_buffer *out, size_t left_out); /* rows that are not shown */
void html_open_row(struct output_buffer *out);
void html_close_row(struct output_buffer *out);

void html_cell_text(struct output_buffer *out, const char *text); /* NULL is "" */
void html_cell_count(struct output_buffer *out, int64_t number);
void html_cell_real(struct output_buffer *out, double number);
void html_cell_time(struct output_buffer *out, int64_t ns);
void html_cell_weight(struct output_buffer *out, const struct export_source *source,
		      uint64_t weight);
void html_cell_share(struct output_buffer *out, uint64_t part, uint64_t all);

/* A weight as text: "12.345 ms". */
void html_put_weight(struct output_buffer *out, const struct export_source *source,
		     uint64_t weight);

void html_put_methods(struct export_source *source, struct output_buffer *out);
void html_put_threads(struct export_source *source, struct output_buffer *out);
void html_put_spans(struct export_source *source, struct output_buffer *out);
void html_put_counters(struct export_source *source, struct output_buffer *out);

#endif
