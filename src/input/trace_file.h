/* SPDX-License-Identifier: MIT */
/*
 * trace_file.h - the events of a trace that lies in a file.
 *
 * Joins an input, which has the bytes, to a reader, which makes events of them.
 * A trace that is cut short is read as far as it goes; what is no trace at all
 * is an error that says what it looks like instead.
 *
 *	struct trace_file *file = trace_file_open(path, NULL, &err);
 *	while ((next = trace_file_next(file, &event, &err)) == PP_NEXT_ITEM)
 *		use(event);
 *	trace_file_close(file);
 */
#ifndef INPUT_TRACE_FILE_H
#define INPUT_TRACE_FILE_H

#include "input/input.h"
#include "perfpipe/nettrace.h"

struct trace_file {
	const char *name; /* of the file in messages; borrowed */
	struct input *input;
	struct pp_nettrace *trace;
	struct pp_error inner;	/* the reader's, without the file's name */
	struct pp_error failed; /* the input's; told after the events before it */
	uint8_t first[512];	/* bytes of the content, to say what it is if it is no trace */
	size_t first_size;
};

struct trace_file *trace_file_open(const char *path, const struct pp_nettrace_options *options,
				   struct pp_error *err);
void trace_file_close(struct trace_file *file); /* takes NULL */

/* trace_file_next() where the reader has no event at hand, but `next`. */
enum pp_next trace_file_go_on(struct trace_file *file, enum pp_next next,
			      const struct pp_event **event, struct pp_error *err);

/* Never PP_NEXT_MORE. The error names the file. */
static inline enum pp_next trace_file_next(struct trace_file *file, const struct pp_event **event,
					   struct pp_error *err)
{
	const enum pp_next next = pp_nettrace_next(file->trace, event, &file->inner);

	return next == PP_NEXT_ITEM ? next : trace_file_go_on(file, next, event, err);
}

#endif
