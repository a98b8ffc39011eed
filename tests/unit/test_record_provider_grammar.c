/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "record/provider_grammar.h"

static struct arena arena;
static struct pp_error err;

static int clean(void **state)
{
	(void)state;
	arena_release(&arena);
	arena = (struct arena){ 0 };
	return 0;
}

static struct provider_spec *parse(const char *list)
{
	struct provider_spec *words;

	err = (struct pp_error){ 0 };
	if (provider_grammar_parse(list, &arena, &words, &err))
		fail_msg("%s: %s", list, err.text);
	return words;
}

static void assert_fails(const char *list, const char *text)
{
	struct provider_spec *words;

	err = (struct pp_error){ 0 };
	assert_int_equal(provider_grammar_parse(list, &arena, &words, &err), -1);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, PP_ERROR_USAGE);
}

/* The arguments as sent to the runtime. */
static const char *arguments(const char *typed)
{
	char list[512];

	snprintf(list, sizeof(list), "P:1:4:%s", typed);
	return parse(list)->arguments;
}

static void parses_a_list_of_providers(void **state)
{
	const struct provider_spec *words = parse(" Orders:ff:verbose ,, Stock:0x10:2 ,");

	(void)state;
	assert_string_equal(words->name, "Orders");
	assert_int_equal(words->keywords, 0xff);
	assert_int_equal(words->level, 5);
	assert_null(words->arguments);
	words = words->next;
	assert_string_equal(words->name, "Stock");
	assert_int_equal(words->keywords, 0x10);
	assert_int_equal(words->level, 2);
	assert_null(words->next);
	assert_null(parse(""));
	assert_null(parse(" , ,"));
}

static void records_which_parts_were_left_out(void **state)
{
	(void)state;
	assert_false(parse("Orders")->has_keywords);
	assert_false(parse("Orders")->has_level);
	assert_false(parse("Orders::5")->has_keywords);
	assert_true(parse("Orders::5")->has_level);
	assert_true(parse("Orders:0")->has_keywords);
	assert_false(parse("Orders:0")->has_level);
	assert_false(parse("Orders:::Key=1")->has_level);
	assert_string_equal(parse("Orders:::Key=1")->arguments, "Key=1");
}

static void accepts_keywords_with_or_without_a_prefix(void **state)
{
	(void)state;
	assert_int_equal(parse("A:8001")->keywords, 0x8001);
	assert_int_equal(parse("A:0X8001")->keywords, 0x8001);
	assert_true(parse("A:FFFFFFFFFFFFFFFF")->keywords == UINT64_MAX);
	assert_true(parse("A:0x00ffffffffffffffff")->keywords == UINT64_MAX);
}

static void names_the_provider_of_bad_keywords(void **state)
{
	(void)state;
	assert_fails("A:1,Orders:gc:4", "provider Orders: keywords are a hexadecimal number of at "
					"most 16 digits such as 0x8001, not 'gc'");
	assert_fails("O:0x", "provider O: keywords are a hexadecimal number of at most 16 digits "
			     "such as 0x8001, not '0x'");
	assert_fails("O:-1", "provider O: keywords are a hexadecimal number of at most 16 digits "
			     "such as 0x8001, not '-1'");
	assert_fails("O:1FFFFFFFFFFFFFFFF", "provider O: keywords are a hexadecimal number of at "
					    "most 16 digits such as 0x8001, not "
					    "'1FFFFFFFFFFFFFFFF'");
	assert_fails("O:0x0x1", "provider O: keywords are a hexadecimal number of at most 16 "
				"digits such as 0x8001, not '0x0x1'");
}

static void names_the_provider_of_a_bad_level(void **state)
{
	(void)state;
	assert_int_equal(parse("O:1:9")->level, 5);
	assert_fails("O:1:informatinal",
		     "provider O: unknown level 'informatinal'; did you mean Informational?");
	assert_fails("O:1:-2", "provider O: unknown level '-2'; use 0 to 5, LogAlways, Critical, "
			       "Error, Warning, Informational or Verbose");
}

static void rejects_an_empty_name(void **state)
{
	(void)state;
	assert_fails("A,:1:5", "a provider has no name before its colon");
	assert_fails("\"A,B\":1", "provider \"A,B\" has a quote in its name; quotes are for "
				  "argument values");
}

static void keeps_colons_in_arguments(void **state)
{
	(void)state;
	assert_string_equal(arguments("At=12:30:00"), "At=12:30:00");
}

static void keeps_quoted_commas_and_equal_signs(void **state)
{
	const struct provider_spec *words = parse("A:1:5:K=\"a,b\";L=c,B:2");

	(void)state;
	assert_string_equal(words->arguments, "K=a,b;L=c");
	assert_string_equal(words->next->name, "B");
	assert_string_equal(arguments("K=\"a;b=c\";L=d"), "K=\"a;b=c\";L=d");
	assert_string_equal(arguments("K=a\"b,c\"d"), "K=ab,cd");
	assert_string_equal(arguments("K=a\\,b"), "K=a,b");
	assert_string_equal(arguments("K=\\\"a,b;c\\\""), "K=\"a,b;c\"");
	assert_string_equal(arguments("\"a=b\"=c"), "\"a=b\"=c");
}

static void ends_the_key_at_the_first_equal_sign(void **state)
{
	(void)state;
	assert_string_equal(arguments("a=b=c"), "a=\"b=c\"");
	assert_string_equal(arguments("a="), "a=");
	assert_string_equal(arguments("a=1;;b=2; "), "a=1;b=2");
	assert_null(arguments(""));
	assert_null(arguments(";;"));
}

static void unescapes_values(void **state)
{
	(void)state;
	assert_string_equal(arguments("K=a\\r\\nb\\tc"), "K=a\r\nb\tc");
	assert_string_equal(arguments("K=C:\\\\x"), "K=C:\\x");
	assert_string_equal(arguments("K=\\x41\\u20ac\\ud83d\\ude00"), "K=A\u20ac\U0001F600");
	assert_string_equal(arguments("K=\\.\\*"), "K=.*");
	assert_string_equal(arguments("K=\\\u20ac"), "K=\u20ac");
	assert_fails("P:1:4:K=\\q", "provider P: unknown escape '\\q'; write \\\\ for a backslash");
	assert_fails("P:1:4:K=\\x4",
		     "provider P: unknown escape '\\x'; write \\\\ for a backslash");
	assert_fails("P:1:4:K=\\ud83dx",
		     "provider P: unknown escape '\\u'; write \\\\ for a backslash");
	assert_fails("P:1:4:K=\\x00", "provider P: an argument cannot contain a NUL character");
}

static void rejects_malformed_arguments(void **state)
{
	(void)state;
	assert_fails("P:1:4:K=1;K=2", "provider P: argument 'K' is given twice");
	assert_string_equal(arguments("K=1;k=2"), "K=1;k=2");
	assert_fails("P:1:4:K", "provider P: argument 'K' has no value; write K=VALUE");
	assert_fails("P:1:4:=1", "provider P: an argument has no key before the =");
	assert_fails("P:1:4:K=\"a,B:1", "provider P: a quote is not closed");
}

static void limits_the_number_of_arguments(void **state)
{
	char list[8000] = "P:1:4:";

	(void)state;
	for (unsigned i = 0; i <= 256; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "k%u=1;", i);
	err = (struct pp_error){ 0 };
	assert_int_equal(
		provider_grammar_parse(list, &arena, &(struct provider_spec *){ NULL }, &err), -1);
	assert_string_equal(err.text, "provider P: more than 256 arguments");
}

static void recognises_a_guid(void **state)
{
	(void)state;
	assert_true(provider_name_is_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"));
	assert_true(provider_name_is_guid("{E13C0D23-CCBC-4E12-931B-D9CC2EEE27E4}"));
	assert_true(provider_name_is_guid("e13c0d23ccbc4e12931bd9cc2eee27e4"));
	assert_false(provider_name_is_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e"));
	assert_false(provider_name_is_guid("System.Net.Http"));
	assert_false(provider_name_is_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_a_list_of_providers),
		cmocka_unit_test(records_which_parts_were_left_out),
		cmocka_unit_test(accepts_keywords_with_or_without_a_prefix),
		cmocka_unit_test(names_the_provider_of_bad_keywords),
		cmocka_unit_test(names_the_provider_of_a_bad_level),
		cmocka_unit_test(rejects_an_empty_name),
		cmocka_unit_test(keeps_colons_in_arguments),
		cmocka_unit_test(keeps_quoted_commas_and_equal_signs),
		cmocka_unit_test(ends_the_key_at_the_first_equal_sign),
		cmocka_unit_test(unescapes_values),
		cmocka_unit_test(rejects_malformed_arguments),
		cmocka_unit_test(limits_the_number_of_arguments),
		cmocka_unit_test(recognises_a_guid),
	};

	return cmocka_run_group_tests(tests, NULL, clean);
}
