/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "file_of.h"
#include "symbols/r2r_map.h"

static struct r2r_map_header header;
static struct map_totals totals;

static struct symbol_table read_text(const char *text)
{
	const int fd = file_of(text);
	struct symbol_list list = { 0 };
	struct pp_error err = { 0 };

	assert_int_equal(r2r_map_read(fd, &header, &list, &totals, &err), 0);
	close(fd);
	return symbol_list_seal(&list);
}

/* As crossgen2 writes it: WritePerfMapV1Header() and WriteLine() of its PerfMapWriter. */
static void reads_what_identifies_the_image(void **state)
{
	static const uint8_t signature[16] = { 0x73, 0x4d, 0x59, 0xd6, 0xde, 0x0e, 0x96, 0xaa,
					       0x3c, 0x77, 0xb3, 0xe2, 0xed, 0x49, 0x80, 0x97 };
	struct symbol_table table = read_text("FFFFFFFF 00 734D59D6DE0E96AA3C77B3E2ED498097\r\n"
					      "FFFFFFFE 00 1\r\n"
					      "FFFFFFFD 00 2\r\n"
					      "FFFFFFFC 00 3\r\n"
					      "FFFFFFFB 00 1\r\n"
					      "00001B70 5E int32 [app]P::Twice(int32)\r\n"
					      "00002000 1A0 void [app]P::Main(string[])\r\n");
	struct symbol found;

	(void)state;
	assert_true(header.has_signature);
	assert_memory_equal(header.signature, signature, sizeof(signature));
	assert_int_equal(header.version, 1);
	assert_int_equal(header.os, 2);
	assert_int_equal(header.machine, 3);
	assert_int_equal(header.abi, 1);
	assert_int_equal(totals.functions, 2);
	assert_int_equal(totals.skipped, 0);
	assert_true(symbol_table_find(&table, 0x1bcd, &found));
	assert_string_equal(found.name, "int32 [app]P::Twice(int32)");
	assert_false(symbol_table_find(&table, 0x1bce, &found));
	assert_true(symbol_table_find(&table, 0x219f, &found));
	assert_false(symbol_table_nearest(&table, 0x1b6f, &found));
	symbol_table_release(&table);
}

/* Of a method in a hot and a cold part there are two lines. */
static void a_method_may_have_two_parts(void **state)
{
	struct symbol_table table = read_text("00001000 10 m\n00008000 10 m\n");
	struct symbol found;

	(void)state;
	assert_true(symbol_table_find(&table, 0x1000, &found));
	assert_true(symbol_table_find(&table, 0x800f, &found));
	assert_string_equal(found.name, "m");
	symbol_table_release(&table);
}

static void does_without_a_header(void **state)
{
	struct symbol_table table = read_text("00001000 10 m\n");

	(void)state;
	assert_false(header.has_signature);
	assert_int_equal(header.version, 0);
	assert_int_equal(totals.functions, 1);
	symbol_table_release(&table);
}

static void ignores_a_header_that_makes_no_sense(void **state)
{
	struct symbol_table table = read_text("FFFFFFFF 00 734D59D6DE0E96AA3C77B3E2ED49809\n"
					      "FFFFFFFE 00 one\n"
					      "FFFFFFFD 00 99999999999\n"
					      "FFFFFFFC 00 3x\n"
					      "FFFFFFFB 00 \n"
					      "100000000 10 beyond\n"
					      "nonsense\n");

	(void)state;
	assert_false(header.has_signature);
	assert_int_equal(header.version, 0);
	assert_int_equal(header.os, 0);
	assert_int_equal(header.machine, 0);
	assert_int_equal(header.abi, 0);
	assert_int_equal(totals.skipped, 2);
	assert_int_equal(symbol_table_count(&table), 0);
	symbol_table_release(&table);
}

static void a_signature_has_only_digits(void **state)
{
	struct symbol_table table = read_text("FFFFFFFF 00 734D59D6DE0E96AA3C77B3E2ED49809G\n");

	(void)state;
	assert_false(header.has_signature);
	symbol_table_release(&table);
	table = read_text("FFFFFFFF 00 73+D59D6DE0E96AA3C77B3E2ED498097\n");
	assert_false(header.has_signature);
	symbol_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_identifies_the_image),
		cmocka_unit_test(a_method_may_have_two_parts),
		cmocka_unit_test(does_without_a_header),
		cmocka_unit_test(ignores_a_header_that_makes_no_sense),
		cmocka_unit_test(a_signature_has_only_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
