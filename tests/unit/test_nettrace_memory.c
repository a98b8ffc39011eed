/* SPDX-License-Identifier: MIT */
/* A reader fails at each of its allocations, and nothing is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "input/input.h"
#include "perfpipe/nettrace_append.h"
#include "trace_reading.h"
#include "trace_samples.h"

/* What is read, and how. */
struct work {
	struct literal bytes;
	struct reading_options options;
	size_t events; /* counted */
};

static size_t taken_out; /* pieces passed to the reader and not yet released */

static void give_back(void *bytes, size_t size)
{
	memset(bytes, 0xdd, size);
	free(bytes);
	taken_out--;
}

static void feed_taken(struct pp_nettrace *trace, struct literal piece)
{
	void *copy = malloc(piece.size);

	taken_out++;
	memcpy(copy, piece.at, piece.size);
	pp_nettrace_feed_taken(trace, copy, piece.size, give_back);
}

static void feed_room(struct pp_nettrace *trace, struct literal piece)
{
	size_t room;
	void *to = pp_nettrace_room(trace, &room);

	assert_true(to ? room >= piece.size : !room);
	if (to)
		memcpy(to, piece.at, piece.size);
	pp_nettrace_filled(trace, piece.size);
}

static void feed(struct pp_nettrace *trace, struct literal piece, enum feeding feeding)
{
	if (!piece.size)
		pp_nettrace_end(trace);
	else if (feeding == FEED_TAKEN)
		feed_taken(trace, piece);
	else if (feeding == FEED_ROOM)
		feed_room(trace, piece);
	else
		pp_nettrace_feed(trace, piece.at, piece.size);
}

static struct literal next_piece(struct literal *left, size_t most)
{
	const struct literal piece = { left->at, left->size < most ? left->size : most };

	left->at = (const char *)left->at + piece.size;
	left->size -= piece.size;
	return piece;
}

/* Everything that may be asked of it at any time, also after a failure. */
static void look_at(struct pp_nettrace *trace)
{
	struct pp_error ignored = { 0 };
	struct pp_tail tail;

	pp_nettrace_header(trace);
	pp_nettrace_tail(trace, &tail, &ignored);
	for (size_t i = 0; pp_nettrace_thread(trace, i); i++)
		;
	for (size_t i = 0; pp_nettrace_kind(trace, i); i++)
		assert_non_null(pp_nettrace_kind(trace, i)->provider);
}

/* Once it has failed, it goes on to fail. */
static void check_broken(struct pp_nettrace *trace)
{
	struct pp_error again = { 0 };
	const struct pp_event *event;

	feed(trace, BYTES("more"), FEED_TAKEN);
	feed(trace, BYTES("more"), FEED_ROOM);
	feed(trace, BYTES("more"), FEED_LENT);
	assert_int_equal(pp_nettrace_next(trace, &event, &again), PP_NEXT_ERROR);
	assert_int_equal(again.code, PP_ERROR_MEMORY);
}

static int read_all(void *context, struct pp_error *err)
{
	struct work *work = context;
	struct pp_nettrace *trace = pp_nettrace_new(&work->options.reader, err);
	struct literal left = work->bytes;
	const struct pp_event *event;
	enum pp_next next;

	if (!trace)
		return -1;
	work->events = 0;
	while ((next = pp_nettrace_next(trace, &event, err)) > PP_NEXT_END)
		if (next == PP_NEXT_ITEM)
			work->events++;
		else
			feed(trace, next_piece(&left, work->options.piece), work->options.feeding);
	look_at(trace);
	if (next == PP_NEXT_ERROR)
		check_broken(trace);
	pp_nettrace_free(trace);
	assert_int_equal(taken_out, 0);
	return next;
}

/* How many allocations that takes. */
static long read_in_vain(struct literal bytes, struct reading_options options, size_t events)
{
	struct work work = { .bytes = bytes, .options = options };
	long calls;

	work.options.reader.size = sizeof(work.options.reader);
	calls = fails_at_each_allocation(read_all, &work);
	assert_int_equal(work.events, events);
	return calls;
}

static const struct reading_options ways[] = {
	{ .feeding = FEED_ROOM, .piece = 9999 },
	{ .feeding = FEED_TAKEN, .piece = 1000 },
	{ .feeding = FEED_TAKEN, .piece = 1 << 20, .reader.file_order = true },
	{ .feeding = FEED_LENT, .piece = 70 },
	{ .feeding = FEED_LENT, .piece = 1 << 20, .reader.no_stacks = true },
};

static void fails_at_each_allocation_of_a_sample(void **state)
{
	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();

		for (size_t k = 0; k < COUNT(ways); k++)
			read_in_vain(built(&b), ways[k], samples[i].events);
		builder_release(&b);
	}
}

#define THREADS 12

/* Threads whose events are merged, labels and stacks, over several groups. */
static void fails_at_each_allocation_of_a_large_trace(void **state)
{
	struct builder b = build_start(6);

	(void)state;
	for (uint64_t i = 1; i <= THREADS; i++)
		build_thread(&b, i, 1000 + i, 42);
	build_metadata(&b);
	for (uint32_t i = 1; i <= 20; i++)
		kind(&b, .id = i, .name = "Ping", .event_id = i);
	build_close(&b);
	for (int64_t group = 0; group < 3; group++) {
		build_stacks(&b, 1, 2);
		stack(&b, 1, 2, 3, (uint64_t)group);
		stack(&b, 4, 5, (uint64_t)group);
		build_close(&b);
		for (uint64_t i = 1; i <= THREADS; i++) {
			build_events(&b, COMPRESSED);
			for (int64_t k = 0; k < 5; k++)
				event(&b, .kind = (uint32_t)(i % 20 + 1), .thread = i,
				      .stack = (uint32_t)(i % 3),
				      .ticks = group * 10000 + k * 100 + (int64_t)i,
				      .payload = BYTES("\x01\x02"));
			build_close(&b);
		}
		build_point(&b, KEEP_ALL);
	}
	build_end(&b);
	for (size_t i = 0; i < COUNT(ways); i++)
		assert_true(read_in_vain(built(&b), ways[i], THREADS * 15) > 20);
	builder_release(&b);
}

#define RECORDING_MOST ((size_t)64 << 20)

static struct literal unpack(const char *name)
{
	char path[512];
	struct pp_error err = { 0 };
	char *bytes = malloc(RECORDING_MOST);
	size_t size = 0, got = 1;
	struct input *input;

	snprintf(path, sizeof(path), "%s/tests/data/%s", getenv("SOURCE"), name);
	input = input_open(path, &err);
	assert_non_null(input);
	for (; got; size += got)
		assert_int_equal(input_read(input, bytes + size, RECORDING_MOST - size, &got, &err),
				 0);
	input_close(input);
	return (struct literal){ realloc(bytes, size), size };
}

static void fails_at_each_allocation_of_a_recording(void **state)
{
	static const struct {
		const char *name;
		size_t events;
	} recordings[] = {
		{ "orders-cut.nettrace", 466 }, /* which is not an error */
		{ "orders.nettrace.zst", 1077 },
		{ "two-processes.nettrace.zst", 2000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(recordings); i++) {
		const struct literal bytes = unpack(recordings[i].name);

		read_in_vain(bytes, ways[i], recordings[i].events);
		free((void *)(uintptr_t)bytes.at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fails_at_each_allocation_of_a_sample),
		cmocka_unit_test(fails_at_each_allocation_of_a_large_trace),
		cmocka_unit_test(fails_at_each_allocation_of_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
