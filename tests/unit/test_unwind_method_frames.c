/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unwind/method_frames.h"

static void add(struct method_frames *frames, uint64_t start, uint32_t size, int32_t cfa_offset)
{
	const struct unwind_rule entry = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 8);
	const struct unwind_rule body = unwind_rule_at(&unwind_x86_64, X86_64_RSP, cfa_offset);

	method_frames_begin(frames, start, size);
	method_frames_row(frames, 0, &entry);
	method_frames_row(frames, 4, &body);
}

static int cfa_at(const struct method_frames *frames, uint64_t address)
{
	const struct unwind_rule *rule = method_frames_find(frames, address);

	return rule ? rule->cfa_offset : -1;
}

static void finds_methods_added_in_any_order(void **state)
{
	struct method_frames frames = { 0 };

	(void)state;
	assert_int_equal(cfa_at(&frames, 0x1000), -1);
	add(&frames, 0x3000, 0x100, 48);
	add(&frames, 0x1000, 0x100, 16);
	add(&frames, 0x2000, 0x100, 32);
	assert_int_equal(cfa_at(&frames, 0x1003), 8);
	assert_int_equal(cfa_at(&frames, 0x1004), 16);
	assert_int_equal(cfa_at(&frames, 0x10ff), 16);
	assert_int_equal(cfa_at(&frames, 0x1100), -1);
	assert_int_equal(cfa_at(&frames, 0x20ff), 32);
	assert_int_equal(cfa_at(&frames, 0x3050), 48);
	assert_int_equal(cfa_at(&frames, 0x3100), -1);
	assert_int_equal(cfa_at(&frames, 0xfff), -1);
	method_frames_release(&frames);
}

static void a_method_takes_the_place_of_those_it_overlaps(void **state)
{
	struct method_frames frames = { 0 };

	(void)state;
	add(&frames, 0x1000, 0x100, 16);
	add(&frames, 0x1100, 0x100, 24);
	add(&frames, 0x1200, 0x100, 32);
	add(&frames, 0x1080, 0x100, 40);
	assert_int_equal(frames.count, 2);
	assert_int_equal(cfa_at(&frames, 0x1010), -1);
	assert_int_equal(cfa_at(&frames, 0x1084), 40);
	assert_int_equal(cfa_at(&frames, 0x117f), 40);
	assert_int_equal(cfa_at(&frames, 0x1180), -1);
	assert_int_equal(cfa_at(&frames, 0x1204), 32);
	method_frames_release(&frames);
}

static void a_method_without_rows_has_no_rule(void **state)
{
	struct method_frames frames = { 0 };

	(void)state;
	method_frames_begin(&frames, 0x1000, 0x100);
	assert_null(method_frames_find(&frames, 0x1000));
	method_frames_release(&frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_methods_added_in_any_order),
		cmocka_unit_test(a_method_takes_the_place_of_those_it_overlaps),
		cmocka_unit_test(a_method_without_rows_has_no_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
