/* SPDX-License-Identifier: MIT */
/*
 * report_files.h - one view of several traces.
 *
 * To the view the traces are one, each beginning where the one before it ended
 * (pass/pass_sequence.h), so that its figures are of all of them. Each trace also has a result of
 * its own, from which the rows of the common one get its share (result_files.h).
 *
 *	struct report_files files = { .all = &report };
 *
 *	if (!report_open(&report, view, args, &setup, &err)) {
 *		report_files_add(&files, trace_file_open(...), &err);	(for each)
 *		if (!report_files_build(&files, &err))
 *			render_json.render(&report.result, &options, &out);
 *	}
 *	report_files_close(&files);
 *	report_close(&report);
 */
#ifndef REPORT_REPORT_FILES_H
#define REPORT_REPORT_FILES_H

#include "pass/pass_sequence.h"
#include "report/metrics.h"
#include "report/report.h"
#include "report/result_files.h"

struct trace_file;

/* A trace, in the head of the result. */
struct report_file {
	uint64_t number; /* from 1 */
	const char *name;
	int64_t start_ns, length_ns; /* in the time of the report */
	uint64_t events, samples;
	int64_t process_id; /* -1: none, or several */
	const char *process_name;
	bool complete;
	const char *error;	/* why it, or its rest, was not read; or NULL */
	struct metrics metrics; /* of its own result */
};

struct report_files {
	struct report *all;
	struct pass_sequence sequence;
	struct trace_file **open; /* until the end, since what is known refers to their names */
	struct report_file *list;
	size_t count, capacity, open_count, open_capacity;
	struct result_files shares;
};

/* The name that the report of these files has, before it is built; `paths` are borrowed. */
void report_files_name(struct report *all, const char *const *paths, size_t count);

/* Reads the file, which is taken. -1 with an error if it cannot be read to its end. */
int report_files_add(struct report_files *files, struct trace_file *taken, struct pp_error *err);

/* One that cannot be opened, and why. */
void report_files_add_failed(struct report_files *files, const char *name,
			     const struct pp_error *why);

/* Whether there is anything to build a result from. */
bool report_files_any_readable(const struct report_files *files);

/* As report_build(). */
int report_files_build(struct report_files *files, struct pp_error *err);

void report_files_close(struct report_files *files); /* before the report */

#endif
