/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/unicode.h"

#define FIRST_CAPACITY 256u

void buffer_release(struct buffer *b)
{
	xfree(b->bytes);
	*b = (struct buffer){ 0 };
}

const char *buffer_keep(struct buffer *b, struct arena *arena)
{
	const char *kept = b->size ? arena_text(arena, (const char *)b->bytes, b->size) : NULL;

	buffer_release(b);
	return kept;
}

void buffer_rewind(struct buffer *b, size_t size)
{
	b->size = size < b->size ? size : b->size;
	b->failed = b->no_memory;
}

bool buffer_grow(struct buffer *b, size_t size)
{
	size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;
	uint8_t *bytes = NULL;

	if (size <= SIZE_MAX / 4 && b->size <= SIZE_MAX / 4) {
		while (capacity - b->size < size)
			capacity *= 2;
		bytes = try_realloc(b->bytes, capacity, 1);
	}
	if (!bytes) {
		guard_fail_if_any(PP_ERROR_MEMORY, "out of memory");
		b->failed = b->no_memory = true;
		return false;
	}
	b->bytes = bytes;
	b->capacity = capacity;
	return true;
}

void buffer_varint(struct buffer *b, uint64_t value)
{
	uint8_t bytes[VARINT_MOST];

	buffer_bytes(b, bytes, (size_t)(varint_put(bytes, value) - bytes));
}

void buffer_zigzag(struct buffer *b, int64_t value)
{
	buffer_varint(b, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Writes the text as valid UTF-8 to `out`, if that is not NULL; returns its size. */
static size_t put_valid(const char *text, char *out)
{
	const char *end = text + strlen(text);
	size_t size = 0;

	while (text < end) {
		char encoded[4] = { *text };
		size_t length = 1;

		if (*text & 0x80)
			length = utf8_put(utf8_decode(&text, end), encoded);
		else
			text++;
		for (size_t i = 0; out && i < length; i++)
			out[size + i] = encoded[i];
		size += length;
	}
	return size;
}

static void put_text(struct buffer *b, const char *text, size_t size)
{
	uint8_t *out = size ? buffer_take(b, size) : NULL;

	if (out)
		put_valid(text, (char *)out);
}

void buffer_varint_text(struct buffer *b, const char *text)
{
	const size_t size = text ? put_valid(text, NULL) : 0;

	buffer_varint(b, size);
	put_text(b, text, size);
}

void buffer_u16_text(struct buffer *b, const char *text)
{
	const size_t size = text ? put_valid(text, NULL) : 0;

	if (size > UINT16_MAX)
		b->failed = true;
	buffer_u16(b, (uint16_t)size);
	put_text(b, text, size);
}

void buffer_utf16z(struct buffer *b, const char *text)
{
	const char *end = text ? text + strlen(text) : NULL;

	while (text < end) {
		const uint32_t code = utf8_decode(&text, end);

		if (code >= 0x10000)
			buffer_u16(b, (uint16_t)(0xD800 + ((code - 0x10000) >> 10)));
		buffer_u16(b, (uint16_t)(code < 0x10000 ? code : 0xDC00 + (code & 0x3FF)));
	}
	buffer_u16(b, 0);
}

size_t buffer_open_u16(struct buffer *b)
{
	const size_t opened = b->size;

	buffer_u16(b, 0);
	return opened;
}

void buffer_close_u16(struct buffer *b, size_t opened)
{
	const size_t size = b->failed ? 0 : b->size - opened - 2;
	const uint16_t narrow = (uint16_t)size;

	if (size > UINT16_MAX)
		b->failed = true;
	buffer_patch(b, opened, &narrow, sizeof(narrow));
}

size_t buffer_open_u32(struct buffer *b)
{
	const size_t opened = b->size;

	buffer_u32(b, 0);
	return opened;
}

void buffer_patch(struct buffer *b, size_t at, const void *bytes, size_t size)
{
	if (!b->failed)
		memcpy(b->bytes + at, bytes, size);
}

#define PRINTF_USUAL 128 /* bytes; more is formatted twice */

void buffer_printf(struct buffer *b, const char *format, ...)
{
	uint8_t *room = buffer_room(b, PRINTF_USUAL);
	va_list args, again;
	size_t size = 0;

	va_start(args, format);
	va_copy(again, args);
	if (room)
		size = (size_t)vsnprintf((char *)room, PRINTF_USUAL, format, args);
	if (size >= PRINTF_USUAL && (room = buffer_room(b, size + 1)))
		vsnprintf((char *)room, size + 1, format, again);
	if (room)
		b->size += size;
	va_end(again);
	va_end(args);
}
