/* SPDX-License-Identifier: MIT */
/*
 * format.h - what a format of `perfpipe convert` is, and how one is added.
 *
 * A format is one file src/export/NAME.c with a `const struct export_format` at its end, and
 * one row in formats.c. It reads an export_source (source.h), which has processes, threads
 * and samples of the view that was asked for, filtered and folded, and appends bytes to
 * `out->bytes`. It says nothing and opens nothing: names, --force, the temporary file and
 * progress are done for it. Steps:
 *
 *   1. src/export/NAME.c as below; whoever appends much calls output_buffer_flush() now and then,
 *      so that memory does not grow with the output.
 *   2. the row in formats.c.
 *   3. its row in doc/man/perfpipe-convert.1, README.md, CHANGELOG.md.
 *   4. a test in tests/interop that lets a real reader read it, also in convert_hostile.sh; a
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

/* For a format that is made of events one by one, instead of `write`. */
struct export_stream {
	size_t size; /* of `self`, which begins as zeros */
	void (*begin)(void *self, const struct export_format *format,
		      const struct export_query *query, struct output_buffer *out);
	event_handler
		*event; /* gets all events; the pass has the query's process, thread and time */
	/* Releases, too; `trace` is NULL if reading it failed. */
	int (*end)(void *self, const struct pp_nettrace *trace, struct pp_error *err);
};

struct export_format {
	const char *name;	    /* lower case; people may write it in any */
	const char *extensions[4];  /* the first is that of files we name; the others are known */
	const char *json_extension; /* NULL: it has no second form, JSON */
	const char *summary;	    /* a line's part for the help: no capital, no full stop */
	bool many;		    /* one output may hold several traces */
	bool spans;		    /* it shows spans and counters */
	bool tasks;		    /* and tasks */
	bool details;		    /* it shows where frames come from, and links */
	bool times;		    /* of views that were asked for it shows those of time alone */
	bool binary;		    /* nothing for a terminal */

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
