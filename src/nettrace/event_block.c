/* SPDX-License-Identifier: MIT */
/*
 * A block: u16 size of this header, u16 flags (bit 0: compressed events), i64
 * oldest and youngest time; then events to the end. A compressed event is a
 * byte of flags, the fields they announce, the time since the event before,
 * and the payload:
 *
 *	01 metadata id | 02 sequence, capture thread, cpu | 04 thread | 08 stack
 *	(always) time  | 10 activity or label list | 20 related activity
 *	40 is sorted (no data) | 80 payload size
 *
 * doc/formats/nettrace.md, "Events".
 */
#include "nettrace/event_block.h"

#include <inttypes.h>

#include "nettrace/metadata.h"

#define LEAST_HEADER	20u
#define FLAG_COMPRESSED 1u
#define NOT_SORTED	0x80000000u /* in the metadata id of an uncompressed event */
#define UNKNOWN_CPU	UINT32_MAX

enum blob_flags {
	HAS_METADATA_ID = 0x01,
	HAS_SEQUENCE = 0x02,
	HAS_THREAD = 0x04,
	HAS_STACK = 0x08,
	HAS_ACTIVITY = 0x10, /* version 6: the label list */
	HAS_RELATED = 0x20,  /* version 6: nothing */
	IS_SORTED = 0x40,
	HAS_PAYLOAD_SIZE = 0x80,
};

/* A flags byte and the longest time: all that an event without other fields can take. */
#define SHORT_HEADER 11

/* How far ahead the loop below asks for memory; a file's pages defeat the processor's guess. */
#define PREFETCH 1024

static int bad(const struct event_block *b, const uint8_t *at, const char *what,
	       struct pp_error *err)
{
	return error_set(err, PP_ERROR_FORMAT, "byte %" PRIu64 ": %s",
			 b->offset + (uint64_t)(at - b->start), what);
}

int event_block_begin(struct event_block *b, const struct block *block, struct pp_error *err)
{
	struct cursor c = cursor_over(block->bytes, block->size);
	const uint16_t header_size = cursor_u16(&c);
	const uint16_t flags = cursor_u16(&c);

	b->start = block->bytes;
	b->offset = block->offset;
	b->cut = block->cut;
	b->c = cursor_over(block->bytes, block->size);
	b->compressed = flags & FLAG_COMPRESSED;
	b->blob = (struct blob){ 0 };
	b->has_context = false;
	b->thread = b->capture_thread = NULL;
	if ((c.failed || header_size > block->size) && block->cut) {
		b->c.at = b->c.end;
		return 0;
	}
	if (c.failed || header_size < LEAST_HEADER || header_size > block->size)
		return bad(b, b->start, "the header of an event block has an impossible size", err);
	b->c.at += header_size;
	return 0;
}

static void read_compressed(struct cursor *c, struct blob *blob, bool v6)
{
	const uint8_t flags = cursor_u8(c);

	if (flags & HAS_METADATA_ID)
		blob->metadata_id = cursor_varint32(c);
	if (flags & HAS_SEQUENCE) {
		blob->sequence += cursor_varint32(c) + 1;
		blob->capture_thread = cursor_varint64(c);
		blob->cpu = cursor_varint32(c);
	} else if (blob->metadata_id) {
		blob->sequence++;
	}
	if (flags & HAS_THREAD)
		blob->thread = cursor_varint64(c);
	if (flags & HAS_STACK)
		blob->stack_id = cursor_varint32(c);
	blob->ticks += cursor_varint64(c);
	if (flags & HAS_ACTIVITY && v6)
		blob->label_list = cursor_varint32(c);
	else if (flags & HAS_ACTIVITY)
		cursor_copy(c, blob->activity_id, 16);
	if (flags & HAS_RELATED && !v6)
		cursor_copy(c, blob->related_activity_id, 16);
	blob->sorted = flags & IS_SORTED;
	if (flags & HAS_PAYLOAD_SIZE)
		blob->payload_size = cursor_varint32(c);
}

/* No runtime writes these, but files made by tools may have them. */
static void read_uncompressed(struct cursor *c, struct blob *blob, bool v6)
{
	blob->metadata_id = cursor_u32(c);
	blob->sorted = !(blob->metadata_id & NOT_SORTED);
	blob->metadata_id &= ~NOT_SORTED;
	blob->sequence = cursor_u32(c);
	blob->thread = cursor_u64(c);
	blob->capture_thread = cursor_u64(c);
	blob->cpu = cursor_u32(c);
	blob->stack_id = cursor_u32(c);
	blob->ticks = cursor_u64(c);
	if (v6) {
		blob->label_list = cursor_u32(c);
	} else {
		cursor_copy(c, blob->activity_id, 16);
		cursor_copy(c, blob->related_activity_id, 16);
	}
	blob->payload_size = cursor_u32(c);
}

/* Header and payload of the next event; `payload` fails where they are not all there. */
static void read_blob(struct event_block *b, struct blob *blob, struct cursor *payload)
{
	struct cursor c = b->c;
	struct cursor sized = c;

	if (b->compressed) {
		read_compressed(&c, blob, b->v6);
		*payload = cursor_within(&c, blob->payload_size);
		b->c = c;
		return;
	}
	sized = cursor_within(&c, cursor_u32(&c)); /* may be padded behind the payload */
	read_uncompressed(&sized, blob, b->v6);
	*payload = cursor_within(&sized, blob->payload_size);
	b->c = c;
}

static bool is_zero(const uint8_t *guid)
{
	static const uint8_t zero[16];

	return !memcmp(guid, zero, sizeof(zero));
}

/* Activity ids of versions 4 and 5 as labels; NULL if there are none. */
static const struct pp_labels *activity_labels(struct batch *batch, const struct blob *blob)
{
	const bool activity = !is_zero(blob->activity_id);
	const bool related = !is_zero(blob->related_activity_id);
	struct pp_labels *labels;

	if (!activity && !related)
		return NULL;
	labels = arena_new(&batch->labels, struct pp_labels);
	labels->present = (activity ? PP_LABEL_ACTIVITY : 0u) | (related ? PP_LABEL_RELATED : 0u);
	memcpy(labels->activity_id, blob->activity_id, 16);
	memcpy(labels->related_activity_id, blob->related_activity_id, 16);
	return labels;
}

static int find_threads(struct event_block *b, const uint8_t *at, struct pp_error *err)
{
	b->thread = threads_find(&b->tables->threads, b->blob.thread);
	b->capture_thread = b->blob.capture_thread == b->blob.thread
				    ? b->thread
				    : threads_find(&b->tables->threads, b->blob.capture_thread);
	if (!b->thread || !b->capture_thread)
		return bad(b, at, "an event of a thread that is not defined", err);
	return 0;
}

/* Everything but time and payload, looked up once for all events that share it. */
static int make_context(struct event_block *b, struct batch *batch, const uint8_t *at,
			struct pp_error *err)
{
	const struct blob *blob = &b->blob;
	const struct pp_kind *kind = map_find(&b->tables->kinds.by_id, blob->metadata_id);
	const struct pp_labels *labels = NULL;

	if (!kind)
		return bad(b, at, "an event of a kind that is not defined", err);
	if (find_threads(b, at, err))
		return -1;
	if (b->v6 && blob->label_list) {
		labels = map_find(&b->tables->labels.by_index, blob->label_list);
		if (!labels)
			return bad(b, at, "an event with labels that are not defined", err);
	} else if (!b->v6) {
		labels = activity_labels(batch, blob);
	}
	*batch_context(batch) = (struct pp_event){
		.payload_size = blob->payload_size,
		.cpu = blob->cpu == UNKNOWN_CPU ? -1 : (int32_t)blob->cpu,
		.kind = kind,
		.thread = b->thread->thread,
		.stack = stacks_find(&b->tables->stacks, blob->stack_id),
		.labels = labels,
	};
	b->has_context = true;
	return 0;
}

/* Tell the threads of the events that came by the short way: they follow one another. */
static void settle(struct event_block *b, const struct batch *batch)
{
	const uint32_t run = batch->count - b->counted;

	b->counted = batch->count;
	if (!run || !b->thread)
		return;
	b->blob.sequence += run;
	b->capture_thread->sequence = b->blob.sequence;
	b->thread->thread->events += run;
}

static int add_metadata(struct event_block *b, struct cursor payload, const uint8_t *at,
			struct pp_error *err)
{
	struct pp_error inner = { 0 };

	if (!b->v6 && !metadata_v3(&b->tables->kinds, payload, &inner))
		return 0;
	return bad(b, at, b->v6 ? "an event without a kind" : inner.text, err);
}

/* One event with any fields. */
static int decode_one(struct event_block *b, struct batch *batch, struct pp_error *err)
{
	const uint8_t *at = b->c.at;
	struct cursor payload;

	read_blob(b, &b->blob, &payload);
	if (payload.failed) {
		b->c.at = b->c.end;
		return b->cut ? 0 : bad(b, at, "an event runs past the end of its block", err);
	}
	if (!b->blob.metadata_id) {
		b->has_context = false;
		return add_metadata(b, payload, at, err);
	}
	if (make_context(b, batch, at, err))
		return -1;
	threads_wrote(&b->tables->threads, b->capture_thread, b->blob.sequence);
	b->thread->thread->events++;
	b->counted++;
	if (b->blob.sorted && (int64_t)b->blob.ticks > b->sorted_ticks)
		b->sorted_ticks = (int64_t)b->blob.ticks;
	batch_add(batch, (int64_t)b->blob.ticks, (uint32_t)(payload.at - batch->base));
	return 0;
}

/* A time whose first two bytes go on; NULL where it does not end. */
static const uint8_t *long_delta(const uint8_t *next, uint64_t *delta)
{
	*delta &= 0x3fff;
	for (unsigned shift = 14; shift < 70; shift += 7) {
		const uint8_t byte = *next++;

		*delta |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return next;
	}
	return NULL;
}

/*
 * The short way, for compressed events that change nothing but time and payload.
 * Leaves the cursor at the first event that is not of that sort, or that is so
 * near to the end that its parts must be checked one by one. A large trace spends
 * its time in this loop, so it keeps what it changes in registers.
 */
static void decode_run(struct event_block *b, struct batch *batch)
{
	const uint32_t context = (uint32_t)(batch->context_count - 1);
	const uint32_t payload_size = b->blob.payload_size;
	const uint8_t *const base = batch->base;
	const struct entry *const full = batch->entries + BATCH_EVENTS;
	const uint8_t *at = b->c.at;
	const uint8_t *last; /* where an event may start and still be whole */
	struct entry *entry = batch->entries + batch->count;
	int64_t ticks = (int64_t)b->blob.ticks;

	if (cursor_left(&b->c) < (size_t)SHORT_HEADER + payload_size)
		return;
	last = b->c.end - SHORT_HEADER - payload_size;
	while (at <= last && entry < full) {
		const uint8_t flags = at[0];
		uint64_t delta = at[1];
		const uint8_t *next = at + 2;

		__builtin_prefetch(at + PREFETCH);
		if (flags & (uint8_t)~IS_SORTED)
			break;
		if (delta & 0x80) {
			delta = delta - 0x80 + ((uint64_t)at[2] << 7);
			next = at + 3;
			if (at[2] & 0x80)
				next = long_delta(next, &delta);
			if (!next)
				break; /* for the other way to complain about */
		}
		if ((int64_t)((uint64_t)ticks + delta) < ticks && entry > batch->entries)
			batch_cut(batch, (uint32_t)(entry - batch->entries));
		ticks = (int64_t)((uint64_t)ticks + delta);
		if (flags && ticks > b->sorted_ticks)
			b->sorted_ticks = ticks;
		*entry++ = (struct entry){ ticks, (uint32_t)(next - base), context };
		at = next + payload_size;
	}
	b->c.at = at;
	b->blob.ticks = (uint64_t)ticks;
	batch->count = (uint32_t)(entry - batch->entries);
	settle(b, batch);
}

int event_block_decode(struct event_block *b, struct batch *batch, struct pp_error *err)
{
	int result = 0;

	b->counted = 0;
	b->sorted_ticks = INT64_MIN;
	if (b->has_context && !event_block_done(b))
		result = make_context(b, batch, b->c.at, err); /* the last batch took it along */
	while (!result && batch->count < BATCH_EVENTS && !event_block_done(b)) {
		if (b->compressed && b->has_context)
			decode_run(b, batch);
		if (batch->count < BATCH_EVENTS && !event_block_done(b))
			result = decode_one(b, batch, err);
	}
	return result;
}
