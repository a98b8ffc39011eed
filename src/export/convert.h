/* SPDX-License-Identifier: MIT */
/*
 * convert.h - converts traces to a file of another format, which is complete or does not exist.
 *
 *	struct convert_job job = { .format = format, .query = &query, .inputs = &path,
 *				   .input_count = 1, .callbacks = callbacks };
 *
 *	if (convert_run(&job, err)) ...
 */
#ifndef EXPORT_CONVERT_H
#define EXPORT_CONVERT_H

#include "base/partial_file.h"
#include "export/format.h"

struct trace_file;

/* None is NULL. */
struct convert_callbacks {
	void (*progress)(void *context, const char *what, uint64_t done, uint64_t total);
	void (*progress_end)(void *context);				/* of `what` */
	void (*was_read)(void *context, const struct trace_file *file); /* to its end */
	void (*note)(void *context, const char *sentence);
	void (*wrote)(void *context, const char *path, uint64_t size); /* a file, not a pipe */

	/* The incomplete file, then NULL: to be discarded if a signal ends us between. */
	void (*partial)(void *context, struct partial_file *file);
	void *context;
};

struct convert_job {
	const struct export_format *format;
	const struct export_query *query;
	const char *const *inputs; /* "-" is standard input */
	size_t input_count;
	const char *extension; /* of the file next to the input; NULL: the format's */
	const char *output;    /* "-" is standard output; NULL: next to the first input */
	struct replace_choice replace;
	struct convert_callbacks callbacks;
};

/* Leaves no file behind if it fails. */
int convert_run(const struct convert_job *job, struct pp_error *err);

/* The name of a file next to the input, to be freed. */
char *convert_name(const char *input, const char *extension);

/* An error if the view makes no sense in the format or with the query. */
int convert_check_view(const struct export_query *query, const struct export_format *format,
		       const struct export_view *view, struct pp_error *err);

#endif
