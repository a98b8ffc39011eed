/* SPDX-License-Identifier: MIT */
#include "input/trace_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "input/looks_like.h"

struct trace_file *trace_file_open(const char *path, const struct pp_nettrace_options *options,
				   struct pp_error *err)
{
	struct trace_file *file = xcalloc(1, sizeof(*file));

	file->path = path;
	file->input = input_open(path, err);
	if (!file->input) {
		trace_file_close(file);
		return NULL;
	}
	file->trace = pp_nettrace_new(options);
	return file;
}

void trace_file_close(struct trace_file *file)
{
	if (!file)
		return;
	pp_nettrace_free(file->trace);
	input_close(file->input);
	free(file);
}

static void keep_first(struct trace_file *file, const void *bytes, size_t size)
{
	const size_t room = sizeof(file->first) - file->first_size;
	const size_t kept = size < room ? size : room;

	memcpy(file->first + file->first_size, bytes, kept);
	file->first_size += kept;
}

/* The next bytes to the reader: mapped where that is possible, which saves a copy. */
static void feed(struct trace_file *file)
{
	size_t size = 0;
	void *bytes = input_map(file->input, &size);

	if (bytes) {
		keep_first(file, bytes, size);
		pp_nettrace_feed_taken(file->trace, bytes, size, input_unmap);
		return;
	}
	bytes = pp_nettrace_room(file->trace, &size);
	if (input_read(file->input, bytes, size, &size, &file->failed) || !size) {
		pp_nettrace_end(file->trace);
		return;
	}
	keep_first(file, bytes, size);
	pp_nettrace_filled(file->trace, size);
}

/* An error of the reader, or of the input where that came first. */
static enum pp_next say_error(const struct trace_file *file, struct pp_error *err)
{
	const struct pp_error *inner = file->failed.code ? &file->failed : &file->inner;
	const bool known = pp_nettrace_header(file->trace);
	const char *like = looks_like(file->first, file->first_size);

	if (!known && !file->failed.code && inner->code != PP_ERROR_UNSUPPORTED &&
	    strcmp(like, LOOKS_UNKNOWN))
		return error_set(err, PP_ERROR_FORMAT, "%s is no trace: it looks like %s",
				 file->path, like);
	return error_set(err, inner->code, "%s: %s", file->path, inner->text);
}

enum pp_next trace_file_next(struct trace_file *file, const struct pp_event **event,
			     struct pp_error *err)
{
	enum pp_next next;

	while ((next = pp_nettrace_next(file->trace, event, &file->inner)) == PP_NEXT_MORE)
		feed(file);
	if (next == PP_NEXT_ITEM)
		return next;
	if (next == PP_NEXT_ERROR || file->failed.code || !file->first_size)
		return say_error(file, err);
	return next;
}
