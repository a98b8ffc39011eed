/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/record_set.h"

struct place {
	struct place *next;
	const char *name;
	uint64_t id;
	uint32_t stack; /* the last field of the key; padding follows */
	uint64_t count;
};

static struct record_set places_of(void)
{
	const struct record_set places = RECORD_SET(struct place, stack);

	return places;
}

static struct place *add(struct record_set *places, struct arena *arena, uint64_t id,
			 uint32_t stack)
{
	static const char name[] = "one";

	return record_set_add(
		places, arena,
		&(struct place){ .name = name, .id = id, .stack = stack, .count = 5 });
}

static void keeps_records_with_equal_keys_once(void **state)
{
	struct record_set places = places_of();
	struct arena arena = { 0 };
	struct place *first = add(&places, &arena, 1, 1);

	(void)state;
	assert_int_equal(first->count, 5); /* as added */
	first->count = 100;
	assert_ptr_equal(add(&places, &arena, 1, 1), first);
	assert_int_equal(first->count, 100);
	assert_ptr_not_equal(add(&places, &arena, 2, 1), first);
	assert_ptr_not_equal(add(&places, &arena, 1, 2), first);
	assert_int_equal(places.count, 3);
	record_set_release(&places);
	arena_release(&arena);
}

static void finds_only_what_was_added(void **state)
{
	struct record_set places = places_of();
	struct arena arena = { 0 };
	struct place like = { .id = 1 };
	struct place *added;

	(void)state;
	assert_null(record_set_find(&places, &like));
	added = record_set_add(&places, &arena, &like);
	like.count = 7; /* does not matter */
	assert_ptr_equal(record_set_find(&places, &like), added);
	like.stack = 1;
	assert_null(record_set_find(&places, &like));
	assert_int_equal(places.count, 1);
	record_set_release(&places);
	assert_null(record_set_find(&places, &(struct place){ .id = 1 }));
	arena_release(&arena);
}

/* A word equal to the seed gives all prefixes the same hash. */
static void distinguishes_records_of_equal_hash(void **state)
{
	struct pair {
		struct pair *next;
		uint64_t id;
		uint64_t seed;
	};
	struct record_set pairs = RECORD_SET(struct pair, seed);
	struct arena arena = { 0 };
	struct pair *list[50];

	(void)state;
	for (uint64_t i = 0; i < 50; i++)
		list[i] = record_set_add(&pairs, &arena,
					 &(struct pair){ .id = i, .seed = hash_seed });
	assert_int_equal(pairs.count, 50);
	assert_int_equal(pairs.by_hash.count, 1);
	for (uint64_t i = 0; i < 50; i++) {
		assert_int_equal(list[i]->id, i);
		assert_ptr_equal(
			record_set_find(&pairs, &(struct pair){ .id = i, .seed = hash_seed }),
			list[i]);
	}
	record_set_release(&pairs);
	arena_release(&arena);
}

static void hashes_every_field_of_the_key(void **state)
{
	static const char names[1000];
	struct record_set places = places_of();
	struct arena arena = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		record_set_add(&places, &arena, &(struct place){ .name = &names[i] });
		record_set_add(&places, &arena, &(struct place){ .name = names, .id = i + 1 });
		record_set_add(&places, &arena, &(struct place){ .name = names, .stack = i + 1 });
	}
	assert_int_equal(places.count, 3000);
	assert_int_equal(places.by_hash.count, 3000);
	record_set_release(&places);
	arena_release(&arena);
}

static int last_first(const void *left, const void *right)
{
	const struct place *a = *(void *const *)left;
	const struct place *b = *(void *const *)right;

	return (a->id < b->id) - (a->id > b->id);
}

static void lists_records_as_added_or_sorted(void **state)
{
	struct record_set places = places_of();
	struct arena arena = { 0 };
	struct place **list;
	size_t count = 1;

	(void)state;
	record_set_list(&places, last_first, &count);
	assert_int_equal(count, 0);
	for (uint64_t i = 0; i < 1000; i++)
		add(&places, &arena, i, 0);
	list = record_set_list(&places, NULL, &count);
	assert_int_equal(count, 1000);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(list[i]->id, i);
	list = record_set_list(&places, last_first, &count);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(list[i]->id, 999 - i);
	assert_ptr_equal(add(&places, &arena, 999, 0), list[0]);
	record_set_release(&places);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_records_with_equal_keys_once),
		cmocka_unit_test(finds_only_what_was_added),
		cmocka_unit_test(distinguishes_records_of_equal_hash),
		cmocka_unit_test(hashes_every_field_of_the_key),
		cmocka_unit_test(lists_records_as_added_or_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
