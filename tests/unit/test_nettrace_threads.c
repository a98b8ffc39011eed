/* SPDX-License-Identifier: MIT */
/* Threads of version 6: their lifetime and lost events. */
#include <stdio.h>

#include "trace_reading.h"

/* Kind 1 and no thread; no block open. */
static struct builder start(int version)
{
	struct builder b = build_start(version);

	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	return b;
}

static void event_of(struct builder *b, uint64_t thread, uint32_t sequence)
{
	build_events(b, PLAIN);
	event(b, .kind = 1, .thread = thread, .sequence = sequence);
	build_close(b);
}

static void expect_unknown_thread(struct builder *b, size_t count)
{
	char sentence[128];

	snprintf(sentence, sizeof(sentence), "byte %zu: an event of a thread that is not defined",
		 b->size - 52);
	expect_error(b, count, sentence);
}

static void rejects_an_event_of_an_undefined_thread(void **state)
{
	struct builder b = start(6);
	struct builder capture = start(6);

	(void)state;
	event_of(&b, 999, 1);
	expect_unknown_thread(&b, 0);
	build_thread(&capture, 999, 0, 0);
	build_events(&capture, PLAIN);
	event(&capture, .kind = 1, .thread = 999, .capture = 998);
	build_close(&capture);
	expect_unknown_thread(&capture, 0);
}

static void refuses_to_remove_an_unknown_thread(void **state)
{
	struct builder b = start(6);
	char sentence[128];

	(void)state;
	build_removal(&b, 999, 0);
	snprintf(sentence, sizeof(sentence), "byte %zu: thread 999 is removed but not defined",
		 b.part_at);
	expect_error(&b, 0, sentence);
}

static void rejects_an_event_of_a_removed_thread(void **state)
{
	struct builder b = start(6);

	(void)state;
	build_thread(&b, 999, 0, 0);
	event_of(&b, 999, 1);
	build_removal(&b, 999, 1);
	event_of(&b, 999, 2);
	expect_unknown_thread(&b, 1);
}

static void refuses_to_remove_a_thread_twice(void **state)
{
	struct builder b = start(6);
	char sentence[128];

	(void)state;
	build_thread(&b, 999, 0, 0);
	build_removal(&b, 999, 0);
	build_removal(&b, 999, 0);
	snprintf(sentence, sizeof(sentence), "byte %zu: thread 999 is removed but not defined",
		 b.part_at);
	expect_error(&b, 0, sentence);
}

static void rejects_a_removal_that_is_cut_short(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_thread(&b, 5, 0, 0);
	build_block(&b, PART_REMOVALS);
	put_bytes(&b, BYTES("\x05"));
	build_close(&b);
	r = read_built(&b);
	assert_int_equal(r.last, PP_NEXT_ERROR);
	assert_int_equal(r.err.code, PP_ERROR_FORMAT);
	reading_release(&r);
	builder_release(&b);
}

/* An index may be reused once its thread is removed. */
static void allows_an_index_to_be_used_again_after_removal(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_thread(&b, 5, 50, 1);
	event_of(&b, 5, 1);
	build_removal(&b, 5, 1);
	build_thread(&b, 5, 51, 1);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 5, .sequence = 1, .ticks = 1);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_int_equal(r.events[0].thread->id, 50);
	assert_int_equal(r.events[1].thread->id, 51);
	assert_int_equal(r.totals.lost, 0);
	reading_release(&r);
}

static void distinguishes_threads_in_file_order(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_thread(&b, 999, 18, 22);
	build_thread(&b, 1000, 19, 23);
	build_events(&b, PLAIN); /* all at time 0, none marked as sorted */
	event(&b, .kind = 1, .thread = 999);
	event(&b, .kind = 1, .thread = 1000);
	event(&b, .kind = 1, .thread = 999);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_int_equal(r.events[0].thread->id, 18);
	assert_int_equal(r.events[0].thread->process_id, 22);
	assert_int_equal(r.events[1].thread->id, 19);
	assert_int_equal(r.events[1].thread->process_id, 23);
	assert_ptr_equal(r.events[2].thread, r.events[0].thread);
	assert_int_equal(r.events[0].thread->events, 2);
	assert_int_equal(r.events[1].thread->events, 1);
	reading_release(&r);
}

/* Eight events around removals, all at time 0: returned in file order, with their own threads. */
static void delivers_events_of_threads_that_came_and_went(void **state)
{
	static const int64_t ids[] = { 18, 19, 20, 19, 21, 20, 22, 21 };
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_thread(&b, 1, 18, 100);
	build_thread(&b, 2, 19, 100);
	event_of(&b, 1, 1);
	event_of(&b, 2, 1);
	build_thread(&b, 3, 20, 101);
	build_removal(&b, 1, 1);
	event_of(&b, 3, 1);
	event_of(&b, 2, 2);
	build_removal(&b, 2, 2);
	build_thread(&b, 4, 21, 101);
	build_thread(&b, 5, 22, 102);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 4, .sequence = 1);
	event(&b, .kind = 1, .thread = 3, .sequence = 2);
	event(&b, .kind = 1, .thread = 5, .sequence = 1);
	event(&b, .kind = 1, .thread = 4, .sequence = 2);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 8);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(r.events[i].thread->id, ids[i]);
	assert_int_equal(r.totals.lost, 0);
	reading_release(&r);
}

static void reads_the_parts_of_a_thread_in_any_order(void **state)
{
	struct builder b = start(6);
	const struct pp_thread *t;
	struct reading r;

	(void)state;
	build_block(&b, PART_THREADS);
	put_bytes(&b, BYTES("\x21\0\xe7\x07"			   /* 33 bytes, index 999 */
			    "\x01\x07ThrName\x02\x16"		   /* name, process 22 */
			    "\x04\x02k1\x02v1\x04\x02k2\x06value2" /* pairs */
			    "\x03\x12"));			   /* thread 18 */
	put_bytes(&b, BYTES("\x02\0\xe8\x07"));			   /* index 1000: no elements */
	build_close(&b);
	r = read_finished(&b);
	t = pp_nettrace_thread(r.trace, 0);
	assert_string_equal(t->name, "ThrName");
	assert_int_equal(t->process_id, 22);
	assert_int_equal(t->id, 18);
	assert_int_equal(t->pair_count, 2);
	assert_string_equal(t->pairs[0].key, "k1");
	assert_string_equal(t->pairs[0].value, "v1");
	assert_string_equal(t->pairs[1].key, "k2");
	assert_string_equal(t->pairs[1].value, "value2");
	t = pp_nettrace_thread(r.trace, 1);
	assert_int_equal(t->index, 1);
	assert_null(t->name);
	assert_int_equal(t->id, -1);
	assert_int_equal(t->pair_count, 0);
	assert_null(pp_nettrace_thread(r.trace, 2));
	reading_release(&r);
}

static void rejects_a_malformed_definition(void **state)
{
	static const struct literal rows[] = {
		{ "\0\0", 2 },		 /* not even an index */
		{ "\x01\0\x80", 3 },	 /* half an index */
		{ "\x02\0\x05\x05", 4 }, /* element 5 */
		{ "\x02\0\x05\0", 4 },	 /* element 0 */
		{ "\x02\0\x05\x03", 4 }, /* no thread id after its type */
		{ "\x04\0\x05\x01\x05"
		  "a",
		  6 }, /* a name beyond its row */
		{ "\x04\0\x05\x04\x01"
		  "k",
		  6 }, /* a key without a value */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct builder b = build_start(6);

		build_block(&b, PART_THREADS);
		put_bytes(&b, rows[i]);
		build_close(&b);
		expect_error(&b, 0, "byte 68: a thread definition is malformed");
	}
}

static void rejects_a_row_that_leaves_its_block(void **state)
{
	static const struct literal rows[] = {
		{ "\x05\0\x05\x03\x01", 5 },
		{ "\x01\0\x05\x02", 4 }, /* half the size of a second row */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct builder b = build_start(6);

		build_block(&b, PART_THREADS);
		put_bytes(&b, rows[i]);
		build_close(&b);
		expect_error(&b, 0, "byte 68: a row runs past the end of its block");
	}
}

static void refuses_to_define_an_index_twice(void **state)
{
	struct builder b = build_start(6);

	(void)state;
	build_thread(&b, 999, 1, 1);
	build_thread(&b, 999, 2, 1);
	expect_error(&b, 0, "byte 80: thread 999 is defined twice");
}

static void keeps_threads_over_a_plain_sequence_point(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_thread(&b, 999, 18, 0);
	event_of(&b, 999, 1);
	build_point(&b, KEEP_ALL);
	event_of(&b, 999, 2);
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_ptr_equal(r.events[0].thread, r.events[1].thread);
	reading_release(&r);
}

static void forgets_threads_if_a_sequence_point_says_so(void **state)
{
	struct builder b = start(6);
	struct builder gone = start(6);
	struct reading r;

	(void)state;
	build_thread(&b, 999, 18, 0);
	event_of(&b, 999, 1);
	build_point(&b, FORGET_THREADS_FLAG);
	build_thread(&b, 999, 19, 0);
	event_of(&b, 999, 1);
	build_point(&b, FORGET_THREADS_FLAG);
	build_thread(&b, 999, 18, 0); /* the first again: the same thread */
	event_of(&b, 999, 1);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_int_equal(r.events[0].thread->id, 18);
	assert_int_equal(r.events[1].thread->id, 19);
	assert_ptr_equal(r.events[2].thread, r.events[0].thread);
	assert_int_equal(r.totals.lost, 0);
	reading_release(&r);
	build_thread(&gone, 999, 18, 0);
	event_of(&gone, 999, 1);
	build_point(&gone, FORGET_THREADS_FLAG);
	event_of(&gone, 999, 2);
	expect_unknown_thread(&gone, 1);
}

static void rejects_a_sequence_point_of_an_unknown_thread(void **state)
{
	struct builder b = build_start(6);
	struct builder cut = build_start(6);

	(void)state;
	build_point_of(&b, KEEP_ALL, 999, 5);
	expect_error(&b, 0, "byte 68: a sequence point names thread 999, which is not defined");
	build_block(&cut, PART_SEQUENCE_POINT);
	put_zeros(&cut, 15);
	build_close(&cut);
	expect_error(&cut, 0, "byte 68: a sequence point is cut short");
}

static void rejects_a_sequence_point_with_fewer_threads_than_it_says(void **state)
{
	struct builder b = build_start(4);

	(void)state;
	build_block(&b, PART_SEQUENCE_POINT);
	put_u64(&b, 0);
	put_u32(&b, 2);
	put_u64(&b, 5);
	put_u32(&b, 1);
	put_bytes(&b, BYTES("\x06\0\0\0\0\0\0\0\x01\0\0")); /* a byte is missing */
	build_close(&b);
	expect_error(&b, 0, "byte 132: a sequence point is cut short");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rejects_an_event_of_an_undefined_thread),
		cmocka_unit_test(refuses_to_remove_an_unknown_thread),
		cmocka_unit_test(rejects_an_event_of_a_removed_thread),
		cmocka_unit_test(refuses_to_remove_a_thread_twice),
		cmocka_unit_test(rejects_a_removal_that_is_cut_short),
		cmocka_unit_test(allows_an_index_to_be_used_again_after_removal),
		cmocka_unit_test(distinguishes_threads_in_file_order),
		cmocka_unit_test(delivers_events_of_threads_that_came_and_went),
		cmocka_unit_test(reads_the_parts_of_a_thread_in_any_order),
		cmocka_unit_test(rejects_a_malformed_definition),
		cmocka_unit_test(rejects_a_row_that_leaves_its_block),
		cmocka_unit_test(refuses_to_define_an_index_twice),
		cmocka_unit_test(keeps_threads_over_a_plain_sequence_point),
		cmocka_unit_test(forgets_threads_if_a_sequence_point_says_so),
		cmocka_unit_test(rejects_a_sequence_point_of_an_unknown_thread),
		cmocka_unit_test(rejects_a_sequence_point_with_fewer_threads_than_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
