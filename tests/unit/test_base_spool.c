/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/spool.h"
#include "failing_alloc.h"

#define RECORDS 100000u

static void put(struct reel *reel, struct spool *spool, uint32_t number)
{
	uint8_t *at = reel_room(reel, spool);

	memcpy(at, &number, sizeof(number));
	reel_wrote(reel, at + sizeof(number));
}

static uint32_t take(struct reel_reader *reader)
{
	uint32_t number;

	memcpy(&number, reader->at, sizeof(number));
	reader->at += sizeof(number);
	return number;
}

static void check_all(const struct spool *spool, const struct reel *reel, uint32_t first)
{
	struct reel_reader reader = { .spool = spool, .reel = reel };
	uint32_t seen = 0;

	while (reel_next(&reader)) {
		assert_int_equal(take(&reader), first + 2 * seen);
		seen++;
	}
	assert_int_equal(seen, RECORDS);
	assert_false(reel_next(&reader));
	reel_reader_release(&reader);
}

/* Two alternating reels, so that their pieces are mixed in the file. */
static void fill(struct spool *spool, struct reel reels[static 2])
{
	for (uint32_t i = 0; i < 2 * RECORDS; i++)
		put(&reels[i & 1], spool, i);
}

static void records_come_back_in_order(void **state)
{
	struct spool spool = { 0 };
	struct reel reels[2] = { 0 };

	(void)state;
	fill(&spool, reels);
	assert_int_equal(spool.end, 0); /* everything is in memory */
	check_all(&spool, &reels[0], 0);
	check_all(&spool, &reels[1], 1);
	check_all(&spool, &reels[1], 1);
	reel_release(&reels[0], &spool);
	reel_release(&reels[1], &spool);
	assert_int_equal(spool.kept, 0);
	spool_release(&spool);
}

static void records_beyond_the_budget_go_into_a_file(void **state)
{
	struct spool spool = { .budget = 50000 };
	struct reel reels[2] = { 0 };

	(void)state;
	fill(&spool, reels);
	assert_true(spool.end > 600000);
	assert_true(spool.kept <= 50000);
	check_all(&spool, &reels[0], 0);
	check_all(&spool, &reels[1], 1);
	reel_release(&reels[0], &spool);
	reel_release(&reels[1], &spool);
	spool_release(&spool);
}

static void without_a_file_all_records_stay_in_memory(void **state)
{
	struct spool spool = { .budget = 50000, .no_file = true };
	struct reel reels[2] = { 0 };

	(void)state;
	fill(&spool, reels);
	assert_int_equal(spool.end, 0);
	assert_true(spool.kept > 600000);
	check_all(&spool, &reels[0], 0);
	check_all(&spool, &reels[1], 1);
	reel_release(&reels[0], &spool);
	reel_release(&reels[1], &spool);
	spool_release(&spool);
}

static uint8_t *all_numbers(void)
{
	uint32_t *numbers = xcalloc(RECORDS, sizeof(*numbers));

	for (uint32_t i = 0; i < RECORDS; i++)
		numbers[i] = 2 * i;
	return (uint8_t *)numbers;
}

static void memory_that_fits_the_budget_is_adopted(void **state)
{
	struct spool spool = { 0 }, narrow = { .budget = RECORDS };
	struct reel reel = { 0 }, other = { 0 };
	uint8_t *numbers = all_numbers();

	(void)state;
	assert_false(reel_adopt(&other, &narrow, numbers, 4 * RECORDS));
	assert_true(reel_adopt(&reel, &spool, numbers, 4 * RECORDS));
	check_all(&spool, &reel, 0);
	reel_release(&reel, &spool);
	assert_int_equal(spool.kept, 0);
}

static void an_empty_reel_has_no_records(void **state)
{
	struct spool spool = { 0 };
	struct reel reel = { 0 };
	struct reel_reader reader = { .spool = &spool, .reel = &reel };

	(void)state;
	assert_false(reel_next(&reader));
	reel_reader_release(&reader);
	reel_release(&reel, &spool);
	spool_release(&spool);
}

static int spool_all(void *context, struct pp_error *err)
{
	struct heap heap = { 0 };
	struct guard guard;
	volatile int failed = -1;

	(void)context;
	guard_enter(&guard, &heap, err);
	if (!setjmp(guard.out)) {
		struct spool spool = { .budget = 1 };
		struct reel reels[2] = { 0 };

		fill(&spool, reels);
		assert_true(spool.fd);
		check_all(&spool, &reels[1], 1);
		failed = 0; /* what is open now is for the heap to close */
	}
	guard_leave(&guard);
	heap_drop(&heap);
	return failed;
}

static void the_file_is_closed_wherever_memory_is_gone(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(spool_all, NULL) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_back_in_order),
		cmocka_unit_test(records_beyond_the_budget_go_into_a_file),
		cmocka_unit_test(without_a_file_all_records_stay_in_memory),
		cmocka_unit_test(memory_that_fits_the_budget_is_adopted),
		cmocka_unit_test(an_empty_reel_has_no_records),
		cmocka_unit_test(the_file_is_closed_wherever_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
