/* SPDX-License-Identifier: MIT */
/*
 * A block: u16 size of this header, u16 flags (bit 0: compressed events), i64 oldest and youngest
 * time; then events to the end. A compressed event is a byte of flags, the fields they announce,
 * the time since the event before, and the payload:
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

/* A flags byte and the longest time: the most an event without other fields takes. */
#define SHORT_HEADER 11

/* Bits of a time delta on the fast path: the sum of 4096 of them cannot overflow. */
#define LONGEST_DELTA 49

/* How far ahead the loop below prefetches; the hardware prefetcher stops at page boundaries. */
#define PREFETCH 4096

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

/* Not written by any runtime, but possible in files made by tools. */
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

/* Reads header and payload of the next event; `payload` fails if they are truncated. */
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
	sized = cursor_within(&c, cursor_u32(&c)); /* may be padded after the payload */
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

/* Looks up everything but time and payload, once for all events that share it. */
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

/* Counts the events of the fast path for their threads; they have consecutive numbers. */
static void count_run(struct event_block *b, const struct batch *batch)
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

/* The general path: an event with any fields. */
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

/* The rest of a delta of more than two bytes; NULL if it is longer than the fast path allows. */
static const uint8_t *long_delta(const uint8_t *next, uint64_t *delta)
{
	*delta &= 0x3fff;
	for (unsigned shift = 14; shift < LONGEST_DELTA; shift += 7) {
		const uint8_t byte = *next++;

		*delta |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return next;
	}
	return NULL;
}

/* The last place where an event can start that is certainly complete and fits into the batch. */
static const uint8_t *last_start(const struct event_block *b, const struct batch *batch)
{
	const size_t left = cursor_left(&b->c);
	const size_t longest = (size_t)SHORT_HEADER + b->blob.payload_size;
	const size_t room = (BATCH_EVENTS - batch->count) * (2 + (size_t)b->blob.payload_size);

	if (left < longest || !room)
		return NULL;
	return b->c.at + (left - longest < room - 1 ? left - longest : room - 1);
}

/*
 * The fast path, for compressed events that change only time and payload. Leaves the cursor at the
 * first event that is different, goes back in time, or is so close to the end that its parts must
 * be checked one by one. Reading a large trace spends its time in this loop, so its state is kept
 * in registers, and it is not part of a larger function that would need them too.
 */
__attribute__((noinline)) static void decode_run(struct event_block *b, struct batch *batch)
{
	const uint8_t *const last = last_start(b, batch);
	const uint32_t payload_size = b->blob.payload_size;
	const uint64_t where = batch_where(batch) - (uintptr_t)batch->base;
	const uint8_t *at = b->c.at;
	const uint8_t flags = *at;
	struct batch_entry *entry = batch->entries + batch->count;
	int64_t ticks = (int64_t)b->blob.ticks;

	if (!last || flags & (uint8_t)~IS_SORTED || ticks > INT64_MAX / 2)
		return;
	while (at <= last && *at == flags) {
		const uint8_t *next = at + 2;
		int64_t delta = at[1];

		__builtin_prefetch(at + PREFETCH);
		if (delta & 0x80) {
			delta += (at[2] << 7) - 0x80;
			next = at[2] & 0x80 ? long_delta(at + 3, (uint64_t *)&delta) : at + 3;
			if (!next)
				break;
		}
		ticks += delta;
		*entry++ = (struct batch_entry){ ticks, where + (uintptr_t)next };
		at = next + payload_size;
	}
	b->blob.ticks = (uint64_t)ticks;
	batch->count = (uint32_t)(entry - batch->entries);
	if (flags & IS_SORTED && at > b->c.at && ticks > b->sorted_ticks)
		b->sorted_ticks = ticks;
	b->c.at = at;
	count_run(b, batch);
}

int event_block_decode(struct event_block *b, struct batch *batch, struct pp_error *err)
{
	int result = 0;

	b->counted = 0;
	b->sorted_ticks = INT64_MIN;
	if (b->has_context && !event_block_done(b))
		result = make_context(b, batch, b->c.at, err); /* contexts belong to their batch */
	while (!result && batch->count < BATCH_EVENTS && !event_block_done(b)) {
		if (b->compressed && b->has_context)
			decode_run(b, batch);
		if (batch->count < BATCH_EVENTS && !event_block_done(b))
			result = decode_one(b, batch, err);
	}
	return result;
}
