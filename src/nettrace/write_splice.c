/* SPDX-License-Identifier: MIT */
#include "nettrace/write_splice.h"

#include "nettrace/write_append.h"
#include "nettrace/write_group.h"

#define OUR_KIND   UINT32_C(0x40000000) /* runtimes count from 1 */
#define OUR_THREAD UINT64_C(0x7ffffffe) /* no system has a thread with this id */

/* A head longer than usual by `more` bytes, which readers skip. */
static void begin(struct buffer *b, int64_t ticks, unsigned more)
{
	buffer_rewind(b, 0);
	buffer_u16(b, (uint16_t)(EVENT_HEAD + more));
	buffer_u16(b, 1); /* compressed headers */
	buffer_u64(b, (uint64_t)ticks);
	buffer_u64(b, (uint64_t)ticks);
	buffer_bytes(b, "\0\0\0", more);
}

static void put_kind(struct splice *splice, const struct splice_event *event, uint64_t offset,
		     struct buffer *out)
{
	struct buffer *b = &splice->contents;
	struct buffer record = { 0 };

	kind_put_v4(&record, OUR_KIND, event->kind);
	begin(b, event->ticks, 0);
	buffer_u8(b, HEADER_PAYLOAD_SIZE);
	buffer_varint(b, 0);
	buffer_varint(b, record.size);
	buffer_bytes(b, record.bytes, record.size);
	b->failed |= record.failed;
	buffer_release(&record);
	object_put_v4(out, offset, "MetadataBlock", b);
}

static void put_event(struct splice *splice, const struct splice_event *event)
{
	struct buffer *b = &splice->contents;

	buffer_u8(b, HEADER_KIND | HEADER_SEQUENCE | HEADER_THREAD | HEADER_PAYLOAD_SIZE);
	buffer_varint(b, OUR_KIND);
	buffer_varint(b, splice->sequence);
	buffer_varint(b, OUR_THREAD);
	buffer_varint(b, UINT32_MAX); /* processor: unknown */
	buffer_varint(b, (uint64_t)event->thread_id);
	buffer_varint(b, (uint64_t)event->ticks);
	buffer_varint(b, event->payload_size);
	buffer_bytes(b, event->payload, event->payload_size);
}

void splice_event(struct splice *splice, const struct splice_event *event, uint64_t offset,
		  struct buffer *out)
{
	const size_t start = out->size;
	size_t before;

	if (!splice->defined)
		put_kind(splice, event, offset, out);
	before = out->size;
	for (unsigned more = 0; more < 4; more++) { /* once more, if its size was not right */
		buffer_rewind(out, before);
		begin(&splice->contents, event->ticks, more);
		put_event(splice, event);
		object_put_v4(out, offset, "EventBlock", &splice->contents);
		if ((out->size - start) % 4 == 0)
			break;
	}
	splice->defined = true;
	splice->sequence++;
}

void splice_release(struct splice *splice)
{
	buffer_release(&splice->contents);
}
