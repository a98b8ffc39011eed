/* SPDX-License-Identifier: MIT */
#include "export/convert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "input/trace_file.h"

/* Without the extensions of traces. */
static size_t stem_length(const char *path)
{
	static const char *const ends[] = { ".gz", ".zst", ".zip", ".nettrace", ".netperf" };
	size_t size = strlen(path);

	for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
		const size_t end = strlen(ends[i]);

		if (size > end && path[size - end - 1] != '/' &&
		    !strncasecmp(path + size - end, ends[i], end))
			size -= end;
	}
	return size;
}

char *convert_name(const char *input, const char *extension)
{
	const size_t stem = stem_length(input);
	char *name = xcalloc(1, stem + strlen(extension) + 1);

	memcpy(name, input, stem);
	memcpy(name + stem, extension, strlen(extension) + 1);
	return name;
}

/* Reading or writing, for the callbacks of passes and formats. */
struct task {
	const struct convert_job *job;
	const char *what;
	struct partial_file file;
};

static void show_progress(void *to, uint64_t done, uint64_t total)
{
	const struct task *task = to;
	const struct convert_callbacks *callbacks = &task->job->callbacks;

	callbacks->progress(callbacks->context, task->what, done, total);
}

/* All events of the file. */
static enum pp_next read_events(const struct convert_job *job, struct pass *pass,
				struct trace_file *file, const char *what, struct pp_error *err)
{
	struct task task = { .job = job, .what = what };
	enum pp_next next;

	pass->progress = show_progress;
	pass->progress_to = &task;
	next = pass_file(pass, file, err);
	pass->progress = NULL;
	job->callbacks.progress_end(job->callbacks.context);
	if (next == PP_NEXT_END)
		job->callbacks.was_read(job->callbacks.context, file);
	return next;
}

static int read_trace(const struct convert_job *job, struct export_source *source, const char *path,
		      struct pp_error *err)
{
	struct trace_file *file = trace_file_open(path, NULL, err);
	enum pp_next next;

	if (!file)
		return -1;
	next = read_events(job, export_source_begin(source, path), file, "reading", err);
	if (next == PP_NEXT_END)
		export_source_stop(source, file->trace);
	trace_file_close(file); /* what follows takes as much memory */
	return next == PP_NEXT_END ? export_source_end(source, err) : -1;
}

/* Names in formats for programs are as they are, but not on a terminal. */
static void write_bytes(void *to, const void *bytes, size_t size)
{
	output_write_lines(&((struct task *)to)->file.output, bytes, size);
}

static int put_events(const struct convert_job *job, struct trace_file *file,
		      struct output_buffer *out, struct pp_error *err)
{
	const struct export_stream *stream = job->format->stream;
	void *self = xcalloc(1, stream->size);
	struct pass pass;
	bool whole;
	int failed;

	stream->begin(self, job->format, job->query, out);
	pass_init(&pass, &job->query->samples.events);
	pass_want_every(&pass, stream->event, self);
	whole = read_events(job, &pass, file, "converting", err) == PP_NEXT_END;
	failed = stream->end(self, whole ? file->trace : NULL, err) || !whole;
	pass_release(&pass);
	xfree(self);
	return failed;
}

static struct partial_file output_file(const struct convert_job *job, const char *path)
{
	return (struct partial_file){ .path = path,
				      .what = "conversion",
				      .replace = job->replace,
				      .inputs = job->inputs,
				      .input_count = job->input_count };
}

static int commit(const struct convert_job *job, struct partial_file *file, struct pp_error *err)
{
	if (partial_file_commit(file, err))
		return -1;
	if (file->made)
		job->callbacks.wrote(job->callbacks.context, file->path, file->output.size);
	return 0;
}

/* From the samples of a source, or from the events of a file. */
static int write_file(const struct convert_job *job, const char *path, struct export_source *source,
		      struct trace_file *file, struct pp_error *err)
{
	struct task task = { .job = job, .what = "writing", .file = output_file(job, path) };
	struct output_buffer out = { .write = write_bytes, .progress = show_progress, .to = &task };
	int failed = partial_file_open(&task.file, err);

	if (!failed) {
		job->callbacks.partial(job->callbacks.context, &task.file);
		if (source)
			job->format->write(source, &out);
		else
			failed = put_events(job, file, &out, err);
		failed = failed || output_buffer_end(&out, err);
		job->callbacks.progress_end(job->callbacks.context);
		if (failed)
			partial_file_discard(&task.file);
		else
			failed = commit(job, &task.file, err);
		job->callbacks.partial(job->callbacks.context, NULL);
	}
	buffer_release(&out.bytes);
	partial_file_close(&task.file);
	return failed ? -1 : 0;
}

static int convert_events(const struct convert_job *job, const char *path, struct pp_error *err)
{
	struct trace_file *file = trace_file_open(job->inputs[0], NULL, err);
	int failed;

	if (!file)
		return -1;
	failed = write_file(job, path, NULL, file, err);
	trace_file_close(file);
	return failed;
}

static int check_terminal(const struct convert_job *job, struct pp_error *err)
{
	if (!job->format->binary || job->query->json || !isatty(STDOUT_FILENO))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "%s is binary and not for a terminal; choose a file with -o FILE",
			 job->format->name);
}

/*
 * Before a long trace is read. If that does not exist either, that is the error to report.
 */
static int check_output(const struct convert_job *job, const char *path, struct pp_error *err)
{
	const struct partial_file file = output_file(job, path);

	if (!strcmp(path, "-"))
		return check_terminal(job, err);
	if (strcmp(job->inputs[0], "-") != 0 && access(job->inputs[0], R_OK))
		return 0;
	return partial_file_check(&file, err);
}

static void note(const struct convert_job *job, const char *format, ...) PRINTF_LIKE(2, 3);

static void note(const struct convert_job *job, const char *format, ...)
{
	struct arena arena = { 0 };
	va_list args;

	va_start(args, format);
	job->callbacks.note(job->callbacks.context, arena_vprintf(&arena, format, args));
	va_end(args);
	arena_release(&arena);
}

/* A view that was not asked for and is not a usual one, or of which nothing is left. */
static void note_view(const struct convert_job *job, const struct export_source *source)
{
	const struct export_view *view = source->view;

	if (!source->query->view && view->analysis && !source->format->spans)
		note(job, "%s has no samples; this is the view %s", source->parts[0]->name,
		     view->name);
	for (size_t i = 1; i < source->part_count && !source->query->view; i++)
		if (samples_has_any(&source->parts[i]->model.samples) && view->analysis)
			note(job, "samples of %s are left out; name it first, or choose a view",
			     source->parts[i]->name);
	if (!source->thread_count && export_view_is_available(source->view, source->parts[0]))
		note(job, "no samples are left after filtering");
}

int convert_check_view(const struct export_query *query, const struct export_format *format,
		       const struct export_view *view, struct pp_error *err)
{
	if (query->view && format->times && view->unit != EXPORT_NANOSECONDS)
		return error_set(err, PP_ERROR_USAGE,
				 "a timeline cannot show %s; choose speedscope, or another view",
				 view->name);
	if (view->analysis && query->samples.activity)
		return error_set(err, PP_ERROR_USAGE,
				 "--activity goes with the views cpu and threadtime, not %s",
				 view->name);
	return 0;
}

static int convert_samples(const struct convert_job *job, const char *path, struct pp_error *err)
{
	struct export_source *source = export_source_new(job->query, job->format);
	int failed = 0;

	for (size_t i = 0; i < job->input_count && !failed; i++)
		failed = read_trace(job, source, job->inputs[i], err);
	if (!failed)
		failed = export_source_finish(source, err) ||
			 convert_check_view(job->query, job->format, source->view, err);
	if (!failed) {
		note_view(job, source);
		failed = write_file(job, path, source, NULL, err);
	}
	export_source_free(source);
	return failed;
}

int convert_run(const struct convert_job *job, struct pp_error *err)
{
	const char *extension = job->extension ? job->extension : job->format->extensions[0];
	char *made_name = job->output ? NULL : convert_name(job->inputs[0], extension);
	const char *path = job->output ? job->output : made_name;
	int failed = check_output(job, path, err);

	if (!failed)
		failed = job->format->stream ? convert_events(job, path, err)
					     : convert_samples(job, path, err);
	xfree(made_name);
	return failed ? -1 : 0;
}
