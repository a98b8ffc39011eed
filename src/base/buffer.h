/* SPDX-License-Identifier: MIT */
/*
 * buffer.h - writing little-endian fields into a growing array of bytes.
 *
 * The counterpart of cursor.h: a put that cannot be done (out of memory, a size that does not fit
 * its field) sets `failed`, and every later one does nothing; so a writer puts a whole record and
 * checks once. In a guarded call (heap.h) it is the call that fails when memory is gone, and nobody
 * has to check for that. Zero is a valid empty buffer.
 *
 *	struct buffer b = { 0 };
 *	const size_t row = buffer_open_u16(&b);
 *	buffer_varint(&b, id);
 *	buffer_varint_text(&b, name);
 *	buffer_close_u16(&b, row);
 *	if (b.failed)
 *		buffer_rewind(&b, row);
 */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct buffer {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	bool failed;
	bool no_memory; /* failed for good: rewinding does not help */
};

/* With a known size memcpy() is a store or two, which is worth the extra code. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

#define VARINT_MOST 10u /* bytes of the longest varint */

void buffer_release(struct buffer *b);

/* Moves the bytes into an arena as a string; NULL if there are none. */
const char *buffer_keep(struct buffer *b, struct arena *arena);

/* Truncates to the first `size` bytes and clears `failed`, unless memory ran out. */
void buffer_rewind(struct buffer *b, size_t size);

/* Grows the capacity by at least `size` bytes; false if out of memory. */
bool buffer_grow(struct buffer *b, size_t size);

/*
 * Reserves `size` bytes at the end, to be filled by hand; NULL once the buffer has failed. They
 * count once buffer_wrote() says where they end.
 */
static ALWAYS_INLINE uint8_t *buffer_room(struct buffer *b, size_t size)
{
	if (b->failed || (size > b->capacity - b->size && !buffer_grow(b, size)))
		return NULL;
	return b->bytes + b->size;
}

static inline void buffer_wrote(struct buffer *b, const uint8_t *end)
{
	b->size = (size_t)(end - b->bytes);
}

/* Appends `size` bytes for the caller to fill in; NULL once the buffer has failed. */
static ALWAYS_INLINE uint8_t *buffer_take(struct buffer *b, size_t size)
{
	uint8_t *bytes = buffer_room(b, size);

	if (bytes)
		b->size += size;
	return bytes;
}

static ALWAYS_INLINE void buffer_bytes(struct buffer *b, const void *bytes, size_t size)
{
	uint8_t *to = size ? buffer_take(b, size) : NULL;

	if (to)
		memcpy(to, bytes, size);
}

/* Appends a string without its NUL. */
static inline void buffer_text(struct buffer *b, const char *text)
{
	buffer_bytes(b, text, strlen(text));
}

void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As in cursor.h: every machine we build for is little-endian. */
static inline void buffer_u8(struct buffer *b, uint8_t value)
{
	buffer_bytes(b, &value, sizeof(value));
}

static inline void buffer_u16(struct buffer *b, uint16_t value)
{
	buffer_bytes(b, &value, sizeof(value));
}

static inline void buffer_u32(struct buffer *b, uint32_t value)
{
	buffer_bytes(b, &value, sizeof(value));
}

static inline void buffer_u64(struct buffer *b, uint64_t value)
{
	buffer_bytes(b, &value, sizeof(value));
}

/* Writes a LEB128 number where VARINT_MOST bytes are free; returns where it ends. */
static inline uint8_t *varint_put(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

void buffer_varint(struct buffer *b, uint64_t value);
void buffer_zigzag(struct buffer *b, int64_t value);

/* Text is UTF-8, NULL is ""; invalid sequences are written as U+FFFD. */
void buffer_varint_text(struct buffer *b, const char *text); /* preceded by its size as a varint */
void buffer_u16_text(struct buffer *b, const char *text);
void buffer_utf16z(struct buffer *b, const char *text);

/* A part preceded by its size, which the close or buffer_patch() fills in. */
size_t buffer_open_u16(struct buffer *b);
void buffer_close_u16(struct buffer *b, size_t opened);
size_t buffer_open_u32(struct buffer *b);

/* Overwrites bytes already written. */
void buffer_patch(struct buffer *b, size_t at, const void *bytes, size_t size);

#endif
