/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/address_word.h"

static void is_address(const char *word, uint64_t address, size_t module_size)
{
	struct address_word found;
	struct pp_error err = { 0 };

	assert_true(address_word_read(word, &found));
	assert_int_equal(address_word_parse(word, &found, &err), 0);
	assert_int_equal(found.address, address);
	assert_int_equal(found.module_size, module_size);
}

static void is_wrong(const char *word, const char *text)
{
	struct address_word found;
	struct pp_error err = { 0 };

	assert_false(address_word_read(word, &found));
	assert_int_equal(address_word_parse(word, &found, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_non_null(strstr(err.text, text));
}

static void addresses_are_hexadecimal(void **state)
{
	(void)state;
	is_address("0x1139", 0x1139, 0);
	is_address("1139", 0x1139, 0);
	is_address("0X1aF", 0x1af, 0);
	is_address("0", 0, 0);
	is_address("ffffffffffffffff", UINT64_MAX, 0);
	is_address("0x0000000000000000000000000012", 0x12, 0);
}

static void a_file_may_come_first(void **state)
{
	(void)state;
	is_address("libfoo.so+0x12", 0x12, 9);
	is_address("/usr/lib/libstdc++.so.6+12", 0x12, 23);
	is_address("a+b+c", 0xc, 3);
}

static void other_words_are_not_addresses(void **state)
{
	(void)state;
	is_wrong("", "is not an address");
	is_wrong("0x", "is not an address");
	is_wrong("main", "is not an address");
	is_wrong("12 ", "is not an address");
	is_wrong("-12", "is not an address");
	is_wrong("+12", "is not an address");
	is_wrong("app+", "is not an address");
	is_wrong("app+0x", "is not an address");
	is_wrong("app+main", "is not an address");
	is_wrong("0x10000000000000000", "more than 64 bits");
	is_wrong("123456789012345678901234567890", "more than 64 bits");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_hexadecimal),
		cmocka_unit_test(a_file_may_come_first),
		cmocka_unit_test(other_words_are_not_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
