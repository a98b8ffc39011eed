/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unwind/table_builder.h"

static struct table_builder new_builder(void)
{
	return (struct table_builder){ .machine = &unwind_x86_64 };
}

static void add(struct table_builder *builder, uint64_t address, int32_t cfa_offset)
{
	const struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, cfa_offset);

	table_builder_row(builder, address, &rule);
}

/* The offset of the CFA from the stack pointer; -1: there is no rule. */
static int cfa_at(const struct unwind_table *table, uint64_t address)
{
	const struct unwind_rule *rule = unwind_table_find(table, address);

	return rule->kind == UNWIND_NO_RULE ? -1 : rule->cfa_offset;
}

static void a_row_holds_up_to_the_next(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table;

	(void)state;
	table_builder_function(&builder, 0x1000, 0x1100);
	add(&builder, 0x1000, 8);
	add(&builder, 0x1001, 16);
	add(&builder, 0x1004, 32);
	table = table_builder_seal(&builder);
	assert_int_equal(cfa_at(&table, 0xfff), -1);
	assert_int_equal(cfa_at(&table, 0x1000), 8);
	assert_int_equal(cfa_at(&table, 0x1001), 16);
	assert_int_equal(cfa_at(&table, 0x1003), 16);
	assert_int_equal(cfa_at(&table, 0x10ff), 32);
	assert_int_equal(cfa_at(&table, 0x1100), -1);
	unwind_table_release(&table);
}

static void between_functions_there_is_no_rule(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table;

	(void)state;
	table_builder_function(&builder, 0x1000, 0x1010);
	add(&builder, 0x1000, 8);
	table_builder_function(&builder, 0x1020, 0x1030);
	add(&builder, 0x1020, 8);
	add(&builder, 0x1040, 16); /* outside its function */
	table = table_builder_seal(&builder);
	assert_int_equal(cfa_at(&table, 0x100f), 8);
	assert_int_equal(cfa_at(&table, 0x1010), -1);
	assert_int_equal(cfa_at(&table, 0x1020), 8);
	assert_int_equal(cfa_at(&table, 0x1030), -1);
	assert_int_equal(cfa_at(&table, 0x1040), -1);
	unwind_table_release(&table);
}

static void equal_rows_that_follow_one_another_are_one(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table;

	(void)state;
	table_builder_function(&builder, 0x1000, 0x1010);
	add(&builder, 0x1000, 8);
	add(&builder, 0x1004, 8);
	table_builder_function(&builder, 0x1010, 0x1020);
	add(&builder, 0x1010, 8);
	table = table_builder_seal(&builder);
	assert_int_equal(table.row_count, 2); /* and the end */
	assert_int_equal(table.rule_count, 2);
	unwind_table_release(&table);
}

static void a_row_holds_on_in_later_blocks(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table;

	(void)state;
	table_builder_function(&builder, 0x1fff0, 0x50000);
	add(&builder, 0x1fff0, 8);
	add(&builder, 0x4fff0, 16);
	table = table_builder_seal(&builder);
	assert_int_equal(cfa_at(&table, 0x1fff0), 8);
	assert_int_equal(cfa_at(&table, 0x20000), 8);
	assert_int_equal(cfa_at(&table, 0x3abcd), 8);
	assert_int_equal(cfa_at(&table, 0x4ffef), 8);
	assert_int_equal(cfa_at(&table, 0x4fff0), 16);
	assert_int_equal(cfa_at(&table, 0x50000), -1);
	unwind_table_release(&table);
}

static void rows_out_of_order_and_too_far_apart_are_counted(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table;

	(void)state;
	table_builder_function(&builder, 0x1000, UINT64_MAX - 1);
	add(&builder, 0x1000, 8);
	add(&builder, 0x1010, 16);
	add(&builder, 0x1008, 24);
	add(&builder, UINT64_C(0x200000000), 32);
	assert_int_equal(builder.dropped, 2);
	table = table_builder_seal(&builder);
	assert_int_equal(cfa_at(&table, 0x1008), 8);
	assert_int_equal(cfa_at(&table, 0x1010), 16);
	unwind_table_release(&table);
}

static void more_rules_than_a_row_can_name_are_none(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table;

	(void)state;
	table_builder_function(&builder, 0, 0x100000);
	for (int i = 0; i < 70000; i++)
		add(&builder, (uint64_t)i, 8 * (i + 1));
	assert_int_equal(builder.dropped, 70000 - 65535);
	table = table_builder_seal(&builder);
	assert_int_equal(cfa_at(&table, 65534), 8 * 65535);
	assert_int_equal(cfa_at(&table, 65535), -1);
	assert_int_equal(cfa_at(&table, 69999), -1);
	unwind_table_release(&table);
}

static void what_rules_refer_to_is_kept_once(void **state)
{
	static const struct unwind_other others[] = { { X86_64_RAX, OTHER_AT_OFFSET, 16 },
						      { X86_64_RDX, OTHER_AT_OFFSET, 24 } };
	struct table_builder builder = new_builder();

	(void)state;
	assert_int_equal(table_builder_others(&builder, others, 2), 0);
	assert_int_equal(table_builder_others(&builder, others + 1, 1), 2);
	assert_int_equal(table_builder_others(&builder, others, 2), 0);
	assert_int_equal(table_builder_expression(&builder, "\x77\x08", 2), 0);
	assert_int_equal(table_builder_expression(&builder, "\x76\x10", 2), 6);
	assert_int_equal(table_builder_expression(&builder, "\x77\x08", 2), 0);
	table_builder_release(&builder);
}

static void an_empty_table_has_no_rules(void **state)
{
	struct table_builder builder = new_builder();
	struct unwind_table table = table_builder_seal(&builder);

	(void)state;
	assert_int_equal(cfa_at(&table, 0), -1);
	assert_int_equal(cfa_at(&table, UINT64_MAX), -1);
	unwind_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_holds_up_to_the_next),
		cmocka_unit_test(between_functions_there_is_no_rule),
		cmocka_unit_test(equal_rows_that_follow_one_another_are_one),
		cmocka_unit_test(a_row_holds_on_in_later_blocks),
		cmocka_unit_test(rows_out_of_order_and_too_far_apart_are_counted),
		cmocka_unit_test(more_rules_than_a_row_can_name_are_none),
		cmocka_unit_test(what_rules_refer_to_is_kept_once),
		cmocka_unit_test(an_empty_table_has_no_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
