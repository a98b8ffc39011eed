/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/array.h"
#include "base/buffer.h"
#include "symbols/address_text.h"

/* "address", "address of module" or "module+offset", separated by commas. */
static void put_found(struct buffer *out, const char *line, const struct text_address *a)
{
	const char *module = line + a->module_at;
	const int size = (int)a->module_size;

	buffer_text(out, out->size ? ", " : "");
	if (a->module_offset)
		buffer_printf(out, "%.*s+%#lx", size, module, (unsigned long)a->address);
	else if (size)
		buffer_printf(out, "%#lx of %.*s", (unsigned long)a->address, size, module);
	else
		buffer_printf(out, "%#lx", (unsigned long)a->address);
}

static void expect(const char *line, const char *expected)
{
	struct text_address found[8];
	const size_t count = address_text_find(line, found, ARRAY_COUNT(found));
	struct buffer out = { 0 };

	assert_true(count <= ARRAY_COUNT(found));
	for (size_t i = 0; i < count; i++)
		put_found(&out, line, &found[i]);
	buffer_u8(&out, 0);
	assert_string_equal(out.bytes, expected);
	buffer_release(&out);
}

struct line {
	const char *text;
	const char *expected;
};

static void expect_all(const struct line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect(lines[i].text, lines[i].expected);
}

static void finds_arguments_with_and_without_a_prefix(void **state)
{
	static const struct line lines[] = {
		{ "401136", "0x401136" },
		{ "0x401136", "0x401136" },
		{ "0X40113F", "0x40113f" },
		{ "  10\t", "0x10" },
		{ "add", "0xadd" },
		{ "401136 0x401140 10", "0x401136, 0x401140, 0x10" },
		{ "a bad deed", "" },
		{ "0", "0" },
		{ "ffffffffffffffff", "0xffffffffffffffff" },
		{ "10000000000000000", "" },
		{ "0x", "" },
		{ "", "" },
		{ "main", "" },
		{ "401136\r\n401140", "0x401136" },
		{ "/usr/bin/app+0x1234", "/usr/bin/app+0x1234" },
		{ "libfoo.so.1+0x1234", "libfoo.so.1+0x1234" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void finds_frames_of_glibc(void **state)
{
	static const struct line lines[] = {
		{ "./app[0x401136]", "0x401136 of ./app" },
		{ "/lib/libc.so.6(abort+0xd7)[0x7f12a0b1c2d3]",
		  "0x7f12a0b1c2d3 of /lib/libc.so.6" },
		{ "rights[0x401136]", "0x401136" },
		{ "/usr/lib/libfoo.so.1(func+0x1a) [0x7f12a0b1c2d3]",
		  "0x7f12a0b1c2d3 of /usr/lib/libfoo.so.1" },
		{ "libfoo.so(+0x1234) [0x7f12a0b1c2d3]", "libfoo.so+0x1234" },
		{ "./app() [0x401136]", "0x401136 of ./app" },
		{ "app(main+0x10) [0x55d0a1b2c3d4]", "0x55d0a1b2c3d4 of app" },
		{ "/opt/my app/libfoo.so(+0x1234) [0x7f12a0b1c2d3]",
		  "/opt/my app/libfoo.so+0x1234" },
		{ "err: ./app(+0x1169)[0x55d0a1b2c169]", "./app+0x1169" },
		{ "[0x401136]", "0x401136" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void finds_frames_of_sanitizers_and_debuggers(void **state)
{
	static const struct line lines[] = {
		{ "\x1b[1;31m0x401136\x1b[0m, \x1b[2m(/app/x+0x1234)\x1b[", "/app/x+0x1234" },
		{ "at \x1b[31m0x401136\x1b[0m \x1b", "0x401136" },
		{ "    #0 0x55d0a1b2c3d4 in main (/path/bin+0x1234)", "/path/bin+0x1234" },
		{ "    #1 0x55d0a1b2c3d4 in f /src/a.c:10:3", "0x55d0a1b2c3d4" },
		{ "    #1 0x7f12a0b1c2d3  (/lib/x86_64-linux-gnu/libc.so.6+0x29d8f) (BuildId: "
		  "0123456789abcdef)",
		  "/lib/x86_64-linux-gnu/libc.so.6+0x29d8f" },
		{ "    #2 0x55d0a1b2c3d4 in f(int) (/home/a b/bin+0x12)", "/home/a b/bin+0x12" },
		{ "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010 "
		  "(pc 0x55d0a1b2c3d4 bp 0x7ffe00001000 sp 0x7ffe00002000 T0)",
		  "0x55d0a1b2c3d4" },
		{ "#0  0x00007f12a0b1c2d3 in abort () from /lib/libc.so.6",
		  "0x7f12a0b1c2d3 of /lib/libc.so.6" },
		{ "#3  0x0000555500001136 in main () at a.c:10", "0x555500001136" },
		{ "#00 pc 0000000000012345  /system/lib64/libc.so (abort+164) (BuildId: "
		  "0123456789abcdef)",
		  "/system/lib64/libc.so+0x12345" },
		{ "# C  [libfoo.so+0x1234]  func+0x12", "libfoo.so+0x1234" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void finds_frames_of_panics(void **state)
{
	static const struct line lines[] = {
		{ "   4:     0x55d0a1b2c3d4 - core::panicking::panic_fmt::h05af221e174051e9",
		  "0x55d0a1b2c3d4" },
		{ "\t/src/main.go:10 +0x1d", "" },
		{ "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x45f1a3]",
		  "0x45f1a3" },
		{ "main.main()", "" },
		{ "             at /rustc/59807616e/library/std/src/panicking.rs:5", "" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void finds_addresses_of_the_kernel(void **state)
{
	static const struct line lines[] = {
		{ "[<ffffffff81234567>] foo+0x12/0x34", "0xffffffff81234567" },
		{ "[   12.345678]  [<ffffffff81234567>] ? foo+0x12/0x34 [ext4]",
		  "0xffffffff81234567" },
		{ "RIP: 0010:foo+0x12/0x40", "" },
		{ "RIP: 0010:[<ffffffff81234567>]  [<ffffffff81234567>] foo+0x12/0x40",
		  "0xffffffff81234567, 0xffffffff81234567" },
		{ "RIP: 0033:0x7f12a0b1c2d3", "0x7f12a0b1c2d3" },
		{ "app[123]: segfault at 10 ip 00007f12a0b1c2d3 sp 00007ffe00001000 error 4 in "
		  "libfoo.so",
		  "0x7f12a0b1c2d3" },
		{ "traps: app[123] general protection fault ip:7f12a0b1c2d3 sp:7ffe00001000 "
		  "error:0",
		  "0x7f12a0b1c2d3" },
		{ "Code: 48 8b 05 ad de 00 00", "" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void finds_frames_of_perf_script(void **state)
{
	static const struct line lines[] = {
		{ "\t    7f12a0b1c2d3 abort+0xd7 (/lib/libc.so.6)",
		  "0x7f12a0b1c2d3 of /lib/libc.so.6" },
		{ "\t          401136 [unknown] (/opt/my app/bin)", "0x401136 of /opt/my app/bin" },
		{ "\tffffffff81234567 do_idle+0x12 ([kernel.kallsyms])",
		  "0xffffffff81234567 of [kernel.kallsyms]" },
		{ "\t          401136 f(int)+0x6 (inlined)", "0x401136" },
		{ "app 123 [001] 12.345678: 250000 cpu-clock:", "" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void leaves_other_numbers_alone(void **state)
{
	static const struct line lines[] = {
		{ "build id 0123456789abcdef0123456789abcdef01234567", "" },
		{ "{01234567-89ab-cdef-0123-7f3456789abc}", "" },
		{ "exit code 0x1, flags 0xff", "" },
		{ "see 2026-11-16 21:00:00, 401136 bytes", "" },
		{ "x0x7f12a0b1c2d3 0x7f12a0b1c2d3g", "" },
		{ "/* neither / nor U+FFFE", "" },
		{ "7f12a0b1c000-7f12a0b1d000 r-xp 00001000 fd:00 1234 /lib/libc.so.6", "" },
		{ "deadbeef in text", "" },
	};

	(void)state;
	expect_all(lines, ARRAY_COUNT(lines));
}

static void counts_what_it_has_no_room_for(void **state)
{
	struct text_address found[1];

	(void)state;
	assert_int_equal(address_text_find("1 2 3", found, 1), 3);
	assert_int_equal(found[0].at, 0);
	assert_int_equal(found[0].size, 1);
	assert_int_equal(address_text_find("1 2 3", NULL, 0), 3);
	assert_int_equal(address_text_find("at 0x401136.", found, 1), 1);
	assert_int_equal(found[0].at, 3);
	assert_int_equal(found[0].size, 8);
}

/* What is near a number is looked at, not all of the line. */
static void takes_time_in_proportion_to_a_line(void **state)
{
	static const char *const parts[] = { "+0x1 ",	 "#0x1000 ",   "add ",
					     "(/a+0x1 ", ") [0x1000]", "     1" };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++) {
		struct buffer line = { 0 };

		while (line.size < 400000)
			buffer_text(&line, parts[i]);
		buffer_u8(&line, 0);
		assert_true(address_text_find((char *)line.bytes, NULL, 0) <= line.size);
		buffer_release(&line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_arguments_with_and_without_a_prefix),
		cmocka_unit_test(finds_frames_of_glibc),
		cmocka_unit_test(finds_frames_of_sanitizers_and_debuggers),
		cmocka_unit_test(finds_frames_of_panics),
		cmocka_unit_test(finds_addresses_of_the_kernel),
		cmocka_unit_test(finds_frames_of_perf_script),
		cmocka_unit_test(leaves_other_numbers_alone),
		cmocka_unit_test(counts_what_it_has_no_room_for),
		cmocka_unit_test(takes_time_in_proportion_to_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
