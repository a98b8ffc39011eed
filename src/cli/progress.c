/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/text.h"
#include "base/time.h"
#include "cli/terminal.h"

#define SILENT_NS  INT64_C(1000000000)
#define BETWEEN_NS INT64_C(200000000)

static void show(const struct progress *progress, uint64_t done)
{
	if (progress->total)
		fprintf(stderr, "\r\033[K%s: %d %%", progress->what,
			(int)(100.0 * (double)done / (double)progress->total));
	else
		fprintf(stderr, "\r\033[K%s: %s", progress->what, text_size(done).text);
}

void progress_update(struct progress *progress, uint64_t done)
{
	const int64_t now = time_monotonic_ns();

	if (!progress->start_ns)
		progress->start_ns = now;
	if (now - progress->start_ns < SILENT_NS || now - progress->shown_ns < BETWEEN_NS ||
	    !isatty(STDERR_FILENO))
		return;
	progress->shown_ns = now;
	show(progress, done);
}

void progress_end(struct progress *progress)
{
	if (progress->shown_ns)
		fputs("\r\033[K", stderr);
}

static void show_reading(void *to, uint64_t done, uint64_t total)
{
	struct progress *progress = to;

	progress->total = total;
	progress_update(progress, done);
}

void progress_begin(struct progress *progress, struct pass *pass)
{
	pass->progress = show_reading;
	pass->progress_to = progress;
}

enum pp_next progress_pass(struct pass *pass, struct trace_file *file, const char *what,
			   struct pp_error *err)
{
	struct progress progress = { .what = what };
	enum pp_next next;

	progress_begin(&progress, pass);
	next = pass_file(pass, file, err);
	pass->progress = NULL;
	progress_end(&progress);
	return next;
}

bool progress_check(const struct trace_file *file)
{
	struct pp_error why = { 0 };
	const enum trace_file_state state = trace_file_explain(file, &why);

	if (why.code)
		terminal_say("warning: %s", why.text);
	if (file->trailing)
		terminal_say("warning: ignoring %s%s after the end of the trace in %s",
			     file->trailing < TRACE_FILE_REST ? "" : "at least ",
			     text_size(file->trailing).text, file->name);
	return state != TRACE_FILE_DAMAGED;
}

void warn_if_lossy(const struct trace_file *file)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(file->trace);

	if (totals.lost)
		terminal_say("warning: at least %s lost when the trace was recorded",
			     text_counted(totals.lost, "event was", "events were").text);
}
