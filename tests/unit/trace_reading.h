/* SPDX-License-Identifier: MIT */
/*
 * trace_reading.h - the output of the reader, for any way of feeding it.
 *
 * Lent memory is freed as soon as the reader asks for more, and memory passed to it is
 * overwritten when it is released: a sanitizer sees any use after that.
 *
 *	struct reading r = read_built(&b);
 *	assert_int_equal(r.count, 2);
 *	assert_string_equal(r.events[1].kind->name, "Ping");
 *	reading_release(&r);
 */
#ifndef TRACE_READING_H
#define TRACE_READING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "perfpipe/nettrace.h"
#include "trace_builder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum feeding {
	FEED_LENT,
	FEED_TAKEN,
	FEED_ROOM,
};

struct reading_options {
	enum feeding feeding;
	size_t piece;	  /* 0: all at once */
	uint32_t seed;	  /* not 0: pieces of random sizes, up to `piece` */
	bool end_at_once; /* signalled with the last piece, not when more is requested */
	struct pp_nettrace_options reader;
};

/* An event with copies of everything that is only valid for a moment. */
struct seen {
	int64_t ticks;
	int32_t cpu;
	const struct pp_kind *kind;
	const struct pp_thread *thread;
	const struct pp_stack *stack;
	const struct pp_labels *labels;
	const uint8_t *payload;
	size_t payload_size;
	uint64_t at_byte; /* bytes fed when it was returned */
};

struct reading {
	struct pp_nettrace *trace;
	struct seen *events;
	size_t count;
	size_t capacity;
	enum pp_next last; /* PP_NEXT_END or PP_NEXT_ERROR */
	struct pp_error err;
	struct pp_trace_totals totals;
	const struct pp_trace_header *header; /* or NULL */
	uint64_t digest;		      /* over everything returned */
};

struct reading read_bytes(struct literal bytes, struct reading_options options);
struct reading read_built(const struct builder *b); /* whole */
void reading_release(struct reading *r);

/* Only the digest, without keeping anything: for traces of any size. */
uint64_t digest_of(struct literal bytes, struct reading_options options);

/* Ends the trace under construction, reads it, and releases the builder. It must be complete. */
struct reading read_finished(struct builder *b);

/* The trace is complete, without an error, and has this many events. */
void expect_whole(const struct reading *r, size_t count);

/* Ends the trace, which must give this many events and then this sentence. */
void expect_error(struct builder *b, size_t count, const char *sentence);

#endif
