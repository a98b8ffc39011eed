/* SPDX-License-Identifier: MIT */
/* The label lists of version 6. */
#include <stdio.h>

#include "trace_reading.h"

#define ACTIVITY "0123456789abcdef"
#define RELATED	 "ABCDEFGHIJKLMNOP"
#define TRACE_ID "trace id 16 byte"

static void put_labels(struct builder *b, uint32_t first, uint32_t count, struct literal lists)
{
	build_block(b, PART_LABELS);
	put_u32(b, first);
	put_u32(b, count);
	put_bytes(b, lists);
	build_close(b);
}

/* Kind 1, thread 999, and no block open. */
static struct builder start(void)
{
	struct builder b = build_ready(6);

	build_close(&b);
	return b;
}

static void event_with_labels(struct builder *b, int64_t ticks, uint32_t index)
{
	build_events(b, COMPRESSED);
	event(b, .kind = 1, .thread = 999, .ticks = ticks, .labels = index);
	build_close(b);
}

/* One list with index 1 and one event that has it. */
static struct reading read_list(struct literal list)
{
	struct builder b = start();

	put_labels(&b, 1, 1, list);
	event_with_labels(&b, 1, 1);
	return read_finished(&b);
}

static void expect_pair(const struct pp_labels *labels, size_t index, const char *key,
			const char *text, int64_t number)
{
	assert_in_range(index, 0, labels->pair_count - 1);
	assert_string_equal(labels->pairs[index].key, key);
	if (text)
		assert_string_equal(labels->pairs[index].text, text);
	else
		assert_null(labels->pairs[index].text);
	assert_int_equal(labels->pairs[index].number, number);
}

static void expect_activities(const struct pp_labels *labels)
{
	assert_true(labels->present & PP_LABEL_ACTIVITY);
	assert_true(labels->present & PP_LABEL_RELATED);
	assert_memory_equal(labels->activity_id, ACTIVITY, 16);
	assert_memory_equal(labels->related_activity_id, RELATED, 16);
}

/* Lists 7, 8, 99, 100; events that use 7, 8, 99, 100, 0 and 7 again. */
static void check_lists(const struct reading *r)
{
	expect_whole(r, 6);
	expect_activities(r->events[0].labels);
	assert_int_equal(r->events[0].labels->present, PP_LABEL_ACTIVITY | PP_LABEL_RELATED);
	assert_int_equal(r->events[0].labels->pair_count, 1);
	expect_pair(r->events[0].labels, 0, "Key3", "Value3", 0);
	assert_int_equal(r->events[1].labels->present, PP_LABEL_TRACE | PP_LABEL_SPAN);
	assert_memory_equal(r->events[1].labels->trace_id, TRACE_ID, 16);
	assert_int_equal(r->events[1].labels->span_id, UINT64_C(0x123456789abcdef0));
	assert_int_equal(r->events[1].labels->pair_count, 0);
	expect_activities(r->events[2].labels);
	assert_int_equal(r->events[2].labels->pair_count, 0);
	assert_int_equal(r->events[3].labels->present, 0);
	assert_int_equal(r->events[3].labels->pair_count, 2);
	expect_pair(r->events[3].labels, 0, "Key1", "Value1", 0);
	expect_pair(r->events[3].labels, 1, "Key2", NULL, 123);
	assert_null(r->events[4].labels);
	expect_activities(r->events[5].labels);
	expect_pair(r->events[5].labels, 0, "Key3", "Value3", 0);
}

static void gives_events_their_label_lists(void **state)
{
	static const enum packing packings[] = { PLAIN, COMPRESSED };
	static const uint32_t used[] = { 7, 8, 99, 100, 0, 7 };

	(void)state;
	for (size_t i = 0; i < COUNT(packings); i++) {
		struct builder b = start();
		struct reading r;

		put_labels(&b, 99, 2,
			   BYTES("\x01" ACTIVITY "\x82" RELATED
				 "\x05\x04Key1\x06Value1\x86\x04Key2\xf6\x01"));
		put_labels(&b, 7, 2,
			   BYTES("\x05\x04Key3\x06Value3\x01" ACTIVITY "\x82" RELATED
				 "\x03" TRACE_ID "\x84\xf0\xde\xbc\x9a\x78\x56\x34\x12"));
		build_events(&b, packings[i]);
		for (size_t k = 0; k < COUNT(used); k++)
			event(&b, .kind = 1, .thread = 999, .ticks = (int64_t)k, .labels = used[k]);
		build_close(&b);
		r = read_finished(&b);
		check_lists(&r);
		reading_release(&r);
	}
}

/* They override the kind, even with zero. */
static void reads_labels_that_override_the_kind(void **state)
{
	struct reading r = read_list(BYTES("\x07\x08\x08\xef\xbc\x9a\x78\x56\x34\x12\0"
					   "\x09\x13\x8a\x04"));
	struct reading zero = read_list(BYTES("\x07\0\x08\0\0\0\0\0\0\0\0\x09\0\x8a\0"));
	const unsigned all =
		PP_LABEL_OPCODE | PP_LABEL_KEYWORDS | PP_LABEL_LEVEL | PP_LABEL_VERSION;

	(void)state;
	assert_int_equal(r.events[0].labels->present, all);
	assert_int_equal(r.events[0].labels->opcode, 8);
	assert_int_equal(r.events[0].labels->keywords, UINT64_C(0x123456789abcef));
	assert_int_equal(r.events[0].labels->level, 19);
	assert_int_equal(r.events[0].labels->version, 4);
	assert_int_equal(zero.events[0].labels->present, all);
	assert_int_equal(zero.events[0].labels->opcode, 0);
	assert_int_equal(zero.events[0].labels->keywords, 0);
	assert_int_equal(zero.events[0].labels->level, 0);
	assert_int_equal(zero.events[0].labels->version, 0);
	reading_release(&r);
	reading_release(&zero);
}

static void reads_signed_numbers(void **state)
{
	static const int64_t values[] = { 0, -1, 1, 123, -17982, INT64_MAX, INT64_MIN };

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++) {
		struct builder list = { 0 };
		struct reading r;

		put_bytes(&list, BYTES("\x86\x01k"));
		put_zigzag(&list, values[i]);
		r = read_list(built(&list));
		expect_pair(r.events[0].labels, 0, "k", NULL, values[i]);
		reading_release(&r);
		builder_release(&list);
	}
}

static void lets_the_last_label_of_a_kind_win_but_keeps_all_pairs(void **state)
{
	struct builder list = { 0 };
	struct reading r;

	(void)state;
	put_bytes(&list, BYTES("\x09\x01\x01" RELATED "\x01" ACTIVITY));
	for (unsigned i = 0; i < 100; i++) {
		put_bytes(&list, BYTES("\x06\x03key"));
		put_zigzag(&list, i);
	}
	put_bytes(&list, BYTES("\x89\x02"));
	r = read_list(built(&list));
	assert_int_equal(r.events[0].labels->level, 2);
	assert_memory_equal(r.events[0].labels->activity_id, ACTIVITY, 16);
	assert_int_equal(r.events[0].labels->pair_count, 100);
	for (int64_t i = 0; i < 100; i++)
		expect_pair(r.events[0].labels, (size_t)i, "key", NULL, i);
	reading_release(&r);
	builder_release(&list);
}

/* Events read earlier keep the list as it was. */
static void overwrites_a_list_that_is_defined_again(void **state)
{
	struct builder b = start();
	struct reading r;

	(void)state;
	put_labels(&b, 1, 1, BYTES("\x87\x01"));
	event_with_labels(&b, 1, 1);
	put_labels(&b, 1, 1, BYTES("\x87\x02"));
	event_with_labels(&b, 2, 1);
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_int_equal(r.events[0].labels->opcode, 1);
	assert_int_equal(r.events[1].labels->opcode, 2);
	reading_release(&r);
}

static void rejects_a_list_that_is_not_defined(void **state)
{
	struct builder b = start();
	struct reading r;

	(void)state;
	put_labels(&b, 1, 1, BYTES("\x87\x01"));
	event_with_labels(&b, 1, 2);
	build_end(&b);
	r = read_built(&b);
	assert_int_equal(r.last, PP_NEXT_ERROR);
	assert_non_null(strstr(r.err.text, ": an event with labels that are not defined"));
	assert_int_equal(strncmp(r.err.text, "byte ", 5), 0);
	reading_release(&r);
	builder_release(&b);
}

static void forgets_lists_at_a_sequence_point(void **state)
{
	struct builder b = start();
	struct builder gone = start();
	struct reading r;

	(void)state;
	for (unsigned i = 0; i < 5; i++) { /* the same index means another list in each region */
		const uint8_t list[] = { 0x87, (uint8_t)i };

		put_labels(&b, 1, 1, (struct literal){ list, 2 });
		event_with_labels(&b, 10 * i, 1);
		event_with_labels(&b, 10 * i + 5, 1);
		build_point(&b, KEEP_ALL);
	}
	r = read_finished(&b);
	expect_whole(&r, 10);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(r.events[i].labels->opcode, i / 2);
	reading_release(&r);
	put_labels(&gone, 1, 1, BYTES("\x87\x01"));
	build_point(&gone, KEEP_ALL);
	event_with_labels(&gone, 1, 1);
	build_end(&gone);
	r = read_built(&gone);
	assert_int_equal(r.last, PP_NEXT_ERROR);
	reading_release(&r);
	builder_release(&gone);
}

static void rejects_malformed_lists(void **state)
{
	static const struct literal lists[] = {
		{ "\x80", 1 },	   /* kind 0 */
		{ "\x8b\0", 2 },   /* kind 11 */
		{ "\x07\x01", 2 }, /* no last label */
		{ "\x87", 1 },	   /* no value */
		{ "\x81"
		  "0123456789abcde",
		  16 }, /* 15 of 16 bytes */
		{ "\x85\x01k\x05"
		  "abc",
		  7 },			/* a text beyond its block */
		{ "\x86\x01k\x80", 4 }, /* a number that does not end */
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct builder b = build_start(6);

		put_labels(&b, 1, 1, lists[i]);
		expect_error(&b, 0, "byte 68: a label list is malformed");
	}
}

static void rejects_list_0_and_counts_beyond_the_bytes(void **state)
{
	struct builder zero = build_start(6);
	struct builder many = build_start(6);
	struct builder half = build_start(6);

	(void)state;
	put_labels(&zero, 0, 1, BYTES("\x87\x01"));
	expect_error(&zero, 0, "byte 68: label list 0 cannot be defined");
	put_labels(&many, 1, 0xffffffff, BYTES("\x87\x01"));
	expect_error(&many, 0, "byte 68: a label list is malformed");
	build_block(&half, PART_LABELS);
	put_zeros(&half, 7);
	build_close(&half);
	expect_error(&half, 0, "byte 68: a label list is malformed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_events_their_label_lists),
		cmocka_unit_test(reads_labels_that_override_the_kind),
		cmocka_unit_test(reads_signed_numbers),
		cmocka_unit_test(lets_the_last_label_of_a_kind_win_but_keeps_all_pairs),
		cmocka_unit_test(overwrites_a_list_that_is_defined_again),
		cmocka_unit_test(rejects_a_list_that_is_not_defined),
		cmocka_unit_test(forgets_lists_at_a_sequence_point),
		cmocka_unit_test(rejects_malformed_lists),
		cmocka_unit_test(rejects_list_0_and_counts_beyond_the_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
