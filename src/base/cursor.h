/* SPDX-License-Identifier: MIT */
/*
 * cursor.h - reading little-endian fields out of bytes we do not trust.
 *
 * A cursor never reads past its end. The first read that would sets `failed`, and it and every
 * later one return zero; so a parser reads a whole record and checks once that all of it was there.
 *
 *	struct cursor c = cursor_over(bytes, size);
 *	const uint32_t id = cursor_u32(&c);
 *	const uint64_t keywords = cursor_u64(&c);
 *	if (c.failed)
 *		return error_set(err, PP_ERROR_FORMAT, "the record is cut short");
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool failed;
};

static inline struct cursor cursor_over(const void *bytes, size_t size)
{
	return (struct cursor){ bytes, size ? (const uint8_t *)bytes + size : bytes, false };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* Makes every later read fail. */
static inline void cursor_fail(struct cursor *c)
{
	c->at = c->end;
	c->failed = true;
}

/* The next `size` bytes, borrowed; NULL past the end, and once the cursor has failed. */
static inline const uint8_t *cursor_bytes(struct cursor *c, size_t size)
{
	const uint8_t *bytes = c->at;

	if (size > cursor_left(c) || c->failed) {
		cursor_fail(c);
		return NULL;
	}
	c->at += size;
	return bytes;
}

/* A cursor over the next `size` bytes, which this one skips. */
static inline struct cursor cursor_within(struct cursor *c, size_t size)
{
	const uint8_t *bytes = cursor_bytes(c, size);

	return bytes ? cursor_over(bytes, size) : (struct cursor){ c->end, c->end, true };
}

static inline void cursor_copy(struct cursor *c, void *to, size_t size)
{
	const uint8_t *bytes = cursor_bytes(c, size);

	if (bytes)
		memcpy(to, bytes, size);
	else
		memset(to, 0, size);
}

/* memcpy compiles to one load; every machine we build for is little-endian. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fields are little-endian");

static inline uint8_t cursor_u8(struct cursor *c)
{
	uint8_t value;

	cursor_copy(c, &value, sizeof(value));
	return value;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	uint16_t value;

	cursor_copy(c, &value, sizeof(value));
	return value;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	uint32_t value;

	cursor_copy(c, &value, sizeof(value));
	return value;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	uint64_t value;

	cursor_copy(c, &value, sizeof(value));
	return value;
}

/* With its sign, as a number of 8 bits in two's complement. */
static inline int32_t cursor_i8(struct cursor *c)
{
	return (cursor_u8(c) ^ 0x80) - 0x80;
}

static inline int32_t cursor_i32(struct cursor *c)
{
	return (int32_t)cursor_u32(c);
}

static inline int64_t cursor_i64(struct cursor *c)
{
	return (int64_t)cursor_u64(c);
}

/*
 * LEB128: seven bits per byte, lowest first, bit 7 set on all but the last. More than 5 (10) bytes
 * fail; overlong forms and bits beyond the width do not.
 */
uint32_t cursor_varint32(struct cursor *c);
uint64_t cursor_varint64(struct cursor *c);

/* Signed, in two's complement, as DWARF has them. */
int64_t cursor_sleb64(struct cursor *c);

/* Signed, in zig-zag form. */
int64_t cursor_zigzag64(struct cursor *c);

#endif
