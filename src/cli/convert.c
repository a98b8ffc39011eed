/* SPDX-License-Identifier: MIT */
#include "cli/convert.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/partial_file.h"
#include "cli/convert_args.h"
#include "cli/progress.h"
#include "input/trace_file.h"

const char *convert_exporter(void)
{
	return "perfpipe@" PERFPIPE_VERSION;
}

/* What a trace's name ends with: it is left away. */
static size_t stem_length(const char *path)
{
	static const char *const ends[] = { ".gz", ".zst", ".zip", ".nettrace", ".netperf" };
	size_t size = strlen(path);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
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

/* The file that is being written, for the signals that end us. */
static char *volatile unfinished;

static void end_by_signal(int number)
{
	if (unfinished)
		unlink(unfinished);
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_signals(char *partial)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

	unfinished = partial;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sigaction action = { .sa_handler = partial ? end_by_signal : SIG_DFL };
		struct sigaction before;

		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
	signal(SIGXFSZ, SIG_IGN); /* a file that may grow no more is an error like any other */
}

static int read_trace(struct export_source *source, const char *path, struct pp_error *err)
{
	struct trace_file *file = trace_file_open(path, NULL, err);
	enum pp_next next;

	if (!file)
		return -1;
	next = progress_pass(export_source_begin(source, path), file, "reading", err);
	if (next == PP_NEXT_END) {
		warn_if_cut(file);
		export_source_stop(source, file->trace);
	}
	trace_file_close(file); /* what follows takes as much memory again */
	return next == PP_NEXT_END ? export_source_end(source, err) : -1;
}

struct writing {
	struct partial_file file;
	struct progress progress;
};

static void write_bytes(void *to, const void *bytes, size_t size)
{
	output_write(&((struct writing *)to)->file.output, bytes, size);
}

static void show_progress(void *to, uint64_t done, uint64_t total)
{
	struct writing *writing = to;

	writing->progress.total = total;
	progress_update(&writing->progress, done);
}

/* What makes the bytes, between opening the file and giving it its name. */
typedef int make_bytes(const struct convert_job *job, void *from, struct output_buffer *out,
		       struct pp_error *err);

static int write_file(const struct convert_job *job, const char *path, make_bytes *make, void *from,
		      struct pp_error *err)
{
	struct writing writing = {
		.file = { .path = path, .what = "conversion", .force = job->force },
		.progress = { .what = "writing" },
	};
	struct output_buffer out = { .write = write_bytes,
				     .progress = show_progress,
				     .to = &writing };
	int failed = partial_file_open(&writing.file, err);

	if (!failed) {
		watch_signals(writing.file.partial);
		failed = make(job, from, &out, err) || output_buffer_end(&out, err);
		progress_end(&writing.progress);
		if (failed)
			partial_file_discard(&writing.file);
		else
			failed = partial_file_commit(&writing.file, err);
		watch_signals(NULL);
	}
	output_buffer_release(&out);
	partial_file_close(&writing.file);
	return failed ? -1 : 0;
}

static int put_samples(const struct convert_job *job, void *from, struct output_buffer *out,
		       struct pp_error *err)
{
	return job->format->write(from, out, err);
}

static int put_events(const struct convert_job *job, void *from, struct output_buffer *out,
		      struct pp_error *err)
{
	const struct export_stream *stream = job->format->stream;
	struct trace_file *file = from;
	void *self = xcalloc(1, stream->size);
	int failed = stream->begin(self, job->query, out, err);
	struct pass pass;
	bool whole;

	pass_init(&pass, &job->query->samples.events);
	pass_want_every(&pass, stream->event, self);
	whole = !failed && progress_pass(&pass, file, "converting", err) == PP_NEXT_END;
	if (stream->end(self, whole ? file->trace : NULL, err) || !whole)
		failed = -1;
	if (whole)
		warn_if_cut(file);
	pass_release(&pass);
	free(self);
	return failed;
}

static int convert_events(const struct convert_job *job, const char *path, struct pp_error *err)
{
	struct trace_file *file = trace_file_open(job->inputs[0], NULL, err);
	int failed;

	if (!file)
		return -1;
	failed = write_file(job, path, put_events, file, err);
	trace_file_close(file);
	return failed;
}

static bool is_input(const struct convert_job *job, const struct stat *output)
{
	struct stat input;

	for (size_t i = 0; i < job->input_count; i++) {
		const char *path = job->inputs[i];

		if (!(strcmp(path, "-") ? stat(path, &input) : fstat(STDIN_FILENO, &input)) &&
		    input.st_dev == output->st_dev && input.st_ino == output->st_ino)
			return true;
	}
	return false;
}

/* If there is no trace either, that is what shall be told. */
static int check_folder(const struct convert_job *job, const char *path, struct pp_error *err)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int failed = 0;

	if (folder && access(folder, W_OK | X_OK)) {
		const int reason = errno;

		if (!strcmp(job->inputs[0], "-") || !access(job->inputs[0], R_OK)) {
			errno = reason;
			failed = error_errno(err, "cannot write %s", path);
		}
	}
	free(folder);
	return failed;
}

/* Found out before a long trace is read. */
static int check_output(const struct convert_job *job, const char *path, struct pp_error *err)
{
	struct stat status;

	if (!strcmp(path, "-")) {
		if (!job->format->binary || job->query->json || !isatty(STDOUT_FILENO))
			return 0;
		return error_set(err, PP_ERROR_USAGE,
				 "%s is nothing for a terminal: say where to with -o FILE",
				 job->format->name);
	}
	if (lstat(path, &status))
		return check_folder(job, path, err);
	stat(path, &status); /* or the link, if it leads nowhere */
	if (S_ISREG(status.st_mode) && is_input(job, &status))
		return error_set(err, PP_ERROR_USAGE, "%s is the trace itself: choose another name",
				 path);
	if (job->force || !(S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "%s is there already; choose another name or replace it with --force",
			 path);
}

/* Nobody asked for this view, and it is none of the usual ones; or nothing is left of it. */
static void note_view(const struct export_source *source)
{
	const struct export_view *view = source->view;

	if (!source->query->view && view->analysis && !source->format->spans)
		fprintf(stderr, "perfpipe: warning: %s has no samples; this is the view %s\n",
			source->parts[0]->name, view->name);
	for (size_t i = 1; i < source->part_count && !source->query->view; i++)
		if (samples_has_any(&source->parts[i]->model.samples) && view->analysis)
			fprintf(stderr,
				"perfpipe: warning: samples of %s are left out; name it first, or "
				"choose a --view\n",
				source->parts[i]->name);

	if (!source->thread_count && export_view_is_there(source->view, source->parts[0]))
		fputs("perfpipe: warning: no sample is left: the filters let none through\n",
		      stderr);
}

static int convert_samples(const struct convert_job *job, const char *path, struct pp_error *err)
{
	struct export_source *source = export_source_new(job->query, job->format);
	int failed = 0;

	for (size_t i = 0; i < job->input_count && !failed; i++)
		failed = read_trace(source, job->inputs[i], err);
	if (!failed)
		failed = export_source_finish(source, err) ||
			 convert_check_view(job->query, job->format, source->view, err);
	if (!failed) {
		note_view(source);
		failed = write_file(job, path, put_samples, source, err);
	}
	export_source_free(source);
	return failed;
}

int convert_run(const struct convert_job *job, struct pp_error *err)
{
	const char *extension = job->extension ? job->extension : job->format->extensions[0];
	char *beside = job->output ? NULL : convert_name(job->inputs[0], extension);
	const char *path = job->output ? job->output : beside;
	int failed = check_output(job, path, err);

	if (!failed)
		failed = job->format->stream ? convert_events(job, path, err)
					     : convert_samples(job, path, err);
	free(beside);
	return failed ? -1 : 0;
}
