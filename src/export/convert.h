/* SPDX-License-Identifier: MIT */
/*
 * convert.h - trace files into a file of another format, which is whole or not there.
 *
 *	struct convert_job job = { .format = format, .query = &query,
 *				   .inputs = &path, .input_count = 1 };
 *
 *	if (convert_run(&job, err)) ...
 */
#ifndef EXPORT_CONVERT_H
#define EXPORT_CONVERT_H

#include "export/format.h"

struct trace_file;

/* Each may be NULL. */
struct convert_callbacks {
	void (*progress)(void *context, const char *what, uint64_t done, uint64_t total);
	void (*progress_end)(void *context); /* of one thing, "reading" or "writing" */
	void (*was_read)(void *context, const struct trace_file *file); /* to its end */
	void (*note)(void *context, const char *sentence);

	/* The name of the file until it is whole, and NULL from then on: who is ended by a signal
	   in between should unlink it. */
	void (*partial)(void *context, const char *path);
	void *context;
};

struct convert_job {
	const struct export_format *format;
	const struct export_query *query;
	const char *const *inputs; /* "-" is standard input */
	size_t input_count;
	const char *extension; /* of the file beside the input; NULL: the format's */
	const char *output;    /* "-" is standard output; NULL: beside the first input */
	bool force;	       /* replace an existing file */
	struct convert_callbacks callbacks;
};

/* Leaves no file behind if it fails. */
int convert_run(const struct convert_job *job, struct pp_error *err);

/* The name of a file beside the input: the caller frees it. */
char *convert_name(const char *input, const char *extension);

/* An error if the format or the query can do nothing with the view. */
int convert_check_view(const struct export_query *query, const struct export_format *format,
		       const struct export_view *view, struct pp_error *err);

#endif
