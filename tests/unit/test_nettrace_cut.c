/* SPDX-License-Identifier: MIT */
/* Traces truncated at every byte, and traces with wrong bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "trace_reading.h"
#include "trace_samples.h"

static bool same_event(const struct seen *a, const struct seen *b)
{
	const char *a_name = a->kind->name;
	const char *b_name = b->kind->name;

	return a->ticks == b->ticks && a->cpu == b->cpu && a->thread->id == b->thread->id &&
	       !strcmp(a_name, b_name) && !a->stack == !b->stack && !a->labels == !b->labels &&
	       a->payload_size == b->payload_size &&
	       !memcmp(a->payload, b->payload, a->payload_size);
}

/* How many events end within the first `size` bytes. */
static size_t whole_events(const struct builder *b, size_t size)
{
	size_t count = 0;

	while (count < b->event_count && b->event_ends[count] <= size)
		count++;
	return count;
}

static void check_cut(const char *name, const struct builder *b, size_t size,
		      const struct reading *all, struct reading_options options)
{
	struct reading r = read_bytes((struct literal){ b->bytes, size }, options);

	if (r.last != PP_NEXT_END)
		fail_msg("%s cut at byte %zu: %s", name, size, r.err.text);
	if (r.count != whole_events(b, size))
		fail_msg("%s cut at byte %zu: %zu of %zu events", name, size, r.count,
			 whole_events(b, size));
	for (size_t i = 0; i < r.count; i++)
		if (!same_event(&r.events[i], &all->events[i]))
			fail_msg("%s cut at byte %zu: event %zu is another", name, size, i);
	if (r.totals.complete != (size >= b->complete_at))
		fail_msg("%s cut at byte %zu: complete is wrong", name, size);
	assert_in_range(r.totals.bytes, size < b->complete_at ? size : b->complete_at, size);
	reading_release(&r);
}

static void returns_every_complete_event_wherever_it_is_cut(void **state)
{
	static const struct reading_options ways[] = {
		{ .reader.file_order = true },
		{ .reader.file_order = true, .end_at_once = true },
		{ .reader.file_order = true, .feeding = FEED_TAKEN, .piece = 100 },
		{ .reader.file_order = true, .feeding = FEED_ROOM, .piece = 1 },
	};

	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();
		struct reading all = read_bytes(built(&b), ways[0]);

		expect_whole(&all, samples[i].events);
		for (size_t size = 0; size <= b.size; size++)
			for (size_t k = 0; k < COUNT(ways); k++)
				check_cut(samples[i].name, &b, size, &all, ways[k]);
		reading_release(&all);
		builder_release(&b);
	}
}

/* Events that were held back when the bytes ended come out as well, in order of time. */
static void returns_events_in_order_wherever_it_is_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();

		for (size_t size = 0; size <= b.size; size++) {
			struct reading r = read_bytes((struct literal){ b.bytes, size },
						      (struct reading_options){ 0 });

			assert_int_equal(r.last, PP_NEXT_END);
			assert_int_equal(r.count, whole_events(&b, size));
			assert_int_equal(r.totals.late, 0);
			for (size_t k = 1; k < r.count; k++)
				assert_true(r.events[k - 1].ticks <= r.events[k].ticks);
			reading_release(&r);
		}
		builder_release(&b);
	}
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Any bytes give events, then the end or one sentence with a position. */
static void check_any_bytes(const char *name, struct literal bytes, uint32_t seed)
{
	struct reading whole = read_bytes(bytes, (struct reading_options){ 0 });
	const struct reading_options pieces = { .feeding = (enum feeding)(seed % 3),
						.piece = 1 + seed % 50,
						.seed = seed,
						.end_at_once = seed % 2 };

	if (whole.last == PP_NEXT_ERROR) {
		assert_int_not_equal(whole.err.code, PP_ERROR_NONE);
		assert_true(whole.err.code == PP_ERROR_UNSUPPORTED ||
			    !strncmp(whole.err.text, "byte ", 5));
	} else {
		assert_int_equal(whole.last, PP_NEXT_END);
		assert_string_equal(whole.err.text, "");
	}
	if (whole.digest != digest_of(bytes, pieces))
		fail_msg("%s, seed %u: pieces give another result", name, seed);
	reading_release(&whole);
}

static void survives_wrong_bytes(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 4000; seed++) {
		struct builder b = samples[seed % sample_count].build();
		uint32_t random = seed;
		const unsigned wrong = 1 + seed % 4;

		for (unsigned i = 0; i < wrong; i++) {
			const size_t at = next_random(&random) % b.size;

			b.bytes[at] = (uint8_t)next_random(&random);
		}
		check_any_bytes(samples[seed % sample_count].name, built(&b), seed);
		builder_release(&b);
	}
}

/* Every byte in turn becomes 0, 0x7f, 0x80, 0xff and its neighbours. */
static void survives_every_single_wrong_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < sample_count; i++) {
		struct builder b = samples[i].build();

		for (size_t at = 0; at < b.size; at++) {
			const uint8_t good = b.bytes[at];
			const uint8_t bad[] = {
				0, 0x7f, 0x80, 0xff, (uint8_t)(good + 1), (uint8_t)(good - 1)
			};

			for (size_t k = 0; k < sizeof(bad); k++) {
				b.bytes[at] = bad[k];
				check_any_bytes(samples[i].name, built(&b), (uint32_t)(at * 6 + k));
			}
			b.bytes[at] = good;
		}
		builder_release(&b);
	}
}

/* Bytes removed or inserted: everything after them is shifted. */
static void survives_shifted_bytes(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 2000; seed++) {
		struct builder b = samples[seed % sample_count].build();
		struct builder shifted = { 0 };
		uint32_t random = seed;
		const size_t at = next_random(&random) % b.size;
		const size_t left_out = seed % 2 ? 0 : next_random(&random) % (b.size - at);

		put_bytes(&shifted, (struct literal){ b.bytes, at });
		put_zeros(&shifted, seed % 2 ? 1 + seed % 9 : 0);
		put_bytes(&shifted,
			  (struct literal){ b.bytes + at + left_out, b.size - at - left_out });
		check_any_bytes(samples[seed % sample_count].name, built(&shifted), seed);
		builder_release(&shifted);
		builder_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_every_complete_event_wherever_it_is_cut),
		cmocka_unit_test(returns_events_in_order_wherever_it_is_cut),
		cmocka_unit_test(survives_wrong_bytes),
		cmocka_unit_test(survives_every_single_wrong_byte),
		cmocka_unit_test(survives_shifted_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
