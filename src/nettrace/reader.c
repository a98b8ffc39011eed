/* SPDX-License-Identifier: MIT */
/*
 * How bytes become events: bytes.c holds them, container.c finds the blocks, event_block.c
 * (netperf.c for old files) decodes events into batches, order.c sorts those, and
 * pp_nettrace_next() returns them one by one.
 */
#include "perfpipe/nettrace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/options.h"
#include "nettrace/event_block.h"
#include "nettrace/header.h"
#include "nettrace/metadata.h"
#include "nettrace/netperf.h"
#include "nettrace/order.h"
#include "nettrace/write_append.h"

#define HELD_AT_MOST   ((size_t)256 * 1024 * 1024)
#define TABLES_AT_MOST ((size_t)4 * 1024 * 1024 * 1024)

struct pp_nettrace {
	/* what every event needs, together in the first cache lines */
	struct event_run run;
	const uint8_t *base; /* of the run's payloads */
	uint32_t context;    /* the one `event` was filled from */
	struct pp_event event;

	struct heap *heap; /* all memory, with this */
	struct bytes bytes;
	struct container container;
	struct pp_trace_header header;
	bool has_header;
	struct arena arena; /* everything that lives as long as the trace */
	struct tables tables;
	struct table_limit limit; /* of the tables */
	struct batches batches;
	struct order order;

	struct block block; /* being decoded, if `decoding` */
	bool decoding;
	size_t block_used; /* bytes of it decoded, in NetPerf */
	struct event_block events;
	struct netperf netperf;

	uint64_t boundary;    /* where the last complete block ends; 0: inside the header */
	int64_t newest_ticks; /* of all events so far */
	bool finished;	      /* at the end, or failed */
	struct pp_error failure;
	uint64_t handed_out; /* events of all runs so far */
	size_t held_at_most;
};

static void limit_tables(struct pp_nettrace *t, size_t most)
{
	struct tables *tables = &t->tables;

	t->limit = (struct table_limit){
		.most = most ? most : TABLES_AT_MOST,
		.arenas = { &t->arena, &tables->labels.now, &tables->labels.before },
		.maps = { &tables->kinds.by_id, &tables->kinds.by_content, &tables->threads.by_key,
			  &tables->threads.by_content, &tables->stacks.by_id,
			  &tables->stacks.by_content, &tables->labels.by_index },
	};
	tables->kinds.limit = tables->threads.limit = &t->limit;
	tables->stacks.limit = tables->labels.limit = &t->limit;
}

static void begin(struct pp_nettrace *t, const struct pp_nettrace_options *options)
{
	t->held_at_most = options->held_at_most ? options->held_at_most : HELD_AT_MOST;
	t->container.header = &t->header;
	t->header.minor_version = -1;
	t->batches.bytes = &t->bytes;
	t->tables.kinds.arena = &t->arena;
	t->tables.threads.arena = &t->arena;
	t->tables.stacks.arena = &t->arena;
	t->tables.stacks.left_out = options->no_stacks;
	limit_tables(t, options->tables_at_most);
	t->events.tables = t->netperf.tables = &t->tables;
	order_init(&t->order, &t->batches, options->file_order);
}

static void *make_reader(struct heap *heap, const void *options, struct pp_error *err)
{
	struct pp_nettrace *t = xcalloc(1, sizeof(*t));

	(void)err;
	t->heap = heap;
	begin(t, options);
	return t;
}

struct pp_nettrace *pp_nettrace_new(const struct pp_nettrace_options *options, struct pp_error *err)
{
	struct pp_nettrace_options known = { .size = sizeof(known) };

	if (OPTIONS_READ(&known, options ? options : &known, err))
		return NULL;
	return heap_make(make_reader, &known, err);
}

void pp_nettrace_free(struct pp_nettrace *trace)
{
	if (trace)
		heap_free(trace->heap);
}

/* These have no error to set; if memory is gone, the next pp_nettrace_next() fails. */
void pp_nettrace_feed(struct pp_nettrace *trace, const void *bytes, size_t size)
{
	struct guard guard;

	if (guard_enter(&guard, trace->heap, NULL))
		return;
	if (!setjmp(guard.out))
		bytes_lend(&trace->bytes, bytes, size);
	guard_leave(&guard);
}

void pp_nettrace_feed_taken(struct pp_nettrace *trace, void *taken, size_t size,
			    void (*release)(void *bytes, size_t size))
{
	struct chunk *volatile chunk = NULL;
	struct guard guard;

	if (!guard_enter(&guard, trace->heap, NULL)) {
		if (!setjmp(guard.out)) {
			chunk = chunk_over(taken, size, release);
			bytes_lend_chunk(&trace->bytes, chunk);
		}
		guard_leave(&guard);
	}
	if (!chunk)
		release(taken, size);
}

void *pp_nettrace_room(struct pp_nettrace *trace, size_t *size)
{
	void *volatile room = NULL;
	struct guard guard;

	*size = 0;
	if (guard_enter(&guard, trace->heap, NULL))
		return NULL;
	if (!setjmp(guard.out))
		room = bytes_room(&trace->bytes, size);
	guard_leave(&guard);
	return room;
}

void pp_nettrace_filled(struct pp_nettrace *trace, size_t size)
{
	if (!trace->heap->broken)
		bytes_filled(&trace->bytes, size);
}

void pp_nettrace_end(struct pp_nettrace *trace)
{
	trace->bytes.ended = true;
}

static int begin_trace(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	struct pp_trace_header *header = &t->header;

	if (block->cut)
		return 0;
	if (header_parse(header, cursor_over(block->bytes, block->size), &t->arena, err))
		return -1;
	t->has_header = true;
	t->events.v6 = t->tables.threads.announced = header->version >= 6;
	t->netperf.version = header->version;
	t->order.file_order |= header->netperf; /* NetPerf is in order already */
	t->newest_ticks = header->start_ticks;
	t->tables.stacks.pointer_size = header->pointer_size;
	t->tables.threads.process_id = header->process_id;
	if (header->version >= 6 && header->process_id < 0)
		t->tables.threads.process_id = 0;
	return 0;
}

static int begin_events(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	t->block = *block;
	t->block_used = 0;
	t->decoding = true;
	return t->header.netperf ? 0 : event_block_begin(&t->events, block, err);
}

/* The rows of a block of version 6, each preceded by its size. */
static int each_row(struct pp_nettrace *t, const struct block *block, struct cursor c,
		    int (*take)(struct pp_nettrace *, struct cursor, struct pp_error *),
		    struct pp_error *err)
{
	while (cursor_left(&c)) {
		const struct cursor row = cursor_within(&c, cursor_u16(&c));

		if (row.failed)
			return block->cut ? 0
					  : error_set(err, PP_ERROR_FORMAT,
						      "a row runs past the end of its block");
		if (take(t, row, err))
			return -1;
	}
	return 0;
}

static int take_kind(struct pp_nettrace *t, struct cursor row, struct pp_error *err)
{
	return metadata_v6(&t->tables.kinds, row, err);
}

static int take_thread(struct pp_nettrace *t, struct cursor row, struct pp_error *err)
{
	return threads_define(&t->tables.threads, row, err);
}

static int read_metadata(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	struct cursor c = cursor_over(block->bytes, block->size);

	if (t->header.version < 6)
		return begin_events(t, block, err);
	cursor_bytes(&c, cursor_u16(&c)); /* skips the header, of any size */
	if (c.failed)
		return block->cut ? 0
				  : error_set(err, PP_ERROR_FORMAT,
					      "the header of a metadata block is cut short");
	return each_row(t, block, c, take_kind, err);
}

static int read_threads(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	return each_row(t, block, cursor_over(block->bytes, block->size), take_thread, err);
}

static int read_removals(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	if (block->cut)
		return 0;
	return threads_remove(&t->tables.threads, cursor_over(block->bytes, block->size), err);
}

static int read_stacks(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	if (stacks_define(&t->tables.stacks, cursor_over(block->bytes, block->size)) || block->cut)
		return 0;
	return error_set(err, PP_ERROR_FORMAT, "a stack runs past the end of its block");
}

/* Of a block that is cut the last label may be incomplete; that is not an error. */
static int read_labels(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	struct pp_error incomplete = { 0 };
	const int failed = labels_define(&t->tables.labels, cursor_over(block->bytes, block->size),
					 block->cut ? &incomplete : err);

	return block->cut ? 0 : failed;
}

/* The sequence number a thread had reached; an unknown thread in version 6 is an error. */
static int read_reached(struct pp_nettrace *t, struct cursor *c, struct pp_error *err)
{
	const bool v6 = t->header.version >= 6;
	const uint64_t key = v6 ? cursor_varint64(c) : cursor_u64(c);
	const uint32_t sequence = v6 ? cursor_varint32(c) : cursor_u32(c);
	struct thread_state *state;

	if (c->failed)
		return error_set(err, PP_ERROR_FORMAT, "a sequence point is cut short");
	state = threads_find(&t->tables.threads, key);
	if (!state)
		return error_set(err, PP_ERROR_FORMAT,
				 "a sequence point names thread %" PRIu64 ", which is not defined",
				 key);
	threads_reached(&t->tables.threads, state, sequence);
	return 0;
}

enum sequence_point_flags {
	FORGET_THREADS = 1,
	FORGET_METADATA = 2,
};

/* All events before it are older than all events after it, and ids start over. */
static int read_sequence_point(struct pp_nettrace *t, const struct block *block,
			       struct pp_error *err)
{
	struct cursor c = cursor_over(block->bytes, block->size);
	uint32_t flags = 0;
	uint32_t count;

	if (block->cut)
		return 0;
	cursor_u64(&c); /* time of the sequence point */
	if (t->header.version >= 6)
		flags = cursor_u32(&c);
	count = cursor_u32(&c);
	if (c.failed)
		return error_set(err, PP_ERROR_FORMAT, "a sequence point is cut short");
	for (uint32_t i = 0; i < count; i++)
		if (read_reached(t, &c, err))
			return -1;
	order_raise(&t->order, INT64_MAX);
	map_clear(&t->tables.stacks.by_id);
	labels_forget(&t->tables.labels);
	if (flags & FORGET_THREADS)
		threads_forget(&t->tables.threads);
	if (flags & FORGET_METADATA)
		map_clear(&t->tables.kinds.by_id);
	return 0;
}

static int read_end(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	(void)block;
	(void)err;
	t->finished = true;
	return 0;
}

static int skip(struct pp_nettrace *t, const struct block *block, struct pp_error *err)
{
	(void)t;
	(void)block;
	(void)err;
	return 0;
}

static int (*const readers[])(struct pp_nettrace *, const struct block *, struct pp_error *) = {
	[BLOCK_END] = read_end,
	[BLOCK_TRACE] = begin_trace,
	[BLOCK_EVENTS] = begin_events,
	[BLOCK_METADATA] = read_metadata,
	[BLOCK_SEQUENCE_POINT] = read_sequence_point,
	[BLOCK_STACKS] = read_stacks,
	[BLOCK_THREADS] = read_threads,
	[BLOCK_REMOVE_THREADS] = read_removals,
	[BLOCK_LABELS] = read_labels,
	[BLOCK_RAW_EVENTS] = begin_events,
	[BLOCK_KINDS] = skip,
};

static int read_block(struct pp_nettrace *t, const struct block *block)
{
	struct pp_error inner = { 0 };

	if (!readers[block->kind](t, block, &inner))
		return 0;
	/* event decoders name the exact byte, others only the block */
	if (!strncmp(inner.text, "byte ", 5))
		return error_set(&t->failure, inner.code, "%s", inner.text);
	return error_set(&t->failure, inner.code, "byte %" PRIu64 ": %s", block->offset,
			 inner.text);
}

static int decode_netperf(struct pp_nettrace *t, struct batch *batch)
{
	const size_t before = t->block_used;
	const int result =
		netperf_decode(&t->netperf, &t->block, batch, &t->block_used, &t->failure);
	const bool stuck = t->block_used == before; /* no complete event is left */

	if (t->block.kind == BLOCK_RAW_EVENTS)
		bytes_take(&t->bytes, t->block_used - before);
	t->decoding = !stuck && t->block_used < t->block.size;
	batch_close(&t->batches, batch, t->block_used - before);
	return result;
}

static int decode_nettrace(struct pp_nettrace *t, struct batch *batch)
{
	const int result = event_block_decode(&t->events, batch, &t->failure);

	t->decoding = !event_block_done(&t->events);
	batch_close(&t->batches, batch, (size_t)(t->events.c.at - batch->base));
	order_raise(&t->order, t->events.sorted_ticks);
	return result;
}

/* The newest event of a stretch is its last. */
static void note_newest(struct pp_nettrace *t, const struct batch *batch)
{
	for (size_t i = 0; i < batch->cut_count; i++)
		if (batch->entries[batch->cuts[i] - 1].ticks > t->newest_ticks)
			t->newest_ticks = batch->entries[batch->cuts[i] - 1].ticks;
	if (batch->count && batch->entries[batch->count - 1].ticks > t->newest_ticks)
		t->newest_ticks = batch->entries[batch->count - 1].ticks;
}

static int decode_batch(struct pp_nettrace *t)
{
	const uint8_t *at = t->header.netperf ? t->block.bytes + t->block_used : t->events.c.at;
	struct batch *batch = batch_new(&t->batches, at);
	const int result = t->header.netperf ? decode_netperf(t, batch) : decode_nettrace(t, batch);

	note_newest(t, batch);
	order_add(&t->order, batch);
	if (t->batches.held > t->held_at_most)
		order_raise(&t->order, INT64_MAX);
	return result;
}

/* Versions 1 and 2: waits for the rest of an event, unless the trace ends inside it. */
static enum container_result after_raw(struct pp_nettrace *t)
{
	struct cursor c = cursor_over(t->bytes.at, bytes_left(&t->bytes));
	const size_t size = (size_t)cursor_u32(&c) + 4;

	if (t->decoding || t->block_used || bytes_want(&t->bytes, c.failed ? 4 : size))
		return CONTAINER_FOUND;
	t->finished = t->bytes.ended;
	return t->finished ? CONTAINER_FOUND : CONTAINER_MORE;
}

/* A definition was left out, so what follows has no meaning. */
static enum container_result refuse_definitions(struct pp_nettrace *t)
{
	t->failure = (struct pp_error){ 0 }; /* what that led to */
	error_set(&t->failure, PP_ERROR_LIMIT,
		  "byte %" PRIu64
		  ": the definitions of events, threads, stacks and labels need more "
		  "than %zu MiB",
		  t->bytes.offset, t->limit.most >> 20);
	return CONTAINER_ERROR;
}

/* One step: a batch of events, or a block. */
static enum container_result step(struct pp_nettrace *t)
{
	enum container_result result;

	t->order.watermark = t->order.count ? t->order.watermark : INT64_MIN;
	if (t->decoding) {
		if (decode_batch(t))
			return CONTAINER_ERROR;
		return t->block.kind == BLOCK_RAW_EVENTS ? after_raw(t) : CONTAINER_FOUND;
	}
	if (t->has_header &&
	    (t->container.state == CONTAINER_OBJECT || t->container.state == CONTAINER_BLOCK))
		t->boundary = t->bytes.offset;
	result = container_next(&t->container, &t->bytes, &t->block, &t->failure);
	if (result == CONTAINER_FOUND && read_block(t, &t->block))
		return CONTAINER_ERROR;
	return result;
}

static void start_run(struct pp_nettrace *t)
{
	t->handed_out += (uint64_t)(t->run.end - t->run.at);
	t->base = t->run.batch->base;
	t->context = UINT32_MAX;
}

/* Reads until there are events to return. */
static enum pp_next read_on(struct pp_nettrace *t, struct pp_error *err)
{
	while (!order_next(&t->order, &t->run)) {
		enum container_result result;

		if (t->finished && t->failure.code) {
			error_set(err, t->failure.code, "%s", t->failure.text);
			return PP_NEXT_ERROR;
		}
		if (t->finished)
			return PP_NEXT_END;
		result = step(t);
		if (t->limit.passed)
			result = refuse_definitions(t);
		if (result == CONTAINER_MORE) {
			batches_park(&t->batches);
			bytes_park(&t->bytes);
			return PP_NEXT_MORE;
		}
		t->finished |= result == CONTAINER_ERROR;
		if (t->finished)
			order_raise(&t->order,
				    INT64_MAX); /* complete events come out before the error */
	}
	return PP_NEXT_ITEM;
}

static enum pp_next guarded_read_on(struct pp_nettrace *t, struct pp_error *err)
{
	volatile enum pp_next next = PP_NEXT_ERROR;
	struct guard guard;

	if (guard_enter(&guard, t->heap, err))
		return PP_NEXT_ERROR;
	if (!setjmp(guard.out))
		next = read_on(t, err);
	guard_leave(&guard);
	return next;
}

/* What is in order already comes without a guard: it may be a few events at a time. */
static enum pp_next advance(struct pp_nettrace *t, struct pp_error *err)
{
	enum pp_next next = PP_NEXT_ITEM;

	if (t->heap->broken || !order_next(&t->order, &t->run))
		next = guarded_read_on(t, err);
	if (next == PP_NEXT_ITEM)
		start_run(t);
	return next;
}

static inline enum pp_next hand_out(struct pp_nettrace *t, const struct pp_event **event)
{
	const struct batch_entry *entry = t->run.at++;

	if (entry_context(entry) != t->context) {
		t->context = entry_context(entry);
		t->event = t->run.batch->contexts[t->context];
	}
	t->event.ticks = entry->ticks;
	t->event.payload = t->base + entry_payload(entry);
	*event = &t->event;
	return PP_NEXT_ITEM;
}

/* A separate function, so that the caller below needs no stack frame and can be inlined. */
__attribute__((noinline)) static enum pp_next
next_of_new_run(struct pp_nettrace *t, const struct pp_event **event, struct pp_error *err)
{
	const enum pp_next next = advance(t, err);

	return next == PP_NEXT_ITEM ? hand_out(t, event) : next;
}

enum pp_next pp_nettrace_next(struct pp_nettrace *trace, const struct pp_event **event,
			      struct pp_error *err)
{
	if (trace->run.at == trace->run.end)
		return next_of_new_run(trace, event, err);
	return hand_out(trace, event);
}

const struct pp_trace_header *pp_nettrace_header(const struct pp_nettrace *trace)
{
	return trace->has_header ? &trace->header : NULL;
}

struct pp_trace_totals pp_nettrace_totals(const struct pp_nettrace *trace)
{
	const struct bytes *b = &trace->bytes;
	const uint64_t unread = bytes_left(b) + (uint64_t)(b->lent_end - b->lent);

	return (struct pp_trace_totals){
		.events = trace->handed_out - (uint64_t)(trace->run.end - trace->run.at),
		.lost = trace->tables.threads.lost,
		.lost_before = trace->tables.threads.lost_before,
		.lost_at_least = trace->tables.threads.lost || trace->header.netperf,
		.late = trace->order.late,
		.bytes = b->offset + unread,
		.stacks = trace->tables.stacks.count,
		.complete = trace->container.complete,
		.whole = trace->boundary,
		.missing = b->missing,
		.trailing = trace->container.complete ? unread : 0,
	};
}

int pp_nettrace_tail(const struct pp_nettrace *trace, struct pp_tail *tail, struct pp_error *err)
{
	*tail = (struct pp_tail){ 0 };
	if (heap_check(trace->heap, err))
		return -1;
	*tail = (struct pp_tail){
		.version = trace->header.version,
		.complete = trace->container.complete,
		.end = trace->boundary,
		.torn = pp_nettrace_totals(trace).bytes - trace->boundary,
		.newest_ticks = trace->newest_ticks,
		.pointer_size = trace->header.pointer_size,
	};
	tail_find_free_ids(tail, &trace->tables);
	if (trace->failure.code)
		return error_set(err, trace->failure.code, "%s", trace->failure.text);
	return tail_check(tail, &trace->header, err);
}

const struct pp_thread *pp_nettrace_thread(const struct pp_nettrace *trace, size_t index)
{
	return index < trace->tables.threads.count ? trace->tables.threads.list[index] : NULL;
}

const struct pp_kind *pp_nettrace_kind(const struct pp_nettrace *trace, size_t index)
{
	return index < trace->tables.kinds.count ? trace->tables.kinds.list[index] : NULL;
}
