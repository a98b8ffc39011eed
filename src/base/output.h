/* SPDX-License-Identifier: MIT */
/*
 * output.h - bytes that go to an open file, which partial_file.h and special_file.h open.
 *
 * The first write that fails is remembered, and output_close() reports it.
 *
 *	output_write(&file.output, bytes, size);
 *	return output_close(&file.output, &err);
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

void output_write(struct output *output, const void *bytes, size_t size);

/* Whole lines, which are made safe by text_put_lines() if they go to a terminal. */
void output_write_lines(struct output *output, const void *bytes, size_t size);
int output_close(struct output *output, struct pp_error *err);

/* A file without a name, which vanishes when it is closed: in $TMPDIR, /var/tmp or /tmp; or -1. */
int temp_file_open(void);

#endif
