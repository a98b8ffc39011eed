/* SPDX-License-Identifier: MIT */
#include "ipc/message.h"

#include <string.h>

#include "base/unicode.h"

static const char magic[MESSAGE_MAGIC_SIZE] = "DOTNET_IPC_V1";

#define SIZE_OFFSET 14u

void message_begin(struct buffer *message, enum command_code command)
{
	buffer_bytes(message, magic, sizeof(magic));
	buffer_u16(message, 0); /* the size, set by message_end() */
	buffer_u8(message, (uint8_t)(command >> 8));
	buffer_u8(message, (uint8_t)command);
	buffer_u16(message, 0);
}

void message_put_text(struct buffer *message, const char *text)
{
	const size_t count_at = message->size;
	uint32_t units;

	buffer_u32(message, 0);
	if (!text)
		return;
	buffer_utf16z(message, text);
	units = message->failed ? 0 : (uint32_t)((message->size - count_at - 4) / 2);
	buffer_patch(message, count_at, &units, sizeof(units));
}

int message_end(struct buffer *message, struct pp_error *err)
{
	const uint16_t size = (uint16_t)message->size;

	if (message->failed)
		return error_set(err, PP_ERROR_MEMORY, "out of memory for the request");
	if (message->size > MESSAGE_MOST)
		return error_set(err, PP_ERROR_LIMIT,
				 "the request has %zu bytes; the protocol allows %u", message->size,
				 MESSAGE_MOST);
	buffer_patch(message, SIZE_OFFSET, &size, sizeof(size));
	return 0;
}

enum message_parse message_parse_header(const uint8_t bytes[static MESSAGE_HEADER_SIZE],
					struct message_header *header)
{
	struct cursor c = cursor_over(bytes, MESSAGE_HEADER_SIZE);
	const uint8_t *start = cursor_bytes(&c, MESSAGE_MAGIC_SIZE);

	header->size = cursor_u16(&c);
	header->code = (uint16_t)(cursor_u8(&c) << 8);
	header->code |= cursor_u8(&c);
	if (memcmp(start, magic, sizeof(magic)) != 0)
		return MESSAGE_WRONG_MAGIC;
	return header->size < MESSAGE_HEADER_SIZE ? MESSAGE_MALFORMED : MESSAGE_FINE;
}

char *message_text(struct cursor *c, struct arena *arena)
{
	const uint32_t units = cursor_u32(c);
	const uint8_t *bytes = cursor_bytes(c, (size_t)units * 2);

	if (c->failed || !units)
		return NULL;
	if (bytes[2 * (size_t)units - 2] || bytes[2 * (size_t)units - 1]) {
		cursor_fail(c);
		return NULL;
	}
	return utf16_text(arena, bytes, units - 1);
}
