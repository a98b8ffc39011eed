/* SPDX-License-Identifier: MIT */
/*
 * format.h - the formats of `perfpipe convert`, and how to add one.
 *
 * A format is one file src/export/NAME.c with a `const struct export_format` at its end, and
 * one row in formats.c. It reads an export_source (source.h), which has processes, threads
 * and samples of the requested view, filtered and folded, and appends bytes to
 * `out->bytes`. It prints nothing and opens nothing: names, replacing files, the temporary file and
 * progress are handled for it. Steps:
 *
 *   1. src/export/NAME.c as below, with calls of output_buffer_flush(), so that memory does not
 * grow with the output.
 *   2. the row in formats.c.
 *   3. its row in doc/man/perfpipe-convert.1, README.md, CHANGELOG.md.
 *   4. a test in tests/interop that runs a real reader on it, also in convert_hostile.sh; a
 *      strict reader for tests/unit/format_readers.h, and its row in test_export_totals.c and
 *      in fuzz/fuzz_export.c, which fails without one.
 *
 *	static void write_output(struct export_source *source, struct output_buffer *out)
 *	{
 *		for (size_t i = 0; i < source->thread_count; i++) {
 *			put_thread(source, &source->threads[i], &out->bytes);
 *			output_buffer_flush(out);
 *			output_buffer_progress(out, i + 1, source->thread_count);
 *		}
 *	}
 *
 *	const struct export_format export_pprof = {
 *		.name = "pprof",
 *		.extensions = { ".pb.gz", ".pprof" },
 *		.summary = "for go tool pprof, Pyroscope and others",
 *		.many = true,
 *		.write = write_output,
 *	};
 */
#ifndef EXPORT_FORMAT_H
#define EXPORT_FORMAT_H

#include "base/error.h"
#include "export/output_buffer.h"
#include "export/source.h"

struct event_format;

/* For a format that is written event by event. */
struct export_stream {
	size_t size; /* of `self`, which begins as zeros */
	void (*begin)(void *self, const struct export_format *format,
		      const struct export_query *query, struct output_buffer *out);
	event_handler *event; /* gets all events, also those that the query does not want */
	/* Releases, too; `trace` is NULL if reading it failed. */
	int (*end)(void *self, const struct pp_nettrace *trace, struct pp_error *err);
};

struct export_format {
	const char *name;	    /* lower case; people may write it in any */
	const char *extensions[4];  /* the first is used for new files, all are recognized */
	const char *json_extension; /* of its JSON form; NULL: none */
	const char *summary;	    /* for the help: at most 54 columns, no capital, no full stop */
	const char *opens;	    /* where people look at it: "in PerfView"; NULL: anywhere */
	bool many;		    /* a file may hold several traces */
	bool spans;		    /* it shows spans and counters */
	bool details;		    /* it shows where frames come from, and links */
	bool times;		    /* of the views it shows only those of time */
	bool binary;		    /* not for a terminal */

	void (*write)(struct export_source *source, struct output_buffer *out);
	const struct export_stream *stream; /* writes events instead of samples */
	const struct event_format *events;  /* that a stream of text writes them in */
};

extern const struct export_format *const export_formats[]; /* NULL ends it */

/* By name, in any case; NULL and an error if it is unknown. */
const struct export_format *export_format_find(const char *name, struct pp_error *err);

/* By the extension of a file; NULL if that is ambiguous or unknown. */
const struct export_format *export_format_for_file(const char *path);

#endif
