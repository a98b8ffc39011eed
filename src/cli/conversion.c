/* SPDX-License-Identifier: MIT */
#include "cli/conversion.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/unfinished.h"

static void watch_signals(void *context, struct partial_file *file)
{
	(void)context;
	unfinished_watch(file);
}

struct watched_conversion {
	const struct convert_job *job;
	bool quiet;
	struct progress progress;
	bool damaged; /* one of the traces */
};

static void show_progress(void *context, const char *what, uint64_t done, uint64_t total)
{
	struct progress *progress = &((struct watched_conversion *)context)->progress;

	progress->what = what;
	progress->total = total;
	progress_update(progress, done);
}

static void end_progress(void *context)
{
	struct progress *progress = &((struct watched_conversion *)context)->progress;

	progress_end(progress);
	*progress = (struct progress){ 0 };
}

static void was_read(void *context, const struct trace_file *file)
{
	struct watched_conversion *conversion = context;

	conversion->damaged |= !progress_check(file);
	warn_if_lossy(file);
}

static void warn(void *context, const char *sentence)
{
	(void)context;
	terminal_say("warning: %s", sentence);
}

/* "wrote app.speedscope.json (speedscope, 1.2 MB); open it at https://www.speedscope.app" */
static void say_written(void *context, const char *path, uint64_t size)
{
	const struct watched_conversion *conversion = context;
	const struct convert_job *job = conversion->job;
	const char *opens = job->query->flames ? "in a browser" : job->format->opens;

	if (conversion->quiet)
		return;
	terminal_say("wrote %s (%s, %s)%s%s", path,
		     job->query->flames ? "flame graph" : job->format->name, text_size(size).text,
		     opens ? "; open it " : "", opens ? opens : "");
}

static int run(struct convert_job job, bool quiet, struct pp_error *err)
{
	struct watched_conversion conversion = { .job = &job, .quiet = quiet };

	job.callbacks = (struct convert_callbacks){ .progress = show_progress,
						    .progress_end = end_progress,
						    .was_read = was_read,
						    .note = warn,
						    .wrote = say_written,
						    .partial = watch_signals,
						    .context = &conversion };
	return convert_run(&job, err) ? -1 : conversion.damaged;
}

int conversion_run(struct convert_job job, struct pp_error *err)
{
	return run(job, false, err);
}

int conversion_check(const char *path, const struct export_format *format,
		     const struct replace_choice *replace, struct pp_error *err)
{
	char *name = convert_name(path, format->extensions[0]);
	const struct partial_file file = { .path = name,
					   .what = "conversion",
					   .replace = *replace };
	const int failed = partial_file_check(&file, err);

	xfree(name);
	return failed;
}

int conversion_of(const char *path, const struct export_format *format,
		  const struct replace_choice *replace, bool quiet, struct pp_error *err)
{
	const struct export_query query = { .samples = { .events = EVENT_QUERY_ALL },
					    .symbols = { .wanted = true },
					    .exporter = CONVERSION_EXPORTER };
	char *name = convert_name(path, format->extensions[0]);
	const struct convert_job job = {
		.format = format,
		.query = &query,
		.inputs = &path,
		.input_count = 1,
		.output = name,
		.replace = *replace,
	};
	const int failed = run(job, quiet, err) < 0;

	xfree(name);
	return failed;
}
