/* SPDX-License-Identifier: MIT */
#include "base/protobuf.h"

void proto_fixed64(struct buffer *b, uint32_t field, uint64_t value)
{
	proto_tag(b, field, PROTO_FIXED64);
	buffer_u64(b, value);
}

void proto_double(struct buffer *b, uint32_t field, double value)
{
	proto_tag(b, field, PROTO_FIXED64);
	buffer_bytes(b, &value, sizeof(value));
}

void proto_text_always(struct buffer *b, uint32_t field, const char *text)
{
	proto_tag(b, field, PROTO_BYTES);
	buffer_varint_text(b, text);
}

void proto_text(struct buffer *b, uint32_t field, const char *text)
{
	if (text && *text)
		proto_text_always(b, field, text);
}

void proto_bytes(struct buffer *b, uint32_t field, const void *bytes, size_t size)
{
	if (!size)
		return;
	proto_tag(b, field, PROTO_BYTES);
	buffer_varint(b, size);
	buffer_bytes(b, bytes, size);
}

/* Most messages are short: one byte is reserved for the size, and a longer message is moved. */
size_t proto_open(struct buffer *b, uint32_t field)
{
	proto_tag(b, field, PROTO_BYTES);
	buffer_u8(b, 0);
	return b->size;
}

void proto_close(struct buffer *b, size_t opened)
{
	uint8_t bytes[VARINT_MOST];
	size_t size, size_bytes;

	if (b->failed)
		return;
	size = b->size - opened;
	size_bytes = (size_t)(varint_put(bytes, size) - bytes);
	if (size_bytes > 1 && !buffer_take(b, size_bytes - 1))
		return;
	if (size_bytes > 1)
		memmove(b->bytes + opened + size_bytes - 1, b->bytes + opened, size);
	memcpy(b->bytes + opened - 1, bytes, size_bytes);
}
