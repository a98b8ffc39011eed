/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/terminal.h"

static void separates_thousands(void **state)
{
	(void)state;
	assert_string_equal(text_count(0).text, "0");
	assert_string_equal(text_count(999).text, "999");
	assert_string_equal(text_count(1000).text, "1,000");
	assert_string_equal(text_count(105540).text, "105,540");
	assert_string_equal(text_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
	assert_string_equal(text_counted(0, "event", "events").text, "0 events");
	assert_string_equal(text_counted(1, "event", "events").text, "1 event");
	assert_string_equal(text_counted(1000, "event was", "events were").text,
			    "1,000 events were");
}

static void shows_losses_as_a_lower_bound(void **state)
{
	(void)state;
	assert_string_equal(text_lost(0).text, "none");
	assert_string_equal(text_lost(1000).text, "at least 1,000");
	assert_string_equal(text_lost(UINT64_MAX).text, "at least 18,446,744,073,709,551,615");
}

static void shows_sizes_with_one_decimal(void **state)
{
	(void)state;
	assert_string_equal(text_size(0).text, "0 B");
	assert_string_equal(text_size(999).text, "999 B");
	assert_string_equal(text_size(1000).text, "1.0 kB");
	assert_string_equal(text_size(999949).text, "999.9 kB");
	assert_string_equal(text_size(999950).text, "1.0 MB");
	assert_string_equal(text_size(175400000).text, "175.4 MB");
	assert_string_equal(text_size(UINT64_MAX).text, "18446.7 PB");
}

static void shows_durations_in_the_unit_that_fits(void **state)
{
	(void)state;
	assert_string_equal(text_duration(0).text, "0 ns");
	assert_string_equal(text_duration(850).text, "850 ns");
	assert_string_equal(text_duration(4149).text, "4.1 µs");
	assert_string_equal(text_duration(12200000).text, "12.2 ms");
	assert_string_equal(text_duration(999949999).text, "999.9 ms");
	assert_string_equal(text_duration(999950000).text, "1.000 s");
	assert_string_equal(text_duration(3125000000).text, "3.125 s");
	assert_string_equal(text_duration(59999499999).text, "59.999 s");
}

static void shows_long_durations_in_two_units(void **state)
{
	const uint64_t second = 1000000000;

	(void)state;
	assert_string_equal(text_duration(59999500000).text, "1 min 0 s");
	assert_string_equal(text_duration(125 * second).text, "2 min 5 s");
	assert_string_equal(text_duration(3600 * second).text, "1 h 0 min");
	assert_string_equal(text_duration(100000 * second).text, "1 d 3 h");
	assert_string_equal(text_duration(UINT64_MAX).text, "213503 d 23 h");
}

static void expect_safe(const char *text, const char *wanted)
{
	struct arena arena = { 0 };
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	assert_string_equal(text_safe(&arena, text), wanted);
	text_put(out, text);
	fclose(out);
	assert_string_equal(printed, wanted);
	free(printed);
	arena_release(&arena);
}

static void leaves_ordinary_text_alone(void **state)
{
	(void)state;
	expect_safe("", "");
	expect_safe("System.Collections.Generic.List`1[T]", "System.Collections.Generic.List`1[T]");
	expect_safe("C:\\src\\Größe €𝄞", "C:\\src\\Größe €𝄞");
}

static void escapes_control_characters(void **state)
{
	(void)state;
	expect_safe("\x1b[31mred\a", "\\x1b[31mred\\x07");
	expect_safe("a\nb\tc\x7f", "a\\x0ab\\x09c\\x7f");
	expect_safe("\xc2\x9b"
		    "2J",
		    "\\x9b2J");
}

static void escapes_bidirectional_overrides(void **state)
{
	(void)state;
	expect_safe("a\u202eb\u2066c\u200fd\u061ce\u2028f",
		    "a\\u202eb\\u2066c\\u200fd\\u061ce\\u2028f");
}

static void replaces_bytes_that_are_not_utf8(void **state)
{
	(void)state;
	expect_safe("a\xff"
		    "b\xe2\x82",
		    "a\ufffdb\ufffd\ufffd");
}

static void counts_columns_as_width(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("Größe"), 5);
	assert_int_equal(text_width("家族"), 4);
	assert_int_equal(text_width("ｆｕｌｌ"), 8);
	assert_int_equal(text_width("\xF0\x9F\x98\x80"), 2);
	assert_int_equal(text_width("e\xCC\x81"), 1);	 /* a combining acute accent */
	assert_int_equal(text_width("\xE2\x80\x8D"), 0); /* a joiner */
}

static void cuts_whole_characters(void **state)
{
	(void)state;
	assert_int_equal(text_start_size("abc", 2), 2);
	assert_int_equal(text_start_size("家族", 3), 3); /* the second does not fit */
	assert_int_equal(text_start_size("e\xCC\x81x", 1), 3);
	assert_int_equal(text_start_size("家", 1), 0);
	assert_int_equal(text_start_size("abc", 9), 3);
	assert_string_equal(text_end("abc", 2), "bc");
	assert_string_equal(text_end("家族", 3), "族");
	assert_string_equal(text_end("e\xCC\x81x", 1), "x"); /* no accent without its letter */
	assert_string_equal(text_end("abc", 0), "");
}

static void expect_lines(const char *bytes, size_t size, const char *expected)
{
	struct buffer out = { 0 };

	text_put_lines(&out, bytes, size);
	buffer_u8(&out, 0);
	assert_string_equal(out.bytes, expected);
	buffer_release(&out);
}

static void makes_whole_outputs_safe(void **state)
{
	(void)state;
	expect_lines("a,b\r\n1,\t2\n", 10, "a,b\r\n1,\t2\n");
	expect_lines("a\rb\r", 4, "a\\x0db\\x0d");
	expect_lines("\x1b[1;31mred\x1b[0m", 14, "\x1b[1;31mred\x1b[0m");
	expect_lines("\x1b[2J\x1b]0;x\a\x1b[1", 13, "\\x1b[2J\\x1b]0;x\\x07\\x1b[1");
	expect_lines("\xC2\x9B"
		     "1m\xE2\x80\xAE\xFF",
		     8, "\\x9b1m\\u202e\xEF\xBF\xBD");
	expect_lines("a\0b", 3, "a\\x00b");
}

/* The slave side of a new terminal; NULL where there are none. */
static FILE *open_terminal(int *master)
{
	*master = posix_openpt(O_RDWR | O_NOCTTY);
	if (*master < 0 || grantpt(*master) || unlockpt(*master))
		return NULL;
	return fopen(ptsname(*master), "w");
}

static void uses_colour_on_a_terminal_that_wants_it(void **state)
{
	int master;
	FILE *terminal = open_terminal(&master);

	(void)state;
	if (!terminal)
		skip();
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	assert_true(terminal_wants_colour(terminal));
	setenv("TERM", "dumb", 1);
	assert_false(terminal_wants_colour(terminal));
	setenv("TERM", "xterm", 1);
	setenv("NO_COLOR", "1", 1);
	assert_false(terminal_wants_colour(terminal));
	unsetenv("NO_COLOR");
	fclose(terminal);
}

static void uses_no_colour_in_a_file(void **state)
{
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	setenv("TERM", "xterm", 1);
	assert_false(terminal_wants_colour(file));
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(separates_thousands),
		cmocka_unit_test(shows_losses_as_a_lower_bound),
		cmocka_unit_test(shows_sizes_with_one_decimal),
		cmocka_unit_test(shows_durations_in_the_unit_that_fits),
		cmocka_unit_test(shows_long_durations_in_two_units),
		cmocka_unit_test(leaves_ordinary_text_alone),
		cmocka_unit_test(escapes_control_characters),
		cmocka_unit_test(escapes_bidirectional_overrides),
		cmocka_unit_test(replaces_bytes_that_are_not_utf8),
		cmocka_unit_test(counts_columns_as_width),
		cmocka_unit_test(cuts_whole_characters),
		cmocka_unit_test(makes_whole_outputs_safe),
		cmocka_unit_test(uses_colour_on_a_terminal_that_wants_it),
		cmocka_unit_test(uses_no_colour_in_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
