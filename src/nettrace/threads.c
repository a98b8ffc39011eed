/* SPDX-License-Identifier: MIT */
#include "nettrace/threads.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "nettrace/pairs.h"

/* Version 6: if a number goes back, the loss is unknown; .NET's reader uses this value too. */
#define LOST_BEYOND_COUNT INT32_MAX

enum element {
	ELEMENT_NAME = 1,
	ELEMENT_PROCESS_ID = 2,
	ELEMENT_THREAD_ID = 3,
	ELEMENT_PAIR = 4,
};

static struct pp_thread *add_thread(struct threads *threads)
{
	struct pp_thread *thread = arena_new(threads->arena, struct pp_thread);

	threads->list =
		xgrow(threads->list, threads->count, &threads->capacity, sizeof(*threads->list));
	threads->list[threads->count] = thread;
	thread->index = threads->count++;
	thread->process_id = threads->process_id;
	thread->id = -1;
	return thread;
}

static struct thread_state *add_state(struct threads *threads, uint64_t key,
				      struct pp_thread *thread)
{
	struct thread_state *state = threads->spare;

	if (state)
		threads->spare = state->next;
	else
		state = arena_new(threads->arena, struct thread_state);
	*state = (struct thread_state){ .thread = thread, .next = threads->live };
	threads->live = state;
	map_put(&threads->by_key, key, state);
	return state;
}

struct thread_state *threads_find(struct threads *threads, uint64_t key)
{
	struct thread_state *state = map_find(&threads->by_key, key);

	if (threads->announced)
		return state && !state->removed ? state : NULL;
	if (!state && table_limit_allows(threads->limit, 0)) {
		struct pp_thread *thread = add_thread(threads);

		thread->id = (int64_t)key;
		state = add_state(threads, key, thread);
	}
	return state;
}

static void add_loss(struct threads *threads, struct thread_state *state, uint32_t lost)
{
	state->thread->lost += lost;
	threads->lost += lost;
	if (!state->sequence)
		threads->lost_before += lost;
}

void threads_reached(struct threads *threads, struct thread_state *state, uint32_t sequence)
{
	const int32_t missing = (int32_t)(sequence - state->sequence);

	/* versions 4 and 5: the runtime takes the numbers of a sequence point without a lock */
	if (missing < 0 && !threads->announced)
		return;
	if (missing)
		add_loss(threads, state, missing > 0 ? (uint32_t)missing : LOST_BEYOND_COUNT);
	state->sequence = sequence;
}

void threads_wrote(struct threads *threads, struct thread_state *state, uint32_t sequence)
{
	/* versions 4 and 5: a new thread with the id of one that ended; its first may be lost */
	if (!threads->announced && (int32_t)(sequence - state->sequence) <= 0)
		state->sequence = 0;
	threads_reached(threads, state, sequence - 1);
	state->sequence = sequence;
}

static void read_element(struct pp_thread *thread, struct cursor *c, struct pair_list *pairs,
			 struct arena *arena)
{
	switch (cursor_u8(c)) {
	case ELEMENT_NAME:
		thread->name = cursor_string(c, arena);
		break;
	case ELEMENT_PROCESS_ID:
		thread->process_id = (int64_t)cursor_varint64(c);
		break;
	case ELEMENT_THREAD_ID:
		thread->id = (int64_t)cursor_varint64(c);
		break;
	case ELEMENT_PAIR:
		pair_list_add(pairs, cursor_pair(c, arena), arena);
		break;
	default: /* without a size of its own it cannot be skipped */
		cursor_fail(c);
	}
}

static struct pp_thread *known_thread(const struct threads *threads, struct cursor row)
{
	const struct interned *known = intern_find(&threads->by_content, row.at, cursor_left(&row));

	return known ? known->value : NULL;
}

static struct pp_thread *read_thread(struct threads *threads, struct cursor row, struct cursor c)
{
	struct pp_thread *thread = add_thread(threads);
	struct pair_list pairs = { 0 };

	while (!c.failed && cursor_left(&c))
		read_element(thread, &c, &pairs, threads->arena);
	thread->pairs = pairs.pairs;
	thread->pair_count = pairs.count;
	intern_add(&threads->by_content, threads->arena, row.at, cursor_left(&row))->value = thread;
	return c.failed ? NULL : thread;
}

int threads_define(struct threads *threads, struct cursor row, struct pp_error *err)
{
	struct cursor c = row;
	const uint64_t key = cursor_varint64(&c);
	const struct thread_state *before = map_find(&threads->by_key, key);
	struct pp_thread *thread = NULL;

	if (!c.failed && before && !before->removed)
		return error_set(err, PP_ERROR_FORMAT, "thread %llu is defined twice",
				 (unsigned long long)key);
	if (!table_limit_allows(threads->limit, cursor_left(&row)))
		return 0;
	/* the row includes the index: a thread defined again after a flush is the same thread */
	if (!c.failed)
		thread = known_thread(threads, row);
	if (!c.failed && !thread)
		thread = read_thread(threads, row, c);
	if (!thread)
		return error_set(err, PP_ERROR_FORMAT, "a thread definition is malformed");
	add_state(threads, key, thread);
	return 0;
}

int threads_remove(struct threads *threads, struct cursor c, struct pp_error *err)
{
	while (cursor_left(&c)) {
		const uint64_t key = cursor_varint64(&c);
		const uint32_t sequence = cursor_varint32(&c);
		struct thread_state *state = c.failed ? NULL : threads_find(threads, key);

		if (!state)
			return error_set(err, PP_ERROR_FORMAT,
					 "thread %llu is removed but not defined",
					 (unsigned long long)key);
		threads_reached(threads, state, sequence);
		state->removed = true;
	}
	return 0;
}

void threads_forget(struct threads *threads)
{
	while (threads->live) {
		struct thread_state *state = threads->live;

		threads->live = state->next;
		state->next = threads->spare;
		threads->spare = state;
	}
	map_clear(&threads->by_key);
}
