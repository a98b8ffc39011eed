/* SPDX-License-Identifier: MIT */
/*
 * nettrace_append.h - adding events to a NetTrace 4 file that was cut short.
 *
 * When a traced process is killed, its recording ends without an end mark, maybe
 * inside a block, and without the names of its methods. Find where its last
 * whole block ends, cut the file there, and add events and the end mark.
 *
 *	struct pp_tail_scan *scan = pp_tail_new();
 *	while ((size = read(fd, bytes, sizeof(bytes))) > 0)
 *		pp_tail_feed(scan, bytes, (size_t)size);
 *	if (pp_tail_close(scan, &tail, &err))
 *		return;
 *	ftruncate(fd, (off_t)tail.end);
 *	lseek(fd, (off_t)tail.end, SEEK_SET);
 *
 *	struct pp_append *append = pp_append_new(&sink, &tail, &err);
 *	const uint32_t stop = pp_append_kind(append, &kind, &err);
 *	pp_append_event(append, &(struct pp_append_event){ .kind = stop, .cpu = -1 }, &err);
 *	pp_append_close(append, &err);
 */
#ifndef PERFPIPE_NETTRACE_APPEND_H
#define PERFPIPE_NETTRACE_APPEND_H

#include "perfpipe/nettrace_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What whoever goes on with a file must know of it. */
struct pp_tail {
	int version;	      /* 4, or 6 */
	bool complete;	      /* it has its end mark, which stands at `end` */
	uint64_t end;	      /* offset behind the last whole block, and how many bytes */
	uint64_t torn;	      /* are there behind that, the end mark included */
	int64_t newest_ticks; /* of the events before `end`, and of the header's clock */
	uint32_t free_kind;   /* this metadata id and those above it are not used; 0: all are */
	uint64_t free_thread; /* no event is of this thread */
	int pointer_size;
};

struct pp_tail_scan;

/* The way of pp_nettrace: bytes go in, in pieces of any size. */
PP_API struct pp_tail_scan *pp_tail_new(void);
PP_API void pp_tail_feed(struct pp_tail_scan *scan, const void *bytes, size_t size);

/*
 * All bytes have gone in: what there is, and the scan is freed. -1 if this is no
 * NetTrace, if its header is not whole, or if its bytes contradict the format;
 * in that last case `tail` is right up to the block before.
 */
PP_API int pp_tail_close(struct pp_tail_scan *taken, struct pp_tail *tail, struct pp_error *err);

/* The same of a trace while it is read, or has been: of what the reader was given and looked at. */
PP_API int pp_nettrace_tail(const struct pp_nettrace *trace, struct pp_tail *tail,
			    struct pp_error *err);

struct pp_append_event {
	uint32_t kind; /* from pp_append_kind() */
	int32_t cpu;   /* -1: unknown */
	int64_t thread_id;
	int64_t ticks; /* moved behind all events before it, since names must come last */
	const uint64_t *stack;
	size_t stack_count;
	const uint8_t *activity_id; /* 16 bytes, or NULL */
	const uint8_t *related_activity_id;
	const void *payload;
	size_t payload_size;
};

struct pp_append;

/* For a file of version 4 that was cut at `tail->end`. NULL if it is another. */
PP_API struct pp_append *pp_append_new(const struct pp_sink *sink, const struct pp_tail *tail,
				       struct pp_error *err);

/* As pp_writer_kind(); version 4 has no types above PP_TYPE_ARRAY but PP_TYPE_BOOL8. */
PP_API uint32_t pp_append_kind(struct pp_append *append, const struct pp_kind *kind,
			       struct pp_error *err);
PP_API int pp_append_event(struct pp_append *append, const struct pp_append_event *event,
			   struct pp_error *err);

/* Writes what is left and the end mark, and frees it. Takes NULL. */
PP_API int pp_append_close(struct pp_append *append, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
