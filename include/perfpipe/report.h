/* SPDX-License-Identifier: MIT */
/*
 * report.h - the answers of `perfpipe report`: GCs, hot methods, lock contention, requests.
 *
 * A view is an answer, with the names and options of perfpipe-report(1). It runs over one file or
 * several, or over a live stream, and gives a result, which result.h walks.
 *
 *	struct pp_report *report = pp_report_new("gc", NULL, &err);
 *	const struct pp_result *result = NULL;
 *
 *	if (report && !pp_report_add_file(report, "app.nettrace", &err))
 *		result = pp_report_build(report, &err);
 *	...
 *	pp_report_free(report);
 *
 * A report may be used by one thread at a time, and so may its result; different reports are
 * independent.
 */
#ifndef PERFPIPE_REPORT_H
#define PERFPIPE_REPORT_H

#include "perfpipe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_report;

/* An option of the view, as on the command line without its dashes: { "process", "4711" }. */
struct pp_report_option {
	const char *name;
	const char *value; /* NULL for one that takes none */
};

struct pp_report_options {
	size_t size; /* of this struct */
	const struct pp_report_option *options;
	size_t option_count;
	size_t rows; /* of each list at most; 0: as many as in `format` */

	/* Lists are as long as `perfpipe report` prints them in this format; NULL: in "json". */
	const char *format;
	bool several_files; /* more than one is added, and rows say each one's share */
	bool symbol_cache;  /* reads and writes the user's cache of symbol tables */
	bool network;	    /* may ask the debuginfod servers of DEBUGINFOD_URLS for symbols */
};

/* The views of `perfpipe report`: the one at `index`, or false past the last. */
struct pp_report_view {
	const char *name;
	const char *summary;
};

PP_API bool pp_report_view(size_t index, struct pp_report_view *view);

/* NULL if there is no such view, or it has no such option. NULL options: the defaults. */
PP_API struct pp_report *pp_report_new(const char *view, const struct pp_report_options *options,
				       struct pp_error *err);
PP_API void pp_report_free(struct pp_report *report); /* accepts NULL; frees its result, too */

/*
 * Reads a file to its end, any that pp_trace_open() opens; several are one trace, each beginning
 * where the one before it ended. Returns 0; 1 if the file ends early or is damaged: the error says
 * so, and there is an answer from what could be read; or -1. Other files may be added also then.
 */
PP_API int pp_report_add_file(struct pp_report *report, const char *path, struct pp_error *err);

/*
 * Instead of files: bytes of a trace as they come, such as those of a session (session.h). They are
 * copied. -1 once they violate the format, and there is an answer from those before.
 */
PP_API int pp_report_feed(struct pp_report *report, const void *bytes, size_t size,
			  struct pp_error *err);

/* The answer, after which nothing can be added. It lives as long as the report. */
PP_API const struct pp_result *pp_report_build(struct pp_report *report, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
