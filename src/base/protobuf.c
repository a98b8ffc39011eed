/* SPDX-License-Identifier: MIT */
#include "base/protobuf.h"

#include <assert.h>

void proto_fixed64(struct proto *proto, uint32_t field, uint64_t value)
{
	proto_tag(proto, field, PROTO_FIXED64);
	buffer_u64(proto->out, value);
}

void proto_double(struct proto *proto, uint32_t field, double value)
{
	proto_tag(proto, field, PROTO_FIXED64);
	buffer_bytes(proto->out, &value, sizeof(value));
}

void proto_text_always(struct proto *proto, uint32_t field, const char *text)
{
	proto_tag(proto, field, PROTO_BYTES);
	buffer_varint_text(proto->out, text);
}

void proto_text(struct proto *proto, uint32_t field, const char *text)
{
	if (text && *text)
		proto_text_always(proto, field, text);
}

void proto_bytes(struct proto *proto, uint32_t field, const void *bytes, size_t size)
{
	if (!size)
		return;
	proto_tag(proto, field, PROTO_BYTES);
	buffer_varint(proto->out, size);
	buffer_bytes(proto->out, bytes, size);
}

/* Most messages are short: one byte is reserved for the size, and a longer message is moved. */
void proto_open(struct proto *proto, uint32_t field)
{
	assert(proto->depth < PROTO_DEPTH);
	proto_tag(proto, field, PROTO_BYTES);
	buffer_u8(proto->out, 0);
	proto->starts[proto->depth++] = proto->out->size;
}

void proto_close(struct proto *proto)
{
	const size_t start = proto->starts[--proto->depth];
	struct buffer *b = proto->out;
	uint8_t bytes[VARINT_MOST];
	size_t size, size_bytes;

	if (b->failed)
		return;
	size = b->size - start;
	size_bytes = (size_t)(varint_put(bytes, size) - bytes);
	if (size_bytes > 1 && !buffer_take(b, size_bytes - 1))
		return;
	if (size_bytes > 1)
		memmove(b->bytes + start + size_bytes - 1, b->bytes + start, size);
	memcpy(b->bytes + start - 1, bytes, size_bytes);
}
