/* SPDX-License-Identifier: MIT */
/*
 * A group is written as
 *
 *	metadata | threads | stacks | labels | events | ended threads | sequence point
 *
 * without its empty blocks. Threads and metadata are valid for the whole trace, stacks and labels
 * until the sequence point.
 */
#include <errno.h>

#include "nettrace/write_group.h"

#define COMPRESSED 1u

/* The block's number in version 6, and the size of its head. */
static const struct {
	uint8_t kind;
	uint8_t head;
} blocks[OUTS] = {
	[OUT_METADATA] = { 3, 2 },
	[OUT_THREADS] = { 6, 0 },
	[OUT_STACKS] = { 5, 8 },
	[OUT_LABELS] = { 8, 8 },
	[OUT_EVENTS] = { EVENTS_KIND, EVENT_HEAD },
	[OUT_REMOVALS] = { 7, 0 },
	[OUT_POINT] = { 4, 16 },
};

int writer_fail(struct pp_writer *w, struct pp_error *err)
{
	if (!w->failure.code && errno)
		error_errno(&w->failure, "cannot write the trace");
	else
		error_set(&w->failure, PP_ERROR_SYSTEM, "cannot write the trace");
	w->kind_count = 0;
	if (err != &w->failure)
		error_set(err, w->failure.code, "%s", w->failure.text);
	return -1;
}

int writer_no_memory(struct pp_writer *w, struct pp_error *err)
{
	error_set(&w->failure, PP_ERROR_MEMORY, "out of memory while writing the trace");
	return writer_fail(w, err);
}

int writer_take_back(struct pp_writer *w, struct buffer *b, size_t size, const char *what,
		     struct pp_error *err)
{
	if (!b->failed)
		return 0;
	if (b->no_memory)
		return writer_no_memory(w, err);
	buffer_rewind(b, size);
	return error_set(err, PP_ERROR_LIMIT, "%s takes more than 65,535 bytes", what);
}

/* Reserves a group's size, so that only a large event needs more. */
static void reserve_events(struct pp_writer *w)
{
	struct buffer *b = &w->out[OUT_EVENTS];

	w->event_limit = BLOCK_HEADER + EVENT_HEAD + w->group_size;
	if (b->capacity < w->event_limit + HEADER_MOST &&
	    !buffer_grow(b, w->event_limit + HEADER_MOST - b->size))
		writer_no_memory(w, &w->failure);
}

void group_begin(struct pp_writer *w)
{
	static const uint8_t zeros[BLOCK_HEADER + EVENT_HEAD];

	for (size_t i = 0; i < OUTS; i++) {
		buffer_rewind(&w->out[i], 0);
		buffer_bytes(&w->out[i], zeros, BLOCK_HEADER + (size_t)blocks[i].head);
		if (w->out[i].failed)
			writer_no_memory(w, &w->failure);
	}
	w->group++;
	w->group_events = 0;
	w->unordered = false;
	w->last = (struct event_header){ 0 };
	reserve_events(w);
	id_table_forget(&w->stacks);
	id_table_forget(&w->labels);
}

static bool is_empty(const struct pp_writer *w, enum out out)
{
	return w->out[out].size <= BLOCK_HEADER + (size_t)blocks[out].head;
}

int group_make_room(struct pp_writer *w, enum out out, size_t size, struct pp_error *err)
{
	if (w->failure.code)
		return writer_fail(w, err);
	if (w->out[out].size + size <= w->group_size || is_empty(w, out))
		return 0;
	return group_flush(w, err);
}

void group_put(struct pp_writer *w, const void *bytes, size_t size)
{
	if (w->failure.code)
		return;
	errno = 0;
	if (w->sink.write(w->sink.context, bytes, size))
		writer_fail(w, &w->failure);
	else
		w->totals.bytes += size;
}

void group_write(struct pp_writer *w, struct buffer *b, unsigned kind)
{
	const uint32_t header = (uint32_t)(b->size - BLOCK_HEADER) | (uint32_t)kind << 24;

	if (b->no_memory)
		writer_no_memory(w, &w->failure);
	buffer_patch(b, 0, &header, sizeof(header));
	group_put(w, b->bytes, b->size);
}

void event_block_head(struct buffer *b, int64_t oldest, int64_t newest)
{
	const uint16_t size_and_flags[] = { EVENT_HEAD, COMPRESSED };
	const int64_t times[] = { oldest, newest };

	buffer_patch(b, BLOCK_HEADER, size_and_flags, sizeof(size_and_flags));
	buffer_patch(b, BLOCK_HEADER + sizeof(size_and_flags), times, sizeof(times));
}

static void table_head(struct buffer *b, const struct id_table *table)
{
	const uint32_t first_and_count[] = { 1, table->count };

	buffer_patch(b, BLOCK_HEADER, first_and_count, sizeof(first_and_count));
}

static void write_block(struct pp_writer *w, enum out out)
{
	if (!is_empty(w, out))
		group_write(w, &w->out[out], blocks[out].kind);
}

static void write_events(struct pp_writer *w)
{
	if (w->unordered) {
		group_write_ordered(w);
		return;
	}
	event_block_head(&w->out[OUT_EVENTS], w->oldest, (int64_t)w->last.ticks);
	if (w->group_events && (int64_t)w->last.ticks > w->newest)
		w->newest = (int64_t)w->last.ticks;
	write_block(w, OUT_EVENTS);
}

/* The number each thread of the group has reached; an ended thread must not be listed. */
static void write_point(struct pp_writer *w)
{
	struct buffer *b = &w->out[OUT_POINT];
	const int64_t ticks = w->newest == INT64_MIN ? w->start_ticks : w->newest;
	uint32_t count = 0;

	for (size_t i = 0; i < w->active_count; i++) {
		const struct thread_slot *slot = &w->threads[w->active[i]];

		if (slot->ended)
			continue;
		buffer_varint(b, slot->serial);
		buffer_varint(b, slot->sequence + slot->lost);
		count++;
	}
	buffer_patch(b, BLOCK_HEADER, &ticks, sizeof(ticks));
	buffer_patch(b, BLOCK_HEADER + 12, &count, sizeof(count)); /* after the flags, 0 */
	group_write(w, b, blocks[OUT_POINT].kind);
}

int group_flush(struct pp_writer *w, struct pp_error *err)
{
	const bool point = w->group_events || w->active_count;

	if (w->failure.code)
		return writer_fail(w, err);
	table_head(&w->out[OUT_STACKS], &w->stacks);
	table_head(&w->out[OUT_LABELS], &w->labels);
	write_block(w, OUT_METADATA);
	write_block(w, OUT_THREADS);
	write_block(w, OUT_STACKS);
	write_block(w, OUT_LABELS);
	write_events(w);
	write_block(w, OUT_REMOVALS);
	if (point)
		write_point(w);
	threads_flushed(w);
	group_begin(w);
	return w->failure.code ? writer_fail(w, err) : 0;
}
