/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/alloc.h"
#include "nettrace/write_group.h"

#define MOST_LOST ((uint32_t)INT32_MAX) /* beyond it, readers would see a number that goes back */

#define MOST_ACTIVE ((size_t)1 << 18) /* threads of a group, which may have written no event */

enum thread_element {
	THREAD_NAME = 1,
	THREAD_PROCESS_ID = 2,
	THREAD_ID = 3,
	THREAD_PAIR = 4,
};

/* An index is never reused: .NET's reader would mistake the new thread for the old one. */
static void put_row(struct buffer *b, uint32_t serial, const struct pp_thread *thread)
{
	const size_t row = buffer_open_u16(b);

	buffer_varint(b, serial);
	if (thread->name) {
		buffer_u8(b, THREAD_NAME);
		buffer_varint_text(b, thread->name);
	}
	if (thread->process_id >= 0) {
		buffer_u8(b, THREAD_PROCESS_ID);
		buffer_varint(b, (uint64_t)thread->process_id);
	}
	if (thread->id >= 0) {
		buffer_u8(b, THREAD_ID);
		buffer_varint(b, (uint64_t)thread->id);
	}
	for (size_t i = 0; i < thread->pair_count; i++) {
		buffer_u8(b, THREAD_PAIR);
		buffer_varint_text(b, thread->pairs[i].key);
		buffer_varint_text(b, thread->pairs[i].value);
	}
	buffer_close_u16(b, row);
}

/* The index of a free slot; UINT32_MAX if out of memory. */
static uint32_t take_slot(struct pp_writer *w)
{
	uint32_t index = w->free_slot - 1;

	if (w->free_slot) {
		w->free_slot = w->threads[index].next;
		return index;
	}
	if (w->thread_count == w->thread_capacity) {
		const size_t capacity = w->thread_capacity ? w->thread_capacity * 2 : 16;
		void *more = try_realloc(w->threads, capacity, sizeof(*w->threads));

		if (!more)
			return UINT32_MAX;
		w->threads = more;
		w->thread_capacity = capacity;
	}
	return w->thread_count++;
}

uint64_t pp_writer_thread(struct pp_writer *writer, const struct pp_thread *thread,
			  struct pp_error *err)
{
	const uint32_t serial = writer->serial + 1;
	struct buffer *b = &writer->out[OUT_THREADS];
	uint32_t index;
	size_t row;

	if (group_make_room(writer, OUT_THREADS, UINT16_MAX + 2u, err))
		return 0;
	if (!serial) {
		error_set(err, PP_ERROR_LIMIT, "a trace has at most 4,294,967,295 threads");
		return 0;
	}
	row = b->size;
	put_row(b, serial, thread);
	if (writer_take_back(writer, b, row, "a thread, its name and pairs,", err))
		return 0;
	index = take_slot(writer);
	if (index == UINT32_MAX)
		return writer_no_memory(writer, err), 0;
	writer->serial = serial;
	writer->threads[index] = (struct thread_slot){ .serial = serial };
	return (uint64_t)serial << 32 | index;
}

int thread_enter(struct pp_writer *w, struct thread_slot *slot, struct pp_error *err)
{
	if (w->active_count == w->active_capacity) {
		const size_t capacity = w->active_capacity ? w->active_capacity * 2 : 16;
		void *more = try_realloc(w->active, capacity, sizeof(*w->active));

		if (!more)
			return writer_no_memory(w, err);
		w->active = more;
		w->active_capacity = capacity;
	}
	w->active[w->active_count++] = (uint32_t)(slot - w->threads);
	slot->group = w->group;
	slot->before = slot->sequence;
	return 0;
}

static struct thread_slot *find_or_fail(struct pp_writer *w, uint64_t handle, struct pp_error *err)
{
	struct thread_slot *slot = w->failure.code ? NULL : thread_find(w, handle);

	if (w->failure.code)
		writer_fail(w, err);
	else if (!slot)
		error_set(err, PP_ERROR_USAGE,
			  "a thread handle is unknown, or its thread has ended");
	return slot;
}

/* The sequence point lists all threads of the group in one block, so their number is limited. */
static int make_room(struct pp_writer *w, struct pp_error *err)
{
	return w->active_count < MOST_ACTIVE ? 0 : group_flush(w, err);
}

int pp_writer_lost(struct pp_writer *writer, uint64_t capture_thread, uint32_t count,
		   struct pp_error *err)
{
	struct thread_slot *slot = find_or_fail(writer, capture_thread, err);

	if (!slot || make_room(writer, err))
		return -1;
	if (slot->group != writer->group && thread_enter(writer, slot, err))
		return -1;
	writer->totals.lost += count;
	slot->lost = count > MOST_LOST - slot->lost ? MOST_LOST : slot->lost + count;
	return 0;
}

int pp_writer_thread_end(struct pp_writer *writer, uint64_t thread, struct pp_error *err)
{
	struct thread_slot *slot = find_or_fail(writer, thread, err);
	struct buffer *b = &writer->out[OUT_REMOVALS];

	if (!slot || group_make_room(writer, OUT_REMOVALS, 2 * VARINT_MOST, err) ||
	    make_room(writer, err))
		return -1;
	if (slot->group != writer->group && thread_enter(writer, slot, err))
		return -1;
	buffer_varint(b, slot->serial);
	buffer_varint(b, slot->sequence + slot->lost);
	slot->ended = true;
	return b->failed ? writer_no_memory(writer, err) : 0;
}

void threads_flushed(struct pp_writer *w)
{
	for (size_t i = 0; i < w->active_count; i++) {
		struct thread_slot *slot = &w->threads[w->active[i]];

		slot->sequence += slot->lost; /* the sequence point has reported them */
		slot->lost = 0;
		if (!slot->ended)
			continue;
		*slot = (struct thread_slot){ .next = w->free_slot, .ended = true };
		w->free_slot = w->active[i] + 1;
	}
	w->active_count = 0;
}
