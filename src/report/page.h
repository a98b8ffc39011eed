/* SPDX-License-Identifier: MIT */
/*
 * page.h - a result as people read it: a title, facts, then tables and charts in the order of the
 * shape. Text, Markdown and HTML differ only in how they write each of these.
 *
 *	static const struct page_format html = { .facts = put_facts, .table = put_table, ... };
 *
 *	page_put(&(struct page){ &html, result, options, out });
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/render.h"

struct page {
	const struct page_format *format;
	const struct result *result;
	const struct render_options *options;
	struct buffer *out;
	size_t joined; /* bytes of `out` after which facts follow without an empty line */
};

struct page_fact {
	const char *title; /* may be "" */
	const char *text;
};

enum fact_place {
	FACTS_FIRST, /* before tables */
	FACTS_LAST,  /* after them */
	FACTS_CARD,  /* of one row that is not in a table */
	FACTS_INSET, /* below the facts before them */
};

/* The columns of a list that people see, and their cells. */
struct table_cells {
	const struct result *result;
	const struct result_field *list;
	const struct result_rows *rows;
	size_t from; /* row that is the first */
	const struct result_field **columns;
	size_t column_count;
	const char **texts; /* row by row; NULL: not known */
	size_t row_count;
	struct arena arena;
};

struct page_format {
	bool has_room; /* for what is SHOWN_ON_PAGE */
	void (*facts)(struct page *page, enum fact_place place, const struct page_fact *facts,
		      size_t count);
	void (*heading)(struct page *page, const char *title); /* of a table; "": it has none */
	void (*table)(struct page *page, const struct table_cells *cells);
	void (*chart)(struct page *page, const struct result_field *list,
		      const struct result_rows *rows);
	void (*note)(struct page *page, const char *text);
	void (*command)(struct page *page, const char *command); /* to be typed */
};

/* The whole result. */
void page_put(struct page *page);

/* The facts and the lists of one object. */
void page_put_object(struct page *page, const struct result_shape *shape, const void *data);

/* An empty line comes before them. */
bool facts_stand_apart(const struct page *page, enum fact_place place);

/* The column is a text, and stands on the left. */
bool column_is_text(const struct result_field *column);

/* The number in a cell; -1: there is none. */
double cell_number(const struct table_cells *cells, size_t row, size_t column, struct arena *arena);

/* A field of the row that is STRONG is set. */
bool row_stands_out(const struct table_cells *cells, size_t row);

/* The chart of a list drawn with letters, each line with its end; as SVG; as SVG in a cell. */
void chart_put_text(const struct result_field *list, const struct result_rows *rows,
		    struct buffer *out);
void chart_put_svg(const struct result_field *list, const struct result_rows *rows,
		   struct buffer *out);
void chart_put_small(const struct result_field *list, const struct result_rows *rows,
		     struct buffer *out);

#endif
