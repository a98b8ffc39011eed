/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "file_of.h"
#include "symbols/kernel_symbols.h"

static struct kernel_symbols symbols;

static void read_text(const char *text)
{
	const int fd = file_of(text);
	struct pp_error err = { 0 };

	kernel_symbols_release(&symbols);
	assert_int_equal(kernel_symbols_read(fd, &symbols, &err), 0);
	close(fd);
}

static int forget(void **state)
{
	(void)state;
	kernel_symbols_release(&symbols);
	return 0;
}

static const char *name_at(uint64_t address)
{
	struct symbol found;

	return symbol_table_find(&symbols.table, address, &found) ? found.name : "-";
}

static void a_function_reaches_the_next_symbol(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T startup_64\n"
		  "ffffffff81000040 t do_syscall_64\n"
		  "ffffffff81000100 W arch_thing\n"
		  "ffffffff81000180 w weak_thing\n"
		  "ffffffff81000200 D jiffies\n");
	assert_string_equal(name_at(0xffffffff81000000), "startup_64");
	assert_string_equal(name_at(0xffffffff8100003f), "startup_64");
	assert_string_equal(name_at(0xffffffff81000040), "do_syscall_64");
	assert_string_equal(name_at(0xffffffff81000100), "arch_thing");
	assert_string_equal(name_at(0xffffffff810001ff), "weak_thing");
	assert_string_equal(name_at(0xffffffff81000200), "-");
	assert_string_equal(name_at(0xffffffff80ffffff), "-");
	assert_false(symbols.hidden);
	assert_true(symbol_table_is_whole(&symbols.table));
}

/* In the order of their symbol tables, which is not that of addresses. */
static void names_have_their_module(void **state)
{
	(void)state;
	read_text("ffffffffc0a01100 t ext4_write\t[ext4]\n"
		  "ffffffffc0a01000 t ext4_readdir\t[ext4]\n"
		  "ffffffffc0b00000 t bpf_prog_6deef7357e7b4530_sd_fw_egress\t[bpf]\n"
		  "ffffffffc0201000 t ftrace_trampoline\t[__builtin__ftrace]\n");
	assert_string_equal(name_at(0xffffffffc0a010ff), "ext4_readdir [ext4]");
	assert_string_equal(name_at(0xffffffffc0a01100), "ext4_write [ext4]");
	assert_string_equal(name_at(0xffffffffc0b00010),
			    "bpf_prog_6deef7357e7b4530_sd_fw_egress [bpf]");
	assert_string_equal(name_at(0xffffffffc0201000), "ftrace_trampoline [__builtin__ftrace]");
}

static void the_last_function_of_a_module_ends_with_a_page(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T kernel_last\n"
		  "ffffffffc0a01010 t module_last\t[ext4]\n"
		  "ffffffffc0b00000 t other\t[xfs]\n"
		  "ffffffffc0b00100 t near\t[ext4]\n");
	assert_string_equal(name_at(0xffffffff81001fff), "kernel_last");
	assert_string_equal(name_at(0xffffffff81002000), "-");
	assert_string_equal(name_at(0xffffffffc0a02fff), "module_last [ext4]");
	assert_string_equal(name_at(0xffffffffc0a03000), "-");
	assert_string_equal(name_at(0xffffffffc0b000ff), "other [xfs]");
	assert_string_equal(name_at(0xffffffffc0b00100), "near [ext4]");
}

static void the_last_function_of_all_does_not_cover_the_rest(void **state)
{
	(void)state;
	read_text("ffffffffffffff00 T last\n");
	assert_string_equal(name_at(0xffffffffffffff00), "last");
	read_text("ffffffffffffffff T very_last\n");
	assert_string_equal(name_at(UINT64_MAX), "very_last");
	read_text("ffffffff81000ff0 T last\n");
	assert_string_equal(name_at(0xffffffff81001fff), "last");
	assert_string_equal(name_at(0xffffffff81002000), "-");
}

/* The end of the text is followed by data that kallsyms may not list. */
static void no_function_is_larger_than_a_megabyte(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T _etext\nffffffff83000000 T later\n");
	assert_string_equal(name_at(0xffffffff810fffff), "_etext");
	assert_string_equal(name_at(0xffffffff81100000), "-");
}

static void of_aliases_the_plainest_name_is_taken(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T _stext\n"
		  "ffffffff81000000 T _text\n"
		  "ffffffff81000000 T startup_64\n"
		  "ffffffff81000100 T __memcpy\n"
		  "ffffffff81000100 W memcpy\n"
		  "ffffffff81000100 t memcpy_orig\n"
		  "ffffffff81000200 T __memset\n"
		  "ffffffff81000200 T memset\n"
		  "ffffffff81000300 D data\n"
		  "ffffffff81000300 t function\n"
		  "ffffffff81000400 T end\n");
	assert_string_equal(name_at(0xffffffff81000000), "startup_64");
	assert_string_equal(name_at(0xffffffff81000100), "__memcpy");
	assert_string_equal(name_at(0xffffffff81000200), "memset");
	assert_string_equal(name_at(0xffffffff81000300), "function");
	assert_int_equal(symbol_table_count(&symbols.table), 5);
}

static void zeros_are_hidden_addresses(void **state)
{
	(void)state;
	read_text("0000000000000000 T _stext\n0000000000000000 t do_syscall_64\t[x]\n");
	assert_true(symbols.hidden);
	assert_int_equal(symbol_table_count(&symbols.table), 0);
	read_text("0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\n");
	assert_false(symbols.hidden);
	assert_int_equal(symbol_table_count(&symbols.table), 1);
	read_text("");
	assert_false(symbols.hidden);
}

static void skips_lines_that_make_no_sense(void **state)
{
	(void)state;
	read_text("\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \nzz T a\n"
		  "ffffffff81000000 Tx a\nffffffff81000000 T b\n");
	assert_string_equal(name_at(0xffffffff81000000), "b");
	assert_int_equal(symbol_table_count(&symbols.table), 1);
}

static void finds_the_build_id_among_notes(void **state)
{
	static const uint8_t notes[] =
		"\x06\0\0\0\x01\0\0\0\x03\0\0\0Linux\0\0\0\xaa\0\0\0" /* another name */
		"\x04\0\0\0\x04\0\0\0\x01\0\0\0GNU\0\xbb\xbb\xbb\xbb" /* another type */
		"\x04\0\0\0\x05\0\0\0\x03\0\0\0GNU\0\x01\x02\xfe\xff\x0a\0\0\0";
	char *id = notes_build_id(notes, sizeof(notes) - 1);

	(void)state;
	assert_string_equal(id, "0102feff0a");
	xfree(id);
	for (size_t size = 0; size < sizeof(notes) - 1; size++)
		assert_null(notes_build_id(notes, size));
}

static void knows_the_build_id_of_the_running_kernel(void **state)
{
	char *id = kernel_build_id();

	(void)state;
	if (!access("/sys/kernel/notes", R_OK))
		assert_true(id && strlen(id) >= 16 && !(strlen(id) % 2));
	xfree(id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_reaches_the_next_symbol),
		cmocka_unit_test(names_have_their_module),
		cmocka_unit_test(the_last_function_of_a_module_ends_with_a_page),
		cmocka_unit_test(the_last_function_of_all_does_not_cover_the_rest),
		cmocka_unit_test(no_function_is_larger_than_a_megabyte),
		cmocka_unit_test(of_aliases_the_plainest_name_is_taken),
		cmocka_unit_test(zeros_are_hidden_addresses),
		cmocka_unit_test(skips_lines_that_make_no_sense),
		cmocka_unit_test(finds_the_build_id_among_notes),
		cmocka_unit_test(knows_the_build_id_of_the_running_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
