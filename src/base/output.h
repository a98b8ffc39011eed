/* SPDX-License-Identifier: MIT */
/*
 * output.h - output to a file or standard output.
 *
 * The first write that fails is remembered, and output_close() reports it.
 *
 *	struct output output;
 *	if (output_open(&output, "-", &err))
 *		return -1;
 *	output_write(&output, bytes, size);
 *	return output_close(&output, &err);
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct output {
	int fd;
	const char *path; /* for messages; borrowed */
	struct pp_error failed;
	int give_up_fd; /* once readable, stop waiting for a full pipe; 0: none */
	uint64_t size;	/* bytes written */
};

/* "-" or NULL is standard output. */
int output_open(struct output *output, const char *path, struct pp_error *err);

/*
 * Standard output for a caller that must not hang: when `give_up_fd` becomes readable, waiting for
 * the reader of a pipe ends, as a failed write.
 */
int output_open_stdout(struct output *output, int give_up_fd, struct pp_error *err);

void output_write(struct output *output, const void *bytes, size_t size);
int output_close(struct output *output, struct pp_error *err);

/* A file without a name, which vanishes when it is closed: in $TMPDIR, /var/tmp or /tmp; or -1. */
int temp_file_open(void);

#endif
