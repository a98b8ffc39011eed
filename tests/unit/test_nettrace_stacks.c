/* SPDX-License-Identifier: MIT */
/* Stacks: which event has which, how long ids are valid, and that equal ones are kept once. */
#include "trace_reading.h"

static const int both[] = { 4, 6 };

/* Kind 1 and in version 6 thread 999, and no block open. */
static struct builder start(int version)
{
	struct builder b = build_ready(version);

	build_close(&b);
	return b;
}

static void event_with_stack(struct builder *b, int64_t ticks, uint32_t id)
{
	build_events(b, COMPRESSED);
	event(b, .kind = 1, .thread = 999, .ticks = ticks, .stack = id);
	build_close(b);
}

static void numbers_stacks_from_the_first_id(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);
		struct reading r;

		build_stacks(&b, 40, 3);
		stack(&b, 0x1);
		stack(&b, 0xffffffffffffffff, 0x3);
		stack(&b, 0x4, 0x5, 0x6);
		build_close(&b);
		event_with_stack(&b, 1, 40);
		event_with_stack(&b, 2, 41);
		event_with_stack(&b, 3, 42);
		r = read_finished(&b);
		expect_whole(&r, 3);
		for (size_t k = 0; k < 3; k++) {
			assert_int_equal(r.events[k].stack->count, k + 1);
			assert_int_equal(r.events[k].stack->index, k);
		}
		assert_int_equal(r.events[1].stack->addresses[0], UINT64_MAX); /* the leaf */
		assert_int_equal(r.events[1].stack->addresses[1], 3);
		assert_int_equal(r.totals.stacks, 3);
		reading_release(&r);
	}
}

static void treats_an_unknown_id_as_no_stack(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);
		struct reading r;

		build_stacks(&b, 1, 1);
		stack(&b, 0x1);
		build_close(&b);
		event_with_stack(&b, 1, 0);
		event_with_stack(&b, 2, 2);
		event_with_stack(&b, 3, 0xffffffff);
		r = read_finished(&b);
		expect_whole(&r, 3);
		for (size_t k = 0; k < 3; k++)
			assert_null(r.events[k].stack);
		reading_release(&r);
	}
}

/* Id 0 is not special if it is defined. */
static void allows_a_stack_0(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_stacks(&b, 0, 1);
	stack(&b, 0x7);
	build_close(&b);
	event_with_stack(&b, 1, 0);
	r = read_finished(&b);
	assert_int_equal(r.events[0].stack->addresses[0], 7);
	reading_release(&r);
}

static void treats_an_empty_stack_as_none(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_stacks(&b, 1, 2);
	put_u32(&b, 0);
	stack(&b, 0x7);
	build_close(&b);
	event_with_stack(&b, 1, 1);
	event_with_stack(&b, 2, 2);
	r = read_finished(&b);
	assert_null(r.events[0].stack);
	assert_int_equal(r.events[1].stack->addresses[0], 7);
	assert_int_equal(r.totals.stacks, 1);
	reading_release(&r);
}

static void forgets_ids_at_a_sequence_point_but_not_stacks(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = start(both[i]);
		struct reading r;

		build_stacks(&b, 1, 2);
		stack(&b, 0x10);
		stack(&b, 0x20);
		build_close(&b);
		event_with_stack(&b, 1, 1);
		event_with_stack(&b, 2, 2);
		build_point(&b, KEEP_ALL);
		event_with_stack(&b, 3, 1); /* nothing now */
		build_stacks(&b, 1, 1);
		stack(&b, 0x20);
		build_close(&b);
		event_with_stack(&b, 4, 1);
		event_with_stack(&b, 5, 2);
		r = read_finished(&b);
		expect_whole(&r, 5);
		assert_int_equal(r.events[0].stack->addresses[0], 0x10);
		assert_int_equal(r.events[1].stack->addresses[0], 0x20);
		assert_null(r.events[2].stack);
		assert_ptr_equal(r.events[3].stack, r.events[1].stack);
		assert_null(r.events[4].stack);
		assert_int_equal(r.totals.stacks, 2);
		reading_release(&r);
	}
}

/* References follow the order of the file: an event keeps what its id meant when it was read. */
static void keeps_the_stack_of_an_event_that_is_held_back(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_stacks(&b, 1, 1);
	stack(&b, 0x10);
	build_close(&b);
	event_with_stack(&b, 1, 1);
	build_stacks(&b, 1, 1);
	stack(&b, 0x20);
	build_close(&b);
	event_with_stack(&b, 2, 1);
	r = read_finished(&b);
	assert_int_equal(r.events[0].stack->addresses[0], 0x10);
	assert_int_equal(r.events[1].stack->addresses[0], 0x20);
	reading_release(&r);
}

/* A thousand ids, every other of which is then redefined as empty. */
static void finds_other_stacks_when_an_id_becomes_empty(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_stacks(&b, 1, 1000);
	for (uint64_t i = 1; i <= 1000; i++)
		stack(&b, i);
	build_close(&b);
	for (uint32_t i = 2; i <= 1000; i += 2) {
		build_stacks(&b, i, 1);
		put_u32(&b, 0);
		build_close(&b);
	}
	build_events(&b, COMPRESSED);
	for (uint32_t i = 1; i <= 1000; i++)
		event(&b, .kind = 1, .thread = 999, .ticks = i, .stack = i);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 1000);
	for (uint32_t i = 1; i <= 1000; i++) {
		const struct pp_stack *found = r.events[i - 1].stack;

		assert_int_equal(found ? found->addresses[0] : 0, i % 2 ? i : 0);
	}
	reading_release(&r);
}

static void keeps_equal_stacks_once(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_stacks(&b, 1, 4);
	stack(&b, 0x10, 0x20);
	stack(&b, 0x20, 0x10);
	stack(&b, 0x10, 0x20);
	stack(&b, 0x10);
	build_close(&b);
	for (uint32_t i = 1; i <= 4; i++)
		event_with_stack(&b, i, i);
	r = read_finished(&b);
	assert_int_equal(r.totals.stacks, 3);
	assert_ptr_equal(r.events[0].stack, r.events[2].stack);
	assert_ptr_not_equal(r.events[0].stack, r.events[1].stack);
	assert_ptr_not_equal(r.events[0].stack, r.events[3].stack);
	reading_release(&r);
}

/* Version 6 with pointers of four bytes: the size is at byte 56. */
static void reads_addresses_of_four_bytes(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	assert_int_equal(b.bytes[56], 8);
	b.bytes[56] = 4;
	build_stacks(&b, 1, 2);
	put_bytes(&b, BYTES("\x08\0\0\0\x10\0\0\0\xff\xff\xff\xff"));
	put_bytes(&b, BYTES("\x04\0\0\0\x20\0\0\0"));
	build_close(&b);
	event_with_stack(&b, 1, 1);
	event_with_stack(&b, 2, 2);
	r = read_finished(&b);
	assert_int_equal(r.events[0].stack->count, 2);
	assert_int_equal(r.events[0].stack->addresses[0], 0x10);
	assert_int_equal(r.events[0].stack->addresses[1], 0xffffffff);
	assert_int_equal(r.events[1].stack->count, 1);
	assert_int_equal(r.events[1].stack->addresses[0], 0x20);
	reading_release(&r);
}

/* The header says eight: a partial last address is dropped. */
static void reads_addresses_of_the_size_in_the_header(void **state)
{
	struct builder b = start(4);
	struct reading r;

	(void)state;
	build_stacks(&b, 1, 2);
	put_bytes(&b, BYTES("\x0c\0\0\0\x10\0\0\0\0\0\0\0\x20\0\0\0"));
	put_bytes(&b, BYTES("\x04\0\0\0\x30\0\0\0"));
	build_close(&b);
	event_with_stack(&b, 1, 1);
	event_with_stack(&b, 2, 2);
	r = read_finished(&b);
	assert_int_equal(r.events[0].stack->count, 1);
	assert_int_equal(r.events[0].stack->addresses[0], 0x10);
	assert_null(r.events[1].stack);
	reading_release(&r);
}

static void rejects_a_stack_that_leaves_its_block(void **state)
{
	static const struct literal blocks[] = {
		{ "\x01\0\0\0\x01\0\0\0\x08\0\0\0\x10\0\0\0\0\0\0", 19 },
		{ "\x01\0\0\0\x02\0\0\0\x08\0\0\0\x10\0\0\0\0\0\0\0", 20 },
		{ "\x01\0\0\0\x01\0\0\0\xff\xff\xff\xff", 12 },
		{ "\x01\0\0\0\xff\xff\xff\xff", 8 },
		{ "\x01\0\0\0\x01\0\0\0\x08\0", 10 },
		{ "\x01\0\0\0\x01", 5 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(blocks); i++) {
		struct builder b = build_start(6);

		build_block(&b, PART_STACKS);
		put_bytes(&b, blocks[i]);
		build_close(&b);
		expect_error(&b, 0, "byte 68: a stack runs past the end of its block");
	}
}

/* Bytes after the announced stacks are for later versions. */
static void ignores_bytes_after_the_last_stack(void **state)
{
	struct builder b = start(6);
	struct reading r;

	(void)state;
	build_stacks(&b, 1, 1);
	stack(&b, 0x10);
	put_bytes(&b, BYTES("\xff\xff\xff\xff"));
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(r.totals.stacks, 1);
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stacks_from_the_first_id),
		cmocka_unit_test(treats_an_unknown_id_as_no_stack),
		cmocka_unit_test(allows_a_stack_0),
		cmocka_unit_test(treats_an_empty_stack_as_none),
		cmocka_unit_test(forgets_ids_at_a_sequence_point_but_not_stacks),
		cmocka_unit_test(keeps_the_stack_of_an_event_that_is_held_back),
		cmocka_unit_test(finds_other_stacks_when_an_id_becomes_empty),
		cmocka_unit_test(keeps_equal_stacks_once),
		cmocka_unit_test(reads_addresses_of_four_bytes),
		cmocka_unit_test(reads_addresses_of_the_size_in_the_header),
		cmocka_unit_test(rejects_a_stack_that_leaves_its_block),
		cmocka_unit_test(ignores_bytes_after_the_last_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
