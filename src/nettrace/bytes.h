/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - the incoming bytes of a trace.
 *
 * The parser sees one contiguous window, from `at` to `end`. It lies in a chunk, or in memory that
 * the caller lent until the reader asks for more. A record that straddles two pieces is assembled
 * in a chunk of ours; nothing else is copied. Chunks are reference counted: events held back keep
 * theirs.
 */
#ifndef NETTRACE_BYTES_H
#define NETTRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_drop;

struct chunk {
	unsigned refs;
	size_t capacity;
	size_t size; /* bytes filled */
	uint8_t *bytes;
	void (*release)(void *bytes, size_t size); /* frees memory that is not ours; else NULL */
	struct heap_drop *drop; /* the same, should the reader's heap be dropped */
	struct chunk *next_spare;
	uint8_t storage[];
};

struct bytes {
	const uint8_t *at;
	const uint8_t *end;
	struct chunk *chunk; /* holds the window; NULL: lent memory */
	const uint8_t *lent; /* bytes not yet in the window */
	const uint8_t *lent_end;
	struct chunk *lent_chunk; /* holds them, if the caller passed ownership */
	uint64_t offset;	  /* of `at` in the trace */
	bool ended;		  /* no more bytes will come */
	size_t missing;		  /* when the window last did not have what was wanted */
	struct chunk *spares;
	unsigned spare_count;
};

void bytes_lend(struct bytes *b, const void *bytes, size_t size);

/* A chunk over memory of the caller, which it releases from now on; then lends it. */
struct chunk *chunk_over(void *taken, size_t size, void (*release)(void *, size_t));
void bytes_lend_chunk(struct bytes *b, struct chunk *taken);
void *bytes_room(struct bytes *b, size_t *size);
void bytes_filled(struct bytes *b, size_t size);

/* Whether the window has `size` bytes, pulling in lent ones if necessary. */
bool bytes_want(struct bytes *b, size_t size);

/* Advances the window by `size` bytes. */
void bytes_take(struct bytes *b, size_t size);

/* Lent memory is about to become invalid: copies what the window has of it. */
void bytes_park(struct bytes *b);

static inline size_t bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* NULL stands for lent memory, and is allowed in both. */
struct chunk *chunk_ref(struct chunk *chunk);
void chunk_unref(struct bytes *b, struct chunk *chunk);

#endif
