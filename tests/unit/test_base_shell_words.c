/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/shell_words.h"

static void quotes_what_a_shell_would_change(void **state)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{ "app.nettrace", "app.nettrace" },
		{ "my app", "'my app'" },
		{ "it's", "'it'\\''s'" },
		{ "", "''" },
		{ "~root", "'~root'" },
		{ "a~1", "a~1" },
		{ "$HOME", "'$HOME'" },
		{ "a;b", "'a;b'" },
		{ "-n", "-n" },
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(shell_word(&arena, cases[i].word), cases[i].quoted);
	arena_release(&arena);
}

/* The last one with and without a NUL after it. */
static void joins_words(void **state)
{
	static const char words[] = "rm\0\0a b\0'";
	static const char line[] = "rm '' 'a b' ''\\'''";
	struct arena arena = { 0 };

	(void)state;
	assert_string_equal(shell_words(&arena, words, sizeof(words)), line);
	assert_string_equal(shell_words(&arena, words, sizeof(words) - 1), line);
	assert_string_equal(shell_words(&arena, words, 0), "");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_what_a_shell_would_change),
		cmocka_unit_test(joins_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
