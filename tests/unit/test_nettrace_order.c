/* SPDX-License-Identifier: MIT */
/* The merge of strands on its own, compared with sorting all events at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/heap.h"
#include "nettrace/order.h"

enum { MOST = 20000 };

/* An event's position in the file is its payload offset, which order.c never uses. */
struct known {
	int64_t ticks;
	uint32_t place;
};

struct fixture {
	struct heap heap;   /* of all that is tested, as in a reader */
	struct guard guard; /* without a way out: there is enough memory */
	struct bytes bytes;
	struct batches batches;
	struct order order;
	struct known held[MOST]; /* added and not yet returned */
	size_t held_count;
	uint32_t places;
};

static void setup(struct fixture *f, bool file_order)
{
	*f = (struct fixture){ .batches.bytes = &f->bytes };
	assert_int_equal(guard_enter(&f->guard, &f->heap, NULL), 0);
	order_init(&f->order, &f->batches, file_order);
}

static void teardown(struct fixture *f)
{
	guard_leave(&f->guard);
	heap_drop(&f->heap);
	free(f);
}

/* A batch of events with these times. */
static void add(struct fixture *f, const int64_t *ticks, size_t count)
{
	static const uint8_t base[1];
	struct batch *batch = batch_new(&f->batches, base);

	if (count)
		*batch_context(batch) = (struct pp_event){ 0 };
	for (size_t i = 0; i < count; i++) {
		f->held[f->held_count++] = (struct known){ ticks[i], f->places };
		batch_add(batch, ticks[i], f->places++);
	}
	batch_close(&f->batches, batch, 0);
	order_add(&f->order, batch);
}

static int older(const void *a, const void *b)
{
	const struct known *x = a;
	const struct known *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Everything up to the watermark is returned, in order of time and position, and nothing else. */
static void expect_up_to(struct fixture *f, int64_t watermark)
{
	struct event_run span;
	size_t i = 0;

	qsort(f->held, f->held_count, sizeof(f->held[0]), older);
	order_raise(&f->order, watermark);
	while (order_next(&f->order, &span))
		for (const struct batch_entry *e = span.at; e < span.end; e++, i++) {
			assert_in_range(i, 0, f->held_count - 1);
			assert_int_equal(e->ticks, f->held[i].ticks);
			assert_int_equal(entry_payload(e), f->held[i].place);
		}
	assert_true(i == f->held_count || f->held[i].ticks > watermark);
	f->held_count -= i;
	memmove(f->held, f->held + i, f->held_count * sizeof(f->held[0]));
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void returns_nothing_from_an_empty_order(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct event_run span;

	(void)state;
	setup(f, false);
	assert_false(order_next(&f->order, &span));
	add(f, NULL, 0);
	order_raise(&f->order, INT64_MAX);
	assert_false(order_next(&f->order, &span));
	teardown(f);
}

static void returns_one_thousand_in_order(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	uint32_t seed = 42;

	(void)state;
	setup(f, false);
	for (int i = 0; i < 1000; i++)
		add(f, &(int64_t){ next_random(&seed) }, 1);
	expect_up_to(f, INT64_MAX);
	assert_int_equal(f->held_count, 0);
	teardown(f);
}

static void returns_rising_and_falling_times_in_order(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	(void)state;
	setup(f, false);
	for (int64_t i = 0; i < 500; i++)
		add(f, &i, 1);
	for (int64_t i = 500; i > 0; i--)
		add(f, &i, 1);
	expect_up_to(f, INT64_MAX);
	teardown(f);
}

static void keeps_equal_times_as_they_were_added(void **state)
{
	static const int64_t times[] = { 3, 3, 1, 3, 2, 1, 3, 3 };
	struct fixture *f = calloc(1, sizeof(*f));

	(void)state;
	setup(f, false);
	for (int i = 0; i < 100; i++) {
		add(f, times + i % 3, sizeof(times) / sizeof(times[0]) - (size_t)i % 3);
		add(f, &(int64_t){ 3 }, 1);
	}
	expect_up_to(f, INT64_MAX);
	teardown(f);
}

static void stops_at_the_watermark_and_continues_from_there(void **state)
{
	static const int64_t first[] = { 10, 20, 30, 40 };
	static const int64_t second[] = { 15, 20, 25 };
	struct fixture *f = calloc(1, sizeof(*f));

	(void)state;
	setup(f, false);
	add(f, first, 4);
	expect_up_to(f, 5);
	assert_int_equal(f->held_count, 4);
	expect_up_to(f, 10);
	assert_int_equal(f->held_count, 3);
	add(f, second, 3);
	expect_up_to(f, 20);
	assert_int_equal(f->held_count, 3);
	expect_up_to(f, 29);
	assert_int_equal(f->held_count, 2);
	expect_up_to(f, INT64_MAX);
	teardown(f);
}

static void handles_both_ends_of_time(void **state)
{
	static const int64_t times[] = { INT64_MAX, INT64_MIN, 0, INT64_MIN, INT64_MAX };
	struct fixture *f = calloc(1, sizeof(*f));

	(void)state;
	setup(f, false);
	add(f, times, 5);
	add(f, times, 5);
	expect_up_to(f, INT64_MIN);
	expect_up_to(f, INT64_MAX - 1);
	expect_up_to(f, INT64_MAX);
	assert_int_equal(f->held_count, 0);
	teardown(f);
}

/* Batches of any size whose times form strands, with watermarks in between. */
static void agrees_with_sorting_in_random_order(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct fixture *f = calloc(1, sizeof(*f));
		uint32_t random = seed;
		int64_t watermark = 0;

		setup(f, false);
		for (int round = 0; round < 60; round++) {
			const size_t count = next_random(&random) % (seed % 2 ? 8 : 300);
			int64_t times[300];
			int64_t now = watermark + next_random(&random) % 50;

			for (size_t i = 0; i < count; i++) {
				const unsigned step = next_random(&random) % 20;

				now = step ? now + step % 4 : watermark + next_random(&random) % 50;
				times[i] = now;
			}
			add(f, times, count);
			if (next_random(&random) % 3 == 0) {
				watermark += next_random(&random) % 30;
				expect_up_to(f, watermark);
			}
		}
		expect_up_to(f, INT64_MAX);
		assert_int_equal(f->held_count, 0);
		assert_int_equal(f->order.late, 0);
		teardown(f);
	}
}

static void returns_file_order_at_once(void **state)
{
	static const int64_t times[] = { 5, 1, 4 };
	struct fixture *f = calloc(1, sizeof(*f));
	struct event_run span;
	uint32_t place = 0;

	(void)state;
	setup(f, true);
	add(f, times, 3);
	add(f, times, 3);
	while (order_next(&f->order, &span))
		for (const struct batch_entry *e = span.at; e < span.end; e++)
			assert_int_equal(entry_payload(e), place++);
	assert_int_equal(place, 6);
	teardown(f);
}

/* Events still held are freed with it, or a sanitizer would report a leak. */
static void may_be_released_while_it_holds_events(void **state)
{
	static const int64_t times[] = { 5, 1, 4, 2, 3 };
	struct fixture *f = calloc(1, sizeof(*f));
	struct event_run span;

	(void)state;
	setup(f, false);
	add(f, times, 5);
	add(f, times, 5);
	order_raise(&f->order, 1);
	assert_true(order_next(&f->order, &span));
	teardown(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_nothing_from_an_empty_order),
		cmocka_unit_test(returns_one_thousand_in_order),
		cmocka_unit_test(returns_rising_and_falling_times_in_order),
		cmocka_unit_test(keeps_equal_times_as_they_were_added),
		cmocka_unit_test(stops_at_the_watermark_and_continues_from_there),
		cmocka_unit_test(handles_both_ends_of_time),
		cmocka_unit_test(agrees_with_sorting_in_random_order),
		cmocka_unit_test(returns_file_order_at_once),
		cmocka_unit_test(may_be_released_while_it_holds_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
