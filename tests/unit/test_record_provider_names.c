/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/provider_names.h"

static int parse(const char *text)
{
	struct pp_error err = { 0 };

	return level_parse(text, &err);
}

static void accepts_numbers_and_names_in_any_case(void **state)
{
	(void)state;
	assert_int_equal(parse("0"), LEVEL_LOG_ALWAYS);
	assert_int_equal(parse("4"), LEVEL_INFORMATIONAL);
	assert_int_equal(parse("05"), LEVEL_VERBOSE);
	assert_int_equal(parse("logalways"), LEVEL_LOG_ALWAYS);
	assert_int_equal(parse("CRITICAL"), LEVEL_CRITICAL);
	assert_int_equal(parse("Error"), LEVEL_ERROR);
	assert_int_equal(parse("Warning"), LEVEL_WARNING);
	assert_int_equal(parse("informational"), LEVEL_INFORMATIONAL);
	assert_int_equal(parse("verbose"), LEVEL_VERBOSE);
}

static void treats_larger_numbers_as_verbose(void **state)
{
	(void)state;
	assert_int_equal(parse("6"), LEVEL_VERBOSE);
	assert_int_equal(parse("255"), LEVEL_VERBOSE);
	assert_int_equal(parse("99999999999999999999999999"), LEVEL_VERBOSE);
}

static void suggests_a_similar_name(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(level_parse("verbos", &err), -1);
	assert_string_equal(err.text, "unknown level 'verbos'; did you mean Verbose?");
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_int_equal(parse("-1"), -1);
	assert_int_equal(parse(""), -1);
	assert_int_equal(parse("4x"), -1);
	assert_int_equal(parse("loud"), -1);
}

static void merges_so_that_both_get_their_events(void **state)
{
	(void)state;
	assert_int_equal(level_merge(4, 5), 5);
	assert_int_equal(level_merge(4, 2), 4);
	assert_int_equal(level_merge(3, 3), 3);
	assert_int_equal(level_merge(0, 0), 0);
	/* 0 is everything or almost nothing, depending on the runtime's version; 5 is everything */
	assert_int_equal(level_merge(0, 4), 5);
	assert_int_equal(level_merge(2, 0), 5);
}

/* One bit each, by the name that --clrevents takes. */
static void costly_keywords_are_those_that_are_left_out(void **state)
{
	uint64_t all = 0;

	(void)state;
	for (const struct costly_keyword *costly = costly_keywords; costly->name; costly++) {
		struct pp_error err = { 0 };
		uint64_t bits = 0;

		assert_int_equal(clr_keywords_parse(costly->name, &bits, &err), 0);
		assert_true(bits == costly->bit);
		all |= bits;
	}
	assert_true(all == COSTLY_KEYWORDS);
	assert_true(known_provider_find(RUNTIME_PROVIDER)->on_request == COSTLY_KEYWORDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_numbers_and_names_in_any_case),
		cmocka_unit_test(treats_larger_numbers_as_verbose),
		cmocka_unit_test(suggests_a_similar_name),
		cmocka_unit_test(merges_so_that_both_get_their_events),
		cmocka_unit_test(costly_keywords_are_those_that_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
