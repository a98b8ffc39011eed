/* SPDX-License-Identifier: MIT */
#include "base/decimal.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void check(uint64_t value)
{
	uint8_t text[DECIMAL_ROOM + 1];
	char expected[DECIMAL_ROOM + 1];

	snprintf(expected, sizeof(expected), "%" PRIu64, value);
	*decimal_put(text, value) = 0;
	assert_string_equal((const char *)text, expected);
	snprintf(expected, sizeof(expected), "%" PRId64, (int64_t)value);
	*decimal_put_signed(text, (int64_t)value) = 0;
	assert_string_equal((const char *)text, expected);
}

static void writes_every_small_number(void **state)
{
	(void)state;
	for (uint64_t value = 0; value < 200000; value++)
		check(value);
}

static void writes_numbers_on_both_sides_of_every_power(void **state)
{
	uint64_t ten = 1;

	(void)state;
	for (int i = 0; i < 20; i++, ten *= 10)
		for (uint64_t near = 0; near < 5; near++) {
			check(ten - 2 + near);
			check(9 * ten - 2 + near);
		}
	for (int bit = 0; bit < 64; bit++)
		for (uint64_t near = 0; near < 5; near++)
			check(((uint64_t)1 << bit) - 2 + near);
}

static void writes_all_pairs_of_digits_in_all_places(void **state)
{
	(void)state;
	for (uint64_t pair = 0; pair < 10000; pair++) {
		check(pair * 10000);
		check(pair * 100000000 + 12345678);
		check(pair * 1000000000000 + 99999999);
	}
}

static void writes_eight_digits_with_leading_zeros(void **state)
{
	uint8_t text[9] = { 0 };

	(void)state;
	assert_ptr_equal(decimal_put_eight(text, 7), text + 8);
	assert_string_equal((const char *)text, "00000007");
	decimal_put_eight(text, 99999999);
	assert_string_equal((const char *)text, "99999999");
}

static void appends_to_a_buffer(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_signed(&b, INT64_MIN);
	buffer_u8(&b, ' ');
	buffer_decimal(&b, UINT64_MAX);
	buffer_u8(&b, 0);
	assert_string_equal((const char *)b.bytes, "-9223372036854775808 18446744073709551615");
	buffer_release(&b);
}

static void writes_nothing_into_a_buffer_that_has_failed(void **state)
{
	struct buffer b = { .failed = true };

	(void)state;
	buffer_decimal(&b, 1);
	buffer_signed(&b, -1);
	assert_int_equal(b.size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_every_small_number),
		cmocka_unit_test(writes_numbers_on_both_sides_of_every_power),
		cmocka_unit_test(writes_all_pairs_of_digits_in_all_places),
		cmocka_unit_test(writes_eight_digits_with_leading_zeros),
		cmocka_unit_test(appends_to_a_buffer),
		cmocka_unit_test(writes_nothing_into_a_buffer_that_has_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
