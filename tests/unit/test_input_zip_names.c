/* SPDX-License-Identifier: MIT */
#include "packed_input.h"

#ifdef HAVE_ZLIB
#include "input/zip_names.h"

static void expect_clean(const char *name, const char *clean)
{
	char out[ZIP_NAME];

	memset(out, 'x', sizeof(out));
	zip_name_clean((const uint8_t *)name, strlen(name), out);
	assert_string_equal(out, clean);
}

static void keeps_letters_of_all_languages(void **state)
{
	(void)state;
	expect_clean("Spur/größe \xe8\xb7\x9f.nettrace", "Spur/größe \xe8\xb7\x9f.nettrace");
}

static void hides_terminal_control_characters(void **state)
{
	(void)state;
	expect_clean("\33]0;title\7", "?]0;title?");
	expect_clean("a\xc2\x9b"
		     "2J",
		     "a?2J");				 /* U+009B, the one-byte form */
	expect_clean("\xe2\x80\xaegpj.exe", "?gpj.exe"); /* U+202E, right to left */
	expect_clean("a\r\nb\x7f", "a??b?");
}

static void hides_invalid_text(void **state)
{
	(void)state;
	expect_clean("a\xff\xc3", "a??");
}

static void cuts_long_names(void **state)
{
	char name[201];
	char out[ZIP_NAME];

	(void)state;
	memset(name, 'a', 200);
	name[200] = 0;
	zip_name_clean((const uint8_t *)name, 200, out);
	assert_true(strlen(out) < ZIP_NAME);
	assert_string_equal(out + strlen(out) - 4, "a...");
	for (int i = 0; i < 200; i += 4)
		memcpy(name + i, "\xf0\x9f\x98\x80", 4);
	zip_name_clean((const uint8_t *)name, 200, out);
	assert_string_equal(out + strlen(out) - 7, "\xf0\x9f\x98\x80...");
}

static void expect_list(size_t count, const char *list)
{
	struct zip_names names = { 0 };
	char out[100];

	for (size_t i = 0; i < count; i++)
		zip_names_add(&names, (const char[]){ (char)('a' + i), 0 });
	zip_names_list(&names, out, sizeof(out));
	assert_string_equal(out, list);
}

static void lists_as_a_person_would(void **state)
{
	(void)state;
	expect_list(0, "nothing");
	expect_list(1, "a");
	expect_list(2, "a and b");
	expect_list(3, "a, b and c");
	expect_list(4, "a, b, c and 1 other");
	expect_list(9, "a, b, c and 6 others");
}

static void stays_in_a_small_buffer(void **state)
{
	struct zip_names names = { 0 };
	char out[8];

	(void)state;
	for (int i = 0; i < 5; i++)
		zip_names_add(&names, "a long name");
	zip_names_list(&names, out, sizeof(out));
	assert_string_equal(out, "a long ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_letters_of_all_languages),
		cmocka_unit_test(hides_terminal_control_characters),
		cmocka_unit_test(hides_invalid_text),
		cmocka_unit_test(cuts_long_names),
		cmocka_unit_test(lists_as_a_person_would),
		cmocka_unit_test(stays_in_a_small_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("built without zlib");
	return 77;
}
#endif
