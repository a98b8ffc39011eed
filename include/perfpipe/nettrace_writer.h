/* SPDX-License-Identifier: MIT */
/*
 * nettrace_writer.h - writing .nettrace traces (version 6).
 *
 * The writer takes events and hands bytes to a sink; it does no I/O of its own,
 * so files, sockets and memory are all written the same way. Events go out in
 * groups of about 1 MiB, each put in order of time first: inside a group they
 * may come in any order. Only one group is ever kept.
 *
 *	struct pp_writer *writer = pp_writer_new(&(struct pp_writer_options){
 *		.sink = { write_to_file, file },
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
 * examples/write_trace.c is the whole program. A call that is refused (a limit
 * of the format, a handle that is none) says so and leaves the writer as it was.
 * When the sink fails, every call from then on does nothing and says why, and so
 * does pp_writer_close(): the result of the others need not be looked at.
 * One thread at a time may use a writer; different writers share nothing.
 */
#ifndef PERFPIPE_NETTRACE_WRITER_H
#define PERFPIPE_NETTRACE_WRITER_H

#include "perfpipe/nettrace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where bytes go: all of them, and 0; or -1 with errno set. */
struct pp_sink {
	int (*write)(void *context, const void *bytes, size_t size);
	void *context;
};

struct pp_writer_options {
	struct pp_sink sink;
	int64_t start_ns;	  /* Unix time, kept to the millisecond, */
	int64_t start_ticks;	  /* and the clock's reading then; no event should be older */
	int64_t ticks_per_second; /* of the clock */
	int pointer_size;	  /* of addresses: 4 or 8; 0 means 8 */
	/*
	 * "HardwareThreadCount" should be above every processor number; others with a meaning
	 * are "ProcessId", "ExpectedCPUSamplingRate" (ns) and "SystemPageSize".
	 */
	const struct pp_pair *properties;
	size_t property_count;
	size_t group_size; /* bytes of events in a group; 0 means 1 MiB, the most is 8 MiB */
};

/* An event to be written. Nothing in it is kept: all is copied. */
struct pp_new_event {
	uint32_t kind;		 /* from pp_writer_kind() */
	int32_t cpu;		 /* -1: unknown */
	uint64_t thread;	 /* that it is about, from pp_writer_thread() */
	uint64_t capture_thread; /* that wrote it; 0: the same */
	int64_t ticks;
	const uint64_t *stack; /* addresses, leaf first */
	size_t stack_count;
	const struct pp_labels *labels; /* or NULL */
	const void *payload;		/* nettrace_payload.h helps to build it */
	size_t payload_size;
};

struct pp_writer_totals {
	uint64_t events;
	uint64_t lost;	/* as told by pp_writer_lost() */
	uint64_t late;	/* events older than one of a group before: they are read behind it */
	uint64_t bytes; /* that the sink has taken */
};

struct pp_writer;

/* Writes the header at once. NULL if the options make no sense. */
PP_API struct pp_writer *pp_writer_new(const struct pp_writer_options *options,
				       struct pp_error *err);

/* Writes what is left and the end mark, and frees the writer. Takes NULL. */
PP_API int pp_writer_close(struct pp_writer *writer, struct pp_error *err);

/*
 * Define a kind of event: a handle for it, or 0. All of `kind` is written but its
 * index; the definition, fields and all, may take 65,535 bytes. Level, version
 * and opcode must be below 256.
 */
PP_API uint32_t pp_writer_kind(struct pp_writer *writer, const struct pp_kind *kind,
			       struct pp_error *err);

/*
 * Announce a thread: a handle for it, or 0. Its ids, name and pairs are written;
 * a negative id is not said. When it has ended, pp_writer_thread_end() lets go of
 * the handle; the writer keeps some bytes for each thread that has not.
 */
PP_API uint64_t pp_writer_thread(struct pp_writer *writer, const struct pp_thread *thread,
				 struct pp_error *err);
PP_API int pp_writer_thread_end(struct pp_writer *writer, uint64_t thread, struct pp_error *err);

PP_API int pp_writer_event(struct pp_writer *writer, const struct pp_new_event *event,
			   struct pp_error *err);

/* `count` events that `capture_thread` wrote now were lost: readers will say so. */
PP_API int pp_writer_lost(struct pp_writer *writer, uint64_t capture_thread, uint32_t count,
			  struct pp_error *err);

/* Hand all that is there to the sink: for live streams, about every 100 ms. */
PP_API int pp_writer_flush(struct pp_writer *writer, struct pp_error *err);

PP_API struct pp_writer_totals pp_writer_totals(const struct pp_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
