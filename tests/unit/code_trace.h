/* SPDX-License-Identifier: MIT */
/*
 * code_trace.h - small traces of events about code, and what the model makes of the addresses in
 * their samples. Times are in nanoseconds; there are three processes, with a thread each.
 *
 *	struct code_trace t;
 *
 *	code_trace_begin(&t);
 *	LOAD(&t, 10, .id = 1, .start = 0x1000, .name = "A");
 *	SAMPLE(&t, 0, 20, 0x1010);
 *	code_trace_end(&t);
 *	code_trace_expect(&t, false, "T.A()");
 *	code_trace_release(&t);
 */
#ifndef CODE_TRACE_H
#define CODE_TRACE_H

#include "base/buffer.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "fill/fill.h"
#include "perfpipe/nettrace_universal.h"
#include "trace_reading.h"

#define PROCESSES 3 /* with ids from 100 on */

/* Flags of a method: jitted, with this tier. */
#define TIER(tier) (8u | (tier) << 7)
#define OSR	   TIER(5u)
#define R2R	   0u

/* A trace that is written, and the model of it. */
struct code_trace {
	struct buffer bytes;
	struct pp_writer *writer;
	uint64_t threads[PROCESSES]; /* one of each process */
	struct pp_error err;
	struct model model;
};

void code_trace_begin(struct code_trace *s);
void code_trace_release(struct code_trace *s);

/* Of the process with this number; the payload is released. */
struct pp_new_event code_at(const struct code_trace *s, int process, int64_t now);
void code_event(struct code_trace *s, const char *provider, uint32_t id, struct pp_new_event event,
		struct buffer *payload);

struct method_spec {
	uint64_t id;
	uint64_t start;
	const char *name;
	uint32_t flags;
	uint32_t size;	 /* 0: 0x100 */
	uint64_t module; /* 0: 900 */
	int process;
};

void code_method(struct code_trace *s, const char *provider, uint32_t id, int64_t now,
		 const struct method_spec *method);

#define SPEC(...) (&(const struct method_spec){ __VA_ARGS__ })
#define LOAD(s, now, ...)                                                                          \
	code_method((s), CLR_RUNTIME_PROVIDER, CLR_METHOD_LOAD_VERBOSE, (now), SPEC(__VA_ARGS__))
#define UNLOAD(s, now, ...)                                                                        \
	code_method((s), CLR_RUNTIME_PROVIDER, CLR_METHOD_UNLOAD_VERBOSE, (now), SPEC(__VA_ARGS__))
#define RUNDOWN(s, now, ...)                                                                       \
	code_method((s), CLR_RUNDOWN_PROVIDER, RUNDOWN_METHOD_DC_END_VERBOSE, (now),               \
		    SPEC(__VA_ARGS__))

void code_load_module(struct code_trace *s, int process, int64_t now, uint64_t id,
		      const char *path);
void code_unload_module(struct code_trace *s, int process, int64_t now, uint64_t id);
void code_map_file(struct code_trace *s, int process, uint64_t id, uint64_t start,
		   const char *path);
void code_add_symbol(struct code_trace *s, int process, uint64_t mapping, uint64_t start,
		     const char *name);

/* The leaf first. */
void code_sample(struct code_trace *s, int process, int64_t now, const uint64_t *addresses,
		 size_t count);
#define SAMPLE(s, process, now, ...)                                                               \
	code_sample((s), (process), (now), (const uint64_t[]){ __VA_ARGS__ },                      \
		    COUNT(((const uint64_t[]){ __VA_ARGS__ })))

/* Writes the rest, reads the trace and builds the model; it is whole. */
void code_trace_end(struct code_trace *s);
void code_trace_end_with(struct code_trace *s, struct fill_options options);

/* The same for the first `size` bytes of a trace that was closed. */
void code_trace_read(struct code_trace *s, size_t size, struct fill_options options);

/* The stacks of all samples in order of time, from the root, separated by blanks. */
void code_trace_expect(const struct code_trace *s, bool modules, const char *expected);

#endif
