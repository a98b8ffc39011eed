/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "symbols/range_map.h"

enum { PLACES = 200, RANGES = 60, ROUNDS = 300 };

static void finds_nothing_in_an_empty_map(void **state)
{
	struct range_map map = { 0 };

	(void)state;
	range_map_add(&map, 5, 5, 1);
	range_map_add(&map, 9, 4, 1);
	range_map_seal(&map);
	assert_int_equal(map.count, 0);
	assert_int_equal(range_map_find(&map, 5), RANGE_NONE);
	range_map_release(&map);
}

static void finds_the_innermost_range(void **state)
{
	struct range_map map = { 0 };

	(void)state;
	range_map_add(&map, 0x1010, 0x1020, 1);
	range_map_add(&map, 0x1000, 0x1080, 0);
	range_map_add(&map, 0x1010, 0x1018, 2);
	range_map_seal(&map);
	assert_int_equal(range_map_find(&map, 0xfff), RANGE_NONE);
	assert_int_equal(range_map_find(&map, 0x1000), 0);
	assert_int_equal(range_map_find(&map, 0x1010), 2);
	assert_int_equal(range_map_find(&map, 0x1018), 1);
	assert_int_equal(range_map_find(&map, 0x1020), 0);
	assert_int_equal(range_map_find(&map, 0x1080), RANGE_NONE);
	range_map_release(&map);
}

static void covers_the_last_address(void **state)
{
	struct range_map map = { 0 };

	(void)state;
	range_map_add(&map, 0, UINT64_MAX, 7);
	range_map_seal(&map);
	assert_int_equal(range_map_find(&map, 0), 7);
	assert_int_equal(range_map_find(&map, UINT64_MAX - 1), 7);
	assert_int_equal(range_map_find(&map, UINT64_MAX), RANGE_NONE);
	range_map_release(&map);
}

/* A number below `below` for each `counter`, the same in every run. */
static uint64_t some_number(uint64_t counter, uint64_t below)
{
	counter = (counter + 1) * HASH_SPREAD;
	return ((counter ^ counter >> 29) * HASH_SPREAD >> 32) % below;
}

static void finds_the_highest_value_of_any_ranges(void **state)
{
	uint64_t counter = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const uint64_t count = some_number(counter++, RANGES);
		uint32_t expected[PLACES];
		struct range_map map = { 0 };

		for (size_t i = 0; i < PLACES; i++)
			expected[i] = RANGE_NONE;
		for (uint64_t i = 0; i < count; i++) {
			const uint64_t start = some_number(counter++, PLACES - 1);
			const uint64_t end = start + some_number(counter++, PLACES - start);
			const uint32_t value = (uint32_t)some_number(counter++, RANGES);

			range_map_add(&map, start, end, value);
			for (uint64_t at = start; at < end; at++)
				if (expected[at] == RANGE_NONE || expected[at] < value)
					expected[at] = value;
		}
		range_map_seal(&map);
		assert_true(map.count <= 2 * count);
		for (uint64_t at = 0; at < PLACES; at++)
			assert_int_equal(range_map_find(&map, at), expected[at]);
		range_map_release(&map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_nothing_in_an_empty_map),
		cmocka_unit_test(finds_the_innermost_range),
		cmocka_unit_test(covers_the_last_address),
		cmocka_unit_test(finds_the_highest_value_of_any_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
