/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "record/file_name.h"

static const struct file_name_parts parts = {
	.process_id = 4711, .name = "orders", .time = 1794735000, /* 2026-11-15 09:30:00 UTC */
};

static void expect(const char *pattern, const struct file_name_parts *of, const char *name)
{
	struct pp_error err = { 0 };
	char *made = file_name_make(pattern, of);

	if (pattern)
		assert_int_equal(file_name_check(pattern, &err), 0);
	assert_string_equal(made, name);
	xfree(made);
}

static void expect_refused(const char *pattern, const char *sentence)
{
	struct pp_error err = { 0 };

	assert_int_equal(file_name_check(pattern, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, sentence);
}

static void fills_in_placeholders(void **state)
{
	(void)state;
	expect("a.nettrace", &parts, "a.nettrace");
	expect("{name}-{pid}.nettrace", &parts, "orders-4711.nettrace");
	expect("x/{time}", &parts, "x/20261115_093000");
	expect("{{pid}", &parts, "{pid}");
	expect("-", &parts, "-");
}

static void has_a_default_name(void **state)
{
	(void)state;
	expect(NULL, &parts, "orders_20261115_093000.nettrace");
	expect("/tmp", &parts, "/tmp/orders_20261115_093000.nettrace");
	expect("/tmp/", &parts, "/tmp/orders_20261115_093000.nettrace");
}

static void numbers_a_series_of_files(void **state)
{
	struct file_name_parts second = parts;

	(void)state;
	second.number = 2;
	expect("a.nettrace", &second, "a_0002.nettrace");
	expect("b.c/a", &second, "b.c/a_0002");
	expect("a-{n}.nettrace", &second, "a-0002.nettrace");
	expect(NULL, &second, "orders_20261115_093000_0002.nettrace");
}

static void adds_the_compression_suffix_once(void **state)
{
	struct file_name_parts packed = parts;

	(void)state;
	packed.suffix = ".zst";
	expect("a.nettrace", &packed, "a.nettrace.zst");
	expect("a.nettrace.zst", &packed, "a.nettrace.zst");
	packed.number = 1;
	expect("a.nettrace.zst", &packed, "a_0001.nettrace.zst");
}

static void makes_hostile_process_names_harmless(void **state)
{
	struct file_name_parts hostile = parts;

	(void)state;
	hostile.name = "../../etc/pass wd\n";
	expect("{name}", &hostile, "_._.._etc_pass_wd_");
	hostile.name = "";
	expect("{name}", &hostile, "process");
	hostile.name = "{pid}";
	expect("{name}", &hostile, "_pid_");
}

static void rejects_unknown_placeholders(void **state)
{
	(void)state;
	expect_refused("{date}.nettrace",
		       "a file name takes {pid}, {name}, {time} and {n}, not '{date}'; "
		       "write {{ for a brace");
	expect_refused("{pid",
		       "a file name takes {pid}, {name}, {time} and {n}, not '{pid'; write {{ for "
		       "a brace");
	expect_refused("", "the name of the output is empty");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_in_placeholders),
		cmocka_unit_test(has_a_default_name),
		cmocka_unit_test(numbers_a_series_of_files),
		cmocka_unit_test(adds_the_compression_suffix_once),
		cmocka_unit_test(makes_hostile_process_names_harmless),
		cmocka_unit_test(rejects_unknown_placeholders),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
