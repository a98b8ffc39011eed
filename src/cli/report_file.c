/* SPDX-License-Identifier: MIT */
#include "cli/report_file.h"

#include "cli/progress.h"
#include "cli/terminal.h"
#include "input/trace_file.h"

/* The trace is closed before names are applied, since that takes as much memory again. */
static int read_file(struct report *report, const char *path, struct pp_error *err)
{
	struct trace_file *file = trace_file_open(path, NULL, err);
	enum pp_next next;
	bool readable, whole;

	if (!file)
		return -1;
	next = progress_pass(&report->pass, file, "reading", err);
	readable = next == PP_NEXT_END || pp_nettrace_header(file->trace);
	pass_finish(&report->pass, file->trace);
	whole = next == PP_NEXT_END && progress_check(file);
	trace_file_close(file);
	return !readable ? -1 : !whole;
}

int report_file(struct report *report, const struct report_view *view, const void *args,
		const struct report_setup *setup, struct pp_error *err)
{
	struct pp_error failed = { 0 };
	int half_way;

	if (report_open(report, view, args, setup, err))
		return -1;
	half_way = read_file(report, setup->path ? setup->path : setup->file, err);
	if (half_way < 0)
		return -1;
	if (report_build(report, &failed)) {
		if (!err->code)
			*err = failed;
		return -1;
	}
	return half_way;
}

/* The first error is the command's; others are said at once. */
static int note_error(struct pp_error *err, const struct pp_error *failed)
{
	if (err->code)
		terminal_say("%s", failed->text);
	else
		*err = *failed;
	return 1;
}

/* Says which of the files is meant. */
static bool check_one(const struct trace_file *file)
{
	if (trace_file_state(file) == TRACE_FILE_CUT)
		terminal_say("in %s:", file->name);
	return progress_check(file);
}

/* 1: it could not be read to its end, or is damaged. */
static int add_path(struct report_files *files, const char *path, struct pp_error *err)
{
	struct pp_error failed = { 0 };
	struct trace_file *file = trace_file_open(path, NULL, &failed);
	int damaged;

	if (!file) {
		report_files_add_failed(files, path, &failed);
		return note_error(err, &failed);
	}
	if (report_files_add(files, file, &failed))
		damaged = note_error(err, &failed);
	else
		damaged = !check_one(file);
	trace_file_end(file);
	return damaged;
}

int report_paths(struct report_files *files, char *const *paths, int count, struct pp_error *err)
{
	struct pp_error failed = { 0 };
	struct progress progress = { .what = "reading" };
	int damaged = 0;

	progress_begin(&progress, &files->all->pass);
	for (int i = 0; i < count; i++)
		damaged |= add_path(files, paths[i], err);
	progress_end(&progress);
	if (!report_files_any_readable(files))
		return -1;
	if (report_files_build(files, &failed)) {
		if (!err->code)
			*err = failed;
		return -1;
	}
	return damaged;
}
