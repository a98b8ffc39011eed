/* SPDX-License-Identifier: MIT */
/*
 * nettrace_append.h - adding events to a truncated NetTrace 4 file.
 *
 * When a traced process is killed, its recording ends without an end mark, possibly inside a
 * block, and without the names of its methods. Find where the last complete block ends,
 * truncate the file there, and add events and the end mark.
 *
 *	struct pp_tail_scan *scan = pp_tail_new(&err);
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

/* What is needed to continue a file. */
struct pp_tail {
	int version;	      /* 4 or 6 */
	bool complete;	      /* it has an end mark, which is at `end` */
	uint64_t end;	      /* offset after the last complete block */
	uint64_t torn;	      /* bytes after `end`, including the end mark */
	int64_t newest_ticks; /* newest time of the header and the events before `end` */
	uint32_t free_kind;   /* first of the unused metadata ids; 0: none is left */
	uint64_t free_thread; /* a thread id that no event has */
	int pointer_size;
};

struct pp_tail_scan;

/* As with pp_nettrace, bytes are fed in pieces of any size. */
PP_API struct pp_tail_scan *pp_tail_new(struct pp_error *err); /* NULL if memory is gone */
PP_API void pp_tail_feed(struct pp_tail_scan *scan, const void *bytes, size_t size);

/*
 * Call after the last byte: sets `tail` and frees the scan. -1 if this is not NetTrace, if its
 * header is incomplete, if memory is gone, or if its bytes violate the format; in the last case
 * `tail` describes the blocks before that.
 */
PP_API int pp_tail_close(struct pp_tail_scan *taken, struct pp_tail *tail, struct pp_error *err);

/* The same for a trace that is being read, as far as it has been read. */
PP_API int pp_nettrace_tail(const struct pp_nettrace *trace, struct pp_tail *tail,
			    struct pp_error *err);

struct pp_append_event {
	uint32_t kind; /* from pp_append_kind() */
	int32_t cpu;   /* -1: unknown */
	int64_t thread_id;
	int64_t ticks; /* moved after all earlier events, since names must come last */
	const uint64_t *stack;
	size_t stack_count;
	const uint8_t *activity_id; /* 16 bytes, or NULL */
	const uint8_t *related_activity_id;
	const void *payload;
	size_t payload_size;
};

struct pp_append;

/* For a file of version 4 that was truncated at `tail->end`; else NULL. */
PP_API struct pp_append *pp_append_new(const struct pp_sink *sink, const struct pp_tail *tail,
				       struct pp_error *err);

/* Like pp_writer_kind(); of the types above PP_TYPE_ARRAY, version 4 has only PP_TYPE_BOOL8. */
PP_API uint32_t pp_append_kind(struct pp_append *append, const struct pp_kind *kind,
			       struct pp_error *err);
PP_API int pp_append_event(struct pp_append *append, const struct pp_append_event *event,
			   struct pp_error *err);

/* Writes the rest and the end mark, and frees `append`. Accepts NULL. */
PP_API int pp_append_close(struct pp_append *append, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
