/* SPDX-License-Identifier: MIT */
#include "input/trace_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "input/looks_like.h"

/* An error of the input. System errors already name the file. */
static int input_failed(const struct trace_file *file, struct pp_error *err)
{
	if (file->failed.code == PP_ERROR_SYSTEM || file->failed.code == PP_ERROR_USAGE)
		return error_set(err, file->failed.code, "%s", file->failed.text);
	return error_set(err, file->failed.code, "%s: %s", file->name, file->failed.text);
}

/* The input drops itself. */
static void drop_reader(void *object)
{
	struct trace_file *file = object;

	pp_nettrace_free(file->trace);
}

struct trace_file *trace_file_open(const char *path, const struct pp_nettrace_options *options,
				   struct pp_error *err)
{
	struct trace_file *file = xcalloc(1, sizeof(*file));

	file->drop = heap_on_drop(drop_reader, file);
	file->maps = !guard_is_on(); /* a public call's process is not ours */
	file->name = strcmp(path, "-") != 0 ? path : "standard input";
	file->input = input_open(path, &file->failed);
	if (!file->input) {
		input_failed(file, err);
		trace_file_close(file);
		return NULL;
	}
	file->trace = pp_nettrace_new(options, err);
	if (!file->trace) {
		trace_file_close(file);
		return NULL;
	}
	return file;
}

void trace_file_close(struct trace_file *file)
{
	if (!file)
		return;
	heap_forget_drop(file->drop);
	pp_nettrace_free(file->trace);
	input_close(file->input);
	xfree(file);
}

void trace_file_end(struct trace_file *file)
{
	input_close(file->input);
	file->input = NULL;
}

static void keep_first(struct trace_file *file, const void *bytes, size_t size)
{
	const size_t room = sizeof(file->first) - file->first_size;
	const size_t kept = size < room ? size : room;

	memcpy(file->first + file->first_size, bytes, kept);
	file->first_size += kept;
}

/* Passes the next bytes to the reader: mapped if possible, which saves a copy. */
static void feed(struct trace_file *file)
{
	size_t size = 0;
	void *bytes = file->maps ? input_map(file->input, &size) : NULL;

	if (bytes) {
		keep_first(file, bytes, size);
		pp_nettrace_feed_taken(file->trace, bytes, size, input_unmap);
		return;
	}
	bytes = pp_nettrace_room(file->trace, &size);
	if (!bytes) /* pp_nettrace_next() fails */
		return;
	if (input_read(file->input, bytes, size, &size, &file->failed) || !size) {
		pp_nettrace_end(file->trace);
		return;
	}
	keep_first(file, bytes, size);
	pp_nettrace_filled(file->trace, size);
}

/* An error of the reader: invalid data, or a file of another kind. */
static enum pp_next reader_failed(const struct trace_file *file, struct pp_error *err)
{
	const bool known = pp_nettrace_header(file->trace);
	const char *like = looks_like(file->first, file->first_size);

	if (!known && file->inner.code != PP_ERROR_UNSUPPORTED &&
	    file->inner.code != PP_ERROR_MEMORY && strcmp(like, LOOKS_UNKNOWN) != 0)
		return error_set(err, PP_ERROR_FORMAT, "%s is not a trace; it looks like %s",
				 file->name, like);
	return error_set(err, file->inner.code, "%s: %s", file->name, file->inner.text);
}

static void read_rest(struct trace_file *file)
{
	uint8_t bytes[16384];
	size_t got = 1;

	file->trailing = pp_nettrace_totals(file->trace).trailing;
	while (got && file->trailing < TRACE_FILE_REST) {
		if (input_read(file->input, bytes, sizeof(bytes), &got, &file->rest_failed))
			return;
		file->trailing += got;
	}
	file->trailing += input_trailing(file->input, TRACE_FILE_REST);
}

enum trace_file_state trace_file_state(const struct trace_file *file)
{
	if (input_wrong_checksum(file->input) || file->rest_failed.code)
		return TRACE_FILE_DAMAGED;
	return pp_nettrace_totals(file->trace).complete && !input_truncated(file->input)
		       ? TRACE_FILE_WHOLE
		       : TRACE_FILE_CUT;
}

static void explain_damage(const struct trace_file *file, struct pp_error *why)
{
	if (file->rest_failed.code)
		error_set(why, PP_ERROR_FORMAT, "%s is damaged after the end of the trace: %s",
			  file->name, file->rest_failed.text);
	else
		error_set(why, PP_ERROR_FORMAT,
			  "%s is damaged: its %s checksum does not match; any of its events may "
			  "be wrong",
			  file->name, input_compression(file->input));
}

static void explain_cut(const struct trace_file *file, struct pp_error *why)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(file->trace);

	if (!totals.complete)
		error_set(why, PP_ERROR_FORMAT,
			  "the trace is truncated at byte %llu; this is everything up to there",
			  (unsigned long long)totals.bytes);
	else
		error_set(why, PP_ERROR_FORMAT,
			  "the trace is complete, but its %s data is truncated, and its checksum "
			  "is not verified",
			  input_compression(file->input));
}

enum trace_file_state trace_file_explain(const struct trace_file *file, struct pp_error *why)
{
	const enum trace_file_state state = trace_file_state(file);

	if (state == TRACE_FILE_DAMAGED)
		explain_damage(file, why);
	else if (state == TRACE_FILE_CUT)
		explain_cut(file, why);
	return state;
}

enum pp_next trace_file_advance(struct trace_file *file, enum pp_next next,
				const struct pp_event **event, struct pp_error *err)
{
	while (next == PP_NEXT_MORE) {
		feed(file);
		next = pp_nettrace_next(file->trace, event, &file->inner);
	}
	if (next == PP_NEXT_ITEM)
		return next;
	if (next == PP_NEXT_END && !file->ended)
		read_rest(file);
	file->ended = true;
	if (!file->first_size && input_truncated(file->input))
		error_set(&file->failed, PP_ERROR_FORMAT,
			  "the %s data ends before the trace begins",
			  input_compression(file->input));
	if (file->failed.code)
		return input_failed(file, err);
	return next == PP_NEXT_ERROR || !file->first_size ? reader_failed(file, err) : next;
}
