/* SPDX-License-Identifier: MIT */
#include "library/report_input.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/options.h"
#include "input/trace_file.h"

static void drop_stream(void *object)
{
	struct pp_report *report = object;

	pp_nettrace_free(report->stream);
}

void report_input_init(struct pp_report *report)
{
	heap_on_drop(drop_stream, report);
	report->stream_next = PP_NEXT_MORE;
}

/* A reader has memory of its own: when that is gone, ours is no better. */
static void check_memory(const struct pp_error *failed)
{
	if (failed->code == PP_ERROR_MEMORY)
		guard_fail(PP_ERROR_MEMORY, "%s", failed->text);
}

/* The sentence names a file that is damaged, but not one that is cut. */
static int note_cut(const struct trace_file *file, struct pp_error *err)
{
	struct pp_error why = { 0 };
	const enum trace_file_state state = trace_file_explain(file, &why);

	if (state == TRACE_FILE_CUT)
		error_set(err, why.code, "%s: %s", file->name, why.text);
	else if (state == TRACE_FILE_DAMAGED)
		error_set(err, why.code, "%s", why.text);
	return state != TRACE_FILE_WHOLE;
}

/* Without a header there was no event, and another file may follow. */
static int read_only_file(struct pp_report *report, struct trace_file *taken, struct pp_error *err)
{
	struct pp_error failed = { 0 };
	const enum pp_next next = pass_file(&report->report.pass, taken, &failed);
	const bool readable = next == PP_NEXT_END || pp_nettrace_header(taken->trace);
	int cut = 1;

	check_memory(&failed);
	if (next == PP_NEXT_END)
		cut = note_cut(taken, err);
	else
		error_set(err, failed.code, "%s", failed.text);
	if (readable) {
		pass_finish(&report->report.pass, taken->trace);
		report->stage = REPORT_FILES;
	}
	trace_file_close(taken);
	return readable ? cut : -1;
}

static int read_one_of_several(struct pp_report *report, struct trace_file *taken,
			       struct pp_error *err)
{
	struct pp_error failed = { 0 };
	int cut = 1;

	if (report_files_add(&report->files, taken, &failed)) {
		check_memory(&failed);
		error_set(err, failed.code, "%s", failed.text);
		if (!pp_nettrace_header(taken->trace))
			cut = -1;
	} else {
		cut = note_cut(taken, err);
	}
	trace_file_end(taken);
	return cut;
}

static int check_file(const struct pp_report *report, struct pp_error *err)
{
	if (report->stage == REPORT_BUILT)
		return error_set(err, PP_ERROR_USAGE,
				 "the report is built; no file can be added to it");
	if (report->stage == REPORT_STREAM)
		return error_set(err, PP_ERROR_USAGE,
				 "the report is fed with bytes; no file can be added to it");
	if (report->stage == REPORT_FILES && !report->several)
		return error_set(err, PP_ERROR_USAGE,
				 "the report has its file; more than one needs several_files, "
				 "which is one of its options");
	return 0;
}

static const char *keep_path(struct pp_report *report, const char *path)
{
	report->paths = xgrow(report->paths, report->path_count, &report->path_capacity,
			      sizeof(*report->paths));
	return report->paths[report->path_count++] = xstrdup(path);
}

int report_input_file(struct pp_report *report, const char *path, struct pp_error *err)
{
	struct pp_error failed = { 0 };
	struct trace_file *file;

	if (argument_check(path, "path", err) || check_file(report, err))
		return -1;
	if (!report->several)
		report->path_count = 0; /* one that could not be read */
	path = keep_path(report, path);
	file = trace_file_open(path, NULL, &failed);
	if (file && !report->several)
		return read_only_file(report, file, err);
	if (report->several)
		report->stage = REPORT_FILES;
	if (file)
		return read_one_of_several(report, file, err);
	check_memory(&failed);
	if (report->several)
		report_files_add_failed(&report->files, path, &failed);
	return error_set(err, failed.code, "%s", failed.text);
}

/* All events that the reader has bytes for. */
static void drain(struct pp_report *report)
{
	const struct pp_event *event;

	while ((report->stream_next = pp_nettrace_next(report->stream, &event,
						       &report->stream_failed)) == PP_NEXT_ITEM)
		pass_event(&report->report.pass, pp_nettrace_header(report->stream), event);
	check_memory(&report->stream_failed);
}

static size_t copy_some(struct pp_nettrace *stream, const void *bytes, size_t size)
{
	size_t room;
	void *to = pp_nettrace_room(stream, &room);
	const size_t part = size < room ? size : room;

	if (!to)
		guard_fail(PP_ERROR_MEMORY, "out of memory");
	memcpy(to, bytes, part);
	pp_nettrace_filled(stream, part);
	return part;
}

static void begin_stream(struct pp_report *report)
{
	struct pp_error failed = { 0 };

	if (report->stream)
		return;
	report->stream = pp_nettrace_new(NULL, &failed);
	check_memory(&failed);
	report->stage = REPORT_STREAM;
	drain(report); /* until it asks for bytes */
}

/* What comes after the end of the trace is of no interest. */
int report_input_bytes(struct pp_report *report, const void *bytes, size_t size,
		       struct pp_error *err)
{
	const char *left = bytes;

	if (report->stage == REPORT_BUILT)
		return error_set(err, PP_ERROR_USAGE,
				 "the report is built; no bytes can be fed to it");
	if (report->stage == REPORT_FILES)
		return error_set(err, PP_ERROR_USAGE,
				 "the report is about files; no bytes can be fed to it");
	begin_stream(report);
	while (size && report->stream_next == PP_NEXT_MORE) {
		const size_t part = copy_some(report->stream, left, size);

		left += part;
		size -= part;
		drain(report);
	}
	return report->stream_failed.code ? error_set(err, report->stream_failed.code, "%s",
						      report->stream_failed.text)
					  : 0;
}

static int end_stream(struct pp_report *report, struct pp_error *err)
{
	pp_nettrace_end(report->stream);
	drain(report);
	if (report->stream_next == PP_NEXT_ERROR && !pp_nettrace_header(report->stream))
		return error_set(err, report->stream_failed.code, "%s", report->stream_failed.text);
	pass_finish(&report->report.pass, report->stream);
	pp_nettrace_free(report->stream);
	report->stream = NULL;
	return 0;
}

static int end_files(struct pp_report *report, struct pp_error *err)
{
	if (!report->several)
		report->report.setup.file = report->paths[0];
	else if (!report_files_any_readable(&report->files))
		return error_set(err, PP_ERROR_USAGE, "no file of the report could be read");
	else
		report_files_name(&report->report, report->paths, report->path_count);
	return 0;
}

int report_input_end(struct pp_report *report, struct pp_error *err)
{
	const enum report_stage stage = report->stage;

	if (stage == REPORT_BUILT)
		return error_set(err, PP_ERROR_USAGE, "the report was built before");
	if (stage == REPORT_EMPTY)
		return error_set(err, PP_ERROR_USAGE,
				 "there is nothing to report on: no file was added to the report, "
				 "and no bytes were fed to it");
	report->stage = REPORT_BUILT;
	return stage == REPORT_STREAM ? end_stream(report, err) : end_files(report, err);
}
