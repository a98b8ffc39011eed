/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/array.h"
#include "base/distinct_names.h"

static void leaves_distinct_names_alone(void **state)
{
	const char *names[] = { "a", "b", NULL, "A", NULL };
	const char *const before[] = { names[0], names[1], NULL, names[3], NULL };
	struct arena arena = { 0 };

	(void)state;
	distinct_names(names, ARRAY_COUNT(names), &arena);
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		assert_ptr_equal(names[i], before[i]);
	arena_release(&arena);
}

static void numbers_names_that_were_there_before(void **state)
{
	const char *names[] = { "a", "b", "a", NULL, "", "a", "" };
	static const char *const expected[] = { "a", "b", "a_2", NULL, "", "a_3", "_2" };
	struct arena arena = { 0 };

	(void)state;
	distinct_names(names, ARRAY_COUNT(names), &arena);
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (expected[i])
			assert_string_equal(names[i], expected[i]);
		else
			assert_null(names[i]);
	arena_release(&arena);
}

/* Whether they come before or after. */
static void avoids_names_that_exist(void **state)
{
	const char *names[] = { "a_3", "a", "a", "a_2", "a", "a_2" };
	static const char *const expected[] = { "a_3", "a", "a_4", "a_2", "a_5", "a_2_2" };
	struct arena arena = { 0 };

	(void)state;
	distinct_names(names, ARRAY_COUNT(names), &arena);
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		assert_string_equal(names[i], expected[i]);
	arena_release(&arena);
}

/* In time that grows with their number. */
static void numbers_very_many_names(void **state)
{
	static const char *names[200000];
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		names[i] = "same";
	distinct_names(names, ARRAY_COUNT(names), &arena);
	assert_string_equal(names[1], "same_2");
	assert_string_equal(names[ARRAY_COUNT(names) - 1], "same_200000");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_distinct_names_alone),
		cmocka_unit_test(numbers_names_that_were_there_before),
		cmocka_unit_test(avoids_names_that_exist),
		cmocka_unit_test(numbers_very_many_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
