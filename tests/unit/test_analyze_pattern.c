/* SPDX-License-Identifier: MIT */
#include "analyze/pattern_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_reading.h"

static bool found(const char *text, const char *name, struct pattern_match *match)
{
	struct pp_error err = { 0 };
	struct pattern *pattern = pattern_new(text, strlen(text), &err);
	bool result;

	assert_string_equal(err.text, "");
	result = pattern_find(pattern, name, match);
	pattern_free(pattern);
	return result;
}

static void expect_match(const char *text, const char *name, const char *wanted)
{
	struct pattern_match match;

	assert_true(found(text, name, &match));
	assert_int_equal(match.parts[0].size, strlen(wanted));
	assert_memory_equal(match.parts[0].at, wanted, strlen(wanted));
}

static void expect_none(const char *text, const char *name)
{
	struct pattern_match match;

	assert_false(found(text, name, &match));
}

static void patterns_match_anywhere_and_ignore_case(void **state)
{
	(void)state;
	expect_match("mscorlib!", "a/MsCorLib!System.Int32", "MsCorLib!");
	expect_none("mscorlib!x", "mscorlib!System");
	expect_match("", "anything", "");
}

static void percent_matches_a_word_with_dots_and_question_marks(void **state)
{
	(void)state;
	expect_match("%!", "/usr/lib/System.Linq!Where(", "System.Linq!");
	expect_match("x%y", "a-x.?_1y-b", "x.?_1y");
	expect_none("x%y", "x y");
}

static void star_matches_anything_greedily(void **state)
{
	(void)state;
	expect_match("a*c", "xabcbcx", "abcbc");
	expect_match("*", "all of it", "all of it");
}

static void caret_matches_the_start(void **state)
{
	(void)state;
	expect_match("^System", "System.X", "System");
	expect_none("^System", "My.System.X");
}

static void a_bar_matches_either_side_and_the_first_wins(void **state)
{
	(void)state;
	expect_match("abc|abcd", "abcd", "abc");
	expect_match("zz|b{c|d}e", "xbdex", "bde");
	expect_match("a{b|c|d}e|f", "ade", "ade");
	expect_match("a{b|c|d}e|f", "f", "f");
	expect_none("a{b|c}e", "ade");
}

static void any_other_character_matches_itself(void **state)
{
	(void)state;
	expect_match("a.b(c)[d]$+?\\", "a.b(c)[d]$+?\\", "a.b(c)[d]$+?\\");
	expect_none("a.b", "axb");
}

static void an_at_sign_starts_a_regular_expression(void **state)
{
	(void)state;
	expect_match("@b+c$", "abbc", "bbc");
}

static void unbalanced_braces_are_an_error(void **state)
{
	static const char *const wrong[] = { "{a", "a}", "@(", "{{{" };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct pp_error err = { 0 };

		assert_null(pattern_new(wrong[i], strlen(wrong[i]), &err));
		assert_int_equal(err.code, PP_ERROR_USAGE);
	}
}

/* The group that a name falls into; NULL: none; "=" precedes an entry group. */
static void expect_group(const char *patterns, const char *name, const char *wanted)
{
	struct grouping grouping;
	struct pp_error err = { 0 };
	struct buffer out = { 0 };
	const char *slash = strrchr(name, '/');
	enum grouped grouped;

	assert_int_equal(grouping_parse(&grouping, patterns, &err), 0);
	grouped = grouping_apply(&grouping, name, slash ? slash + 1 : name, &out);
	buffer_u8(&out, 0);
	if (!wanted) {
		assert_int_equal(grouped, GROUPED_NOT);
	} else {
		assert_int_equal(grouped, *wanted == '=' ? GROUPED_ENTRY : GROUPED_SIMPLE);
		assert_string_equal((const char *)out.bytes, wanted + (*wanted == '='));
	}
	buffer_release(&out);
	grouping_release(&grouping);
}

static void groups_are_named_by_what_matched(void **state)
{
	(void)state;
	expect_group("{%}!->module $1", "System.Linq!Where(int)", "module System.Linq");
	expect_group("{%}!=>module $1", "System.Linq!Where(int)", "=module System.Linq");
	expect_group("[a comment] A!", "A!b", "A!");
	expect_group("x->[$&]", "axb", "[x]");
	expect_group("a->b", "x!y", NULL);
}

static void patterns_see_the_path_and_then_the_name(void **state)
{
	const char *frame = "/opt/shop/lib/Orders!Place(int)";

	(void)state;
	expect_group("/shop/->ours", frame, "ours");
	expect_group("^Orders!->ours", frame, "ours");
	expect_group("{%}!->module $1", frame, "module Orders");
	expect_group("module-paths", frame, "=module /opt/shop/lib/Orders");
	expect_group("^/opt->;^Orders->ours", frame, NULL);
	expect_group("opt->x;^Orders->ours", frame, "x"); /* a group has one name only */
	expect_group("", "/lib/libc.so!?", "libc.so!?");
}

static void an_empty_group_name_leaves_frames_unchanged(void **state)
{
	(void)state;
	expect_group("mine!->;%!->OTHER", "mine!a", NULL);
	expect_group("mine!->;%!->OTHER", "yours!a", "OTHER");
}

static void simple_groups_continue_and_entry_groups_stop(void **state)
{
	(void)state;
	expect_group("a!->b!;b!->c", "a!x", "c");
	expect_group("a!=>b!;b!->c", "a!x", "=b!");
}

static void presets_have_names(void **state)
{
	(void)state;
	expect_group("none", "a!b", NULL);
	expect_group("modules", "a!b", "module a");
	expect_group("classes", "a!N.C.M(int)", "class a!N.C");
	expect_group("just-my-code", "System.Linq!a", "=framework");
	expect_group("just-my-code", "shop!a", NULL);
	expect_group(NULL, "a!b", NULL);
}

static void unnamed_frames_of_a_module_are_merged(void **state)
{
	(void)state;
	expect_group("", "libc.so!?", "libc.so!?");
}

static void a_list_has_one_bit_per_pattern(void **state)
{
	struct pattern_list list;
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(pattern_list_parse(&list, " a ;; b;c", &err), 0);
	assert_int_equal(list.count, 3);
	assert_int_equal(pattern_list_matches(&list, "xay!c"), 5);
	pattern_list_release(&list);
}

/* Nested stars could match in 10^12 ways: the search must still end. */
static void expensive_patterns_terminate(void **state)
{
	struct pattern_match match;
	char name[301];

	(void)state;
	memset(name, 'a', 300);
	name[300] = '\0';
	found("*a*a*a*a*a*a*a*a*b", name, &match);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_anywhere_and_ignore_case),
		cmocka_unit_test(percent_matches_a_word_with_dots_and_question_marks),
		cmocka_unit_test(star_matches_anything_greedily),
		cmocka_unit_test(caret_matches_the_start),
		cmocka_unit_test(a_bar_matches_either_side_and_the_first_wins),
		cmocka_unit_test(any_other_character_matches_itself),
		cmocka_unit_test(an_at_sign_starts_a_regular_expression),
		cmocka_unit_test(unbalanced_braces_are_an_error),
		cmocka_unit_test(groups_are_named_by_what_matched),
		cmocka_unit_test(patterns_see_the_path_and_then_the_name),
		cmocka_unit_test(an_empty_group_name_leaves_frames_unchanged),
		cmocka_unit_test(simple_groups_continue_and_entry_groups_stop),
		cmocka_unit_test(presets_have_names),
		cmocka_unit_test(unnamed_frames_of_a_module_are_merged),
		cmocka_unit_test(a_list_has_one_bit_per_pattern),
		cmocka_unit_test(expensive_patterns_terminate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
