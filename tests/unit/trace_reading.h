/* SPDX-License-Identifier: MIT */
/*
 * trace_reading.h - what comes out of the reader, however the bytes go in.
 *
 * Lent memory is freed as soon as the reader asks for more, memory that is given
 * away is overwritten when it comes back: a sanitizer sees any use after that.
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
	uint32_t seed;	  /* not 0: pieces of random sizes, `piece` at most */
	bool end_at_once; /* said with the last piece, not when more is asked for */
	struct pp_nettrace_options reader;
};

/* An event with copies of what is good for a moment only. */
struct seen {
	int64_t ticks;
	int32_t cpu;
	const struct pp_kind *kind;
	const struct pp_thread *thread;
	const struct pp_stack *stack;
	const struct pp_labels *labels;
	const uint8_t *payload;
	size_t payload_size;
	uint64_t at_byte; /* how much had been fed when it came out */
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
	uint64_t digest;		      /* of all that was seen */
};

struct reading read_bytes(struct literal bytes, struct reading_options options);
struct reading read_built(const struct builder *b); /* whole */
void reading_release(struct reading *r);

/* The same, only the digest, and nothing kept: for traces of any size. */
uint64_t digest_of(struct literal bytes, struct reading_options options);

/* Ends the trace under construction, reads it, releases the builder. It must be whole. */
struct reading read_finished(struct builder *b);

/* The trace is read to its end mark without an error and has so many events. */
void expect_whole(const struct reading *r, size_t count);

/* Ends it, and reading must give so many events and then this sentence. */
void expect_error(struct builder *b, size_t count, const char *sentence);

#endif
