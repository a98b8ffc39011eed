/* SPDX-License-Identifier: MIT */
/*
 * nettrace_writer.h - writing .nettrace traces (version 6).
 *
 * The writer takes events and passes bytes to a sink; it does no I/O of its own, so files,
 * sockets and memory are all written the same way. Events are written in groups of about 1 MiB,
 * each sorted by time first: within a group they may be added in any order. Only one group is
 * kept in memory.
 *
 *	struct pp_writer *writer = pp_writer_new(&(struct pp_writer_options){
 *		.size = sizeof(struct pp_writer_options), .sink = { write_to_file, file },
 *		.start_ns = now, .start_ticks = clock, .ticks_per_second = 1000000000 }, &err);
 *	const uint32_t tick = pp_writer_kind(writer, &(struct pp_kind){
 *		.provider = "Demo", .name = "Tick", .id = 1, .opcode = -1 }, &err);
 *	const uint64_t thread = pp_writer_thread(writer, &(struct pp_thread){
 *		.process_id = getpid(), .id = gettid() }, &err);
 *
 *	pp_writer_event(writer, &(struct pp_new_event){
 *		.kind = tick, .thread = thread, .ticks = clock, .cpu = -1 }, &err);
 *	if (pp_writer_close(writer, &err))
 *		puts(err.text);
 *
 * examples/write_trace.c is a complete program. A call that is rejected (a limit of the format,
 * an invalid handle) fails and leaves the writer unchanged. Once the sink has failed or memory is
 * gone, every call does nothing and fails with the reason, and so does pp_writer_close(): results
 * of the others need not be checked. A writer may be used by one thread at a time; different
 * writers are independent.
 */
#ifndef PERFPIPE_NETTRACE_WRITER_H
#define PERFPIPE_NETTRACE_WRITER_H

#include "perfpipe/nettrace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes all bytes and returns 0; or returns -1 and sets errno. */
struct pp_sink {
	int (*write)(void *context, const void *bytes, size_t size);
	void *context;
};

struct pp_writer_options {
	size_t size; /* of this struct */
	struct pp_sink sink;
	int64_t start_ns;	  /* Unix time, stored in milliseconds */
	int64_t start_ticks;	  /* the clock at that time; no event should be older */
	int64_t ticks_per_second; /* of the clock */
	int pointer_size;	  /* 4 or 8; 0: 8 */
	/*
	 * "HardwareThreadCount" should exceed every CPU number; "ProcessId",
	 * "ExpectedCPUSamplingRate" (ns) and "SystemPageSize" have a meaning as well.
	 */
	const struct pp_pair *properties;
	size_t property_count;
	size_t group_size; /* bytes of events in a group, up to 8 MiB; 0: 1 MiB */
};

/* An event to be written, one of many; everything in it is copied. */
struct pp_new_event {
	uint32_t kind;		 /* from pp_writer_kind() */
	int32_t cpu;		 /* -1: unknown */
	uint64_t thread;	 /* the thread it belongs to, from pp_writer_thread() */
	uint64_t capture_thread; /* the thread that wrote it; 0: the same */
	int64_t ticks;
	const uint64_t *stack; /* addresses, leaf first */
	size_t stack_count;
	const struct pp_labels *labels; /* or NULL */
	const void *payload;		/* see nettrace_payload.h */
	size_t payload_size;
};

struct pp_writer_totals {
	uint64_t events;
	uint64_t lost;	/* reported by pp_writer_lost() */
	uint64_t late;	/* events older than one of an earlier group */
	uint64_t bytes; /* accepted by the sink */
};

struct pp_writer;

/* Writes the header at once. NULL if the options are invalid, or memory is gone. */
PP_API struct pp_writer *pp_writer_new(const struct pp_writer_options *options,
				       struct pp_error *err);

/* Writes the rest and the end mark, and frees the writer. Accepts NULL. */
PP_API int pp_writer_close(struct pp_writer *writer, struct pp_error *err);

/*
 * Defines a kind of event; returns a handle, or 0. Everything in `kind` except its index is
 * written; the definition with its fields may take 65,535 bytes. Level, version and opcode must
 * be below 256.
 */
PP_API uint32_t pp_writer_kind(struct pp_writer *writer, const struct pp_kind *kind,
			       struct pp_error *err);

/*
 * Defines a thread; returns a handle, or 0. Its ids, name and pairs are written, except
 * negative ids. When the thread has ended, pp_writer_thread_end() frees the handle; the writer
 * keeps a few bytes for each thread that has not.
 */
PP_API uint64_t pp_writer_thread(struct pp_writer *writer, const struct pp_thread *thread,
				 struct pp_error *err);
PP_API int pp_writer_thread_end(struct pp_writer *writer, uint64_t thread, struct pp_error *err);

PP_API int pp_writer_event(struct pp_writer *writer, const struct pp_new_event *event,
			   struct pp_error *err);

/* Records that `count` events written by `capture_thread` were lost, for readers to report. */
PP_API int pp_writer_lost(struct pp_writer *writer, uint64_t capture_thread, uint32_t count,
			  struct pp_error *err);

/* Writes everything to the sink; for live streams, about every 100 ms. */
PP_API int pp_writer_flush(struct pp_writer *writer, struct pp_error *err);

PP_API struct pp_writer_totals pp_writer_totals(const struct pp_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
