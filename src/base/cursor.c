/* SPDX-License-Identifier: MIT */
#include "base/cursor.h"

static uint64_t varint(struct cursor *c, unsigned most_bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < most_bytes; i++) {
		const uint8_t byte = cursor_u8(c);

		value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return c->failed ? 0 : value;
	}
	cursor_fail(c);
	return 0;
}

uint32_t cursor_varint32(struct cursor *c)
{
	return (uint32_t)varint(c, 5);
}

uint64_t cursor_varint64(struct cursor *c)
{
	return varint(c, 10);
}

int64_t cursor_sleb64(struct cursor *c)
{
	const uint8_t *start = c->at;
	const uint64_t value = cursor_varint64(c);
	const unsigned bits = 7 * (unsigned)(c->at - start);

	if (c->failed || !bits || bits >= 64 || !(c->at[-1] & 0x40))
		return (int64_t)value;
	return (int64_t)(value | UINT64_MAX << bits);
}

int64_t cursor_zigzag64(struct cursor *c)
{
	const uint64_t value = cursor_varint64(c);

	return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}
