/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/options.h"

struct old_options {
	size_t size;
	int first;
};

struct options {
	size_t size;
	int first;
	int second;
	const char *third;
};

struct new_options {
	struct options known;
	uint64_t later;
};

static void copies_what_has_our_size(void **state)
{
	const struct options given = { sizeof(given), 1, 2, "3" };
	struct options known;
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(OPTIONS_READ(&known, &given, &err), 0);
	assert_memory_equal(&known, &given, sizeof(given));
}

static void takes_missing_fields_for_zero(void **state)
{
	const struct old_options given = { offsetof(struct options, second), 1 };
	struct options known;
	struct pp_error err = { 0 };

	(void)state;
	memset(&known, 0xff, sizeof(known));
	assert_int_equal(OPTIONS_READ(&known, &given, &err), 0);
	assert_int_equal(known.size, sizeof(known));
	assert_int_equal(known.first, 1);
	assert_int_equal(known.second, 0);
	assert_null(known.third);
}

static void accepts_unknown_fields_that_are_zero(void **state)
{
	struct new_options given = { .known = { sizeof(given), 1, 2, "3" } };
	struct options known;
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(OPTIONS_READ(&known, &given, &err), 0);
	assert_int_equal(known.size, sizeof(known));
	assert_string_equal(known.third, "3");
	given.later = (uint64_t)1 << 63;
	assert_int_equal(OPTIONS_READ(&known, &given, &err), -1);
	assert_int_equal(err.code, PP_ERROR_UNSUPPORTED);
	assert_non_null(strstr(err.text, "an option is set that this version of perfpipe"));
}

static void notices_a_forgotten_size(void **state)
{
	const struct options given = { .first = 1 };
	struct options known;
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(OPTIONS_READ(&known, &given, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_non_null(strstr(err.text, "size of a struct of options is not set"));
}

/* Of a struct that was not initialised, or none at all; nothing behind it is read. */
static void notices_what_is_no_size_of_a_struct(void **state)
{
	static const size_t wrong[] = { 7, 1 << 20, SIZE_MAX };
	struct options known;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pp_error err = { 0 };

		assert_int_equal(OPTIONS_READ(&known, &wrong[i], &err), -1);
		assert_int_equal(err.code, PP_ERROR_USAGE);
		assert_non_null(strstr(err.text, "size of a struct of options is not set"));
	}
}

static void notices_that_there_are_none(void **state)
{
	struct options known;
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(OPTIONS_READ(&known, NULL, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, "no struct of options was given, but NULL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_what_has_our_size),
		cmocka_unit_test(takes_missing_fields_for_zero),
		cmocka_unit_test(accepts_unknown_fields_that_are_zero),
		cmocka_unit_test(notices_a_forgotten_size),
		cmocka_unit_test(notices_what_is_no_size_of_a_struct),
		cmocka_unit_test(notices_that_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
