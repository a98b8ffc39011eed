/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"

static void records_code_and_sentence(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(error_set(&err, PP_ERROR_LIMIT, "%d of %s", 3, "them"), -1);
	assert_int_equal(err.code, PP_ERROR_LIMIT);
	assert_string_equal(err.text, "3 of them");
}

static void keeps_the_first_error(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	error_set(&err, PP_ERROR_FORMAT, "cause");
	assert_int_equal(error_set(&err, PP_ERROR_USAGE, "consequence"), -1);
	errno = ENOENT;
	assert_int_equal(error_errno(&err, "another"), -1);
	assert_int_equal(err.code, PP_ERROR_FORMAT);
	assert_string_equal(err.text, "cause");
}

static void adds_the_text_of_errno(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	errno = ENOENT;
	assert_int_equal(error_errno(&err, "cannot open %s", "x"), -1);
	assert_int_equal(err.code, PP_ERROR_SYSTEM);
	assert_string_equal(err.text, "cannot open x: No such file or directory");
}

static void cuts_a_sentence_that_is_too_long(void **state)
{
	struct pp_error err = { 0 };
	struct pp_error with_errno = { 0 };
	char long_text[1000];

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	error_set(&err, PP_ERROR_FORMAT, "%s", long_text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	errno = ENOENT;
	error_errno(&with_errno, "%s", long_text);
	assert_int_equal(strlen(with_errno.text), sizeof(with_errno.text) - 1);
}

static void is_not_told_to_nobody(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, PP_ERROR_FORMAT, "%s", "nobody reads this"), -1);
	errno = ENOENT;
	assert_int_equal(error_errno(NULL, "nor %s", "this"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_code_and_sentence),
		cmocka_unit_test(keeps_the_first_error),
		cmocka_unit_test(adds_the_text_of_errno),
		cmocka_unit_test(cuts_a_sentence_that_is_too_long),
		cmocka_unit_test(is_not_told_to_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
