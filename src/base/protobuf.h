/* SPDX-License-Identifier: MIT */
/*
 * protobuf.h - writing Protocol Buffers into a buffer.
 *
 * A message is its fields one after the other. A field with its default value (0, "", false) is
 * left out, since readers assume it; proto_always() writes it nevertheless. Nested messages and
 * packed numbers go between proto_open() and proto_close().
 *
 *	struct proto proto = { .out = &bytes };
 *	proto_open(&proto, 4);
 *	proto_u64(&proto, 1, function);
 *	proto_close(&proto);
 */
#ifndef BASE_PROTOBUF_H
#define BASE_PROTOBUF_H

#include "base/buffer.h"

#define PROTO_DEPTH 16

enum proto_wire {
	PROTO_VARINT = 0,
	PROTO_FIXED64 = 1,
	PROTO_BYTES = 2,
	PROTO_FIXED32 = 5,
};

struct proto {
	struct buffer *out;	    /* borrowed */
	size_t starts[PROTO_DEPTH]; /* of the messages that are open, the outermost first */
	unsigned depth;
};

static inline void proto_tag(struct proto *proto, uint32_t field, enum proto_wire wire)
{
	buffer_varint(proto->out, (uint64_t)field << 3 | wire);
}

/* For all integers; a negative one takes ten bytes. */
static inline void proto_always(struct proto *proto, uint32_t field, uint64_t value)
{
	proto_tag(proto, field, PROTO_VARINT);
	buffer_varint(proto->out, value);
}

static inline void proto_u64(struct proto *proto, uint32_t field, uint64_t value)
{
	if (value)
		proto_always(proto, field, value);
}

void proto_fixed64(struct proto *proto, uint32_t field, uint64_t value); /* always written */
void proto_double(struct proto *proto, uint32_t field, double value);	 /* always written */

/* Invalid sequences are written as U+FFFD, since readers reject them; NULL is "". */
void proto_text(struct proto *proto, uint32_t field, const char *text);
void proto_text_always(struct proto *proto, uint32_t field, const char *text);
void proto_bytes(struct proto *proto, uint32_t field, const void *bytes, size_t size);

/* An empty message is written as well. */
void proto_open(struct proto *proto, uint32_t field);
void proto_close(struct proto *proto); /* the innermost */

#endif
