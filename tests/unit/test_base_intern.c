/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/intern.h"

static void keeps_equal_bytes_once(void **state)
{
	struct map table = { 0 };
	struct arena arena = { 0 };
	char text[] = "one";
	struct interned *one = intern_add(&table, &arena, text, 3);

	(void)state;
	assert_null(one->value);
	one->value = text;
	memcpy(text, "two", 3); /* the copy is unaffected */
	assert_string_equal(one->bytes, "one");
	assert_ptr_equal(intern_add(&table, &arena, "one more", 3), one);
	assert_ptr_equal(one->value, text);
	assert_ptr_not_equal(intern_add(&table, &arena, "on", 2), one);
	assert_ptr_not_equal(intern_add(&table, &arena, "one\0", 4), one);
	assert_int_equal(table.count, 3);
	map_release(&table);
	arena_release(&arena);
}

static void finds_only_what_was_added(void **state)
{
	struct map table = { 0 };
	struct arena arena = { 0 };
	struct interned *one;

	(void)state;
	assert_null(intern_find(&table, "one", 3));
	one = intern_add(&table, &arena, "one", 3);
	assert_ptr_equal(intern_find(&table, "one", 3), one);
	assert_null(intern_find(&table, "two", 3));
	assert_int_equal(table.count, 1);
	map_release(&table);
	arena_release(&arena);
}

static void interns_empty_bytes(void **state)
{
	struct map table = { 0 };
	struct arena arena = { 0 };
	struct interned *nothing;

	(void)state;
	assert_null(intern_find(&table, NULL, 0));
	nothing = intern_add(&table, &arena, NULL, 0);
	assert_string_equal(nothing->bytes, "");
	assert_ptr_equal(intern_add(&table, &arena, "x", 0), nothing);
	assert_ptr_equal(intern_find(&table, NULL, 0), nothing);
	map_release(&table);
	arena_release(&arena);
}

/* A word equal to the seed gives all prefixes of the same size the same hash. */
static void distinguishes_entries_of_equal_hash(void **state)
{
	struct map table = { 0 };
	struct arena arena = { 0 };
	struct interned *list[50];

	(void)state;
	for (uint64_t i = 0; i < 50; i++) {
		const uint64_t words[] = { i, hash_seed };

		list[i] = intern_add(&table, &arena, words, sizeof(words));
		assert_memory_equal(list[i]->bytes, words, sizeof(words));
	}
	assert_int_equal(table.count, 1);
	for (uint64_t i = 0; i < 50; i++) {
		const uint64_t words[] = { i, hash_seed };

		assert_ptr_equal(intern_find(&table, words, sizeof(words)), list[i]);
	}
	map_release(&table);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_equal_bytes_once),
		cmocka_unit_test(finds_only_what_was_added),
		cmocka_unit_test(interns_empty_bytes),
		cmocka_unit_test(distinguishes_entries_of_equal_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
