/* SPDX-License-Identifier: MIT */
/* The order in which the reader returns events, and when. */
#include "trace_reading.h"

/* Kind 1, threads 999 to 1001 of version 6 with ids 1 to 3; no block open. */
static struct builder start(int version)
{
	struct builder b = build_start(version);

	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	for (uint64_t i = 0; version >= 6 && i < 3; i++)
		build_thread(&b, 999 + i, 1 + i, 0);
	return b;
}

/* A block of one event; its payload is one byte that identifies it. */
static void one_event(struct builder *b, uint64_t thread, int64_t ticks, bool sorted,
		      const char *name)
{
	build_events(b, COMPRESSED);
	event(b, .kind = 1, .thread = thread, .ticks = ticks, .sorted = sorted,
	      .payload = { name, 1 });
	build_close(b);
}

/* The payload bytes in the order they were returned. */
static void expect_order(const struct reading *r, const char *names)
{
	char got[64] = "";

	for (size_t i = 0; i < r->count && i < sizeof(got) - 1; i++)
		got[i] = (char)r->events[i].payload[0];
	assert_string_equal(got, names);
}

static void sorts_by_time_across_threads(void **state)
{
	static const struct {
		int64_t ticks;
		bool sorted;
		uint64_t thread, capture;
	} events[] = {
		{ 10000, false, 999, 999 },  { 10500, false, 1000, 999 },
		{ 11123, true, 1000, 1000 }, { 17000, false, 1000, 1000 },
		{ 15000, true, 999, 999 },   { 20000, true, 1001, 1000 },
		{ 22000, true, 999, 1001 },
	};
	static const int64_t ticks[] = { 10000, 10500, 11123, 15000, 17000, 20000, 22000 };
	static const int64_t ids[] = { 1, 2, 2, 1, 2, 3, 1 };
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_events(&b, COMPRESSED);
	for (size_t i = 0; i < COUNT(events); i++)
		event(&b, .kind = 1, .thread = events[i].thread, .capture = events[i].capture,
		      .ticks = events[i].ticks, .sorted = events[i].sorted);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(r.events[i].ticks, ticks[i]);
		assert_int_equal(r.events[i].thread->id, ids[i]);
	}
	assert_int_equal(r.totals.late, 0);
	assert_int_equal(r.totals.lost, 0);
	reading_release(&r);
}

static void keeps_the_file_order_of_equal_times(void **state)
{
	static const int both[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);
		struct reading r;

		one_event(&b, 999, 5, false, "a");
		one_event(&b, 1000, 5, false, "b");
		one_event(&b, 1001, 3, false, "c"); /* time goes back: a strand of its own */
		one_event(&b, 999, 5, false, "d");
		one_event(&b, 1000, 4, false, "e");
		one_event(&b, 1001, 5, false, "f");
		r = read_finished(&b);
		expect_order(&r, "ceabdf");
		reading_release(&r);
	}
}

/* The same inside one block. */
static void keeps_the_block_order_of_equal_times(void **state)
{
	static const int64_t ticks[] = { 5, 5, 3, 5, 4, 5, 3, 5 };
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_events(&b, COMPRESSED);
	for (size_t i = 0; i < COUNT(ticks); i++)
		event(&b, .kind = 1, .thread = 999 + i % 3, .ticks = ticks[i],
		      .payload = { "abcdefgh" + i, 1 });
	build_close(&b);
	r = read_finished(&b);
	expect_order(&r, "cgeabdfh");
	reading_release(&r);
}

static void releases_events_at_a_sorted_one(void **state)
{
	struct builder b = start(4);
	size_t at[5];
	struct reading r;

	(void)state;
	one_event(&b, 999, 10, false, "a");
	at[0] = b.size;
	one_event(&b, 1000, 8, false, "b");
	at[1] = b.size;
	one_event(&b, 999, 20, true, "c"); /* nothing older than 20 will come */
	at[2] = b.size;
	one_event(&b, 1000, 30, false, "d");
	at[3] = b.size;
	one_event(&b, 999, 25, true, "e");
	at[4] = b.size;
	build_end(&b);
	r = read_bytes(built(&b), (struct reading_options){ .piece = 1 });
	expect_whole(&r, 5);
	expect_order(&r, "baced");
	for (size_t i = 0; i < 3; i++)
		assert_in_range(r.events[i].at_byte, at[1] + 1, at[2]);
	assert_in_range(r.events[3].at_byte, at[3] + 1, at[4]);
	assert_in_range(r.events[4].at_byte, at[4] + 1, b.size); /* only the end releases it */
	reading_release(&r);
	builder_release(&b);
}

/* The same with following events that change only their time. */
static void releases_events_at_a_sorted_one_of_many(void **state)
{
	struct builder b = start(4);
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const struct pp_event *e;

	(void)state;
	one_event(&b, 1000, 35, false, "x");
	build_events(&b, COMPRESSED);
	for (int64_t i = 0; i < 50; i++)
		event(&b, .kind = 1, .thread = 999, .ticks = i, .sorted = i >= 30 && i <= 40);
	build_close(&b);
	pp_nettrace_feed(trace, b.bytes, b.size);
	for (int64_t i = 0; i <= 41; i++) { /* 0 to 40, and 35 a second time */
		assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_ITEM);
		assert_int_equal(e->ticks, i <= 35 ? i : i - 1);
	}
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_MORE);
	pp_nettrace_free(trace);
	builder_release(&b);
}

/* The mark of the event at 50 says nothing about 100, which comes before it. */
static void trusts_a_sorted_mark_for_its_own_time_only(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = 999, .ticks = 100, .payload = BYTES("d"));
	event(&b, .kind = 1, .thread = 999, .ticks = 50, .payload = BYTES("a"), .sorted = true);
	for (int i = 0; i < 20; i++)
		event(&b, .kind = 1, .thread = 999, .ticks = 51, .payload = BYTES("b"));
	build_close(&b);
	one_event(&b, 1000, 80, false, "c");
	r = read_finished(&b);
	expect_order(&r, "abbbbbbbbbbbbbbbbbbbbcd");
	assert_int_equal(r.totals.late, 0);
	reading_release(&r);
}

static void releases_everything_at_a_sequence_point(void **state)
{
	static const int both[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);
		size_t point, end;
		struct reading r;

		one_event(&b, 999, 10, false, "a");
		one_event(&b, 1000, 8, false, "b");
		point = b.size;
		build_point(&b, KEEP_ALL);
		end = b.size;
		one_event(&b, 999, 12, false, "c");
		build_end(&b);
		r = read_bytes(built(&b), (struct reading_options){ .piece = 1 });
		expect_whole(&r, 3);
		expect_order(&r, "bac");
		assert_in_range(r.events[0].at_byte, point + 1, end);
		assert_in_range(r.events[1].at_byte, point + 1, end);
		assert_in_range(r.events[2].at_byte, end + 1, b.size);
		reading_release(&r);
		builder_release(&b);
	}
}

/*
 * A live stream: an event is returned with the last byte of its block, long before the next
 * block.
 */
static void needs_no_byte_after_a_block_of_sorted_events(void **state)
{
	struct builder b = start(6);
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const struct pp_event *e;

	(void)state;
	one_event(&b, 999, 10, true, "a");
	pp_nettrace_feed(trace, b.bytes, b.size);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_ITEM);
	assert_int_equal(e->ticks, 10);
	assert_int_equal(pp_nettrace_next(trace, &e, &err), PP_NEXT_MORE);
	pp_nettrace_free(trace);
	builder_release(&b);
}

/* Events that come too late despite a promise are still returned, and counted. */
static void counts_events_after_a_broken_promise(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	one_event(&b, 999, 20, true, "a");
	one_event(&b, 1000, 15, false, "b");
	one_event(&b, 1000, 16, true, "c");
	one_event(&b, 999, 30, true, "d");
	r = read_finished(&b);
	expect_whole(&r, 4);
	expect_order(&r, "abcd");
	assert_int_equal(r.totals.late, 2);
	reading_release(&r);
}

static void counts_events_older_than_the_sequence_point_before_them(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	one_event(&b, 999, 20, false, "a");
	build_point(&b, KEEP_ALL);
	one_event(&b, 1000, 15, false, "b");
	one_event(&b, 1000, 25, false, "c");
	r = read_finished(&b);
	expect_order(&r, "abc");
	assert_int_equal(r.totals.late, 1);
	reading_release(&r);
}

/* Blocks of about 1,000 bytes each with falling times, none marked as sorted. */
static struct builder falling_times(unsigned blocks)
{
	static const char payload[1000];
	struct builder b = start(4);

	for (unsigned i = 0; i < blocks; i++) {
		build_events(&b, COMPRESSED);
		event(&b, .kind = 1, .thread = 999, .ticks = blocks - i,
		      .payload = { payload, sizeof(payload) });
		build_close(&b);
	}
	build_end(&b);
	return b;
}

static void holds_back_as_many_bytes_as_it_may(void **state)
{
	struct builder b = falling_times(100);
	struct reading all = read_built(&b);
	struct reading few = read_bytes(
		built(&b), (struct reading_options){ .piece = 500, .reader.held_at_most = 10000 });

	(void)state;
	expect_whole(&all, 100);
	assert_int_equal(all.totals.late, 0);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(all.events[i].ticks, i + 1);
	expect_whole(&few, 100);
	assert_in_range(few.totals.late, 80, 99); /* sorted in groups of about ten */
	assert_in_range(few.events[0].ticks, 85, 95);
	assert_true(few.events[0].at_byte < 20000);
	reading_release(&all);
	reading_release(&few);
	builder_release(&b);
}

static void returns_events_in_file_order_if_asked(void **state)
{
	struct builder b = falling_times(5);
	struct reading r = read_bytes(
		built(&b), (struct reading_options){ .piece = 1, .reader.file_order = true });

	(void)state;
	expect_whole(&r, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(r.events[i].ticks, 5 - i);
	assert_int_equal(r.totals.late, 0);
	assert_true(r.events[0].at_byte < 2000); /* nothing is held back */
	reading_release(&r);
	builder_release(&b);
}

/* Blocks longer than the reader's batches, with interleaved times. */
static void merges_long_blocks(void **state)
{
	enum { BLOCKS = 3, EVENTS = 10000 };
	struct builder b = start(4);
	struct reading r;

	(void)state;
	for (unsigned i = 0; i < BLOCKS; i++) {
		build_events(&b, COMPRESSED);
		for (unsigned k = 0; k < EVENTS; k++)
			event(&b, .kind = 1, .thread = 999 + i, .ticks = k * BLOCKS + i);
		build_close(&b);
	}
	r = read_finished(&b);
	expect_whole(&r, (size_t)BLOCKS * EVENTS);
	for (size_t i = 0; i < r.count; i++) {
		assert_int_equal(r.events[i].ticks, i);
		assert_int_equal(r.events[i].thread->id, 999 + i % BLOCKS);
	}
	reading_release(&r);
}

/* NetPerf files should be in order; if not, pieces of any size give the same result. */
static void returns_netperf_events_in_file_order_in_any_pieces(void **state)
{
	static const int64_t ticks[] = { 9, 1, 8, 2, 7, 3 };

	(void)state;
	for (int version = 1; version <= 3; version++) {
		struct builder b = build_start(version);
		struct reading whole, pieces;
		uint32_t id;

		build_events(&b, PLAIN);
		id = kind(&b, .id = 1);
		for (size_t i = 0; i < COUNT(ticks); i++)
			event(&b, .kind = id, .ticks = ticks[i]);
		build_close(&b);
		build_end(&b);
		whole = read_built(&b);
		pieces = read_bytes(built(&b), (struct reading_options){ .piece = 1 });
		expect_whole(&whole, COUNT(ticks));
		for (size_t i = 0; i < COUNT(ticks); i++)
			assert_int_equal(whole.events[i].ticks, pieces.events[i].ticks);
		assert_int_equal(whole.digest, pieces.digest);
		reading_release(&whole);
		reading_release(&pieces);
		builder_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts_by_time_across_threads),
		cmocka_unit_test(keeps_the_file_order_of_equal_times),
		cmocka_unit_test(keeps_the_block_order_of_equal_times),
		cmocka_unit_test(releases_events_at_a_sorted_one),
		cmocka_unit_test(releases_events_at_a_sorted_one_of_many),
		cmocka_unit_test(trusts_a_sorted_mark_for_its_own_time_only),
		cmocka_unit_test(releases_everything_at_a_sequence_point),
		cmocka_unit_test(needs_no_byte_after_a_block_of_sorted_events),
		cmocka_unit_test(counts_events_after_a_broken_promise),
		cmocka_unit_test(counts_events_older_than_the_sequence_point_before_them),
		cmocka_unit_test(holds_back_as_many_bytes_as_it_may),
		cmocka_unit_test(returns_events_in_file_order_if_asked),
		cmocka_unit_test(merges_long_blocks),
		cmocka_unit_test(returns_netperf_events_in_file_order_in_any_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
