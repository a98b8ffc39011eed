/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/unicode.h"

#define FFFD "\xef\xbf\xbd"

/* These bytes as text; valid until the next call. */
static const char *text_of_utf8(const char *bytes, size_t size)
{
	static char kept[256];
	struct arena arena = { 0 };

	strcpy(kept, utf8_text(&arena, (const uint8_t *)bytes, size));
	arena_release(&arena);
	return kept;
}

static const char *text_of_utf16(const char *bytes, size_t units)
{
	static char kept[256];
	struct arena arena = { 0 };

	strcpy(kept, utf16_text(&arena, (const uint8_t *)bytes, units));
	arena_release(&arena);
	return kept;
}

#define UTF8(text)  text_of_utf8((text), sizeof(text) - 1)
#define UTF16(text) text_of_utf16((text), (sizeof(text) - 1) / 2)

static void encodes_every_character_and_decodes_it_again(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		char bytes[4];
		const size_t size = utf8_put(code, bytes);
		const char *at = bytes;

		assert_int_equal(size, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
		if (code < 0xd800 || code > 0xdfff) {
			assert_int_equal(utf8_decode(&at, bytes + size), code);
			assert_ptr_equal(at, bytes + size);
		} else {
			assert_int_equal(utf8_decode(&at, bytes + size), 0xfffd);
			assert_ptr_equal(at, bytes + 1);
		}
	}
}

static void keeps_valid_utf8_as_it_is(void **state)
{
	(void)state;
	assert_string_equal(UTF8(""), "");
	assert_string_equal(UTF8("plain"), "plain");
	assert_string_equal(UTF8("\xc2\x80\xdf\xbf"), "\xc2\x80\xdf\xbf");
	assert_string_equal(UTF8("\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"),
			    "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf");
	assert_string_equal(UTF8("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
			    "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
}

static void replaces_every_invalid_form_of_utf8(void **state)
{
	(void)state;
	assert_string_equal(UTF8("a\x80z"), "a" FFFD "z"); /* a tail byte alone */
	assert_string_equal(UTF8("\xbf"), FFFD);
	assert_string_equal(UTF8("\xc0\x80"), FFFD FFFD);	   /* overlong NUL */
	assert_string_equal(UTF8("\xc1\xbf"), FFFD FFFD);	   /* overlong */
	assert_string_equal(UTF8("\xe0\x9f\xbf"), FFFD FFFD FFFD); /* overlong */
	assert_string_equal(UTF8("\xf0\x8f\xbf\xbf"), FFFD FFFD FFFD FFFD);
	assert_string_equal(UTF8("\xed\xa0\x80"), FFFD FFFD FFFD); /* a surrogate */
	assert_string_equal(UTF8("\xed\xbf\xbf"), FFFD FFFD FFFD);
	assert_string_equal(UTF8("\xf4\x90\x80\x80"), FFFD FFFD FFFD FFFD); /* past 10FFFF */
	assert_string_equal(UTF8("\xf5\x80\x80\x80"), FFFD FFFD FFFD FFFD);
	assert_string_equal(UTF8("\xfe\xff"), FFFD FFFD);
	assert_string_equal(UTF8("\xc3"), FFFD); /* cut at the end */
	assert_string_equal(UTF8("\xe2\x82"), FFFD FFFD);
	assert_string_equal(UTF8("\xf0\x9f\x98"), FFFD FFFD FFFD);
	assert_string_equal(UTF8("\xc3z"), FFFD "z"); /* interrupted by a letter */
	assert_string_equal(UTF8("\xe2z\xac"), FFFD "z" FFFD);
	assert_string_equal(UTF8("\xe2\x82z"), FFFD FFFD "z");
	assert_string_equal(UTF8("\xf0\x9f\x98z"), FFFD FFFD FFFD "z");
	assert_string_equal(UTF8("\xe2\xc3\xa9"), FFFD "\xc3\xa9");
}

/* Every pair of bytes gives valid text, and nothing is read past the end. */
static void turns_any_bytes_into_valid_text(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		const char bytes[2] = { (char)(pair & 0xff), (char)(pair >> 8) };
		const char *text = text_of_utf8(bytes, 2);
		const char *end = text + strlen(text);
		char again[8];

		while (text < end) {
			const char *at = text;
			const uint32_t code = utf8_decode(&text, end);

			assert_int_equal(utf8_put(code, again), text - at);
			assert_memory_equal(again, at, (size_t)(text - at));
		}
	}
}

/* A NUL is a character like any other: the text continues after it. */
static void keeps_zeros_inside_text(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	assert_memory_equal(utf8_text(&arena, (const uint8_t *)"a\0b", 3), "a\0b", 4);
	assert_memory_equal(utf16_text(&arena, (const uint8_t *)"a\0\0\0b\0", 3), "a\0b", 4);
	arena_release(&arena);
}

static void turns_utf16_into_utf8(void **state)
{
	(void)state;
	assert_string_equal(UTF16(""), "");
	assert_string_equal(UTF16("a\0z\0"), "az");
	assert_string_equal(UTF16("\xe9\0\xac\x20"), "\xc3\xa9\xe2\x82\xac");
	assert_string_equal(UTF16("\xff\xd7\x00\xe0\xff\xff"),
			    "\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf");
	assert_string_equal(UTF16("\x3d\xd8\x00\xde"), "\xf0\x9f\x98\x80");
	assert_string_equal(UTF16("\x00\xd8\x00\xdc\xff\xdb\xff\xdf"),
			    "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
}

static void replaces_every_invalid_form_of_utf16(void **state)
{
	(void)state;
	assert_string_equal(UTF16("\x3d\xd8"), FFFD);	     /* high surrogate at the end */
	assert_string_equal(UTF16("\x00\xde"), FFFD);	     /* low surrogate alone */
	assert_string_equal(UTF16("\x3d\xd8z\0"), FFFD "z"); /* followed by a letter */
	assert_string_equal(UTF16("\x3d\xd8\x3d\xd8\x00\xde"), FFFD "\xf0\x9f\x98\x80");
	assert_string_equal(UTF16("\x00\xde\x3d\xd8"), FFFD FFFD); /* in the wrong order */
	assert_string_equal(UTF16("\x3d\xd8\xff\xdb"), FFFD FFFD);
	assert_string_equal(UTF16("\x3d\xd8\x00\xe0"), FFFD "\xee\x80\x80");
	assert_string_equal(UTF16("\x3d\xd8\xff\xd7"), FFFD "\xed\x9f\xbf");
}

static void reads_utf16_up_to_its_terminator(void **state)
{
	struct arena arena = { 0 };
	struct cursor c = cursor_over("h\0i\0\0\0\0\0x", 9);

	(void)state;
	assert_string_equal(cursor_utf16z(&c, &arena), "hi");
	assert_string_equal(cursor_utf16z(&c, &arena), "");
	assert_false(c.failed);
	assert_int_equal(cursor_left(&c), 1);
	assert_string_equal(cursor_utf16z(&c, &arena), ""); /* half a unit */
	assert_true(c.failed);
	assert_string_equal(cursor_utf16z(&c, &arena), "");
	arena_release(&arena);
}

static void fails_where_utf16_has_no_terminator(void **state)
{
	struct arena arena = { 0 };
	struct cursor c = cursor_over("h\0i\0\0", 5); /* half of one */

	(void)state;
	assert_string_equal(cursor_utf16z(&c, &arena), "");
	assert_true(c.failed);
	arena_release(&arena);
}

static void expect_trimmed(const char *text, const char *expected)
{
	char cut[16];

	strcpy(cut, text);
	utf8_trim(cut);
	assert_string_equal(cut, expected);
}

static void trims_a_character_without_its_end(void **state)
{
	(void)state;
	expect_trimmed("", "");
	expect_trimmed("abc", "abc");
	expect_trimmed("a\xC3\xA9", "a\xC3\xA9");
	expect_trimmed("a\xC3", "a");
	expect_trimmed("a\xE5\xAE", "a");
	expect_trimmed("a\xF0\x9F\x98", "a");
	expect_trimmed("a\xF0\x9F\x98\x80", "a\xF0\x9F\x98\x80");
	expect_trimmed("\x80\x80\x80\x80\x80", "\x80\x80\x80\x80\x80");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encodes_every_character_and_decodes_it_again),
		cmocka_unit_test(keeps_valid_utf8_as_it_is),
		cmocka_unit_test(replaces_every_invalid_form_of_utf8),
		cmocka_unit_test(turns_any_bytes_into_valid_text),
		cmocka_unit_test(keeps_zeros_inside_text),
		cmocka_unit_test(turns_utf16_into_utf8),
		cmocka_unit_test(replaces_every_invalid_form_of_utf16),
		cmocka_unit_test(reads_utf16_up_to_its_terminator),
		cmocka_unit_test(fails_where_utf16_has_no_terminator),
		cmocka_unit_test(trims_a_character_without_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
