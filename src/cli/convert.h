/* SPDX-License-Identifier: MIT */
/*
 * convert.h - traces into another format, for `convert` and for `collect --format`.
 *
 *	struct convert_job job = { .format = format, .inputs = &path, .input_count = 1 };
 *
 *	if (convert_run(&job, err)) ...
 */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include "export/format.h"

struct convert_job {
	const struct export_format *format;
	const struct export_query *query;
	const char *const *inputs;
	size_t input_count;
	const char *extension; /* of the file beside the input; NULL: the format's */
	const char *output;    /* "-" is standard output; NULL: beside the first input */
	bool force;	       /* replace what is there */
};

/* Leaves no file behind if it fails. */
int convert_run(const struct convert_job *job, struct pp_error *err);

/* The name of a file beside the input: the caller frees it. */
char *convert_name(const char *input, const char *extension);

/* "perfpipe@1.0", for files that say who wrote them. */
const char *convert_exporter(void);

#endif
