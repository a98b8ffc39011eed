/* SPDX-License-Identifier: MIT */
#include "trace_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void builder_release(struct builder *b)
{
	xfree(b->bytes);
	*b = (struct builder){ 0 };
}

void put_bytes(struct builder *b, struct literal bytes)
{
	if (b->size + bytes.size > b->capacity) {
		b->capacity = 2 * (b->size + bytes.size);
		b->bytes = xrealloc(b->bytes, b->capacity, 1);
	}
	if (bytes.size)
		memcpy(b->bytes + b->size, bytes.at, bytes.size);
	b->size += bytes.size;
}

/* Little-endian, like the machine. */
static void put_number(struct builder *b, uint64_t value, size_t size)
{
	put_bytes(b, (struct literal){ &value, size });
}

void put_u8(struct builder *b, unsigned value)
{
	put_number(b, value, 1);
}

void put_u16(struct builder *b, unsigned value)
{
	put_number(b, value, 2);
}

void put_u32(struct builder *b, uint32_t value)
{
	put_number(b, value, 4);
}

void put_u64(struct builder *b, uint64_t value)
{
	put_number(b, value, 8);
}

void put_zeros(struct builder *b, size_t count)
{
	while (count--)
		put_u8(b, 0);
}

void put_varint(struct builder *b, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		put_u8(b, 0x80 | (value & 0x7f));
	put_u8(b, (unsigned)value);
}

void put_zigzag(struct builder *b, int64_t value)
{
	put_varint(b, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_text(struct builder *b, const char *text)
{
	put_bytes(b, (struct literal){ text, strlen(text) });
}

void put_string(struct builder *b, const char *text)
{
	put_varint(b, strlen(text));
	put_text(b, text);
}

void put_utf16z(struct builder *b, const char *ascii)
{
	do
		put_u16(b, (unsigned char)*ascii);
	while (*ascii++);
}

void put_date(struct builder *b)
{
	/* year, month, day of the week, day, hour, minute, second, millisecond */
	static const uint16_t date[] = { 2025, 2, 1, 3, 4, 5, 6, 7 };

	for (size_t i = 0; i < 8; i++)
		put_u16(b, date[i]);
}

void put_built(struct builder *b, struct builder *taken)
{
	put_bytes(b, built(taken));
	builder_release(taken);
}

struct literal built(const struct builder *b)
{
	return (struct literal){ b->bytes, b->size };
}

static void patch(struct builder *b, size_t at, uint64_t value, size_t size)
{
	memcpy(b->bytes + at, &value, size);
}

size_t open_u16(struct builder *b)
{
	put_u16(b, 0);
	return b->size;
}

void close_u16(struct builder *b, size_t at)
{
	patch(b, at - 2, b->size - at, 2);
}

size_t open_u32(struct builder *b)
{
	put_u32(b, 0);
	return b->size;
}

void close_u32(struct builder *b, size_t at)
{
	patch(b, at - 4, b->size - at, 4);
}

void build_type(struct builder *b, const char *name, uint32_t version, uint32_t least_reader)
{
	const unsigned begin = b->version < 4 ? 4 : 5;

	put_u8(b, begin);
	put_u8(b, begin);
	put_u8(b, 1);
	put_u32(b, version);
	put_u32(b, least_reader);
	put_u32(b, (uint32_t)strlen(name));
	put_text(b, name);
	put_u8(b, 6);
}

struct builder build_magic(int version)
{
	struct builder b = { .version = version };

	if (version >= 4)
		put_text(&b, "Nettrace");
	if (version >= 6) {
		put_u32(&b, 0);
		put_u32(&b, (uint32_t)version);
		put_u32(&b, 0);
	} else {
		put_u32(&b, 20);
		put_text(&b, "!FastSerialization.1");
	}
	return b;
}

static void start_v1(struct builder *b)
{
	build_type(b, "Microsoft.DotNet.Runtime.EventPipeFile", (uint32_t)b->version, 0);
	put_u32(b, 0); /* the forward reference to the end of the events */
	put_date(b);
	put_u64(b, 1000000);
	put_u64(b, 1000);
}

static void start_v3(struct builder *b)
{
	build_type(b, "Trace", (uint32_t)b->version, b->version < 4 ? 0 : 4);
	put_date(b);
	put_u64(b, 1000000);
	put_u64(b, 1000);
	put_u32(b, 8);	  /* bytes of a pointer */
	put_u32(b, 1);	  /* process */
	put_u32(b, 4);	  /* CPUs */
	put_u32(b, 1000); /* ns between samples */
	put_u8(b, 6);
}

static void start_v6(struct builder *b)
{
	build_block(b, PART_TRACE);
	put_date(b);
	put_u64(b, 0);
	put_u64(b, 1000);
	put_u32(b, 8);
	put_u32(b, 0); /* pairs */
	build_close(b);
}

struct builder build_start(int version)
{
	struct builder b = build_magic(version);

	if (version < 3)
		start_v1(&b);
	else if (version < 6)
		start_v3(&b);
	else
		start_v6(&b);
	return b;
}

/* Versions 1 and 2: end tag, one forward reference, its label, the table's, the suffix. */
static void end_v1(struct builder *b)
{
	const uint32_t end = (uint32_t)b->size;

	put_u8(b, 6);
	put_u32(b, 1);
	put_u32(b, end);
	b->complete_at = b->size;
	put_u32(b, end + 1);
	put_u32(b, end + 9);
}

void build_end(struct builder *b)
{
	if (b->version < 3) {
		end_v1(b);
		return;
	}
	if (b->version < 6)
		put_u8(b, 1);
	else
		put_u32(b, PART_END);
	b->complete_at = b->size;
}

static const char *part_name(const struct builder *b, enum part part)
{
	if (b->version == 3 || part == PART_EVENTS)
		return "EventBlock";
	if (part == PART_METADATA)
		return "MetadataBlock";
	return part == PART_STACKS ? "StackBlock" : "SPBlock";
}

void build_block(struct builder *b, enum part part)
{
	if (b->version < 3)
		return;
	b->part = part;
	b->last = (struct event_spec){ 0 };
	b->packing = PLAIN;
	if (b->version < 6)
		build_type(b, part_name(b, part), b->version < 4 ? 1 : 2, b->version < 4 ? 0 : 2);
	b->size_at = b->size;
	put_u32(b, 0);
	while (b->version < 6 && b->size % 4)
		put_u8(b, 0);
	b->part_at = b->size;
}

void build_close(struct builder *b)
{
	const size_t size = b->size - b->part_at;

	if (b->version < 3)
		return;
	if (b->version >= 6) {
		patch(b, b->size_at, size | (uint64_t)b->part << 24, 4);
		return;
	}
	patch(b, b->size_at, size, 4);
	put_u8(b, 6);
}

static void put_block_header(struct builder *b, enum packing packing)
{
	b->packing = packing;
	put_u16(b, 20);
	put_u16(b, packing);
	put_u64(b, 0);
	put_u64(b, 0);
}

void build_events(struct builder *b, enum packing packing)
{
	build_block(b, PART_EVENTS);
	if (b->version >= 4)
		put_block_header(b, packing);
}

void build_metadata(struct builder *b)
{
	build_block(b, PART_METADATA);
	if (b->version == 4)
		put_block_header(b, PLAIN);
	else if (b->version == 6)
		put_u16(b, 0);
}

void build_stacks(struct builder *b, uint32_t first, uint32_t count)
{
	build_block(b, PART_STACKS);
	put_u32(b, first);
	put_u32(b, count);
}

void build_stack(struct builder *b, size_t count, const uint64_t *addresses)
{
	put_u32(b, (uint32_t)(8 * count));
	put_bytes(b, (struct literal){ addresses, 8 * count });
}

void build_point(struct builder *b, enum point_flags flags)
{
	build_block(b, PART_SEQUENCE_POINT);
	put_u64(b, 0);
	if (b->version >= 6)
		put_u32(b, flags);
	put_u32(b, 0);
	build_close(b);
}

void build_point_of(struct builder *b, enum point_flags flags, uint64_t thread, uint32_t sequence)
{
	build_block(b, PART_SEQUENCE_POINT);
	put_u64(b, 0);
	if (b->version >= 6) {
		put_u32(b, flags);
		put_u32(b, 1);
		put_varint(b, thread);
		put_varint(b, sequence);
	} else {
		put_u32(b, 1);
		put_u64(b, thread);
		put_u32(b, sequence);
	}
	build_close(b);
}

void build_thread(struct builder *b, uint64_t index, uint64_t thread_id, uint64_t process_id)
{
	size_t row;

	build_block(b, PART_THREADS);
	row = open_u16(b);
	put_varint(b, index);
	put_u8(b, 2);
	put_varint(b, process_id);
	put_u8(b, 3);
	put_varint(b, thread_id);
	close_u16(b, row);
	build_close(b);
}

void build_removal(struct builder *b, uint64_t index, uint32_t sequence)
{
	build_block(b, PART_REMOVALS);
	put_varint(b, index);
	put_varint(b, sequence);
	build_close(b);
}

struct builder build_ready(int version)
{
	struct builder b = build_start(version);

	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	if (version >= 6)
		build_thread(&b, 999, 0, 0);
	build_events(&b, PLAIN);
	return b;
}
