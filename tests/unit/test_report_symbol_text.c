/* SPDX-License-Identifier: MIT */
/* Answers as lines, as notes in a text, and as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "report/symbol_text.h"
#include "report/symbolized.h"

static const struct symbol_module library = {
	.path = "/lib/libfoo.so", .name = "libfoo.so", .build_id = "4a6f", .state = SYMBOLS_WHOLE
};
static const struct symbol_module stripped = { .path = "/lib/libbar.so",
					       .name = "libbar.so",
					       .state = SYMBOLS_EXPORTED };

static struct symbol_answer inlined(void)
{
	return (struct symbol_answer){
		.module = &library,
		.offset = 0x1139,
		.function_start = 0x1120,
		.count = 2,
		.frames = { { "square", "/src/deep/a.h", 4, 7, true },
			    { "main", "/src/a.c", 12, 0, false } },
	};
}

static struct symbol_answer named(void)
{
	return (struct symbol_answer){ .module = &library,
				       .offset = 0x1139,
				       .function_start = 0x1120,
				       .count = 1,
				       .frames = { { .function = "main" } } };
}

static struct symbol_answer unnamed(void)
{
	return (struct symbol_answer){
		.module = &stripped, .offset = 0x1139, .nearest = "exported", .nearest_offset = 0x19
	};
}

static const struct symbol_text_style plain, with_module = { .module = true },
					     short_files = { .basenames = true };

static void lines_are(struct symbol_answer answer, const struct symbol_text_style *style,
		      const char *text)
{
	struct buffer out = { 0 };

	symbol_text_lines(&out, 0x1139, &answer, style);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, text);
	buffer_release(&out);
}

static void note_is(struct symbol_answer answer, const struct symbol_text_style *style,
		    const char *text)
{
	struct buffer out = { 0 };

	symbol_text_note(&out, &answer, style);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, text);
	buffer_release(&out);
}

static void a_frame_is_a_line(void **state)
{
	struct symbol_answer answer = named();

	(void)state;
	lines_are(answer, &plain, "0x1139 main+0x19\n");
	lines_are(answer, &with_module, "0x1139 main+0x19 (libfoo.so)\n");
	answer.offset = answer.function_start;
	lines_are(answer, &plain, "0x1139 main\n");
	lines_are(inlined(), &plain,
		  "0x1139 square at /src/deep/a.h:4\n  (inlined by) main at /src/a.c:12\n");
	lines_are(inlined(), &short_files,
		  "0x1139 square at a.h:4\n  (inlined by) main at a.c:12\n");
}

static void a_note_is_part_of_a_line(void **state)
{
	(void)state;
	note_is(named(), &plain, " <main+0x19>");
	note_is(named(), &with_module, " <main+0x19 (libfoo.so)>");
	note_is(inlined(), &short_files, " <square at a.h:4, inlined by main at a.c:12>");
	note_is(unnamed(), &plain, " <?? [no symbols] (~exported+0x19)>");
	note_is(unnamed(), &with_module, " <?? libbar.so+0x1139 [no symbols] (~exported+0x19)>");
}

static void without_inlined_functions_the_line_is_that_of_the_instruction(void **state)
{
	struct symbol_answer answer = inlined();

	(void)state;
	symbol_answer_fold(&answer);
	lines_are(answer, &plain, "0x1139 main at /src/deep/a.h:4\n");
}

static void what_has_no_name_says_why(void **state)
{
	struct symbol_answer answer = unnamed();

	(void)state;
	lines_are(answer, &plain, "0x1139 ?? libbar.so+0x1139 [no symbols] (~exported+0x19)\n");
	answer.nearest = NULL;
	lines_are(answer, &plain, "0x1139 ?? libbar.so+0x1139 [no symbols]\n");
	answer = unnamed();
	answer.module = &library; /* all functions of it are known */
	lines_are(answer, &plain, "0x1139 ?? libfoo.so+0x1139 [no function at this address]\n");
	lines_are((struct symbol_answer){ 0 }, &with_module,
		  "0x1139 ?? [no code at this address]\n");
}

static void names_cannot_forge_lines(void **state)
{
	struct symbol_answer answer = named();

	(void)state;
	answer.frames[0].function = "a\nb\033[31m";
	lines_are(answer, &plain, "0x1139 a\\x0ab\\x1b[31m+0x19\n");
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void json_has_all_of_it(void **state)
{
	const struct symbol_answer answers[] = { inlined(), unnamed(), { 0 } };
	struct buffer out = { 0 };
	struct json json = { .out = &out };
	json_t *root, *first, *second, *third, *frame;

	(void)state;
	symbolized_begin(&json);
	for (size_t i = 0; i < 3; i++)
		symbolized_put(&json, 0x7f0000001139, &answers[i]);
	symbolized_end(&json, &(struct symbolized_totals){ 3, 1 });
	root = json_loadb((const char *)out.bytes, out.size, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_string_equal(text_of(root, "schema"), "perfpipe/symbolize/1");
	assert_int_equal(json_integer_value(json_object_get(root, "asked")), 3);
	assert_int_equal(json_integer_value(json_object_get(root, "named")), 1);
	first = json_array_get(json_object_get(root, "addresses"), 0);
	assert_string_equal(text_of(first, "address"), "0x7f0000001139");
	assert_string_equal(text_of(first, "module"), "/lib/libfoo.so");
	assert_string_equal(text_of(first, "build_id"), "4a6f");
	assert_string_equal(text_of(first, "offset"), "0x1139");
	assert_string_equal(text_of(first, "function_offset"), "0x19");
	assert_true(json_is_null(json_object_get(first, "problem")));
	frame = json_array_get(json_object_get(first, "frames"), 0);
	assert_string_equal(text_of(frame, "function"), "square");
	assert_int_equal(json_integer_value(json_object_get(frame, "line")), 4);
	assert_int_equal(json_integer_value(json_object_get(frame, "column")), 7);
	assert_true(json_is_true(json_object_get(frame, "inlined")));
	frame = json_array_get(json_object_get(first, "frames"), 1);
	assert_true(json_is_null(json_object_get(frame, "column")));
	second = json_array_get(json_object_get(root, "addresses"), 1);
	assert_string_equal(text_of(second, "nearest"), "exported");
	assert_string_equal(text_of(second, "nearest_offset"), "0x19");
	assert_string_equal(text_of(second, "problem"), "no symbols");
	third = json_array_get(json_object_get(root, "addresses"), 2);
	assert_true(json_is_null(json_object_get(third, "module")));
	assert_true(json_is_null(json_object_get(third, "offset")));
	json_decref(root);
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_a_line),
		cmocka_unit_test(a_note_is_part_of_a_line),
		cmocka_unit_test(without_inlined_functions_the_line_is_that_of_the_instruction),
		cmocka_unit_test(what_has_no_name_says_why),
		cmocka_unit_test(names_cannot_forge_lines),
		cmocka_unit_test(json_has_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
