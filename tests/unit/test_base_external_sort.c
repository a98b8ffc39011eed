/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/external_sort.h"

#define RECORDS 50000u

struct record {
	uint64_t key;
	uint32_t number;
	char text[20]; /* so that records do not fill a piece */
};

static int by_key(const void *left, const void *right)
{
	const struct record *a = left;
	const struct record *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

/* All numbers below RECORDS once, shuffled. */
static uint64_t mixed(uint32_t number)
{
	return (uint64_t)number * 40503 % RECORDS;
}

static void fill(struct external_sort *sorted)
{
	for (uint32_t i = 0; i < RECORDS; i++)
		external_sort_add(sorted, &(const struct record){ .key = mixed(i), .number = i });
	external_sort_seal(sorted);
	assert_int_equal(sorted->count, RECORDS);
}

static void check(const struct external_sort *sorted)
{
	struct external_sort_reader reader = { .sorted = sorted };
	const struct record *record;
	uint64_t next = 0;

	while ((record = external_sort_next(&reader))) {
		assert_int_equal(record->key, next++);
		assert_int_equal(mixed(record->number), record->key);
	}
	assert_int_equal(next, RECORDS);
	assert_null(external_sort_next(&reader));
	external_sort_reader_release(&reader);
}

static void few_records_are_one_run_in_memory(void **state)
{
	struct spool spool = { 0 };
	struct external_sort sorted = { .spool = &spool,
					.size = sizeof(struct record),
					.compare = by_key };

	(void)state;
	fill(&sorted);
	assert_int_equal(sorted.run_count, 1);
	assert_int_equal(spool.end, 0);
	check(&sorted);
	check(&sorted);
	external_sort_release(&sorted);
	assert_int_equal(spool.kept, 0);
	spool_release(&spool);
}

static void many_records_are_merged_from_a_file(void **state)
{
	struct spool spool = { .budget = 1 };
	struct external_sort sorted = {
		.spool = &spool, .size = sizeof(struct record), .compare = by_key, .batch = 10000
	};

	(void)state;
	fill(&sorted);
	assert_true(sorted.run_count > 100);
	assert_true(spool.end == 0); /* no run is as long as a piece */
	external_sort_release(&sorted);
	sorted = (struct external_sort){
		.spool = &spool, .size = sizeof(struct record), .compare = by_key, .batch = 100000
	};
	fill(&sorted);
	assert_true(sorted.run_count > 10);
	assert_true(spool.end > 1000000);
	check(&sorted);
	check(&sorted);
	external_sort_release(&sorted);
	spool_release(&spool);
}

static void two_readers_do_not_disturb_each_other(void **state)
{
	struct spool spool = { .budget = 1 };
	struct external_sort sorted = {
		.spool = &spool, .size = sizeof(struct record), .compare = by_key, .batch = 50000
	};
	struct external_sort_reader ahead = { .sorted = &sorted };

	(void)state;
	fill(&sorted);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(((const struct record *)external_sort_next(&ahead))->key, i);
	check(&sorted);
	assert_int_equal(((const struct record *)external_sort_next(&ahead))->key, 1000);
	external_sort_reader_release(&ahead);
	external_sort_release(&sorted);
	spool_release(&spool);
}

static void equal_records_of_different_batches_stay_in_order(void **state)
{
	struct spool spool = { 0 };
	struct external_sort sorted = { .spool = &spool,
					.size = sizeof(struct record),
					.compare = by_key,
					.batch = sizeof(struct record) };
	struct external_sort_reader reader = { .sorted = &sorted };

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		external_sort_add(&sorted, &(const struct record){ .key = 5, .number = i });
	external_sort_seal(&sorted);
	assert_int_equal(sorted.run_count, 100);
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(((const struct record *)external_sort_next(&reader))->number, i);
	assert_null(external_sort_next(&reader));
	external_sort_reader_release(&reader);
	external_sort_release(&sorted);
	spool_release(&spool);
}

static void an_empty_sort_has_no_records(void **state)
{
	struct spool spool = { 0 };
	struct external_sort sorted = { .spool = &spool,
					.size = sizeof(struct record),
					.compare = by_key };
	struct external_sort_reader reader = { .sorted = &sorted };

	(void)state;
	external_sort_seal(&sorted);
	assert_null(external_sort_next(&reader));
	assert_null(external_sort_next(&reader));
	external_sort_reader_release(&reader);
	external_sort_release(&sorted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_records_are_one_run_in_memory),
		cmocka_unit_test(many_records_are_merged_from_a_file),
		cmocka_unit_test(two_readers_do_not_disturb_each_other),
		cmocka_unit_test(equal_records_of_different_batches_stay_in_order),
		cmocka_unit_test(an_empty_sort_has_no_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
