/* SPDX-License-Identifier: MIT */
/*
 * output.h - bytes on their way to a file or standard output.
 *
 * The first write that fails is remembered, and output_close() tells of it.
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
	const char *path; /* in messages; borrowed */
	struct pp_error failed;
	int give_up_fd; /* once readable, a pipe that nobody reads is waited for no longer; 0: none
			 */
	uint64_t size;	/* bytes written */
};

/* "-" or NULL is standard output. */
int output_open(struct output *output, const char *path, struct pp_error *err);

/*
 * Standard output for one who must not be held up: if it is a pipe, waiting for its
 * reader ends, as a failure, when `give_up_fd` can be read.
 */
int output_open_stdout(struct output *output, int give_up_fd, struct pp_error *err);

void output_write(struct output *output, const void *bytes, size_t size);
int output_close(struct output *output, struct pp_error *err);

#endif
