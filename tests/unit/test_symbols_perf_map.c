/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "file_of.h"
#include "symbols/map_lines.h"
#include "symbols/perf_map.h"

static struct symbol_table table;
static struct map_totals totals;

static void read_bytes(const void *bytes, size_t size)
{
	const int fd = file_of_bytes(bytes, size);
	struct symbol_list list = { 0 };
	struct pp_error err = { 0 };

	symbol_table_release(&table);
	assert_int_equal(perf_map_read(fd, &list, &totals, &err), 0);
	table = symbol_list_seal(&list);
	close(fd);
}

static void read_text(const char *text)
{
	read_bytes(text, strlen(text));
}

static const char *name_at(uint64_t address)
{
	struct symbol found;

	return symbol_table_find(&table, address, &found) ? found.name : "-";
}

/* The names of the first bytes from 0x1000 on that are 0x10 apart, each of one letter. */
static void assert_names(const char *expected)
{
	for (size_t i = 0; expected[i]; i++)
		assert_string_equal(name_at(0x1000 + 0x10 * i), ((char[2]){ expected[i], '\0' }));
}

static int forget(void **state)
{
	(void)state;
	symbol_table_release(&table);
	return 0;
}

static void reads_names_of_the_runtime_as_they_are(void **state)
{
	static const char name[] = "instance void [app] P+<>c::M(int32)[OptimizedTier1]";

	(void)state;
	read_text("7f6d1c0a4f80 5e instance void [app] P+<>c::M(int32)[OptimizedTier1]\n"
		  "0x7F6D1C0A5000 0X10 stub ReportStubBlock<MethodCallThunk>\n");
	assert_string_equal(name_at(0x7f6d1c0a4f80), name);
	assert_string_equal(name_at(0x7f6d1c0a4fdd), name);
	assert_string_equal(name_at(0x7f6d1c0a4fde), "-");
	assert_string_equal(name_at(0x7f6d1c0a500f), "stub ReportStubBlock<MethodCallThunk>");
	assert_int_equal(totals.functions, 2);
	assert_int_equal(totals.skipped, 0);
	assert_true(symbol_table_is_whole(&table));
}

static void keeps_utf8_and_replaces_what_is_not(void **state)
{
	(void)state;
	read_text("10 1 Größe 大 \xff\xc3\n20 1 \xf0\x9f\x98\x80\r\n");
	assert_string_equal(name_at(0x10), "Größe 大 \xef\xbf\xbd\xef\xbf\xbd");
	assert_string_equal(name_at(0x20), "\xf0\x9f\x98\x80");
}

static void ends_names_at_a_nul(void **state)
{
	static const char text[] = "10 1 a\0b\n20 1 \0\n30 1 c\n";

	(void)state;
	read_bytes(text, sizeof(text) - 1);
	assert_string_equal(name_at(0x10), "a");
	assert_string_equal(name_at(0x20), "-");
	assert_string_equal(name_at(0x30), "c");
	assert_int_equal(totals.skipped, 1);
}

static void accepts_windows_line_ends_and_several_blanks(void **state)
{
	(void)state;
	read_text("10  1 \t a b \r\n20 1 c\r\n");
	assert_string_equal(name_at(0x10), "a b ");
	assert_string_equal(name_at(0x20), "c");
}

static void ignores_an_incomplete_last_line(void **state)
{
	(void)state;
	read_text("10 1 a\n20 1 incompl");
	assert_string_equal(name_at(0x10), "a");
	assert_string_equal(name_at(0x20), "-");
	assert_int_equal(totals.functions, 1);
	assert_int_equal(totals.skipped, 0);
}

static void counts_lines_that_make_no_sense(void **state)
{
	(void)state;
	read_text("\n"
		  "10\n"
		  "10 1\n"
		  "10 1 \n"
		  "10 1x a\n"
		  "x 1 a\n"
		  "0x 1 a\n"
		  "-10 1 a\n"
		  "10000000000000000 1 a\n"
		  "10 fffffffffffffffff a\n"
		  "fffffffffffffff0 20 a\n"
		  "fffffffffffffff0 0 a\n"
		  " 10 1 a\n"
		  "30 1 good\n");
	assert_int_equal(totals.functions, 1);
	assert_int_equal(totals.skipped, 13);
	assert_int_equal(symbol_table_count(&table), 1);
}

static void a_later_line_replaces_an_equal_place(void **state)
{
	(void)state;
	read_text("1000 20 a\n1000 20 b\n");
	assert_names("bb-");
	assert_int_equal(symbol_table_count(&table), 1);
}

static void a_later_line_replaces_the_end_of_an_earlier(void **state)
{
	(void)state;
	read_text("1000 40 a\n1020 40 b\n");
	assert_names("aabbbb-");
}

static void a_later_line_replaces_the_start_of_an_earlier(void **state)
{
	(void)state;
	read_text("1020 40 a\n1000 40 b\n");
	assert_names("bbbbaa-");
}

static void a_later_line_inside_splits_an_earlier(void **state)
{
	(void)state;
	read_text("1000 60 a\n1020 20 b\n");
	assert_names("aabbaa-");
	assert_int_equal(symbol_table_count(&table), 3);
}

static void a_later_line_hides_all_that_it_covers(void **state)
{
	(void)state;
	read_text("1000 10 a\n1010 10 b\n1020 20 c\n1000 30 d\n");
	assert_names("dddc-");
}

static void an_earlier_line_inside_a_later_is_hidden(void **state)
{
	(void)state;
	read_text("1020 10 a\n1000 60 b\n1030 10 c\n");
	assert_names("bbbcbb-");
}

static void the_same_method_compiled_again_is_two_places(void **state)
{
	(void)state;
	read_text("1000 10 m\n1020 10 m\n");
	assert_names("m-m-");
	assert_int_equal(totals.functions, 2);
}

static void a_size_of_zero_reaches_the_next_function(void **state)
{
	(void)state;
	read_text("1030 10 c\n1000 0 a\n1010 0 b\n");
	assert_names("abbc-");
}

static void a_size_of_zero_replaces_nothing(void **state)
{
	(void)state;
	read_text("1000 20 a\n1010 0 b\n");
	assert_names("aabb");
	read_text("1000 20 a\n1000 0 b\n");
	assert_names("aabb");
}

static void a_size_of_zero_ends_with_its_page(void **state)
{
	(void)state;
	read_text("1ff0 0 a\n5000 1 b\n");
	assert_string_equal(name_at(0x1fff), "a");
	assert_string_equal(name_at(0x2000), "-");
}

static void cuts_long_lines(void **state)
{
	const size_t size = 3 << 20;
	char *text = malloc(size);

	(void)state;
	memset(text, 'x', size);
	memcpy(text, "10 1 ", 5);
	memcpy(text + size - 8, "\n20 1 b\n", 8);
	read_bytes(text, size);
	free(text);
	assert_int_equal(strlen(name_at(0x10)), MAP_LINE_MOST - 5);
	assert_string_equal(name_at(0x20), "b");
	assert_int_equal(totals.functions, 2);
}

/* Line ends fall on all places of the pieces that the file is read in. */
static void reads_files_larger_than_a_piece(void **state)
{
	struct buffer text = { 0 };

	(void)state;
	for (unsigned i = 0; i < 50000; i++)
		buffer_printf(&text, "%x 10 method%.*s%u\n", 0x1000 + i * 0x10, (int)(i % 13),
			      "=============", i);
	read_bytes(text.bytes, text.size);
	buffer_release(&text);
	assert_int_equal(totals.functions, 50000);
	assert_int_equal(totals.skipped, 0);
	assert_string_equal(name_at(0x1000 + 49999 * 0x10), "method=49999");
}

/* The rule itself, byte by byte, against what the sweep makes of it. */
static void each_byte_belongs_to_the_last_line_that_covers_it(void **state)
{
	static char last[256];
	char name[2] = { 0 };

	(void)state;
	srand(1);
	for (unsigned round = 0; round < 200; round++) {
		struct buffer text = { 0 };

		memset(last, '-', sizeof(last));
		for (unsigned i = 0; i < 40; i++) {
			const int start = rand() % 200, size = 1 + rand() % 56;

			memset(last + start, 'A' + (int)i, (size_t)size);
			buffer_printf(&text, "%x %x %c\n", 0x1000 + start, size, 'A' + (int)i);
		}
		read_bytes(text.bytes, text.size);
		buffer_release(&text);
		for (unsigned i = 0; i < sizeof(last); i++) {
			name[0] = last[i];
			assert_string_equal(name_at(0x1000 + i), name);
		}
	}
}

static void fails_where_it_cannot_read(void **state)
{
	struct symbol_list list = { 0 };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(perf_map_read(-1, &list, &totals, &err), -1);
	assert_string_equal(err.text, "cannot read the names of code: Bad file descriptor");
	symbol_list_release(&list);
}

static void an_empty_file_has_no_functions(void **state)
{
	(void)state;
	read_text("");
	assert_int_equal(totals.functions, 0);
	assert_string_equal(name_at(0), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_names_of_the_runtime_as_they_are),
		cmocka_unit_test(keeps_utf8_and_replaces_what_is_not),
		cmocka_unit_test(ends_names_at_a_nul),
		cmocka_unit_test(accepts_windows_line_ends_and_several_blanks),
		cmocka_unit_test(ignores_an_incomplete_last_line),
		cmocka_unit_test(counts_lines_that_make_no_sense),
		cmocka_unit_test(a_later_line_replaces_an_equal_place),
		cmocka_unit_test(a_later_line_replaces_the_end_of_an_earlier),
		cmocka_unit_test(a_later_line_replaces_the_start_of_an_earlier),
		cmocka_unit_test(a_later_line_inside_splits_an_earlier),
		cmocka_unit_test(a_later_line_hides_all_that_it_covers),
		cmocka_unit_test(an_earlier_line_inside_a_later_is_hidden),
		cmocka_unit_test(the_same_method_compiled_again_is_two_places),
		cmocka_unit_test(a_size_of_zero_reaches_the_next_function),
		cmocka_unit_test(a_size_of_zero_replaces_nothing),
		cmocka_unit_test(a_size_of_zero_ends_with_its_page),
		cmocka_unit_test(cuts_long_lines),
		cmocka_unit_test(reads_files_larger_than_a_piece),
		cmocka_unit_test(each_byte_belongs_to_the_last_line_that_covers_it),
		cmocka_unit_test(fails_where_it_cannot_read),
		cmocka_unit_test(an_empty_file_has_no_functions),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
