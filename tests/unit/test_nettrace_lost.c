/* SPDX-License-Identifier: MIT */
/* Sequence numbers, and which gaps in them are losses. */
#include "trace_reading.h"

/* Up to an open block of uncompressed events; version 6 has threads 5 and 6. */
static struct builder start(int version)
{
	struct builder b = build_start(version);

	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	if (version >= 6) {
		build_thread(&b, 5, 50, 0);
		build_thread(&b, 6, 60, 0);
	}
	build_events(&b, PLAIN);
	return b;
}

static void numbers(struct builder *b, uint64_t thread, const uint32_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		event(b, .kind = 1, .thread = thread, .sequence = list[i], .ticks = (int64_t)i);
}

#define NUMBERS(b, thread, ...)                                                                    \
	numbers((b), (thread), (const uint32_t[]){ __VA_ARGS__ },                                  \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static struct pp_trace_totals totals_of(struct builder *b)
{
	struct pp_trace_totals totals;
	struct reading r;

	build_close(b);
	r = read_finished(b);
	totals = r.totals;
	reading_release(&r);
	return totals;
}

static uint64_t lost_of(struct builder *b)
{
	return totals_of(b).lost;
}

static void counts_gaps_in_the_middle(void **state)
{
	static const int both[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder none = start(both[i]);
		struct builder gaps = start(both[i]);

		NUMBERS(&none, 5, 1, 2, 3);
		assert_int_equal(lost_of(&none), 0);
		NUMBERS(&gaps, 5, 1, 3, 4, 10);
		assert_int_equal(lost_of(&gaps), 1 + 5);
	}
}

/* Numbers begin at 1 for each thread in each session, however long the thread has existed. */
static void counts_events_before_the_first_one(void **state)
{
	static const int both[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);
		struct pp_trace_totals totals;

		NUMBERS(&b, 5, 1000, 1001, 1003);
		NUMBERS(&b, 6, 77);
		totals = totals_of(&b);
		assert_int_equal(totals.lost, 999 + 1 + 76);
		assert_int_equal(totals.lost_before, 999 + 76);
	}
}

/* A thread that never got a buffer is neither in an event nor in a sequence point. */
static void is_a_lower_bound_once_anything_was_lost(void **state)
{
	struct builder none = start(4);
	struct builder some = start(4);

	(void)state;
	NUMBERS(&none, 5, 1, 2);
	assert_false(totals_of(&none).lost_at_least);
	NUMBERS(&some, 5, 1, 3);
	assert_true(totals_of(&some).lost_at_least);
}

static void is_not_known_in_versions_without_numbers(void **state)
{
	struct builder b = build_start(3);
	struct reading r;

	(void)state;
	r = read_finished(&b);
	assert_int_equal(r.totals.lost, 0);
	assert_true(r.totals.lost_at_least);
	reading_release(&r);
}

static void counts_losses_per_thread(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	NUMBERS(&b, 5, 1, 3);
	NUMBERS(&b, 6, 4, 5);
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(r.totals.lost, 1 + 3);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->lost, 1);
	assert_int_equal(pp_nettrace_thread(r.trace, 1)->lost, 3);
	reading_release(&r);
}

/* Numbers belong to the thread that writes, not to the thread of the event. */
static void counts_for_the_thread_that_writes(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	event(&b, .kind = 1, .thread = 5, .capture = 6, .sequence = 1);
	event(&b, .kind = 1, .thread = 5, .capture = 6, .sequence = 4);
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->events, 2);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->lost, 0);
	assert_int_equal(pp_nettrace_thread(r.trace, 1)->events, 0);
	assert_int_equal(pp_nettrace_thread(r.trace, 1)->lost, 2);
	reading_release(&r);
}

/* .NET's reader would report two thousand million for each of these. */
static void treats_a_number_that_goes_back_in_version_4_as_a_new_thread(void **state)
{
	struct builder from_1 = start(4);
	struct builder later = start(4);
	struct builder same = start(4);
	struct pp_trace_totals totals;

	(void)state;
	NUMBERS(&from_1, 5, 1, 2, 3, 1, 2, 4);
	assert_int_equal(lost_of(&from_1), 1);
	NUMBERS(&later, 5, 1, 2, 901, 5, 6, 10); /* the first 4 of the new one are lost */
	totals = totals_of(&later);
	assert_int_equal(totals.lost, 898 + 4 + 3);
	assert_int_equal(totals.lost_before, 4);
	NUMBERS(&same, 5, 1, 2, 3, 3);
	assert_int_equal(lost_of(&same), 2);
}

static void counts_a_number_that_goes_back_in_version_6_as_more_than_can_be_counted(void **state)
{
	struct builder b = start(6);

	(void)state;
	NUMBERS(&b, 5, 1, 2, 3, 2, 3);
	assert_int_equal(lost_of(&b), INT32_MAX);
}

/* The runtime takes the numbers of a sequence point while threads go on. */
static void ignores_a_sequence_point_of_version_4_that_is_behind(void **state)
{
	struct builder b = start(4);

	(void)state;
	NUMBERS(&b, 5, 1, 2, 3);
	build_close(&b);
	build_point_of(&b, KEEP_ALL, 5, 2);
	build_events(&b, PLAIN);
	NUMBERS(&b, 5, 4, 6);
	assert_int_equal(lost_of(&b), 1);
}

/* Events of version 4 that are not numbered have the number 0. */
static void does_not_count_numbers_that_no_thread_can_begin_with(void **state)
{
	struct builder zero = start(4);
	struct builder huge = start(4);

	(void)state;
	NUMBERS(&zero, 5, 0, 0, 0);
	assert_int_equal(lost_of(&zero), 0);
	NUMBERS(&huge, 5, 0x80000002, 0x80000003);
	assert_int_equal(lost_of(&huge), 0);
}

static void treats_number_1_in_version_6_as_going_back(void **state)
{
	struct builder b = start(6);

	(void)state;
	NUMBERS(&b, 5, 1, 2, 1);
	assert_int_equal(lost_of(&b), INT32_MAX);
}

/* .NET's reader stops at 2^31 - 1; sixty-four threads can lose more in minutes. */
static void counts_beyond_31_bits(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	NUMBERS(&b, 5, 0x7fffffff, 0xfffffffe);
	NUMBERS(&b, 6, 2);
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(r.totals.lost, UINT64_C(0xfffffffc) + 1);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->lost, UINT64_C(0xfffffffc));
	assert_int_equal(pp_nettrace_thread(r.trace, 1)->lost, 1);
	reading_release(&r);
}

static void allows_numbers_to_wrap(void **state)
{
	struct builder b = start(4);

	(void)state;
	NUMBERS(&b, 5, 0xfffffffe, 0xffffffff, 0, 1, 2, 4);
	assert_int_equal(lost_of(&b), 1);
}

static void counts_losses_from_a_sequence_point(void **state)
{
	static const int both[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);

		NUMBERS(&b, 5, 1, 2);
		build_close(&b);
		build_point_of(&b, KEEP_ALL, 5, 4);
		build_events(&b, PLAIN);
		NUMBERS(&b, 5, 5, 7);
		assert_int_equal(lost_of(&b), 2 + 1);
	}
}

/* Thread 999 has written 5 events, and none of them is here. .NET Core 3.1 lists such threads. */
static void counts_a_sequence_point_for_a_thread_without_events(void **state)
{
	static const int both[] = { 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = build_start(both[i]);
		struct reading r;

		if (both[i] == 6)
			build_thread(&b, 999, 0, 0);
		build_point_of(&b, KEEP_ALL, 999, 5);
		r = read_finished(&b);
		assert_int_equal(r.totals.lost, 5);
		assert_int_equal(r.totals.lost_before, 5);
		assert_int_equal(pp_nettrace_thread(r.trace, 0)->lost, 5);
		reading_release(&r);
	}
}

static void continues_from_the_number_of_a_sequence_point(void **state)
{
	struct builder b = build_start(4);
	struct pp_trace_totals totals;

	(void)state;
	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	build_point_of(&b, KEEP_ALL, 5, 7);
	build_events(&b, PLAIN);
	NUMBERS(&b, 5, 10);
	totals = totals_of(&b);
	assert_int_equal(totals.lost, 7 + 2);
	assert_int_equal(totals.lost_before, 7);
}

static void counts_losses_from_a_removal(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	NUMBERS(&b, 5, 1, 2);
	build_close(&b);
	build_removal(&b, 5, 6);
	r = read_finished(&b);
	assert_int_equal(r.totals.lost, 4);
	reading_release(&r);
}

/* Threads start over once they are forgotten. */
static void starts_from_0_after_threads_were_forgotten(void **state)
{
	struct builder b = start(6);

	(void)state;
	NUMBERS(&b, 5, 1, 2, 3);
	build_close(&b);
	build_point_of(&b, FORGET_THREADS_FLAG, 5, 4);
	build_thread(&b, 5, 50, 0);
	build_events(&b, PLAIN);
	NUMBERS(&b, 5, 2);
	assert_int_equal(lost_of(&b), 1 + 1);
}

/* Compressed: short events between two explicit numbers are counted. */
static void counts_through_events_without_an_explicit_number(void **state)
{
	struct builder b = start(4);

	(void)state;
	build_close(&b);
	build_events(&b, COMPRESSED);
	put_bytes(&b, BYTES("\x07\x01\x09\x05\0\x05\x01")); /* number 10 */
	put_bytes(&b, BYTES("\0\x01\0\x01\0\x01"));	    /* 11, 12, 13 */
	put_bytes(&b, BYTES("\x02\x02\x05\0\x01"));	    /* 16 */
	put_bytes(&b, BYTES("\0\x01"));			    /* 17 */
	build_close(&b);
	build_events(&b, COMPRESSED);
	put_bytes(&b, BYTES("\x07\x01\x12\x05\0\x05\x05")); /* 19 */
	assert_int_equal(lost_of(&b), 9 + 2 + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_gaps_in_the_middle),
		cmocka_unit_test(counts_events_before_the_first_one),
		cmocka_unit_test(is_a_lower_bound_once_anything_was_lost),
		cmocka_unit_test(is_not_known_in_versions_without_numbers),
		cmocka_unit_test(counts_losses_per_thread),
		cmocka_unit_test(counts_for_the_thread_that_writes),
		cmocka_unit_test(treats_a_number_that_goes_back_in_version_4_as_a_new_thread),
		cmocka_unit_test(
			counts_a_number_that_goes_back_in_version_6_as_more_than_can_be_counted),
		cmocka_unit_test(ignores_a_sequence_point_of_version_4_that_is_behind),
		cmocka_unit_test(does_not_count_numbers_that_no_thread_can_begin_with),
		cmocka_unit_test(treats_number_1_in_version_6_as_going_back),
		cmocka_unit_test(counts_beyond_31_bits),
		cmocka_unit_test(allows_numbers_to_wrap),
		cmocka_unit_test(counts_losses_from_a_sequence_point),
		cmocka_unit_test(counts_a_sequence_point_for_a_thread_without_events),
		cmocka_unit_test(continues_from_the_number_of_a_sequence_point),
		cmocka_unit_test(counts_losses_from_a_removal),
		cmocka_unit_test(starts_from_0_after_threads_were_forgotten),
		cmocka_unit_test(counts_through_events_without_an_explicit_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
