/* SPDX-License-Identifier: MIT */
/*
 * nettrace.h - reading .nettrace and .netperf traces.
 *
 * The reader takes bytes and returns events; it does no I/O, so files, sockets and memory are
 * all read the same way. Events come in order of time across threads. Any bytes are safe.
 *
 *	struct pp_error err = { 0 };
 *	const struct pp_event *event;
 *	struct pp_nettrace *trace = pp_nettrace_new(NULL, &err);
 *	enum pp_next next;
 *
 *	while ((next = pp_nettrace_next(trace, &event, &err)) > PP_NEXT_END)
 *		if (next == PP_NEXT_ITEM)
 *			use(event);
 *		else if ((size = read(fd, bytes, sizeof(bytes))) > 0)
 *			pp_nettrace_feed(trace, bytes, (size_t)size);
 *		else
 *			pp_nettrace_end(trace);
 *	pp_nettrace_free(trace);
 *
 * examples/read_bytes.c is a complete program. A reader may be used by one thread at a time;
 * different readers are independent.
 */
#ifndef PERFPIPE_NETTRACE_H
#define PERFPIPE_NETTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"
#include "perfpipe/event.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_nettrace;

/* The result of asking for the next event. */
enum pp_next {
	PP_NEXT_ERROR = -1, /* the bytes violate the format, and complete events came before; or
				memory is gone */
	PP_NEXT_END = 0,    /* no more events */
	PP_NEXT_ITEM = 1,   /* `*event` is set */
	PP_NEXT_MORE = 2,   /* feed more bytes, or call pp_nettrace_end() */
};

struct pp_nettrace_options {
	size_t size;	     /* of this struct */
	bool file_order;     /* in the order of the file: faster, and nothing is held back */
	size_t held_at_most; /* bytes of events held back for sorting; 0: 256 MiB */

	/*
	 * Bytes of definitions (kinds, threads, stacks, labels) that may be kept, beyond which a
	 * trace is an error of the code PP_ERROR_LIMIT; 0: 4 GiB.
	 */
	size_t tables_at_most;
	bool no_stacks; /* events have none, which needs far less memory */
};

/* The header of the trace. What a version does not have is -1 or NULL. */
struct pp_trace_header {
	bool netperf;	   /* the old container, versions 1 to 3 */
	int version;	   /* as in the file, where V5 is 4 */
	int minor_version; /* -1 before version 6 */
	int64_t start_ns;  /* Unix time at `start_ticks` */
	int64_t start_ticks;
	int64_t ticks_per_second;
	int pointer_size;
	int64_t process_id;
	int processors;
	bool native_aot; /* written by NativeAOT's runtime: no CPU sampler, no JIT, no method names
			  */
	int64_t sampling_ns; /* expected sampling interval */
	const struct pp_pair *properties;
	size_t property_count;
};

/* Totals so far. */
struct pp_trace_totals {
	uint64_t events;      /* returned; metadata records do not count */
	uint64_t lost;	      /* from gaps in sequence numbers, which begin at 1 for each thread */
	uint64_t lost_before; /* of them, before the first event of their thread */
	/* `lost` is a lower bound: some were, and a thread without any event left is not known */
	bool lost_at_least; /* in NetPerf always, since it has no numbers */
	uint64_t late;	    /* returned after a younger event, since the file broke its promise */
	uint64_t bytes;	    /* of the trace read */
	size_t stacks;	    /* distinct ones */
	bool complete;	    /* the end mark was read */
	uint64_t whole;	    /* bytes up to the end of the last complete block; not in NetPerf */
	size_t missing;	    /* after PP_NEXT_MORE: bytes to go on with, never beyond the block */
	uint64_t trailing;  /* of `bytes`: those after the end mark */
};

/* NULL options are the defaults. NULL, with an error, if they are invalid or memory is gone. */
PP_API struct pp_nettrace *pp_nettrace_new(const struct pp_nettrace_options *options,
					   struct pp_error *err);
PP_API void pp_nettrace_free(struct pp_nettrace *trace); /* accepts NULL */

/*
 * Lends the next bytes of the trace to the reader. They are not copied, and must stay valid
 * until pp_nettrace_next() asks for more; what is needed longer is copied then. Feed only when
 * it has asked. If there is no memory for that, pp_nettrace_next() fails; so it is for all ways of
 * feeding.
 */
PP_API void pp_nettrace_feed(struct pp_nettrace *trace, const void *bytes, size_t size);

/*
 * Passes ownership of memory, such as a file mapping: the reader calls release(bytes, size)
 * when no event needs it any more, and also if it fails.
 */
PP_API void pp_nettrace_feed_taken(struct pp_nettrace *trace, void *taken, size_t size,
				   void (*release)(void *bytes, size_t size));

/*
 * Reads into the reader's own memory: at least 64 KiB to fill, and how many bytes were filled. NULL
 * and a size of 0 if memory is gone.
 */
PP_API void *pp_nettrace_room(struct pp_nettrace *trace, size_t *size);
PP_API void pp_nettrace_filled(struct pp_nettrace *trace, size_t size);

/* No more bytes will come. Events still held back are returned, then PP_NEXT_END. */
PP_API void pp_nettrace_end(struct pp_nettrace *trace);

/* `*event` is valid until the next call. */
PP_API enum pp_next pp_nettrace_next(struct pp_nettrace *trace, const struct pp_event **event,
				     struct pp_error *err);

/* NULL until the header has been read; owned by the reader, as everything below. */
PP_API const struct pp_trace_header *pp_nettrace_header(const struct pp_nettrace *trace);
PP_API struct pp_trace_totals pp_nettrace_totals(const struct pp_nettrace *trace);

/* All threads and kinds so far, by index; NULL past the last. */
PP_API const struct pp_thread *pp_nettrace_thread(const struct pp_nettrace *trace, size_t index);
PP_API const struct pp_kind *pp_nettrace_kind(const struct pp_nettrace *trace, size_t index);

/* Nanoseconds since the start time in the header; negative before it. */
PP_API int64_t pp_trace_time_ns(const struct pp_trace_header *header, int64_t ticks);

#ifdef __cplusplus
}
#endif

#endif
