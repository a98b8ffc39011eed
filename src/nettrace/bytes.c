/* SPDX-License-Identifier: MIT */
#include "nettrace/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/heap.h"

/* Large enough that few blocks straddle two, small enough to stay in a core's cache. */
#define CHUNK_SIZE  ((size_t)512 * 1024)
#define LEAST_ROOM  ((size_t)64 * 1024)
#define MOST_SPARES 16

static struct chunk *chunk_new(struct bytes *b, size_t capacity)
{
	struct chunk *chunk = b->spares;

	if (chunk && capacity <= chunk->capacity) {
		b->spares = chunk->next_spare;
		b->spare_count--;
	} else {
		capacity = capacity < CHUNK_SIZE ? CHUNK_SIZE : capacity;
		chunk = xrealloc(NULL, 1, sizeof(*chunk) + capacity);
		chunk->capacity = capacity;
		chunk->bytes = chunk->storage;
		chunk->release = NULL;
	}
	chunk->refs = 1;
	chunk->size = 0;
	return chunk;
}

struct chunk *chunk_ref(struct chunk *chunk)
{
	if (chunk)
		chunk->refs++;
	return chunk;
}

/* By a function of the caller's. */
static void release_taken(void *object)
{
	const struct chunk *chunk = object;
	struct guard *suspended = guard_suspend();

	if (chunk->release)
		chunk->release(chunk->bytes, chunk->size);
	guard_resume(suspended);
}

void chunk_unref(struct bytes *b, struct chunk *chunk)
{
	if (!chunk || --chunk->refs)
		return;
	if (chunk->release) {
		heap_forget_drop(chunk->drop);
		release_taken(chunk);
		xfree(chunk);
		return;
	}
	if (b->spare_count == MOST_SPARES || chunk->capacity > CHUNK_SIZE) {
		xfree(chunk);
		return;
	}
	chunk->next_spare = b->spares;
	b->spares = chunk;
	b->spare_count++;
}

static void window_over(struct bytes *b, struct chunk *chunk, size_t from)
{
	b->chunk = chunk;
	b->at = chunk->bytes + from;
	b->end = chunk->bytes + chunk->size;
}

/*
 * Makes the window end in a chunk with `room` bytes free after it. Memory for a large record grows
 * as its bytes arrive, not as its size field claims, and doubles, so that copies are rare.
 */
static void make_room(struct bytes *b, size_t room)
{
	const size_t left = bytes_left(b);
	struct chunk *chunk;

	if (b->chunk && b->chunk->capacity - b->chunk->size >= room)
		return;
	chunk = chunk_new(b, left + (room > left ? room : left));
	if (left)
		memcpy(chunk->bytes, b->at, left);
	chunk->size = left;
	chunk_unref(b, b->chunk);
	window_over(b, chunk, 0);
}

void bytes_filled(struct bytes *b, size_t size)
{
	b->chunk->size += size;
	b->end += size;
}

static void append(struct bytes *b, const uint8_t *bytes, size_t size)
{
	if (!size)
		return;
	make_room(b, size);
	memcpy(b->chunk->bytes + b->chunk->size, bytes, size);
	bytes_filled(b, size);
}

static void window_to_lent(struct bytes *b)
{
	chunk_unref(b, b->chunk);
	b->chunk = b->lent_chunk;
	b->lent_chunk = NULL;
	b->at = b->lent;
	b->end = b->lent_end;
	b->lent = b->lent_end;
}

/* Appends everything lent to the window, so that more can be lent. */
static void absorb_lent(struct bytes *b)
{
	append(b, b->lent, (size_t)(b->lent_end - b->lent));
	b->lent = b->lent_end = NULL;
	chunk_unref(b, b->lent_chunk);
	b->lent_chunk = NULL;
}

void bytes_lend(struct bytes *b, const void *bytes, size_t size)
{
	absorb_lent(b);
	b->lent = bytes;
	b->lent_end = size ? b->lent + size : b->lent;
}

struct chunk *chunk_over(void *taken, size_t size, void (*release)(void *, size_t))
{
	struct chunk *chunk = xcalloc(1, sizeof(*chunk));
	struct heap_drop *drop = heap_on_drop(release_taken, chunk); /* before it is ours */

	*chunk = (struct chunk){ .refs = 1,
				 .capacity = size,
				 .size = size,
				 .bytes = taken,
				 .release = release,
				 .drop = drop };
	return chunk;
}

void bytes_lend_chunk(struct bytes *b, struct chunk *taken)
{
	bytes_lend(b, taken->bytes, taken->size);
	b->lent_chunk = taken;
}

void *bytes_room(struct bytes *b, size_t *size)
{
	absorb_lent(b);
	make_room(b, LEAST_ROOM);
	*size = b->chunk->capacity - b->chunk->size;
	return b->chunk->bytes + b->chunk->size;
}

bool bytes_want(struct bytes *b, size_t size)
{
	size_t lent = (size_t)(b->lent_end - b->lent);

	if (size <= bytes_left(b))
		return true;
	if (lent && !bytes_left(b)) {
		window_to_lent(b);
	} else if (lent) {
		const size_t missing = size - bytes_left(b);
		const size_t taken = missing < lent ? missing : lent;

		append(b, b->lent, taken);
		b->lent += taken;
	}
	b->missing = size > bytes_left(b) ? size - bytes_left(b) : 0;
	return !b->missing;
}

void bytes_take(struct bytes *b, size_t size)
{
	b->at += size;
	b->offset += size;
}

void bytes_park(struct bytes *b)
{
	if (!b->chunk)
		make_room(b, 0);
	absorb_lent(b);
}
