/* SPDX-License-Identifier: MIT */
/*
 * line_input.h - lines of a file or a pipe as they come, in bounded memory.
 *
 *	struct line_input in = { .fd = STDIN_FILENO };
 *	struct input_line line;
 *
 *	while (line_input_next(&in, &line, &err)) {
 *		use(line.text, line.size);
 *		if (!line_input_is_ready(&in))
 *			flush(); (the next call waits)
 *	}
 *	line_input_release(&in);
 */
#ifndef CLI_LINE_INPUT_H
#define CLI_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "perfpipe/error.h"

#define LINE_MOST                                                                                  \
	65536 /* bytes; what is longer comes in pieces, cut between words if it has any            \
	       */

struct line_input {
	int fd;
	char *bytes;
	size_t from, size; /* what was read, and is not used yet */
	bool ended;
};

/* Good until the next call. */
struct input_line {
	const char *text; /* ends with a NUL, and may contain others */
	size_t size;
	bool whole; /* an end of line follows */
};

/* False at the end, and with an error. */
bool line_input_next(struct line_input *in, struct input_line *line, struct pp_error *err);
bool line_input_is_ready(const struct line_input *in); /* the next line was read already */
void line_input_release(struct line_input *in);

#endif
