/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "perf/perf_record.h"
#include "perf/perf_ring.h"

#define RING_SIZE 64u

/* What the kernel shares with us. */
static struct perf_event_mmap_page page;
static uint8_t data[RING_SIZE];
static struct perf_ring ring;

static const void *bytes;
static size_t size;

static int set_up(void **state)
{
	(void)state;
	page = (struct perf_event_mmap_page){ 0 };
	ring = perf_ring_over(&page, data, RING_SIZE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	perf_ring_close(&ring);
	return 0;
}

static void put(const void *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		data[page.data_head++ % RING_SIZE] = ((const uint8_t *)from)[i];
}

/* As the kernel does: a record of `words` of 8 bytes, each with the same number in it. */
static void put_record(uint32_t type, size_t words, uint64_t number)
{
	const struct perf_event_header header = { type, 0, (uint16_t)(8 + 8 * words) };

	put(&header, sizeof(header));
	for (size_t i = 0; i < words; i++)
		put(&number, sizeof(number));
}

static void expect_record(size_t words, uint64_t number)
{
	assert_true(perf_ring_next(&ring, &bytes, &size));
	assert_int_equal(size, 8 + 8 * words);
	for (size_t i = 1; i <= words; i++)
		assert_int_equal(perf_word(bytes, i), number);
}

static void an_empty_ring_has_no_record(void **state)
{
	(void)state;
	assert_false(perf_ring_next(&ring, &bytes, &size));
	assert_false(ring.is_broken);
}

static void records_come_in_order(void **state)
{
	(void)state;
	put_record(PERF_RECORD_SWITCH, 1, 11);
	put_record(PERF_RECORD_SWITCH, 2, 22);
	expect_record(1, 11);
	expect_record(2, 22);
	assert_false(perf_ring_next(&ring, &bytes, &size));
}

static void a_record_that_wraps_is_whole(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 50; i++) {
		put_record(PERF_RECORD_SWITCH, 5, i);
		expect_record(5, i);
	}
	assert_false(perf_ring_next(&ring, &bytes, &size));
}

static void space_is_given_back_with_the_next_call(void **state)
{
	(void)state;
	put_record(PERF_RECORD_SWITCH, 1, 1);
	expect_record(1, 1);
	assert_int_equal(page.data_tail, 0);
	assert_false(perf_ring_next(&ring, &bytes, &size));
	assert_int_equal(page.data_tail, 16);
}

static void a_full_ring_is_read(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 4; i++)
		put_record(PERF_RECORD_SWITCH, 1, i);
	for (uint64_t i = 0; i < 4; i++)
		expect_record(1, i);
}

static void what_was_lost_is_counted(void **state)
{
	const uint64_t lost[] = { 55, 12 };
	const struct perf_event_header header = { PERF_RECORD_LOST, 0, 24 };

	(void)state;
	put(&header, sizeof(header));
	put(lost, sizeof(lost));
	put_record(PERF_RECORD_LOST_SAMPLES, 1, 30);
	assert_true(perf_ring_next(&ring, &bytes, &size));
	assert_true(perf_ring_next(&ring, &bytes, &size));
	assert_int_equal(ring.lost, 42);
}

static void a_record_shorter_than_its_header_breaks_the_ring(void **state)
{
	const struct perf_event_header header = { PERF_RECORD_SWITCH, 0, 4 };

	(void)state;
	put(&header, sizeof(header));
	assert_false(perf_ring_next(&ring, &bytes, &size));
	assert_true(ring.is_broken);
	assert_false(perf_ring_next(&ring, &bytes, &size));
}

static void so_does_one_longer_than_what_was_written(void **state)
{
	const struct perf_event_header header = { PERF_RECORD_SWITCH, 0, 1000 };

	(void)state;
	put(&header, sizeof(header));
	assert_false(perf_ring_next(&ring, &bytes, &size));
	assert_true(ring.is_broken);
}

static void so_do_more_bytes_than_it_has(void **state)
{
	(void)state;
	page.data_head = RING_SIZE + 8;
	assert_false(perf_ring_next(&ring, &bytes, &size));
	assert_true(ring.is_broken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_empty_ring_has_no_record, set_up, tear_down),
		cmocka_unit_test_setup_teardown(records_come_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_that_wraps_is_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(space_is_given_back_with_the_next_call, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_full_ring_is_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_lost_is_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_shorter_than_its_header_breaks_the_ring,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(so_does_one_longer_than_what_was_written, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(so_do_more_bytes_than_it_has, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
