/* SPDX-License-Identifier: MIT */
/*
 * trace.h - the events of any trace file, or of bytes that come from elsewhere.
 *
 * Opens what `perfpipe` opens: .nettrace and .netperf, plain or compressed as gzip, zstd or in
 * a zip archive, recognised by content. Events come in order of time; fields.h names them and
 * reads their fields.
 *
 *	struct pp_error err = { 0 };
 *	struct pp_trace *trace = pp_trace_open("app.nettrace.zst", NULL, &err);
 *	const struct pp_event *event;
 *
 *	while (trace && pp_trace_next(trace, &event, &err) == PP_NEXT_ITEM)
 *		printf("%s\n", pp_event_name(trace, event));
 *	if (err.code)
 *		fprintf(stderr, "%s\n", err.text);
 *	pp_trace_close(trace);
 *
 * A trace that ends early is read as far as it goes; pp_trace_state() says so afterwards. It may
 * be used by one thread at a time; different traces are independent.
 */
#ifndef PERFPIPE_TRACE_H
#define PERFPIPE_TRACE_H

#include "perfpipe/nettrace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_trace;

struct pp_trace_options {
	size_t size;	 /* of this struct */
	bool file_order; /* in the order of the file: faster, and nothing is held back */
	bool no_stacks;	 /* events have none, which needs far less memory */
};

/* "-" is standard input, "app.zip:b.nettrace" a member of an archive. NULL options: defaults. */
PP_API struct pp_trace *pp_trace_open(const char *path, const struct pp_trace_options *options,
				      struct pp_error *err);

/* A trace whose bytes the caller has, such as those of a session (session.h). */
PP_API struct pp_trace *pp_trace_new(const struct pp_trace_options *options, struct pp_error *err);
PP_API void pp_trace_close(struct pp_trace *trace); /* accepts NULL */

/*
 * Of pp_trace_new(), before the first event and after PP_NEXT_MORE: the next bytes, which are
 * copied; then, no more.
 */
PP_API int pp_trace_feed(struct pp_trace *trace, const void *bytes, size_t size,
			 struct pp_error *err);
PP_API void pp_trace_end(struct pp_trace *trace);

/*
 * The next event, valid until the next call; kinds, threads and stacks are valid until the trace is
 * closed. PP_NEXT_MORE comes only from a trace of pp_trace_new().
 */
PP_API enum pp_next pp_trace_next(struct pp_trace *trace, const struct pp_event **event,
				  struct pp_error *err);

/* NULL before the first event. */
PP_API const struct pp_trace_header *pp_trace_header(const struct pp_trace *trace);
PP_API struct pp_trace_totals pp_trace_totals(const struct pp_trace *trace);

/* Nanoseconds since the start of the trace, for which the header has the Unix time. */
PP_API int64_t pp_event_time_ns(const struct pp_trace *trace, const struct pp_event *event);

/* After the last event: whether the file is what was written, as far as that can be known. */
enum pp_trace_state {
	PP_TRACE_WHOLE,
	PP_TRACE_CUT,	  /* the trace or its compressed data ends early */
	PP_TRACE_DAMAGED, /* its checksum is wrong: so may be anything in it */
};

PP_API enum pp_trace_state pp_trace_state(const struct pp_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
