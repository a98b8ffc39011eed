/* SPDX-License-Identifier: MIT */
/* The output is parsed back by another library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "base/unicode.h"
#include "json_check.h"

/* A writer into memory. */
struct page {
	struct json json;
	struct buffer text;
};

static void open_page(struct page *page, unsigned indent)
{
	*page = (struct page){ .json.indent = indent };
	page->json.out = &page->text;
}

/* The output, and what another parser makes of it. */
static void expect_page(struct page *page, const char *text, const char *compact)
{
	char *found;

	buffer_u8(&page->text, 0);
	assert_string_equal(page->text.bytes, text);
	found = json_check_compact((const char *)page->text.bytes, page->text.size - 1);
	assert_non_null(found);
	assert_string_equal(found, compact);
	free(found);
	buffer_release(&page->text);
}

static void writes_one_line_without_indent(void **state)
{
	struct page page;

	(void)state;
	open_page(&page, 0);
	json_open_object(&page.json, NULL);
	json_put_text(&page.json, "name", "GC/Start");
	json_open_array(&page.json, "list");
	json_put_u64(&page.json, NULL, 1);
	json_put_u64(&page.json, NULL, 2);
	json_close(&page.json);
	json_open_object(&page.json, "none");
	json_close(&page.json);
	json_close(&page.json);
	expect_page(&page, "{\"name\":\"GC/Start\",\"list\":[1,2],\"none\":{}}\n",
		    "{\"name\":\"GC/Start\",\"list\":[1,2],\"none\":{}}");
}

static void indents_by_levels(void **state)
{
	struct page page;

	(void)state;
	open_page(&page, 2);
	json_open_object(&page.json, NULL);
	json_put_bool(&page.json, "a", true);
	json_open_array(&page.json, "b");
	json_put_null(&page.json, NULL);
	json_close(&page.json);
	json_open_array(&page.json, "c");
	json_close(&page.json);
	json_close(&page.json);
	expect_page(&page, "{\n  \"a\": true,\n  \"b\": [\n    null\n  ],\n  \"c\": []\n}\n",
		    "{\"a\":true,\"b\":[null],\"c\":[]}");
}

static void writes_every_kind_of_value(void **state)
{
	static const char expected[] = "{\"most\":9223372036854775807,"
				       "\"least\":-9223372036854775808,"
				       "\"yes\":true,\"no\":false,\"null\":null,"
				       "\"missing\":null,\"empty\":\"\"}";
	struct page page;
	char line[sizeof(expected) + 1];

	(void)state;
	open_page(&page, 0);
	json_open_object(&page.json, NULL);
	json_put_u64(&page.json, "most", INT64_MAX);
	json_put_i64(&page.json, "least", INT64_MIN);
	json_put_bool(&page.json, "yes", true);
	json_put_bool(&page.json, "no", false);
	json_put_null(&page.json, "null");
	json_put_text(&page.json, "missing", NULL);
	json_put_text(&page.json, "empty", "");
	json_close(&page.json);
	snprintf(line, sizeof(line), "%s\n", expected);
	expect_page(&page, line, expected);
}

/* More than jansson accepts. */
static void writes_numbers_of_64_bits(void **state)
{
	struct page page;

	(void)state;
	open_page(&page, 0);
	json_put_u64(&page.json, NULL, UINT64_MAX);
	assert_int_equal(page.text.size, 20);
	assert_memory_equal(page.text.bytes, "18446744073709551615", 20);
	buffer_release(&page.text);
}

/* As a key and as a value, alone in each. */
static void check_text(const char *text, const char *expected)
{
	struct page page;

	open_page(&page, 0);
	json_open_object(&page.json, NULL);
	json_put_text(&page.json, text, text);
	json_close(&page.json);
	if (!json_check_member((const char *)page.text.bytes, page.text.size, expected, expected))
		fail_msg("read back differently: %.*s", (int)page.text.size,
			 (const char *)page.text.bytes);
	buffer_release(&page.text);
}

static void escapes_so_that_every_character_reads_back(void **state)
{
	(void)state;
	for (uint32_t code = 1; code < 0x11000; code++) {
		char text[8] = "";

		if (code < 0xd800 || code > 0xdfff) {
			utf8_put(code, text);
			check_text(text, text);
		}
	}
	check_text("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf");
	check_text("a\"b\\c/d\ne\tf\rg\bh\fi", "a\"b\\c/d\ne\tf\rg\bh\fi");
}

static void escapes_every_control_character(void **state)
{
	struct page page;
	char text[34] = "";

	(void)state;
	for (char c = 1; c < 32; c++)
		text[c - 1] = c;
	text[31] = 0x7f;
	open_page(&page, 0);
	json_put_text(&page.json, NULL, text);
	for (size_t i = 0; i < page.text.size; i++)
		assert_in_range(page.text.bytes[i], 0x20, 0x7e);
	buffer_release(&page.text);
}

static void replaces_invalid_text(void **state)
{
	(void)state;
	check_text("a\xffz", "a\xef\xbf\xbdz");
	check_text("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	check_text("\xc3", "\xef\xbf\xbd");
}

static void nests_up_to_its_limit(void **state)
{
	struct page page;
	char expected[2 * JSON_DEPTH + 2] = "";

	(void)state;
	open_page(&page, 0);
	for (unsigned i = 0; i < JSON_DEPTH; i++)
		json_open_array(&page.json, NULL);
	for (unsigned i = 0; i < JSON_DEPTH; i++)
		json_close(&page.json);
	memset(expected, '[', JSON_DEPTH);
	memset(expected + JSON_DEPTH, ']', JSON_DEPTH);
	assert_memory_equal(page.text.bytes, expected, 2 * JSON_DEPTH);
	buffer_release(&page.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_one_line_without_indent),
		cmocka_unit_test(indents_by_levels),
		cmocka_unit_test(writes_every_kind_of_value),
		cmocka_unit_test(writes_numbers_of_64_bits),
		cmocka_unit_test(escapes_so_that_every_character_reads_back),
		cmocka_unit_test(escapes_every_control_character),
		cmocka_unit_test(replaces_invalid_text),
		cmocka_unit_test(nests_up_to_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
