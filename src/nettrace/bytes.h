/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - the bytes of a trace as they come in.
 *
 * The parser looks at one contiguous window, from `at` to `end`. It lies in a
 * chunk, or in memory that the caller lent until it is asked for more. A record
 * that straddles two pieces is put together in a chunk of ours; nothing else is
 * copied. Chunks are counted: events that are held back keep theirs.
 */
#ifndef NETTRACE_BYTES_H
#define NETTRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk {
	unsigned refs;
	size_t capacity;
	size_t size; /* bytes filled */
	uint8_t *bytes;
	void (*release)(void *bytes, size_t size); /* of memory that is not our own */
	struct chunk *next_spare;
	uint8_t storage[];
};

struct bytes {
	const uint8_t *at;
	const uint8_t *end;
	struct chunk *chunk; /* holds the window; NULL while that is lent memory */
	const uint8_t *lent; /* bytes that came in but are not in the window yet */
	const uint8_t *lent_end;
	struct chunk *lent_chunk; /* that they lie in, if the caller gave it away */
	uint64_t offset;	  /* of `at` in the trace */
	bool ended;		  /* no more bytes will come */
	struct chunk *spares;
	unsigned spare_count;
};

void bytes_release(struct bytes *b);
void bytes_lend(struct bytes *b, const void *bytes, size_t size);
void bytes_lend_taken(struct bytes *b, void *taken, size_t size, void (*release)(void *, size_t));
void *bytes_room(struct bytes *b, size_t *size);
void bytes_filled(struct bytes *b, size_t size);

/* Whether the window has `size` bytes, after pulling in lent ones if need be. */
bool bytes_want(struct bytes *b, size_t size);

/* Step over `size` bytes of the window. */
void bytes_take(struct bytes *b, size_t size);

/* Lent memory is about to go: keep what the window still has of it. */
void bytes_park(struct bytes *b);

static inline size_t bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* A holder of a chunk more, or one less: the last gives it back. NULL is lent memory. */
struct chunk *chunk_ref(struct chunk *chunk);
void chunk_unref(struct bytes *b, struct chunk *chunk);

#endif
