/* SPDX-License-Identifier: MIT */
/* The header of a trace, in each version. */
#include "trace_reading.h"

#define START_NS INT64_C(1738555506007000000) /* 2025-02-03 04:05:06.007 UTC */

/* A date and a clock; then the version's own fields. */
static void put_clock(struct builder *b, const uint16_t *date, int64_t ticks, int64_t frequency)
{
	for (size_t i = 0; i < 8; i++)
		put_u16(b, date[i]);
	put_u64(b, (uint64_t)ticks);
	put_u64(b, (uint64_t)frequency);
}

static const uint16_t some_date[8] = { 2025, 2, 1, 3, 4, 5, 6, 7 };

static void marks_what_versions_1_and_2_do_not_have(void **state)
{
	(void)state;
	for (int version = 1; version <= 2; version++) {
		struct builder b = build_start(version);
		struct reading r = read_finished(&b);

		assert_true(r.header->netperf);
		assert_int_equal(r.header->start_ns, START_NS);
		assert_int_equal(r.header->start_ticks, 1000000);
		assert_int_equal(r.header->ticks_per_second, 1000);
		assert_int_equal(r.header->pointer_size, -1);
		assert_int_equal(r.header->process_id, -1);
		assert_int_equal(r.header->processors, -1);
		assert_int_equal(r.header->sampling_ns, -1);
		assert_null(r.header->properties);
		assert_int_equal(r.header->property_count, 0);
		reading_release(&r);
	}
}

static void reads_the_fields_of_versions_3_and_4(void **state)
{
	(void)state;
	for (int version = 3; version <= 4; version++) {
		struct builder b = build_start(version);
		struct reading r = read_finished(&b);

		assert_int_equal(r.header->start_ns, START_NS);
		assert_int_equal(r.header->start_ticks, 1000000);
		assert_int_equal(r.header->ticks_per_second, 1000);
		assert_int_equal(r.header->pointer_size, 8);
		assert_int_equal(r.header->process_id, 1);
		assert_int_equal(r.header->processors, 4);
		assert_int_equal(r.header->sampling_ns, 1000);
		assert_int_equal(r.header->property_count, 0);
		reading_release(&r);
	}
}

static void does_not_make_up_what_version_6_leaves_out(void **state)
{
	struct builder b = build_start(6);
	struct reading r;

	(void)state;
	build_block(&b, PART_THREADS);
	put_bytes(&b, BYTES("\x02\0\xe7\x07")); /* only index 999 */
	build_close(&b);
	r = read_finished(&b);
	assert_false(r.header->netperf);
	assert_int_equal(r.header->minor_version, 0);
	assert_int_equal(r.header->start_ns, START_NS);
	assert_int_equal(r.header->start_ticks, 0);
	assert_int_equal(r.header->ticks_per_second, 1000);
	assert_int_equal(r.header->pointer_size, 8);
	assert_int_equal(r.header->process_id, -1);
	assert_int_equal(r.header->processors, -1);
	assert_int_equal(r.header->sampling_ns, -1);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->process_id, 0);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->id, -1);
	reading_release(&r);
}

static void keeps_the_properties_of_version_6_in_order(void **state)
{
	static const char *const pairs[][2] = {
		{ "ProcessId", "1234" },	{ "HardwareThreadCount", "16" },
		{ "CpuSpeedMHz", "3000" },	{ "ExpectedCPUSamplingRate", "1790" },
		{ "Unknown key", "any value" },
	};
	struct builder b = build_magic(6);
	struct reading r;

	(void)state;
	build_block(&b, PART_TRACE);
	put_clock(&b, some_date, 0, 1000);
	put_u32(&b, 4);
	put_u32(&b, COUNT(pairs));
	for (size_t i = 0; i < COUNT(pairs); i++) {
		put_string(&b, pairs[i][0]);
		put_string(&b, pairs[i][1]);
	}
	put_bytes(&b, BYTES("bytes that a later version may add"));
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(r.header->pointer_size, 4);
	assert_int_equal(r.header->process_id, 1234);
	assert_int_equal(r.header->processors, 16);
	assert_int_equal(r.header->sampling_ns, 1790);
	assert_int_equal(r.header->property_count, COUNT(pairs));
	for (size_t i = 0; i < COUNT(pairs); i++) {
		assert_string_equal(r.header->properties[i].key, pairs[i][0]);
		assert_string_equal(r.header->properties[i].value, pairs[i][1]);
	}
	reading_release(&r);
}

static void lets_the_last_of_two_equal_properties_win(void **state)
{
	struct builder b = build_magic(6);
	struct reading r;

	(void)state;
	build_block(&b, PART_TRACE);
	put_clock(&b, some_date, 0, 1000);
	put_u32(&b, 8);
	put_u32(&b, 2);
	put_bytes(&b, BYTES("\x09ProcessId\x02"
			    "12"
			    "\x09ProcessId\x02"
			    "34"));
	build_close(&b);
	build_block(&b, PART_THREADS);
	put_bytes(&b, BYTES("\x01\0\x05")); /* index 5 */
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(r.header->process_id, 34);
	assert_int_equal(r.header->property_count, 2);
	assert_int_equal(pp_nettrace_thread(r.trace, 0)->process_id, 34);
	reading_release(&r);
}

static void expect_header_error(int64_t frequency, uint32_t pointer_size, uint32_t pairs,
				const char *sentence)
{
	struct builder b = build_magic(6);

	build_block(&b, PART_TRACE);
	put_clock(&b, some_date, 0, frequency);
	put_u32(&b, pointer_size);
	put_u32(&b, pairs);
	build_close(&b);
	expect_error(&b, 0, sentence);
}

static void rejects_an_impossible_header(void **state)
{
	(void)state;
	expect_header_error(0, 8, 0,
			    "byte 24: the trace header gives a clock of 0 ticks per second");
	expect_header_error(-1, 8, 0,
			    "byte 24: the trace header gives a clock of -1 ticks per second");
	expect_header_error(1000, 2, 0, "byte 24: the trace header gives pointers of 2 bytes");
	expect_header_error(1000, 0xffffffff, 0,
			    "byte 24: the trace header gives pointers of -1 bytes");
	expect_header_error(1000, 8, 1, "byte 24: the trace header is cut short");
	expect_header_error(1000, 8, 0xffffffff, "byte 24: the trace header is cut short");
}

static void rejects_a_trace_block_that_is_too_small(void **state)
{
	struct builder b = build_magic(6);

	(void)state;
	build_block(&b, PART_TRACE);
	put_zeros(&b, 39);
	build_close(&b);
	expect_error(&b, 0, "byte 24: the trace header is cut short");
}

static int64_t start_of(const uint16_t *date)
{
	struct builder b = build_magic(6);
	struct reading r;
	int64_t start;

	build_block(&b, PART_TRACE);
	put_clock(&b, date, 0, 1);
	put_u32(&b, 8);
	put_u32(&b, 0);
	build_close(&b);
	r = read_finished(&b);
	start = r.header->start_ns;
	reading_release(&r);
	return start;
}

static void knows_the_calendar(void **state)
{
	/* year, month, day of the week, day, hour, minute, second, ms; and seconds from date(1) */
	static const struct {
		uint16_t date[8];
		int64_t seconds;
	} dates[] = {
		{ { 1970, 1, 4, 1, 0, 0, 0, 0 }, 0 },
		{ { 1969, 12, 3, 31, 23, 59, 59, 0 }, -1 },
		{ { 2000, 2, 2, 29, 12, 0, 0, 0 }, 951825600 },
		{ { 2000, 3, 3, 1, 0, 0, 0, 0 }, 951868800 },
		{ { 2024, 12, 2, 31, 23, 59, 59, 0 }, 1735689599 },
		{ { 2038, 1, 2, 19, 3, 14, 8, 0 }, 2147483648 },
		{ { 2100, 3, 1, 1, 0, 0, 0, 0 }, 4107542400 },
		{ { 1900, 3, 4, 1, 0, 0, 0, 0 }, -2203891200 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(dates); i++)
		assert_int_equal(start_of(dates[i].date), dates[i].seconds * 1000000000);
}

/* Writers disagree about which day a week starts with. */
static void ignores_the_day_of_the_week(void **state)
{
	(void)state;
	for (uint16_t day = 0; day < 9; day++)
		assert_int_equal(start_of((uint16_t[]){ 2025, 2, day, 3, 4, 5, 6, 7 }), START_NS);
}

static void returns_zero_for_an_impossible_date(void **state)
{
	(void)state;
	assert_int_equal(start_of((uint16_t[]){ 0, 0, 0, 0, 0, 0, 0, 0 }), 0);
	assert_int_equal(start_of((uint16_t[]){ 2025, 13, 0, 1, 0, 0, 0, 0 }), 0);
	assert_int_equal(start_of((uint16_t[]){ 2025, 0, 0, 1, 0, 0, 0, 0 }), 0);
	assert_int_equal(start_of((uint16_t[]){ 65535, 1, 0, 65535, 65535, 65535, 65535, 65535 }),
			 0);
}

/* 64 bits of nanoseconds cover 1677 to 2262. */
static void returns_zero_for_a_date_out_of_range(void **state)
{
	(void)state;
	assert_int_equal(start_of((uint16_t[]){ 1601, 1, 1, 1, 0, 0, 0, 0 }), 0);
	assert_int_equal(start_of((uint16_t[]){ 1676, 12, 1, 31, 0, 0, 0, 0 }), 0);
	assert_int_equal(start_of((uint16_t[]){ 2200, 12, 1, 65535, 65535, 65535, 0, 0 }), 0);
}

static void counts_time_from_the_start_of_the_clock(void **state)
{
	struct pp_trace_header header = { .start_ticks = 1000, .ticks_per_second = 3 };

	(void)state;
	assert_int_equal(pp_trace_time_ns(&header, 1000), 0);
	assert_int_equal(pp_trace_time_ns(&header, 1003), 1000000000);
	assert_int_equal(pp_trace_time_ns(&header, 1001), 333333333);
	assert_int_equal(pp_trace_time_ns(&header, 997), -1000000000);
	header.ticks_per_second = 1000000000;
	assert_int_equal(pp_trace_time_ns(&header, INT64_MAX), INT64_MAX - 1000);
}

/* Ticks of a hostile file: no time is this long, but the sign must not flip. */
static void saturates_times_that_are_too_large(void **state)
{
	struct pp_trace_header header = { .start_ticks = -1000, .ticks_per_second = 1 };

	(void)state;
	assert_int_equal(pp_trace_time_ns(&header, INT64_MAX), INT64_MAX);
	header.start_ticks = 1000;
	assert_int_equal(pp_trace_time_ns(&header, INT64_MIN), INT64_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_what_versions_1_and_2_do_not_have),
		cmocka_unit_test(reads_the_fields_of_versions_3_and_4),
		cmocka_unit_test(does_not_make_up_what_version_6_leaves_out),
		cmocka_unit_test(keeps_the_properties_of_version_6_in_order),
		cmocka_unit_test(lets_the_last_of_two_equal_properties_win),
		cmocka_unit_test(rejects_an_impossible_header),
		cmocka_unit_test(rejects_a_trace_block_that_is_too_small),
		cmocka_unit_test(knows_the_calendar),
		cmocka_unit_test(ignores_the_day_of_the_week),
		cmocka_unit_test(returns_zero_for_an_impossible_date),
		cmocka_unit_test(returns_zero_for_a_date_out_of_range),
		cmocka_unit_test(counts_time_from_the_start_of_the_clock),
		cmocka_unit_test(saturates_times_that_are_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
