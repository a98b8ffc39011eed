/* SPDX-License-Identifier: MIT */
#include "cli/conversion.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/progress.h"
#include "cli/terminal.h"

/* The file that is being written, for the handler. */
static const char *volatile unfinished;

static void end_by_signal(int number)
{
	if (unfinished)
		unlink(unfinished);
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_signals(void *context, const char *partial)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

	(void)context;
	unfinished = partial;
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		struct sigaction action = { .sa_handler = partial ? end_by_signal : SIG_DFL };
		struct sigaction before;

		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow any more is an error like any other */
}

struct watched_conversion {
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

int conversion_run(struct convert_job job, struct pp_error *err)
{
	struct watched_conversion conversion = { 0 };

	job.callbacks = (struct convert_callbacks){ .progress = show_progress,
						    .progress_end = end_progress,
						    .was_read = was_read,
						    .note = warn,
						    .partial = watch_signals,
						    .context = &conversion };
	return convert_run(&job, err) ? -1 : conversion.damaged;
}

int conversion_of(const char *path, const struct export_format *format,
		  const struct replace_choice *replace, bool quiet, struct pp_error *err)
{
	const struct export_query query = { .samples = { .events = EVENT_QUERY_ALL },
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
	const int failed = conversion_run(job, err) < 0;

	if (!failed && !quiet)
		terminal_say("converted to %s", name);
	free(name);
	return failed;
}
