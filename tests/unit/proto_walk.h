/* SPDX-License-Identifier: MIT */
/*
 * proto_walk.h - the fields of a Protocol Buffers message, strictly: anything invalid is an
 * error, including a number that is longer than necessary.
 *
 *	struct proto_field f;
 *	while (proto_next(&c, &f))
 *		switch (f.number) ...
 *	if (c.failed) ...
 */
#ifndef PROTO_WALK_H
#define PROTO_WALK_H

#include "base/cursor.h"
#include "base/protobuf.h"

struct proto_field {
	uint32_t number;
	enum proto_wire wire;
	uint64_t value;	     /* of numbers */
	struct cursor bytes; /* of the others */
};

static inline uint64_t proto_number(struct cursor *c)
{
	const size_t before = cursor_left(c);
	const uint64_t value = cursor_varint64(c);
	uint8_t again[VARINT_MOST];

	if (!c->failed && (size_t)(varint_put(again, value) - again) != before - cursor_left(c))
		c->failed = true;
	return c->failed ? 0 : value;
}

static inline bool proto_next(struct cursor *c, struct proto_field *f)
{
	uint64_t tag;

	if (c->failed || !cursor_left(c))
		return false;
	tag = proto_number(c);
	*f = (struct proto_field){ .number = (uint32_t)(tag >> 3), .wire = tag & 7 };
	if (!f->number || tag >> 3 > 536870911)
		c->failed = true;
	switch (f->wire) {
	case PROTO_VARINT:
		f->value = proto_number(c);
		break;
	case PROTO_FIXED64:
		f->value = cursor_u64(c);
		break;
	case PROTO_FIXED32:
		f->value = cursor_u32(c);
		break;
	case PROTO_BYTES: {
		const uint64_t size = proto_number(c);

		if (size > cursor_left(c))
			c->failed = true;
		else if (size)
			f->bytes = cursor_over(cursor_bytes(c, (size_t)size), (size_t)size);
		break;
	}
	default:
		c->failed = true;
	}
	return !c->failed;
}

#endif
