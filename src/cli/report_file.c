/* SPDX-License-Identifier: MIT */
#include "cli/report_file.h"

#include "cli/progress.h"
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
	half_way = read_file(report, setup->file, err);
	if (half_way < 0)
		return -1;
	if (report_build(report, &failed)) {
		if (!err->code)
			*err = failed;
		return -1;
	}
	return half_way;
}
