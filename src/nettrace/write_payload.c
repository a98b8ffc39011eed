/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "perfpipe/nettrace_payload.h"

#include <stdlib.h>

#include "base/buffer.h"

/* From 1601, the epoch of Windows, to 1970, in units of 100 ns. */
#define FILETIME_OF_1970 INT64_C(116444736000000000)

struct pp_payload {
	struct buffer b;
};

struct pp_payload *pp_payload_new(void)
{
	return try_calloc(1, sizeof(struct pp_payload));
}

void pp_payload_free(struct pp_payload *payload)
{
	if (!payload)
		return;
	buffer_release(&payload->b);
	xfree(payload);
}

void pp_payload_clear(struct pp_payload *payload)
{
	if (!payload)
		return;
	payload->b.no_memory = false; /* memory may have been freed since */
	buffer_rewind(&payload->b, 0);
}

const void *pp_payload_bytes(const struct pp_payload *payload, size_t *size)
{
	*size = payload && !payload->b.failed ? payload->b.size : 0;
	if (!payload || payload->b.failed)
		return NULL;
	return payload->b.bytes ? payload->b.bytes : (const uint8_t *)"";
}

void pp_payload_raw(struct pp_payload *payload, const void *bytes, size_t size)
{
	if (payload)
		buffer_bytes(&payload->b, bytes, size);
}

void pp_payload_u8(struct pp_payload *payload, uint8_t value)
{
	pp_payload_raw(payload, &value, sizeof(value));
}

void pp_payload_u16(struct pp_payload *payload, uint16_t value)
{
	pp_payload_raw(payload, &value, sizeof(value));
}

void pp_payload_u32(struct pp_payload *payload, uint32_t value)
{
	pp_payload_raw(payload, &value, sizeof(value));
}

void pp_payload_u64(struct pp_payload *payload, uint64_t value)
{
	pp_payload_raw(payload, &value, sizeof(value));
}

void pp_payload_f32(struct pp_payload *payload, float value)
{
	pp_payload_raw(payload, &value, sizeof(value));
}

void pp_payload_f64(struct pp_payload *payload, double value)
{
	pp_payload_raw(payload, &value, sizeof(value));
}

void pp_payload_bool32(struct pp_payload *payload, bool value)
{
	pp_payload_u32(payload, value);
}

void pp_payload_bool8(struct pp_payload *payload, bool value)
{
	pp_payload_u8(payload, value);
}

void pp_payload_varint(struct pp_payload *payload, int64_t value)
{
	if (payload)
		buffer_zigzag(&payload->b, value);
}

void pp_payload_varuint(struct pp_payload *payload, uint64_t value)
{
	if (payload)
		buffer_varint(&payload->b, value);
}

void pp_payload_date_time(struct pp_payload *payload, int64_t unix_ns)
{
	const int64_t units = unix_ns / 100 - (unix_ns % 100 < 0);

	pp_payload_u64(payload, (uint64_t)(units + FILETIME_OF_1970));
}

void pp_payload_utf16z(struct pp_payload *payload, const char *text)
{
	if (payload)
		buffer_utf16z(&payload->b, text);
}

void pp_payload_utf8(struct pp_payload *payload, const char *text)
{
	if (payload)
		buffer_u16_text(&payload->b, text);
}

void pp_payload_count(struct pp_payload *payload, size_t count)
{
	if (payload && count > UINT16_MAX)
		payload->b.failed = true;
	pp_payload_u16(payload, (uint16_t)count);
}

size_t pp_payload_location(struct pp_payload *payload)
{
	return payload ? buffer_open_u32(&payload->b) : 0;
}

/* A location is an offset from `origin` and a size, of 16 bits each. */
static void locate(struct pp_payload *payload, size_t location, size_t origin, const void *bytes,
		   size_t size)
{
	struct buffer *b = payload ? &payload->b : NULL;
	uint32_t word;

	if (!b || b->failed)
		return;
	if (b->size - origin > UINT16_MAX || size > UINT16_MAX) {
		b->failed = true;
		return;
	}
	word = (uint32_t)(b->size - origin) | (uint32_t)size << 16;
	buffer_patch(b, location, &word, sizeof(word));
	buffer_bytes(b, bytes, size);
}

void pp_payload_rel_loc(struct pp_payload *payload, size_t location, const void *bytes, size_t size)
{
	locate(payload, location, location + 4, bytes, size);
}

void pp_payload_data_loc(struct pp_payload *payload, size_t location, const void *bytes,
			 size_t size)
{
	locate(payload, location, 0, bytes, size);
}
