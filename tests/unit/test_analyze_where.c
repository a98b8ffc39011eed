/* SPDX-License-Identifier: MIT */
#include "test_where.h"

#define LONG_TEXT (2 * WHERE_LONGEST)

/* The value of one field as text, as in PerfView's tests. */
static void agrees_with_perfview(void **state)
{
	static const struct {
		const char *expression, *name, *text;
		bool matches;
	} rows[] = {
		{ "Property = 1,001", "Property", "1,001", true },
		{ "Property == 1,001", "Property", "1,001", true },
		{ "Property==1,001", "Property", "1,001", true },
		{ "Property == 1001", "Property", "1,001", true },
		{ "Property == 1,001", "Property", "1001", true },
		{ "Property == 1,001", "Property", "1,002", false },
		{ "Property != 1,001", "Property", "1,001", false },
		{ "Property!=1,001", "Property", "1,002", true },
		{ "Property >= 1,001", "Property", "1001", true },
		{ "Property > 1,001", "Property", "10,001", true },
		{ "ThreadData Contains ,", "ThreadData", "1,001", true },
		{ "ThreadData contains ,", "ThreadData", "2", false },
		{ "ThreadData Contains 10", "ThreadData", "1001", true },
		{ "ThreadData Contains 1,0033", "ThreadData", "1001", false },
		{ "Depth <= 1", "Depth", "1", true },
		{ "Depth >= 1", "Depth", "10", true },
		{ "Depth>=1", "Depth", "0", false },
		{ "Depth != 1", "Depth", "10", true },
		{ "Depth < 1", "Depth", "0", true },
		{ "Depth <1", "Depth", "0", true },
		{ "Depth> 1", "Depth", "10", true },
		{ "Depth <= 1", "Depth", "2", false },
		{ "Depth <= 1", "Property", "2", false },
		{ "Depth == 1", "Depth", "2", false },
		{ "(Depth >= 10)", "Depth", "20", true },
		{ "(Depth <= 10)", "Depth", "20", false },
		{ "Depth < 10", "Depth", "9", true },
		{ "GC/Start::Depth == 10", "Depth", "10", true },
		{ "(GC/Start::Depth = 10)", "Depth", "10", true },
		{ "GC/Start::Depth = 10", "Depth", "1001", false },
		{ "GC/Start::ThreadData = 1,001", "Depth", "1001", false },
		{ "GC/Stop::Depth = 10", "Depth", "10", false },
		{ "Start::Depth > 1", "Depth", "10", true },
		{ "(Depth <= 10) && (Depth <= 20)", "Depth", "5", true },
		{ "(Depth <= 10) && (Depth <= 20)", "Depth", "15", false },
		{ "((Depth <= 10) && (Depth <= 20)) || ((Depth != 15) && (Depth > 5))", "Depth",
		  "12", true },
		{ "((Depth <= 10) && (Depth <= 20)) || ((Depth != 15) && (Depth > 5))", "Depth",
		  "15", false },
		{ "((Depth != 10 && (Depth != 10 && (Depth != 10))))", "Depth", "5", true },
		{ "((Depth <= 10 && (Depth <= 10 && (Depth != 10))))", "Depth", "10", false },
		{ "(((((Depth == 1) || Depth == 2) || Depth == 3) || Depth == 4) || Depth == 5)",
		  "Depth", "5", true },
		{ "(ThreadData != 1,0033) && (ThreadData = 1001)", "ThreadData", "1001", true },
		{ "(ThreadData != 1,0033 && ThreadData != 1,002) && (ThreadData = 1001)",
		  "ThreadData", "1001", true },
		{ "(OldProcessName = test && OldProcessName != test1 || OldProcessName != test2)",
		  "OldProcessName", "test", true },
		{ "(GC/Start::Depth >= 10 && GC/Start::Depth <= 20)", "Depth", "15", true },
		{ "(GC/Start::Depth >= 10 && GC/Start::Depth <= 20)", "Depth", "25", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (matches_one(rows[i].expression, utf8(rows[i].name, rows[i].text)) !=
		    rows[i].matches)
			fail_msg("%s with %s", rows[i].expression, rows[i].text);
}

static void accepts_operators_with_and_without_spaces(void **state)
{
	static const struct row rows[] = {
		{ "Count==5", true },
		{ "Count == 5", true },
		{ "Count= 5", true },
		{ " \tCount\n=5 ", true },
		{ "Count!=5", false },
		{ "Count<>5", false },
		{ "Count<>6", true },
		{ "Count<=5", true },
		{ "Count>=5", true },
		{ "Count<5", false },
		{ "Count>5", false },
		{ "Count=5&&Count=5", true },
		{ "Count=6||Count=5", true },
		{ "!Count=6", true },
		{ "not(Count=6)and(Count=5)", true },
	};

	(void)state;
	CHECK_ONE(rows, u64("Count", 5));
}

static void ignores_the_case_of_words_and_names(void **state)
{
	const struct value row[] = { u64("Count", 5), utf8("Name", "System.IO") };
	static const struct row rows[] = {
		{ "COUNT == 5 AND name CONTAINS io", true },
		{ "count == 6 Or NOT name StartsWith SYSTEM", false },
		{ "Name EndsWith .io", true },
		{ "Name Match ^SYSTEM[.]io$", true },
	};

	(void)state;
	CHECK_ROWS(rows, row);
}

static void binds_not_before_and_before_or(void **state)
{
	const struct value row[] = { u64("t", 1), u64("f", 0) };
	static const struct row rows[] = {
		{ "t=1 or t=1 and f=1", true },
		{ "(t=1 or t=1) and f=1", false },
		{ "f=1 and t=1 or t=1", true },
		{ "f=1 and (t=1 or t=1)", false },
		{ "not f=1 or t=1", true },
		{ "not (f=1 or t=1)", false },
		{ "not f=1 and f=1", false },
		{ "not not t=1", true },
		{ "!!!t=1", false },
		{ "! not t=1", true },
		{ "not (t=1 and f=1)", true },
		{ "f=1 or f=1 or t=1 and not f=1", true },
		{ "not (not (t=1) or not (f=0))", true },
		{ "t=1 and not (f=1 or not t=1) and f=0", true },
	};

	(void)state;
	CHECK_ROWS(rows, row);
}

static void fails_every_comparison_with_a_missing_field(void **state)
{
	static const struct row rows[] = {
		{ "x == 1", false },	   { "x != 1", false },	     { "x < 1", false },
		{ "x contains 1", false }, { "x match .", false },   { "x == null", false },
		{ "x != null", false },	   { "not (x == 1)", true }, { "not x != 1", true },
	};

	(void)state;
	CHECK_ONE(rows, u64("Count", 5));
	check_rows(rows, COUNT(rows), NULL, 0);
}

static void accepts_quotes_and_escapes(void **state)
{
	static const struct row rows[] = {
		{ "Text == 'it\\'s \"C:\\temp\"'", true },
		{ "Text == \"it's \\\"C:\\temp\\\"\"", true },
		{ "Text == \"it's \\\"C:\\\\temp\\\"\"", true },
		{ "Text contains it's", true },
		{ "Text contains \"'s \\\"\"", true },
		{ "'Text' contains temp", true },
	};

	(void)state;
	CHECK_ONE(rows, utf8("Text", "it's \"C:\\temp\""));
}

static void accepts_bare_values_with_punctuation(void **state)
{
	static const struct row rows[] = {
		{ "Text contains List<int>", true },
		{ "Text contains a=b", true },
		{ "Text contains mscorlib!List", true },
		{ "Text == mscorlib!List<int>:a=b|c&d&&Text contains c", true },
	};

	(void)state;
	CHECK_ONE(rows, utf8("Text", "mscorlib!List<int>:a=b|c&d"));
}

static void matches_part_of_the_event_name(void **state)
{
	static const struct row rows[] = {
		{ "GC/Start::Count == 5", true },
		{ "gc::Count == 5", true },
		{ "GC/Stop::Count == 5", false },
		{ "DotNETRuntime::Count == 5", true },
		{ "Microsoft-Windows-DotNETRuntime/GC/Start::Count == 5", true },
		{ "Microsoft-Windows-DotNETRuntime/GC/Stop::Count == 5", false },
		{ "Microsoft-Windows-DotNETRuntimeRundown::Count == 5", false },
		{ "'GC/Start::Count' == 5", true },
		{ "GC::x == 5", false },
	};
	const struct value count = u64("Count", 5);
	struct where *where = parsed("GC/Start::Count == 5");

	(void)state;
	CHECK_ONE(rows, count);
	assert_false(where_matches(where, &count, 1));
	where_set_event(where, "P", "GC/Start");
	assert_true(where_matches(where, &count, 1));
	where_free(where);
}

static void lists_the_fields_it_uses(void **state)
{
	struct where *where = parsed("Count = 1 or GC::Payload.Mean > 5 and not Name ~ x");

	(void)state;
	assert_true(where_uses(where, "Count"));
	assert_true(where_uses(where, "count"));
	assert_true(where_uses(where, "Payload"));
	assert_true(where_uses(where, "Name"));
	assert_false(where_uses(where, "Mean"));
	assert_false(where_uses(where, "GC"));
	assert_false(where_uses(where, "Nam"));
	assert_false(where_uses(where, "Names"));
	where_free(where);
}

static void names_the_column_of_a_mistake(void **state)
{
	static const struct {
		const char *expression, *text;
	} rows[] = {
		{ "", "column 1: the name of a field was expected" },
		{ " ", "column 2: the name of a field was expected" },
		{ "> 1000", "column 1: the name of a field was expected" },
		{ "Count",
		  "column 6: an operator such as == or contains was expected after Count" },
		{ "Depth 1000",
		  "column 7: an operator such as == or contains was expected after Depth" },
		{ "Depth ^ 100",
		  "column 7: an operator such as == or contains was expected after Depth" },
		{ "Count ==", "column 9: a value was expected after ==" },
		{ "Count== and x == 1", "column 9: a value was expected after ==" },
		{ "Count => 5", "column 8: a value was expected after =" },
		{ "Count === 5", "column 9: a value was expected after ==" },
		{ "Name contains ~x", "column 15: a value was expected after contains" },
		{ "Name == 'it''s'", "column 13: and, or, or the end was expected, not 's' (text "
				     "with blanks or parentheses needs quotes)" },
		{ "Count == (5)", "column 10: a value was expected after ==" },
		{ "Count == 5 and", "column 15: the name of a field was expected after and" },
		{ "and Count == 5", "column 1: the name of a field was expected" },
		{ "Count == 5 && || x = 1",
		  "column 15: the name of a field was expected after &&" },
		{ "not", "column 4: the name of a field was expected after not" },
		{ "()", "column 2: the name of a field was expected after (" },
		{ "GC:: Depth = 100", "column 6: the name of a field was expected after GC::" },
		{ "5 == Count", "column 1: the name of a field was expected before the number" },
		{ "(Count == 5", "column 1: the ( that opens here is never closed" },
		{ "Count == 5)", "column 11: this ) closes nothing" },
		{ "(Count == 5 Depth == 1)", "column 13: and, or, or ) was expected, not Depth" },
		{ "Name == foo bar", "column 13: and, or, or the end was expected, not bar (text "
				     "with blanks or parentheses needs quotes)" },
		{ "Name == foo(int)", "column 12: and, or, or the end was expected, not ( (text "
				      "with blanks or parentheses needs quotes)" },
		{ "a = 1 & b = 2", "column 7: and, or, or the end was expected, not & (text with "
				   "blanks or parentheses needs quotes)" },
		{ "Name == 'foo", "column 9: the quote that opens here is never closed" },
		{ "Name == \"foo\\\"", "column 9: the quote that opens here is never closed" },
		{ "\xc3\xa4\xc3\xb6 ==", "column 6: a value was expected after ==" },
		{ "Name match '('", "column 12: the pattern cannot be used: Unmatched ( or \\(" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pp_error err = { 0 };

		assert_null(where_parse(rows[i].expression, &err));
		assert_string_equal(err.text, rows[i].text);
		assert_int_equal(err.code, PP_ERROR_USAGE);
	}
}

/* A comparison inside `depth` parentheses. */
static const char *wrapped(char *text, size_t depth)
{
	memset(text, '(', depth);
	strcpy(text + depth, "x=1");
	memset(text + depth + 3, ')', depth);
	text[2 * depth + 3] = '\0';
	return text;
}

static void rejects_deep_nesting(void **state)
{
	char text[2 * WHERE_DEEPEST + 8];
	struct pp_error err = { 0 };

	(void)state;
	assert_true(matches_one(wrapped(text, WHERE_DEEPEST), u64("x", 1)));
	assert_null(where_parse(wrapped(text, WHERE_DEEPEST + 1), &err));
	assert_string_equal(err.text, "column 65: parentheses are more than 64 deep");
}

static void rejects_a_long_expression(void **state)
{
	char *text = malloc(LONG_TEXT + 1);
	struct pp_error err = { 0 };

	(void)state;
	memset(text, '!', LONG_TEXT);
	text[LONG_TEXT] = '\0';
	assert_null(where_parse(text, &err));
	assert_string_equal(err.text, "the expression has more than 8192 bytes");
	strcpy(text + WHERE_LONGEST - 3, "x=1"); /* an odd number of ! */
	assert_false(matches_one(text, u64("x", 1)));
	free(text);
}

static void accepts_many_terms(void **state)
{
	char text[WHERE_LONGEST];
	size_t used = 0;

	(void)state;
	for (int i = 0; i < 500; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "x=%d or ", i);
	snprintf(text + used, sizeof(text) - used, "x=4711");
	assert_true(matches_one(text, u64("x", 4711)));
	assert_true(matches_one(text, u64("x", 0)));
	assert_false(matches_one(text, u64("x", 500)));
}

static void rejects_expensive_patterns(void **state)
{
	static const struct {
		const char *pattern, *problem; /* NULL: none */
	} rows[] = {
		{ "a{100}", NULL },
		{ "a{0,100}", NULL },
		{ "a{100,}", NULL },
		{ "a{101}", "it repeats something more than 100 times" },
		{ "a{,101}", "it repeats something more than 100 times" },
		{ "a{1,99999999999999999999}", "it repeats something more than 100 times" },
		{ "a{101,}", "it repeats something more than 100 times" },
		{ "(a{3}){80}", NULL },
		{ "(a?a?a?a?a?a?b){50}", "its repetitions make it too large" },
		{ "a???{1,100}", "it repeats what may be empty, as in (a*)*" },
		{ "(){9}", "it repeats what may be empty, as in (a*)*" },
		{ "((a{99}){99}){99}", "its repetitions make it too large" },
		{ "(((((((((((a+)+)+)+)+)+)+)+)+)+)+)+", "its repetitions make it too large" },
		{ "a{100}{100}", "its repetitions make it too large" },
		{ "(a*)*", "it repeats what may be empty, as in (a*)*" },
		{ "a**", "it repeats what may be empty, as in (a*)*" },
		{ "(x|a?b{0,2})+", "it repeats what may be empty, as in (a*)*" },
		{ "(x|)*", "it repeats what may be empty, as in (a*)*" },
		{ "(^\\b){1,}", "it repeats what may be empty, as in (a*)*" },
		{ "(a*){2}{3,}", "it repeats what may be empty, as in (a*)*" },
		{ "(a*b)*(x|ab?)+(a{2,})*.*?", NULL },
		{ "(a(b|)c?)*", NULL },
		{ "a++++++++++++", "its repetitions make it too large" },
		{ "([]a]{50}){50}", "its repetitions make it too large" },
		{ "[{101}]", NULL },
		{ "[[:alpha:]{101}]", NULL },
		{ "a\\{101}", NULL },
		{ "(a)\\1", "back-references such as \\1 are not supported" },
		{ "((((((((((((((((((((((((((((((((("
		  "x)))))))))))))))))))))))))))))))))",
		  "its groups are more than 32 deep" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pp_error err = { 0 };
		char text[256];
		struct where *where;

		snprintf(text, sizeof(text), "x ~ \"%s\"", rows[i].pattern);
		where = where_parse(text, &err);
		if (!rows[i].problem)
			assert_non_null(where);
		else
			assert_non_null(strstr(err.text, rows[i].problem));
		where_free(where);
	}
}

static void rejects_a_long_pattern(void **state)
{
	char text[600] = "x ~ ";
	struct pp_error err = { 0 };

	(void)state;
	memset(text + 4, 'a', 513);
	assert_null(where_parse(text, &err));
	assert_string_equal(err.text,
			    "column 5: the pattern cannot be used: it has more than 512 bytes");
}

static void rejects_too_many_patterns(void **state)
{
	char expression[512] = "";
	struct pp_error err = { 0 };

	(void)state;
	for (int i = 0; i < WHERE_PATTERNS; i++)
		strcat(expression, "x~a||");
	strcat(expression, "x=1");
	where_free(parsed(expression));
	strcpy(expression + strlen(expression) - 3, "x~a");
	assert_null(where_parse(expression, &err));
	assert_string_equal(err.text, "column 163: there are more than 32 patterns");
}

static void can_be_evaluated_again(void **state)
{
	struct where *where = parsed("Name contains 1 and not Name match 'x$' or Count > 0x10");
	const struct value first[] = { u64("Name", 0x10) };
	const struct value second[] = { utf8("Name", "abc"), u64("Count", 17) };

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_true(where_matches(where, first, 1));
		assert_true(where_matches(where, second, 2));
		assert_false(where_matches(where, second, 1));
	}
	where_free(where);
	where_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_perfview),
		cmocka_unit_test(accepts_operators_with_and_without_spaces),
		cmocka_unit_test(ignores_the_case_of_words_and_names),
		cmocka_unit_test(binds_not_before_and_before_or),
		cmocka_unit_test(fails_every_comparison_with_a_missing_field),
		cmocka_unit_test(accepts_quotes_and_escapes),
		cmocka_unit_test(accepts_bare_values_with_punctuation),
		cmocka_unit_test(matches_part_of_the_event_name),
		cmocka_unit_test(lists_the_fields_it_uses),
		cmocka_unit_test(names_the_column_of_a_mistake),
		cmocka_unit_test(rejects_deep_nesting),
		cmocka_unit_test(rejects_a_long_expression),
		cmocka_unit_test(accepts_many_terms),
		cmocka_unit_test(rejects_expensive_patterns),
		cmocka_unit_test(rejects_a_long_pattern),
		cmocka_unit_test(rejects_too_many_patterns),
		cmocka_unit_test(can_be_evaluated_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
