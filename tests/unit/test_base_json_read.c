/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/json_read.h"

static void reads_what_the_writer_writes(void **state)
{
	struct buffer out = { 0 };
	struct json json = { .out = &out, .indent = 2 };
	struct json_reader reader;

	(void)state;
	json_open_object(&json, NULL);
	json_put_text(&json, "text\n", "a \"quote\", \\ and \x1b, é");
	json_put_i64(&json, "low", INT64_MIN);
	json_put_bool(&json, "yes", true);
	json_put_null(&json, "none");
	json_open_array(&json, "list");
	json_put_u64(&json, NULL, 7);
	json_open_object(&json, NULL);
	json_close(&json);
	json_close(&json);
	json_put_bool(&json, "no", false);
	json_close(&json);
	reader = json_reader_over(out.bytes, out.size);
	assert_int_equal(json_next(&reader), JSON_OPEN_OBJECT);
	assert_int_equal(json_next(&reader), JSON_TEXT);
	assert_string_equal(json_key(&reader), "text\n");
	assert_string_equal(json_text(&reader), "a \"quote\", \\ and \x1b, é");
	assert_int_equal(json_next(&reader), JSON_NUMBER);
	assert_true(reader.number == (double)INT64_MIN);
	assert_int_equal(json_next(&reader), JSON_BOOL);
	assert_true(reader.flag);
	assert_int_equal(json_next(&reader), JSON_NULL);
	assert_string_equal(json_key(&reader), "none");
	assert_int_equal(json_next(&reader), JSON_OPEN_ARRAY);
	assert_int_equal(json_next(&reader), JSON_NUMBER);
	assert_string_equal(json_key(&reader), "");
	assert_int_equal(json_next(&reader), JSON_OPEN_OBJECT);
	assert_int_equal(json_next(&reader), JSON_CLOSE);
	assert_int_equal(json_next(&reader), JSON_CLOSE);
	assert_int_equal(json_next(&reader), JSON_BOOL);
	assert_string_equal(json_key(&reader), "no");
	assert_false(reader.flag);
	assert_int_equal(json_next(&reader), JSON_CLOSE);
	assert_int_equal(json_next(&reader), JSON_END);
	assert_false(reader.failed);
	json_reader_release(&reader);
	buffer_release(&out);
}

static void skips_what_is_not_wanted(void **state)
{
	static const char text[] = "{\"a\":{\"b\":[1,[2]],\"c\":{}},\"d\":1e3}";
	struct json_reader reader = json_reader_over(text, strlen(text));

	(void)state;
	json_next(&reader);
	assert_int_equal(json_next(&reader), JSON_OPEN_OBJECT);
	json_skip(&reader);
	assert_int_equal(json_next(&reader), JSON_NUMBER);
	assert_string_equal(json_key(&reader), "d");
	assert_true(reader.number == 1000);
	json_reader_release(&reader);
}

static void joins_surrogate_pairs(void **state)
{
	static const char text[] = "[\"\\ud83d\\ude00 \\ud83d \\u0000 \\u00e9\"]";
	struct json_reader reader = json_reader_over(text, strlen(text));

	(void)state;
	json_next(&reader);
	assert_int_equal(json_next(&reader), JSON_TEXT);
	assert_string_equal(json_text(&reader),
			    "\xf0\x9f\x98\x80 \xef\xbf\xbd \xef\xbf\xbd \xc3\xa9");
	json_reader_release(&reader);
}

static void rejects_invalid_json(void **state)
{
	static const char *const wrong[] = {
		"",	"{",	 "{\"a\"}",	      "{\"a\":1,}",	  "[1 2]", "[1,]",
		"nul",	"[\"a]", "[\"\\x\"]",	      "[\"\\u12\"]",	  "{a:1}", "1 2",
		"[1]]", "[--1]", "{\"a\":1 \"b\":2}", "[\"\\ud83d\\u\"]", "]",	   ",",
		"[+]"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct json_reader reader = json_reader_over(wrong[i], strlen(wrong[i]));
		int steps = 0;

		while (json_next(&reader) != JSON_END && steps < 100)
			steps++;
		if (!reader.failed)
			fail_msg("took %s", wrong[i]);
		assert_true(steps < 100);
		json_reader_release(&reader);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_the_writer_writes),
		cmocka_unit_test(skips_what_is_not_wanted),
		cmocka_unit_test(joins_surrogate_pairs),
		cmocka_unit_test(rejects_invalid_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
