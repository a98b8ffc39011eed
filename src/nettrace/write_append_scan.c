/* SPDX-License-Identifier: MIT */
/*
 * Finds the end of a truncated trace: container.c finds the blocks, and complete ones are decoded
 * for the ids and times that must not be used again.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "nettrace/event_block.h"
#include "nettrace/header.h"
#include "nettrace/write_append.h"

/* No system has a thread with this id; .NET's reader counts losses by 32-bit ids. */
#define FIRST_FREE_THREAD UINT64_C(0x7fffffff)

struct pp_tail_scan {
	struct heap *heap; /* all memory, with this */
	struct bytes bytes;
	struct container container;
	struct pp_trace_header header;
	bool has_header;
	struct arena arena;
	struct tables tables;
	struct batches batches;
	struct event_block events;
	uint64_t fed;
	struct pp_tail tail;
	struct pp_error failure;
};

static void *make_scan(struct heap *heap, const void *from, struct pp_error *err)
{
	struct pp_tail_scan *s = xcalloc(1, sizeof(*s));

	(void)from;
	(void)err;
	s->heap = heap;
	s->container.header = &s->header;
	s->batches.bytes = &s->bytes;
	s->tables.kinds.arena = &s->arena;
	s->tables.threads.arena = &s->arena;
	s->tables.stacks.arena = &s->arena;
	s->events.tables = &s->tables;
	return s;
}

struct pp_tail_scan *pp_tail_new(struct pp_error *err)
{
	return heap_make(make_scan, NULL, err);
}

static int take_header(struct pp_tail_scan *s, const struct block *block)
{
	if (header_parse(&s->header, cursor_over(block->bytes, block->size), &s->arena,
			 &s->failure))
		return -1;
	s->has_header = true;
	s->tail.version = s->header.version;
	s->tail.pointer_size = s->header.pointer_size;
	s->tail.newest_ticks = s->header.start_ticks;
	return 0;
}

static void take_times(struct pp_tail_scan *s, const struct batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++)
		if (batch->entries[i].ticks > s->tail.newest_ticks)
			s->tail.newest_ticks = batch->entries[i].ticks;
}

static int take_events(struct pp_tail_scan *s, const struct block *block)
{
	int result = event_block_begin(&s->events, block, &s->failure);

	while (!result && !event_block_done(&s->events)) {
		struct batch *batch = batch_new(&s->batches, s->events.c.at);

		result = event_block_decode(&s->events, batch, &s->failure);
		batch_close(&s->batches, batch, (size_t)(s->events.c.at - batch->base));
		take_times(s, batch);
		batch_free(&s->batches, batch);
	}
	return result;
}

/* Of version 6, only the end is needed, no ids. */
static int take_block(struct pp_tail_scan *s, const struct block *block)
{
	if (block->kind == BLOCK_TRACE)
		return take_header(s, block);
	if (s->header.version == 4 &&
	    (block->kind == BLOCK_EVENTS || block->kind == BLOCK_METADATA))
		return take_events(s, block);
	return 0;
}

static bool at_boundary(const struct pp_tail_scan *s)
{
	return s->has_header &&
	       (s->container.state == CONTAINER_OBJECT || s->container.state == CONTAINER_BLOCK);
}

static void scan_bytes(struct pp_tail_scan *scan, const void *bytes, size_t size)
{
	enum container_result result = CONTAINER_FOUND;
	struct block block;

	scan->fed += size;
	if (scan->failure.code || scan->container.state == CONTAINER_DONE)
		return;
	bytes_lend(&scan->bytes, bytes, size);
	while (result == CONTAINER_FOUND && scan->container.state != CONTAINER_DONE) {
		result = container_next(&scan->container, &scan->bytes, &block, &scan->failure);
		if (result == CONTAINER_FOUND && take_block(scan, &block))
			break;
		if (at_boundary(scan))
			scan->tail.end = scan->bytes.offset;
	}
	bytes_park(&scan->bytes);
}

/* If memory is gone, pp_tail_close() fails. */
void pp_tail_feed(struct pp_tail_scan *scan, const void *bytes, size_t size)
{
	struct guard guard;

	if (guard_enter(&guard, scan->heap, NULL))
		return;
	if (!setjmp(guard.out))
		scan_bytes(scan, bytes, size);
	guard_leave(&guard);
}

void tail_find_free_ids(struct pp_tail *tail, const struct tables *tables)
{
	const struct map *kinds = &tables->kinds.by_id;
	uint64_t most = 0;

	for (size_t i = 0; i < kinds->capacity; i++)
		if (kinds->slots[i].value && kinds->slots[i].key > most)
			most = kinds->slots[i].key;
	tail->free_kind = (uint32_t)(most + 1);
	tail->free_thread = FIRST_FREE_THREAD;
	while (map_find(&tables->threads.by_key, tail->free_thread))
		tail->free_thread--;
}

int tail_check(const struct pp_tail *tail, const struct pp_trace_header *header,
	       struct pp_error *err)
{
	if (header->netperf)
		return error_set(err, PP_ERROR_FORMAT,
				 "this is a NetPerf file; nothing can be appended");
	return tail->end ? 0 : error_set(err, PP_ERROR_FORMAT, "the trace ends inside its header");
}

static int find_tail(struct pp_tail_scan *scan, struct pp_tail *tail, struct pp_error *err)
{
	tail_find_free_ids(&scan->tail, &scan->tables);
	*tail = scan->tail;
	tail->complete = scan->container.complete;
	tail->torn = scan->fed - tail->end;
	if (scan->failure.code)
		return error_set(err, scan->failure.code, "%s", scan->failure.text);
	return tail_check(tail, &scan->header, err);
}

int pp_tail_close(struct pp_tail_scan *taken, struct pp_tail *tail, struct pp_error *err)
{
	int result;

	*tail = (struct pp_tail){ 0 };
	result = heap_check(taken->heap, err) ? -1 : find_tail(taken, tail, err);
	heap_free(taken->heap);
	return result;
}
