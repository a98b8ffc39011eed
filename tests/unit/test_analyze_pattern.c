/* SPDX-License-Identifier: MIT */
#include "analyze/pattern_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "failing_alloc.h"
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

/* The parts of "path/module!class.method()"; the class is that many bytes after the module. */
struct frame_texts {
	struct frame_names names;
	char *copies[3];
};

static struct frame_texts frame_texts_of(const char *name, size_t class_size)
{
	const char *bang = strchr(name, '!');
	const size_t path = bang ? (size_t)(bang - name) : 0;
	const char *slash = memrchr(name, '/', path);
	const char *module = slash ? slash + 1 : name;
	struct frame_texts frame = { .names = { .full = module, .with_path = name } };

	frame.names.path = frame.copies[0] = strndup(name, path);
	frame.names.module = frame.copies[1] = strndup(module, path - (size_t)(module - name));
	if (class_size)
		frame.names.class_name = frame.copies[2] =
			strndup(module, (size_t)(bang + 1 - module) + class_size);
	return frame;
}

static void frame_texts_free(struct frame_texts *frame)
{
	for (size_t i = 0; i < COUNT(frame->copies); i++)
		free(frame->copies[i]);
}

/* The group that a name falls into; NULL: none; "=" precedes an entry group. */
static void expect_group_of(const char *patterns, const char *name, size_t class_size,
			    const char *wanted)
{
	struct grouping grouping;
	struct pp_error err = { 0 };
	struct buffer out = { 0 };
	struct frame_texts frame = frame_texts_of(name, class_size);
	enum grouped grouped;

	assert_int_equal(grouping_parse(&grouping, patterns, &err), 0);
	grouped = grouping_apply(&grouping, &frame.names, &out);
	frame_texts_free(&frame);
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

static void expect_group(const char *patterns, const char *name, const char *wanted)
{
	expect_group_of(patterns, name, 0, wanted);
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
	expect_group_of("classes", "a!N.C.M(int)", 3, "class a!N.C");
	expect_group("just-my-code", "System.Linq!a", "=framework");
	expect_group("just-my-code", "shop!a", NULL);
	expect_group(NULL, "a!b", NULL);
}

/* Names of assemblies may have any character but a slash. */
static void modules_have_their_whole_names(void **state)
{
	static const char *const odd[] = { "order-core", "user-core", "my shop",      "a+b",
					   "x`1",	 "Ünicode",   "50% off! now", "a,b;c" };

	(void)state;
	for (size_t i = 0; i < COUNT(odd); i++) {
		const struct frame_names frame = {
			.full = "?!?", .with_path = "?!?", .module = odd[i], .path = "/opt/!/x"
		};
		struct grouping grouping;
		struct buffer out = { 0 };
		struct pp_error err = { 0 };

		assert_int_equal(grouping_parse(&grouping, "{%}!->$1", &err), 0);
		assert_int_equal(grouping_apply(&grouping, &frame, &out), GROUPED_SIMPLE);
		assert_int_equal(out.size, strlen(odd[i]));
		assert_memory_equal(out.bytes, odd[i], out.size);
		buffer_release(&out);
		grouping_release(&grouping);
	}
	expect_group("modules", "/opt/order-core!Shop.Orders.Place(int)", "module order-core");
	expect_group("module-entries", "my shop!a", "=module my shop");
	expect_group("module-paths", "/opt/my shop/a-b!Run(string! s)", "=module /opt/my shop/a-b");
	expect_group("just-my-code", "System.Odd-Name!a", "=framework");
	expect_group("just-my-code", "libstdc++.so.6!a", "=native");
	expect_group("just-my-code", "order-core!a", NULL);
}

static void classes_are_those_of_the_type(void **state)
{
	(void)state;
	expect_group_of("classes", "order-core!Shop.Orders.Run.lambda#0(int)", 11,
			"class order-core!Shop.Orders");
	expect_group_of("classes", "a-b!Shop.Orders.System.IDisposable.Dispose()", 11,
			"class a-b!Shop.Orders");
	expect_group_of("class-entries", "a-b!Shop.List<int>..ctor(Action<int>)", 14,
			"=class a-b!Shop.List<int>");
	expect_group("classes", "libc.so.6!memcpy", NULL);
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

static int make_both(void *context, struct pp_error *err)
{
	struct heap heap = { 0 };
	struct guard guard;
	volatile int failed = -1;

	(void)context;
	guard_enter(&guard, &heap, err);
	if (!setjmp(guard.out)) {
		struct pattern *regex = pattern_new("@^Orders.*Price", 15, err);

		pattern_free(pattern_new("Orders!*", 8, err));
		failed = regex ? 0 : -1; /* which is for the heap to free */
	}
	guard_leave(&guard);
	heap_drop(&heap);
	return failed;
}

/* A leak of what is not ours is seen by a sanitizer. */
static void is_freed_wherever_memory_is_gone(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(make_both, NULL) >= 4);
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
		cmocka_unit_test(modules_have_their_whole_names),
		cmocka_unit_test(classes_are_those_of_the_type),
		cmocka_unit_test(unnamed_frames_of_a_module_are_merged),
		cmocka_unit_test(a_list_has_one_bit_per_pattern),
		cmocka_unit_test(expensive_patterns_terminate),
		cmocka_unit_test(is_freed_wherever_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
