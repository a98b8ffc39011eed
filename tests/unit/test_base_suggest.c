/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/suggest.h"

static const char *const names[] = { "info", "collect", "collect-files", "convert", "completion",
				     "help", "ps" };

static const char *guess(const char *typed)
{
	struct suggest suggest = { .typed = typed };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		suggest_offer(&suggest, names[i]);
	return suggest.best;
}

static void finds_a_name_with_one_typo(void **state)
{
	(void)state;
	assert_string_equal(guess("ifo"), "info");
	assert_string_equal(guess("infoo"), "info");
	assert_string_equal(guess("inho"), "info");
	assert_string_equal(guess("nifo"), "info");
}

static void allows_more_typos_in_a_longer_word(void **state)
{
	(void)state;
	assert_string_equal(guess("colekt"), "collect");
	assert_string_equal(guess("colect-fils"), "collect-files");
	assert_null(guess("ihno"));
}

static void prefers_the_closest_then_the_first(void **state)
{
	struct suggest suggest = { .typed = "report" };

	(void)state;
	assert_string_equal(guess("collect-"), "collect");
	suggest_offer(&suggest, "resort");
	suggest_offer(&suggest, "retort");
	assert_string_equal(suggest.best, "resort");
	suggest_offer(&suggest, "report");
	assert_string_equal(suggest.best, "report");
	assert_int_equal(suggest.distance, 0);
}

static void counts_a_common_prefix(void **state)
{
	(void)state;
	assert_string_equal(guess("comp"), "completion");
	assert_string_equal(guess("information"), "info");
}

static void can_ask_for_the_whole_name(void **state)
{
	struct suggest suggest = { .typed = "System.Net", .whole = true };

	(void)state;
	suggest_offer(&suggest, "System.Net.Http");
	assert_null(suggest.best);
	suggest_offer(&suggest, "System.Nets");
	assert_string_equal(suggest.best, "System.Nets");
}

static void ignores_case(void **state)
{
	(void)state;
	assert_string_equal(guess("INFO"), "info");
	assert_string_equal(guess("HLEP"), "help");
}

static void suggests_nothing_too_different(void **state)
{
	(void)state;
	assert_null(guess(""));
	assert_null(guess("x"));
	assert_null(guess("p"));
	assert_null(guess("frobnicate"));
}

static void gives_up_on_very_long_words(void **state)
{
	char endless[5000];

	(void)state;
	memset(endless, 'i', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = '\0';
	assert_null(guess(endless));
	memcpy(endless, "info", 4);
	assert_null(guess(endless));
	endless[80] = '\0';
	assert_string_equal(guess(endless), "info");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_name_with_one_typo),
		cmocka_unit_test(allows_more_typos_in_a_longer_word),
		cmocka_unit_test(prefers_the_closest_then_the_first),
		cmocka_unit_test(counts_a_common_prefix),
		cmocka_unit_test(can_ask_for_the_whole_name),
		cmocka_unit_test(ignores_case),
		cmocka_unit_test(suggests_nothing_too_different),
		cmocka_unit_test(gives_up_on_very_long_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
