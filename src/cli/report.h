/* SPDX-License-Identifier: MIT */
/*
 * report.h - what a view of `perfpipe report` is.
 *
 * A view is a file report_NAME.c with a `const struct report_view` at its end, and one
 * pointer in report.c; what it counts is a file in analyze/. By the time `show` is called
 * the model is filled. It hands in facts and sheets, and text, JSON and CSV are made
 * of them; what was lost, unresolved or is missing is told for it.
 *
 *	static void show(struct report *report)
 *	{
 *		struct sheet sheet = { .key = "threads", .columns = columns };
 *
 *		report_count(report, "samples", "Samples", count);
 *		...
 *		report_sheet(report, &sheet);
 *		sheet_release(&sheet);
 *	}
 *
 *	const struct report_view report_threads = {
 *		.name = "threads",
 *		.summary = "threads and their time",
 *		.missing = "it has no samples",
 *		.remedy = "perfpipe collect -p PID --profile dotnet-sampled-thread-time",
 *		.available = report_has_samples,
 *		.show = show,
 *	};
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "analyze/calltree.h"
#include "analyze/sample_query.h"
#include "cli/option.h"
#include "cli/sheet.h"
#include "fill/fill.h"
#include "input/trace_file.h"

/* What the command line says; one table of options serves all views. */
struct report_args {
	bool json;
	bool csv;
	unsigned rows; /* REPORT_ROWS_UNSET: the view's own number */
	uint64_t process;
	uint64_t thread;
	const char *from;
	const char *to;
	const char *group;
	const char *fold;
	const char *include;
	const char *exclude;
	const char *fold_percent;
	const char *activity;
	bool raw_names;
	bool tiers;
	bool tree;
	const char *callers;
	const char *callees;
	const char *by;
	bool when;
	bool inclusive;
	bool wall;
	bool verbose;
	const char *over;
};

#define REPORT_DEFAULTS                                                                            \
	{                                                                                          \
		.rows = REPORT_ROWS_UNSET, .process = REPORT_NOT_SAID, .thread = REPORT_NOT_SAID   \
	}

/* What reports and comparisons of them take alike. */
/* clang-format off */
#define REPORT_OPTIONS \
	OPTION(0, "json", struct report_args, json, NULL, "print one JSON object"), \
	OPTION(0, "csv", struct report_args, csv, NULL, "print the rows as CSV"), \
	OPTION('n', "number", struct report_args, rows, "N", "show so many rows"), \
	OPTION(0, "process", struct report_args, process, "PID", "only of this process"), \
	OPTION(0, "thread", struct report_args, thread, "TID", "only of this thread"), \
	OPTION(0, "from", struct report_args, from, "T", "from this time on: 1.5 or 1500ms"), \
	OPTION(0, "to", struct report_args, to, "T", "before this time"), \
	OPTION(0, "group", struct report_args, group, "PATTERNS", \
	       "modules, classes, just-my-code, none, or PAT->NAME;PAT=>NAME"), \
	OPTION(0, "fold", struct report_args, fold, "PATTERNS", "put frames into their callers"), \
	OPTION(0, "include", struct report_args, include, "PATTERNS", "stacks with all of these"), \
	OPTION(0, "exclude", struct report_args, exclude, "PATTERNS", "stacks with none of these")
/* clang-format on */

#define REPORT_ROWS_UNSET UINT32_MAX
#define REPORT_NOT_SAID	  UINT64_MAX

struct report {
	const char *path;
	const struct report_args *args;
	const struct report_view *view;
	struct model model;
	struct sample_query samples;
	struct call_query calls;
	int64_t over_ns; /* --over; -1: not said */
	void *analysis;	 /* the view's own, of its `size` */
	struct pp_error *err;

	/* where it goes */
	FILE *out;
	size_t width; /* of a line; 0: any */
	struct buffer text;
	struct json json;
	bool any; /* something was printed for people */
};

struct report_view {
	const char *name;
	const char *summary;
	const char *missing; /* a sentence's part: "it has no samples" */
	const char *remedy;  /* the command that records what is missing; or NULL */
	bool marks;	     /* it needs marks and tasks: see fill.h */
	bool tasks;	     /* stacks are to begin where tasks were made */
	bool by_time;	     /* methods and trees go by time, not by samples */

	/* For a view that counts events by itself; NULL where the model has all. */
	size_t size;
	void (*begin)(struct report *report);
	void (*event)(struct report *report, struct fill *fill, const struct pp_event *event);
	void (*end)(struct report *report); /* releases */

	bool (*available)(const struct report *report);
	void (*show)(struct report *report); /* an error goes to report->err */
};

extern const struct report_view *const report_views[]; /* in the order of the help; NULL ends it */

/* NULL, and an error that names what was perhaps meant, if there is none. */
const struct report_view *report_view_find(const char *name, struct pp_error *err);

/* What the options say of samples and calls; release `calls` also if that failed. */
int report_query(const struct report_args *args, struct sample_query *samples,
		 struct call_query *calls, struct pp_error *err);

/* -1 with an error if one is given that is another view's own. */
int report_check_options(const struct report_view *view, const struct option_spec *options,
			 const struct report_args *args, struct pp_error *err);

/* Reads the trace at `path` into the report; -1 with an error. */
int report_read(struct report *report, struct pp_error *err);
void report_release(struct report *report);

/* Prints it all: what it is, what the view shows, what is missing. */
int report_print(struct report *report, struct pp_error *err);

/* The same for --json, but it stays in `text`. */
int report_json(struct report *report, struct pp_error *err);

/* The same in parts, for what is no view: `text` collects data, and goes out at the end. */
void report_begin(struct report *report);
void report_end(struct report *report);

/* For views. */
bool report_has_samples(const struct report *report);
bool report_always(const struct report *report);
void report_count(struct report *report, const char *key, const char *title, uint64_t count);
void report_time(struct report *report, const char *key, const char *title, int64_t time_ns);
void report_sheet(struct report *report, const struct sheet *sheet);
void report_line(struct report *report, const char *text); /* for people only */
size_t report_rows(const struct report *report, size_t default_for_people);

/* The process that all is about, or MODEL_NONE: then rows have to say theirs. */
uint32_t report_process(const struct report *report);

/* Sums up the samples that pass, all or those on a processor. */
void report_calltree(struct report *report, struct calltree *tree, bool all);

#endif
