/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/option.h"

struct args {
	bool json;
	bool verbose;
	unsigned limit;
	uint64_t keywords;
	const char *output;
	const char *format;
	struct option_switch rundown;
	struct option_texts conditions;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct args, json, NULL, "a flag without a letter"),
	OPTION('v', "verbose", struct args, verbose, NULL, "a flag"),
	OPTION('n', "limit", struct args, limit, "N", "a number"),
	OPTION('k', "keywords", struct args, keywords, "MASK", "a large number"),
	OPTION('o', "output", struct args, output, "FILE", "a text"),
	OPTION('f', "format", struct args, format, "text|json|csv", "one of three"),
	OPTION(0, "rundown", struct args, rundown, "true|false", "on, off or not said"),
	OPTION(0, "fail-if", struct args, conditions, "CONDITION", "any number of texts"),
	OPTION_LAST,
};

/* A command line and the result of parsing it. */
struct run {
	char *words[12];
	struct args args;
	struct arguments arguments;
	struct pp_error err;
};

static int parse(struct run *run)
{
	while (run->words[run->arguments.count])
		run->arguments.count++;
	run->arguments.at = run->words;
	return options_parse(options, &run->args, &run->arguments, &run->err);
}

#define RUN(...)                                                                                   \
	{                                                                                          \
		.words = { __VA_ARGS__ }                                                           \
	}

static void expect_error(struct run run, const char *sentence)
{
	assert_int_equal(parse(&run), -1);
	assert_int_equal(run.err.code, PP_ERROR_USAGE);
	assert_string_equal(run.err.text, sentence);
}

static void accepts_a_long_value_in_three_forms(void **state)
{
	struct run runs[] = { RUN("--output", "a"), RUN("--output=a"), RUN("--output:a") };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(parse(&runs[i]), 0);
		assert_string_equal(runs[i].args.output, "a");
		assert_int_equal(runs[i].arguments.count, 0);
	}
}

static void accepts_a_switch_alone_or_with_a_value(void **state)
{
	static const struct {
		struct run run;
		bool on;
		int operands;
	} cases[] = {
		{ RUN("--rundown"), true, 0 },		 { RUN("--rundown", "true"), true, 0 },
		{ RUN("--rundown", "False"), false, 0 }, { RUN("--rundown:false"), false, 0 },
		{ RUN("--rundown", "file"), true, 1 },
	};
	struct run none = RUN("file");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run run = cases[i].run;

		assert_int_equal(parse(&run), 0);
		assert_true(run.args.rundown.given);
		assert_int_equal(run.args.rundown.on, cases[i].on);
		assert_int_equal(run.arguments.count, cases[i].operands);
	}
	assert_int_equal(parse(&none), 0);
	assert_false(none.args.rundown.given);
	expect_error((struct run)RUN("--rundown=maybe"),
		     "--rundown takes true or false, not 'maybe'");
}

static void accepts_a_short_value_in_four_forms(void **state)
{
	struct run runs[] = { RUN("-o", "a"), RUN("-oa"), RUN("-o=a"), RUN("-o:a") };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(parse(&runs[i]), 0);
		assert_string_equal(runs[i].args.output, "a");
		assert_int_equal(runs[i].arguments.count, 0);
	}
}

static void keeps_punctuation_inside_a_value(void **state)
{
	struct run run = RUN("--output=C:\\a=b", "-o:=");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_string_equal(run.args.output, "=");
	run = (struct run)RUN("--output=C:\\a=b");
	assert_int_equal(parse(&run), 0);
	assert_string_equal(run.args.output, "C:\\a=b");
}

static void accepts_a_cluster_of_flags_with_a_value_last(void **state)
{
	struct run run = RUN("-vn12", "-vo", "a");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_true(run.args.verbose);
	assert_int_equal(run.args.limit, 12);
	assert_string_equal(run.args.output, "a");
}

static void keeps_operands_in_order_between_options(void **state)
{
	struct run run = RUN("a", "--json", "b", "-n", "3", "-", "c");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_int_equal(run.arguments.count, 4);
	assert_string_equal(run.arguments.at[0], "a");
	assert_string_equal(run.arguments.at[1], "b");
	assert_string_equal(run.arguments.at[2], "-");
	assert_string_equal(run.arguments.at[3], "c");
}

static void treats_everything_after_two_dashes_as_operands(void **state)
{
	struct run run = RUN("--json", "--", "--verbose", "--", "-x");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_true(run.args.json);
	assert_false(run.args.verbose);
	assert_int_equal(run.arguments.count, 3);
	assert_string_equal(run.arguments.at[0], "--verbose");
	assert_string_equal(run.arguments.at[1], "--");
}

/* Options go on after the first of them. */
static void two_dashes_may_separate_lists(void **state)
{
	struct run run = RUN("a", "b", "--", "c", "--json", "--", "--verbose");
	struct run none = RUN("a", "--json");

	(void)state;
	run.arguments.two_lists = none.arguments.two_lists = true;
	assert_int_equal(parse(&run), 0);
	assert_true(run.args.json);
	assert_false(run.args.verbose);
	assert_int_equal(run.arguments.first_count, 2);
	assert_int_equal(run.arguments.count, 4);
	assert_string_equal(run.arguments.at[2], "c");
	assert_string_equal(run.arguments.at[3], "--verbose");
	assert_int_equal(parse(&none), 0);
	assert_int_equal(none.arguments.first_count, -1);
}

static void accepts_true_and_false_for_a_flag(void **state)
{
	struct run run = RUN("--json=true", "--verbose", "-v:False");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_true(run.args.json);
	assert_false(run.args.verbose);
}

static void accepts_numbers_up_to_their_width(void **state)
{
	struct run run = RUN("-n", "4294967295", "-k", "0xFFFFffffFFFFffff");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_int_equal(run.args.limit, UINT32_MAX);
	assert_true(run.args.keywords == UINT64_MAX);
	run = (struct run)RUN("--limit=0010", "--keywords:0x10");
	assert_int_equal(parse(&run), 0);
	assert_int_equal(run.args.limit, 10);
	assert_int_equal(run.args.keywords, 16);
}

static void accepts_a_lone_dash_as_a_value(void **state)
{
	struct run run = RUN("-o", "-", "a");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_string_equal(run.args.output, "-");
	assert_int_equal(run.arguments.count, 1);
}

static void stops_at_the_help_option(void **state)
{
	struct run runs[] = { RUN("-h"), RUN("-?"), RUN("--help"), RUN("a", "-vh", "--nonsense") };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(parse(&runs[i]), 0);
		assert_true(runs[i].arguments.help);
	}
}

static void accepts_the_help_option_as_a_value(void **state)
{
	struct run run = RUN("--output=-h");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_false(run.arguments.help);
	assert_string_equal(run.args.output, "-h");
}

static void works_without_a_table(void **state)
{
	struct run run = RUN("a", "--help");
	struct run bad = RUN("--json");

	(void)state;
	run.arguments = (struct arguments){ .at = run.words, .count = 2 };
	assert_int_equal(options_parse(NULL, NULL, &run.arguments, &run.err), 0);
	assert_true(run.arguments.help);
	bad.arguments = (struct arguments){ .at = bad.words, .count = 1 };
	assert_int_equal(options_parse(NULL, NULL, &bad.arguments, &bad.err), -1);
}

static void suggests_the_closest_option(void **state)
{
	(void)state;
	expect_error((struct run)RUN("--jsn"), "unknown option --jsn; did you mean --json?");
	expect_error((struct run)RUN("--limt=5"), "unknown option --limt; did you mean --limit?");
	expect_error((struct run)RUN("--hlep"), "unknown option --hlep; did you mean --help?");
	expect_error((struct run)RUN("-json"), "unknown option -json; did you mean --json?");
	expect_error((struct run)RUN("-x"), "unknown option -x; --help lists the options");
	expect_error((struct run)RUN("--=5"), "unknown option --; --help lists the options");
}

static void reports_a_missing_value(void **state)
{
	(void)state;
	expect_error((struct run)RUN("-n"), "--limit needs a value, as in --limit N");
	expect_error((struct run)RUN("--output", "--json"),
		     "--output needs a value, as in --output FILE");
	expect_error((struct run)RUN("-vo", "--"), "--output needs a value, as in --output FILE");
}

static void rejects_a_value_for_a_flag(void **state)
{
	(void)state;
	expect_error((struct run)RUN("--json=maybe"),
		     "--json takes no value, or =true or =false, not 'maybe'");
	expect_error((struct run)RUN("-v:"),
		     "--verbose takes no value, or =true or =false, not ''");
}

static void explains_an_invalid_number(void **state)
{
	(void)state;
	expect_error((struct run)RUN("-n", "ten"), "--limit takes a whole number, not 'ten'");
	expect_error((struct run)RUN("-n", "-5"), "--limit takes a whole number, not '-5'");
	expect_error((struct run)RUN("-n", " 5"), "--limit takes a whole number, not ' 5'");
	expect_error((struct run)RUN("-n", "5k"), "--limit takes a whole number, not '5k'");
	expect_error((struct run)RUN("-n", "0x"), "--limit takes a whole number, not '0x'");
	expect_error((struct run)RUN("-n="), "--limit takes a whole number, not ''");
	expect_error((struct run)RUN("-n", "4294967296"),
		     "--limit takes at most 4294967295, not 4294967296");
	expect_error((struct run)RUN("-k", "18446744073709551616"),
		     "--keywords takes at most 18446744073709551615, not 18446744073709551616");
}

static void accepts_only_the_listed_values(void **state)
{
	struct run run = RUN("--format", "csv");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_string_equal(run.args.format, "csv");
	expect_error((struct run)RUN("-f", "xml"), "--format takes text|json|csv, not 'xml'");
	expect_error((struct run)RUN("-f", "tex"), "--format takes text|json|csv, not 'tex'");
	expect_error((struct run)RUN("-f="), "--format takes text|json|csv, not ''");
}

static void accepts_a_repeated_option(void **state)
{
	struct run run = RUN("--fail-if", "a > 1", "file", "--fail-if=b < +2%");
	struct run many = RUN("--fail-if=a");

	(void)state;
	assert_int_equal(parse(&run), 0);
	assert_int_equal(run.args.conditions.count, 2);
	assert_string_equal(run.args.conditions.list[0], "a > 1");
	assert_string_equal(run.args.conditions.list[1], "b < +2%");
	assert_int_equal(run.arguments.count, 1);
	many.args.conditions.count = OPTION_TEXTS_MOST;
	expect_error(many, "--fail-if may be given 32 times at most");
}

static void records_which_options_were_given(void **state)
{
	static const char *const given[] = { "json", "output", "rundown", "fail-if" };
	static const char *const not_given[] = { "verbose", "format", "limit", "help", "nonsense" };
	struct run run = RUN("--json", "--output", "x", "--rundown", "false", "--fail-if", "a>1",
			     "--limit", "3");
	struct run none = { 0 };

	(void)state;
	assert_int_equal(parse(&run), 0);
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		assert_true(option_is_given(options, &run.args, given[i]));
		assert_false(option_is_given(options, &none.args, given[i]));
	}
	for (size_t i = 0; i < sizeof(not_given) / sizeof(not_given[0]); i++)
		assert_false(option_is_given(options, &run.args, not_given[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_a_long_value_in_three_forms),
		cmocka_unit_test(accepts_a_switch_alone_or_with_a_value),
		cmocka_unit_test(accepts_a_short_value_in_four_forms),
		cmocka_unit_test(keeps_punctuation_inside_a_value),
		cmocka_unit_test(accepts_a_cluster_of_flags_with_a_value_last),
		cmocka_unit_test(keeps_operands_in_order_between_options),
		cmocka_unit_test(two_dashes_may_separate_lists),
		cmocka_unit_test(treats_everything_after_two_dashes_as_operands),
		cmocka_unit_test(accepts_true_and_false_for_a_flag),
		cmocka_unit_test(accepts_numbers_up_to_their_width),
		cmocka_unit_test(accepts_a_lone_dash_as_a_value),
		cmocka_unit_test(stops_at_the_help_option),
		cmocka_unit_test(accepts_the_help_option_as_a_value),
		cmocka_unit_test(works_without_a_table),
		cmocka_unit_test(suggests_the_closest_option),
		cmocka_unit_test(reports_a_missing_value),
		cmocka_unit_test(rejects_a_value_for_a_flag),
		cmocka_unit_test(explains_an_invalid_number),
		cmocka_unit_test(accepts_only_the_listed_values),
		cmocka_unit_test(accepts_a_repeated_option),
		cmocka_unit_test(records_which_options_were_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
