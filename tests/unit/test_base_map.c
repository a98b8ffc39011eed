/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/map.h"

enum { MANY = 100000 };

static int values[MANY];

static void finds_what_was_put(void **state)
{
	struct map map = { 0 };

	(void)state;
	assert_null(map_find(&map, 0));
	map_put(&map, 0, &values[0]);
	map_put(&map, UINT64_MAX, &values[1]);
	assert_ptr_equal(map_find(&map, 0), &values[0]);
	assert_ptr_equal(map_find(&map, UINT64_MAX), &values[1]);
	assert_null(map_find(&map, 1));
	assert_int_equal(map.count, 2);
	map_release(&map);
}

static void replaces_the_value_of_a_key(void **state)
{
	struct map map = { 0 };

	(void)state;
	map_put(&map, 7, &values[0]);
	map_put(&map, 7, &values[1]);
	assert_ptr_equal(map_find(&map, 7), &values[1]);
	assert_int_equal(map.count, 1);
	map_release(&map);
}

static void finds_the_others_when_some_are_removed(void **state)
{
	struct map map = { 0 };

	(void)state;
	map_remove(&map, 1);
	for (uint64_t i = 0; i < MANY; i++)
		map_put(&map, i, &values[i]);
	for (uint64_t i = 0; i < MANY; i += 3)
		map_remove(&map, i);
	map_remove(&map, MANY);
	map_remove(&map, 0);
	assert_int_equal(map.count, MANY - (MANY + 2) / 3);
	for (uint64_t i = 0; i < MANY; i++)
		assert_ptr_equal(map_find(&map, i), i % 3 ? &values[i] : NULL);
	map_release(&map);
}

/* Multiples of powers of two: a weak hash would put them into few slots. */
static void keeps_many_keys_apart(void **state)
{
	static const uint64_t strides[] = { 1, 8, 4096, UINT64_C(1) << 32, UINT64_C(1) << 44 };

	(void)state;
	for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++) {
		struct map map = { 0 };

		for (uint64_t i = 0; i < MANY; i++)
			map_put(&map, i * strides[s], &values[i]);
		assert_int_equal(map.count, MANY);
		assert_true(map.count * 4 <= map.capacity * 3); /* there is always a free slot */
		for (uint64_t i = 0; i < MANY; i++)
			assert_ptr_equal(map_find(&map, i * strides[s]), &values[i]);
		assert_null(map_find(&map, MANY * strides[s]));
		assert_null(map_find(&map, UINT64_MAX));
		map_release(&map);
	}
}

static void is_empty_again_after_clearing(void **state)
{
	struct map map = { 0 };
	size_t capacity;

	(void)state;
	map_clear(&map);
	for (uint64_t i = 0; i < 1000; i++)
		map_put(&map, i, &values[i]);
	capacity = map.capacity;
	map_clear(&map);
	assert_int_equal(map.count, 0);
	assert_int_equal(map.capacity, capacity);
	for (uint64_t i = 0; i < 1000; i++)
		assert_null(map_find(&map, i));
	map_put(&map, 5, &values[5]);
	assert_ptr_equal(map_find(&map, 5), &values[5]);
	assert_int_equal(map.count, 1);
	map_release(&map);
}

static void can_be_used_after_its_release(void **state)
{
	struct map map = { 0 };

	(void)state;
	map_release(&map);
	map_put(&map, 1, &values[1]);
	map_release(&map);
	assert_null(map_find(&map, 1));
	assert_int_equal(map.capacity, 0);
	map_put(&map, 2, &values[2]);
	assert_ptr_equal(map_find(&map, 2), &values[2]);
	map_release(&map);
}

/* How many slots are probed for all keys. */
static size_t looks(const struct map *map, uint64_t stride, size_t count)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t key = i * stride;
		const size_t first =
			(size_t)(hash_key(key) >> __builtin_clzll((uint64_t)map->capacity - 1));
		const size_t found = (size_t)(map_slot_for(map, key) - map->slots);

		sum += 1 + ((found - first) & (map->capacity - 1));
	}
	return sum;
}

/* Consecutive ids, addresses, and numbers in the upper half of the key. */
static void keys_at_equal_distances_are_found_quickly_with_any_seed(void **state)
{
	static const uint64_t strides[] = { 1, 24, 4096, UINT64_C(1) << 32, UINT64_C(1) << 40 };
	const uint64_t seed = hash_seed;

	(void)state;
	for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++)
		for (uint64_t run = 0; run < 200; run++) {
			struct map map = { 0 };

			hash_seed = (run + 1) * UINT64_C(0xD1342543DE82EF95) | 1;
			for (size_t i = 0; i < 1500; i++)
				map_put(&map, i * strides[s], &values[i]);
			assert_in_range(looks(&map, strides[s], 1500), 1500, 1500 * 6);
			map_release(&map);
			hash_seed = seed;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_put),
		cmocka_unit_test(replaces_the_value_of_a_key),
		cmocka_unit_test(finds_the_others_when_some_are_removed),
		cmocka_unit_test(keeps_many_keys_apart),
		cmocka_unit_test(is_empty_again_after_clearing),
		cmocka_unit_test(can_be_used_after_its_release),
		cmocka_unit_test(keys_at_equal_distances_are_found_quickly_with_any_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
