/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"

static const size_t sizes[] = { 0, 1, 3, 8, 16, 17, 1000, 16384, 16385, 100000, 5, 64, 300000, 1 };
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static void allocates_zeroed_memory_for_any_type(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	for (int round = 0; round < 50; round++)
		for (size_t i = 0; i < SIZES; i++) {
			unsigned char *memory = arena_alloc(&arena, sizes[i]);

			assert_non_null(memory);
			assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
			for (size_t k = 0; k < sizes[i]; k++)
				assert_int_equal(memory[k], 0);
			memset(memory, 0xff, sizes[i]);
		}
	arena_release(&arena);
}

/* Everything is written before anything is read back. */
static void allocates_no_byte_twice(void **state)
{
	struct arena arena = { 0 };
	unsigned char *memory[SIZES];

	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		memory[i] = arena_alloc(&arena, sizes[i]);
		memset(memory[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < SIZES; i++)
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(memory[i][k], i + 1);
	arena_release(&arena);
}

static void copies_text_with_its_terminator(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	assert_string_equal(arena_text(&arena, "abcdef", 3), "abc");
	assert_string_equal(arena_text(&arena, "", 0), "");
	assert_memory_equal(arena_text(&arena, "a\0b", 3), "a\0b", 4);
	arena_release(&arena);
}

static void allocates_arrays_and_structs(void **state)
{
	struct arena arena = { 0 };
	uint64_t *numbers = arena_array(&arena, uint64_t, 10);
	struct arena *inner = arena_new(&arena, struct arena);

	(void)state;
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(numbers[i], 0);
	assert_null(inner->blocks);
	arena_release(&arena);
}

static void can_be_used_after_its_release(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	arena_release(&arena);
	arena_alloc(&arena, 10);
	arena_release(&arena);
	assert_null(arena.blocks);
	assert_non_null(arena_alloc(&arena, 10));
	arena_release(&arena);
}

static void keeps_one_zeroed_block_when_it_is_cleared(void **state)
{
	struct arena arena = { 0 };
	const struct arena_block *kept;
	unsigned char *memory;

	(void)state;
	arena_clear(&arena);
	assert_null(arena.blocks);
	for (size_t i = 0; i < SIZES; i++)
		memset(arena_alloc(&arena, sizes[i]), 0xff, sizes[i]);
	kept = arena.blocks;
	arena_clear(&arena);
	assert_ptr_equal(arena.blocks, kept);
	memory = arena_alloc(&arena, 100);
	assert_ptr_equal(arena.blocks, kept);
	for (size_t k = 0; k < 100; k++)
		assert_int_equal(memory[k], 0);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocates_zeroed_memory_for_any_type),
		cmocka_unit_test(allocates_no_byte_twice),
		cmocka_unit_test(copies_text_with_its_terminator),
		cmocka_unit_test(allocates_arrays_and_structs),
		cmocka_unit_test(can_be_used_after_its_release),
		cmocka_unit_test(keeps_one_zeroed_block_when_it_is_cleared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
