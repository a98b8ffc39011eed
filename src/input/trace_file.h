/* SPDX-License-Identifier: MIT */
/*
 * trace_file.h - the events of a trace file.
 *
 * Connects an input, which provides the bytes, with a reader, which decodes them. A truncated trace
 * is read as far as it goes; for a file that is not a trace the error says what it looks like.
 * After the end mark the rest of the file is read, since that is where checksums are.
 *
 *	struct trace_file *file = trace_file_open(path, NULL, &err);
 *	while ((next = trace_file_next(file, &event, &err)) == PP_NEXT_ITEM)
 *		use(event);
 *	trace_file_close(file);
 */
#ifndef INPUT_TRACE_FILE_H
#define INPUT_TRACE_FILE_H

#include "base/heap.h"
#include "input/input.h"
#include "perfpipe/nettrace.h"

/*
 * What is read after the end mark at most: a pipe may go on for ever, and a few bytes may unpack to
 * any number.
 */
#define TRACE_FILE_REST ((uint64_t)64 * 1024 * 1024)

struct trace_file {
	const char *name; /* for messages; borrowed */
	struct input *input;
	struct pp_nettrace *trace;
	struct heap_drop *drop; /* frees the reader, if a public call is left */
	bool maps; /* the program's own files: one that shrinks ends the process by SIGBUS */
	struct pp_error inner;	/* of the reader, without the file's name */
	struct pp_error failed; /* of the input; reported after the events before it */
	bool ended;
	struct pp_error rest_failed; /* of the input, after the end of the trace */
	uint64_t trailing;	     /* bytes after the end of the trace, once that was reached */
	uint8_t first[512];	     /* first bytes, for looks_like() */
	size_t first_size;
};

struct trace_file *trace_file_open(const char *path, const struct pp_nettrace_options *options,
				   struct pp_error *err);
void trace_file_close(struct trace_file *file); /* accepts NULL */

/* Closes the input only: nothing more is read, but names of events, threads and stacks live on. */
void trace_file_end(struct trace_file *file);

/* The slow path of trace_file_next(): the reader returned `next` and no event. */
enum pp_next trace_file_advance(struct trace_file *file, enum pp_next next,
				const struct pp_event **event, struct pp_error *err);

/* After the end: whether the file is what was written, as far as that can be known. */
enum trace_file_state {
	TRACE_FILE_WHOLE,
	TRACE_FILE_CUT,	    /* the trace or its compressed data ends early */
	TRACE_FILE_DAMAGED, /* its checksum is wrong or unreadable: so may be anything in it */
};

enum trace_file_state trace_file_state(const struct trace_file *file);

/* The same, with a sentence that says why it is not whole. */
enum trace_file_state trace_file_explain(const struct trace_file *file, struct pp_error *why);

/* Never PP_NEXT_MORE. The error names the file. */
static inline enum pp_next trace_file_next(struct trace_file *file, const struct pp_event **event,
					   struct pp_error *err)
{
	const enum pp_next next = pp_nettrace_next(file->trace, event, &file->inner);

	return next == PP_NEXT_ITEM ? next : trace_file_advance(file, next, event, err);
}

#endif
