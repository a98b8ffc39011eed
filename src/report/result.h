/* SPDX-License-Identifier: MIT */
/*
 * result.h - what a view or a command found, as data that every output is rendered from.
 *
 * A result is a struct and its *shape* (result_shape.h). Text, JSON, CSV, Markdown and HTML
 * (render.h), the JSON Schema (schema.h) and comparisons (metrics.h) all walk the shape.
 *
 *	struct gc_result data = { .count = 3 };
 *	struct result result = { .kind = &gc_kind, .file = path, .data = &data };
 *
 *	render_json.render(&result, &options, &out);
 */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include "report/filters.h"
#include "report/result_shape.h"

#define RESULT_KEY_MOST 64 /* bytes of a key or a schema's name, with its NUL */

/* An output of the program, which has a schema: all its results have this shape. */
struct result_kind {
	const char *name;		  /* "report/gc"; NULL: it has no schema */
	unsigned version;		  /* of the schema */
	const char *summary;		  /* what it is: no capital, no full stop */
	const struct result_shape *head;  /* what it begins with, if others do so, too; or NULL */
	const struct result_shape *shape; /* all else */
	bool may_be_missing; /* it says `available`, and has nothing else where that is false */
	bool bare;	     /* a line of JSON lines, which does not say what it is */
	unsigned metrics;    /* STEADY or ON_CPU, if all its metrics are that */
};

struct result_files;

struct result {
	const struct result_kind *kind;
	const char *title;		  /* for people, a line's part; or NULL */
	const char *file;		  /* that it is about; or NULL */
	bool by_process;		  /* it is about several processes */
	const void *head;		  /* the data of the kind's head */
	const void *data;		  /* of its shape; NULL: what it needs was not recorded */
	int64_t sample_ns;		  /* that a sample weighs, for metrics; 0: not known */
	const struct result_files *files; /* that it is about, if several; or NULL */
	const char *nothing; /* why all figures are 0: no event passes the filters; or NULL */
	const char *notes[FILTER_NOTES + 1]; /* on filters that match nothing; NULL ends them */

	/* where that may be */
	const char *missing; /* "the trace has no samples" */
	const char *remedy;  /* the command that records it; or NULL */
};

/* "perfpipe/report/gc/1" */
void result_schema_name(const struct result_kind *kind, char name[static RESULT_KEY_MOST]);

/* Whether a field is shown to people, or is in data, of this result. */
bool result_is_for_people(const struct result *result, const struct result_field *field);
bool result_is_data(const struct result *result, const struct result_field *field);

#endif
