/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unwind/expression.h"

#define CODE(text) cursor_over((text), sizeof(text) - 1)

static const uint64_t words[] = { 0x1111, 0x2222, UINT64_C(0x8877665544332211) };
static const struct captured_stack stack = { 0x7000, (const uint8_t *)words, sizeof(words) };

static struct unwind_registers registers(void)
{
	struct unwind_registers all = { 0 };

	register_set(&all, X86_64_RSP, 0x7000);
	register_set(&all, X86_64_RIP, 0x40101b);
	return all;
}

static enum expression_result evaluate(struct cursor code, uint64_t *value)
{
	const struct unwind_registers all = registers();
	struct expression_input input = { &all, &stack, 0 };

	return expression_evaluate(code, &input, value);
}

static uint64_t value_of(struct cursor code)
{
	uint64_t value = 0;

	assert_int_equal(evaluate(code, &value), EXPRESSION_DONE);
	return value;
}

static void computes_the_cfa_of_the_plt(void **state)
{
	/* rsp + 8 + ((rip & 15) >= 11) * 8 */
	const struct cursor code = CODE("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22");

	(void)state;
	assert_int_equal(value_of(code), 0x7010);
}

static void begins_with_a_value(void **state)
{
	uint64_t value = 0x10;

	(void)state;
	assert_int_equal(evaluate(CODE("\x23\x05"), &value), EXPRESSION_DONE);
	assert_int_equal(value, 0x15);
}

static void computes_with_signs(void **state)
{
	(void)state;
	assert_int_equal(value_of(CODE("\x09\xf8\x32\x1b")), (uint64_t)-4); /* -8 / 2 */
	assert_int_equal(value_of(CODE("\x09\xf8\x31\x26")), (uint64_t)-4); /* -8 >> 1 */
	assert_int_equal(value_of(CODE("\x09\xf8\x19")), 8);		    /* abs */
	assert_int_equal(value_of(CODE("\x11\x7f\x1f")), 1);		    /* neg -1 */
	assert_int_equal(value_of(CODE("\x09\xff\x30\x2d")), 1);	    /* -1 < 0 */
	assert_int_equal(value_of(CODE("\x31\x08\x40\x24")), 0);	    /* 1 << 64 */
}

static void moves_values_on_its_stack(void **state)
{
	(void)state;
	assert_int_equal(value_of(CODE("\x37\x33\x16\x1c")), (uint64_t)-4);	   /* 3 - 7 */
	assert_int_equal(value_of(CODE("\x31\x32\x33\x17\x1c\x1c")), 3 - (1 - 2)); /* rot: 3 1 2 */
	assert_int_equal(value_of(CODE("\x35\x36\x14\x22")), 11);		   /* over */
	assert_int_equal(value_of(CODE("\x35\x36\x37\x15\x02")), 5);		   /* pick */
	assert_int_equal(value_of(CODE("\x35\x36\x13")), 5);			   /* drop */
}

static void reads_captured_memory(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_int_equal(value_of(CODE("\x77\x08\x06")), 0x2222);
	assert_int_equal(value_of(CODE("\x77\x10\x94\x02")), 0x2211);
	assert_int_equal(evaluate(CODE("\x77\x18\x06"), &value), EXPRESSION_BEYOND);
	assert_int_equal(evaluate(CODE("\x77\x78\x06"), &value), EXPRESSION_BEYOND); /* below */
	assert_int_equal(evaluate(CODE("\x77\x00\x94\x09"), &value), EXPRESSION_WRONG);
}

static void does_not_guess_registers(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_int_equal(evaluate(CODE("\x76\x00"), &value), EXPRESSION_UNKNOWN);
	assert_int_equal(evaluate(CODE("\x92\x64\x00"), &value), EXPRESSION_UNKNOWN);
}

static void jumps_within_itself(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_int_equal(value_of(CODE("\x35\x2f\x01\x00\x13")), 5);	     /* over the drop */
	assert_int_equal(value_of(CODE("\x35\x31\x28\x01\x00\x13")), 5);     /* if 1 */
	assert_int_equal(value_of(CODE("\x35\x36\x30\x28\x01\x00\x13")), 5); /* not if 0 */
	assert_int_equal(evaluate(CODE("\x2f\x01\x00"), &value), EXPRESSION_WRONG);
	assert_int_equal(evaluate(CODE("\x2f\xf0\xff"), &value), EXPRESSION_WRONG);
}

static void ends_what_does_not_end(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_int_equal(evaluate(CODE("\x2f\xfd\xff"), &value), EXPRESSION_WRONG);
	assert_int_equal(evaluate(CODE("\x12\x2f\xfc\xff"), &value), EXPRESSION_WRONG);
}

static void refuses_what_is_wrong(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_int_equal(evaluate(CODE("\x22"), &value), EXPRESSION_WRONG); /* too few values */
	assert_int_equal(evaluate(CODE("\x13\x13"), &value), EXPRESSION_WRONG);
	assert_int_equal(evaluate(CODE("\x31\x17"), &value), EXPRESSION_WRONG);
	assert_int_equal(evaluate(CODE("\x31\x30\x1b"), &value), EXPRESSION_WRONG); /* 1 / 0 */
	assert_int_equal(evaluate(CODE("\x31\x30\x1d"), &value), EXPRESSION_WRONG);
	assert_int_equal(evaluate(CODE("\x0c\x01"), &value), EXPRESSION_WRONG); /* cut short */
	assert_int_equal(evaluate(CODE("\xff"), &value), EXPRESSION_WRONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computes_the_cfa_of_the_plt),
		cmocka_unit_test(begins_with_a_value),
		cmocka_unit_test(computes_with_signs),
		cmocka_unit_test(moves_values_on_its_stack),
		cmocka_unit_test(reads_captured_memory),
		cmocka_unit_test(does_not_guess_registers),
		cmocka_unit_test(jumps_within_itself),
		cmocka_unit_test(ends_what_does_not_end),
		cmocka_unit_test(refuses_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
