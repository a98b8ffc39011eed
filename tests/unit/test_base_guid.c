/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/guid.h"

/* The GUID of the runtime's provider, in .NET's byte order. */
static void writes_the_first_three_groups_backwards(void **state)
{
	static const uint8_t runtime[16] = { 0x23, 0x0d, 0x3c, 0xe1, 0xbc, 0xcc, 0x12, 0x4e,
					     0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4 };
	char text[GUID_TEXT_SIZE];

	(void)state;
	guid_text(runtime, text);
	assert_string_equal(text, "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
}

static void writes_leading_zeros_and_the_terminator(void **state)
{
	static const uint8_t zero[16];
	char text[GUID_TEXT_SIZE + 1];

	(void)state;
	memset(text, 'x', sizeof(text));
	guid_text(zero, text);
	assert_string_equal(text, "00000000-0000-0000-0000-000000000000");
	assert_int_equal(text[GUID_TEXT_SIZE], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_the_first_three_groups_backwards),
		cmocka_unit_test(writes_leading_zeros_and_the_terminator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
