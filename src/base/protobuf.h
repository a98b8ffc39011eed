/* SPDX-License-Identifier: MIT */
/*
 * protobuf.h - writing Protocol Buffers into a buffer.
 *
 * A message is its fields one after the other. A field with its default value (0, "", false) is
 * left out, since readers assume it; proto_always() writes it nevertheless. Nested messages and
 * packed numbers go between proto_open() and proto_close().
 *
 *	const size_t line = proto_open(&b, 4);
 *	proto_u64(&b, 1, function);
 *	proto_close(&b, line);
 */
#ifndef BASE_PROTOBUF_H
#define BASE_PROTOBUF_H

#include "base/buffer.h"

enum proto_wire {
	PROTO_VARINT = 0,
	PROTO_FIXED64 = 1,
	PROTO_BYTES = 2,
	PROTO_FIXED32 = 5,
};

static inline void proto_tag(struct buffer *b, uint32_t field, enum proto_wire wire)
{
	buffer_varint(b, (uint64_t)field << 3 | wire);
}

static inline void proto_always(struct buffer *b, uint32_t field, uint64_t value)
{
	proto_tag(b, field, PROTO_VARINT);
	buffer_varint(b, value);
}

static inline void proto_u64(struct buffer *b, uint32_t field, uint64_t value)
{
	if (value)
		proto_always(b, field, value);
}

/* For int32 and int64; a negative number takes ten bytes. */
static inline void proto_i64(struct buffer *b, uint32_t field, int64_t value)
{
	proto_u64(b, field, (uint64_t)value);
}

void proto_fixed64(struct buffer *b, uint32_t field, uint64_t value); /* always written */
void proto_double(struct buffer *b, uint32_t field, double value);    /* always written */

/* Invalid sequences are written as U+FFFD, since readers reject them; NULL is "". */
void proto_text(struct buffer *b, uint32_t field, const char *text);
void proto_text_always(struct buffer *b, uint32_t field, const char *text);
void proto_bytes(struct buffer *b, uint32_t field, const void *bytes, size_t size);

/* Returns what proto_close() takes. An empty message is written as well. */
size_t proto_open(struct buffer *b, uint32_t field);
void proto_close(struct buffer *b, size_t opened);

#endif
