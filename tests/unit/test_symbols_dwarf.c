/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/heap.h"
#include "failing_alloc.h"
#include "symbols/dwarf_lines.h"

#define NOINLINE      __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

static struct symbol_frame frames[SYMBOL_FRAMES];

static struct dwarf_lines *open_path(const char *path, struct pp_error *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_file *file;

	assert_true(fd >= 0);
	file = elf_file_open(fd, path, err);
	return file ? dwarf_lines_open(file, NULL, err) : NULL;
}

/* This program; a build without debug information has nothing to test. */
static struct dwarf_lines *open_self(void)
{
	struct pp_error err = { 0 };
	struct dwarf_lines *lines = open_path("/proc/self/exe", &err);

	if (!lines)
		skip();
	return lines;
}

static int keep_bias(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_addr;
	return 1; /* the program is the first */
}

static uint64_t as_linked(const char *address)
{
	uint64_t bias = 0;

	dl_iterate_phdr(keep_bias, &bias);
	return (uint64_t)(uintptr_t)address - bias;
}

/* In the instruction that calls it. The assembler code keeps two calls from becoming one. */
static NOINLINE const char *here(void)
{
	__asm__ volatile("" ::: "memory");
	return (const char *)__builtin_return_address(0) - 1;
}

static void check_frame(size_t index, const char *function, unsigned line, bool inlined)
{
	assert_string_equal(frames[index].function, function);
	assert_int_equal(frames[index].line, line);
	assert_int_equal(frames[index].inlined, inlined);
	assert_int_equal(*frames[index].file, '/');
	assert_string_equal(strrchr(frames[index].file, '/'), "/test_symbols_dwarf.c");
}

static void finds_the_line_of_a_call(void **state)
{
	struct dwarf_lines *lines = open_self();
	const char *at = here();
	const unsigned line = __LINE__ - 1;

	(void)state;
	assert_int_equal(dwarf_lines_find(lines, as_linked(at), frames), 1);
	check_frame(0, __func__, line, false);
	dwarf_lines_close(lines);
}

static unsigned innermost_line, middle_line;

static ALWAYS_INLINE const char *innermost(void)
{
	innermost_line = __LINE__ + 1;
	return here();
}

static ALWAYS_INLINE const char *middle(void)
{
	middle_line = __LINE__ + 1;
	return innermost();
}

static void finds_functions_inlined_into_each_other(void **state)
{
	struct dwarf_lines *lines = open_self();
	const char *at = middle();
	const unsigned line = __LINE__ - 1;

	(void)state;
	assert_int_equal(dwarf_lines_find(lines, as_linked(at), frames), 3);
	check_frame(0, "innermost", innermost_line, true);
	check_frame(1, "middle", middle_line, true);
	check_frame(2, __func__, line, false);
	dwarf_lines_close(lines);
}

static void tells_places_of_one_inlined_function_apart(void **state)
{
	struct dwarf_lines *lines = open_self();
	const char *first = innermost();
	const unsigned line = __LINE__ - 1;
	const char *second = innermost();

	(void)state;
	assert_int_equal(dwarf_lines_find(lines, as_linked(first), frames), 2);
	check_frame(1, __func__, line, false);
	assert_int_equal(dwarf_lines_find(lines, as_linked(second), frames), 2);
	check_frame(1, __func__, line + 2, false);
	dwarf_lines_close(lines);
}

static void finds_nothing_where_there_is_no_code(void **state)
{
	struct dwarf_lines *lines = open_self();

	(void)state;
	assert_int_equal(dwarf_lines_find(lines, 0, frames), 0);
	assert_int_equal(dwarf_lines_find(lines, 1, frames), 0);
	assert_int_equal(dwarf_lines_find(lines, UINT64_MAX, frames), 0);
	dwarf_lines_close(lines);
}

/* Programs of fuzz/corpus/dwarf. */
static char *corpus_path(const char *name)
{
	static char path[4096];
	const char *source = getenv("SOURCE");

	if (!source)
		skip();
	snprintf(path, sizeof(path), "%s/fuzz/corpus/dwarf/%s", source, name);
	return path;
}

/* Their code is at one of these, depending on the machine. */
static const uint64_t code_starts[] = { 0x400000, 0x8048000 };

enum { CODE_SIZE = 0x400 };

/* The address with a number of frames; false: there is none. */
static bool find_depth(struct dwarf_lines *lines, size_t depth)
{
	for (size_t i = 0; i < ARRAY_COUNT(code_starts); i++)
		for (uint64_t at = code_starts[i]; at < code_starts[i] + CODE_SIZE; at++)
			if (dwarf_lines_find(lines, at, frames) == depth)
				return true;
	return false;
}

static void check_place(size_t index, const char *function, unsigned line)
{
	assert_string_equal(frames[index].function, function);
	assert_string_equal(frames[index].file, "/src/small.c");
	assert_int_equal(frames[index].line, line);
}

static void reads_all_versions_sizes_and_byte_orders(void **state)
{
	static const char *const names[] = {
		"gcc-4",   "gcc-5",	"gcc-64",	"gcc-m32",    "gcc-z",	"clang-4",
		"clang-5", "gcc-types", "gcc-sections", "big-endian", "gcc-g1",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct pp_error err = { 0 };
		struct dwarf_lines *lines = open_path(corpus_path(names[i]), &err);

		print_message("%s\n", names[i]);
		assert_non_null(lines);
		assert_true(find_depth(lines, 3));
		check_place(0, "inner", 2);
		check_place(1, "outer", 5);
		assert_int_equal(frames[2].line, 7);
		assert_false(frames[2].inlined);
		dwarf_lines_close(lines);
	}
}

static void has_lines_without_the_file_of_a_split_unit(void **state)
{
	struct pp_error err = { 0 };
	struct dwarf_lines *lines = open_path(corpus_path("gcc-split"), &err);

	(void)state;
	assert_non_null(lines);
	assert_true(find_depth(lines, 1));
	assert_null(frames[0].function);
	assert_string_equal(frames[0].file, "/src/small.c");
	assert_true(frames[0].line > 0);
	dwarf_lines_close(lines);
}

/* A copy of a file of the corpus; xfree(). */
static uint8_t *read_corpus(const char *name, size_t *size)
{
	FILE *file = fopen(corpus_path(name), "rb");
	uint8_t *bytes = xcalloc(1, 1 << 16);

	assert_non_null(file);
	*size = fread(bytes, 1, 1 << 16, file);
	fclose(file);
	return bytes;
}

static void rejects_a_file_without_debug_information(void **state)
{
	struct pp_error err = { 0 };
	size_t size;
	uint8_t *bytes = read_corpus("gcc-5", &size);
	struct elf_file *file;

	(void)state;
	for (uint8_t *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), ".debug", 6));)
		at[1] = 'x';
	file = elf_file_over(bytes, size, "stripped", &err);
	assert_non_null(file);
	assert_null(dwarf_lines_open(file, NULL, &err));
	assert_int_equal(err.code, PP_ERROR_FORMAT);
	assert_non_null(strstr(err.text, "stripped has no debug information that can be read"));
}

/* Names of the other file are missing then, but no lines. */
static void does_without_another_file_that_has_none(void **state)
{
	struct pp_error err = { 0 };
	size_t size;
	uint8_t *bytes = read_corpus("gcc-5", &size);
	uint8_t *other = xcalloc(1, size);
	struct dwarf_lines *lines;

	(void)state;
	memcpy(other, bytes, size);
	for (uint8_t *at = other; (at = memmem(at, size - (size_t)(at - other), ".debug", 6));)
		at[1] = 'x';
	lines = dwarf_lines_open(elf_file_over(bytes, size, "gcc-5", &err),
				 elf_file_over(other, size, "other", &err), &err);
	assert_string_equal(err.text, "");
	assert_non_null(lines);
	dwarf_lines_close(lines);
}

static void ask_all(struct dwarf_lines *lines)
{
	for (uint64_t at = 0x400000; at < 0x400000 + CODE_SIZE; at += 4)
		dwarf_lines_find(lines, at, frames);
}

static void survives_any_damaged_byte(void **state)
{
	size_t size;
	uint8_t *bytes = read_corpus("gcc-5", &size);

	(void)state;
	for (size_t i = 0; i < 2 * size; i++) {
		struct pp_error err = { 0 };
		uint8_t *copy = xcalloc(1, size);
		struct elf_file *file;
		struct dwarf_lines *lines;

		memcpy(copy, bytes, size);
		copy[i / 2] = i % 2 ? 0xff : (uint8_t)(copy[i / 2] + 1);
		file = elf_file_over(copy, size, "damaged", &err);
		lines = file ? dwarf_lines_open(file, NULL, &err) : NULL;
		if (lines)
			ask_all(lines);
		dwarf_lines_close(lines);
	}
	xfree(bytes);
}

static int find_all(void *context, struct pp_error *err)
{
	struct dwarf_lines *lines = open_path(context, err);

	if (!lines)
		return -1;
	ask_all(lines);
	dwarf_lines_close(lines);
	return 0;
}

static int run_guarded(void *context, struct pp_error *err)
{
	return guard_run(find_all, context, err);
}

static void fails_whenever_memory_is_gone(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(run_guarded, corpus_path("clang-5")) > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_line_of_a_call),
		cmocka_unit_test(finds_functions_inlined_into_each_other),
		cmocka_unit_test(tells_places_of_one_inlined_function_apart),
		cmocka_unit_test(finds_nothing_where_there_is_no_code),
		cmocka_unit_test(reads_all_versions_sizes_and_byte_orders),
		cmocka_unit_test(has_lines_without_the_file_of_a_split_unit),
		cmocka_unit_test(rejects_a_file_without_debug_information),
		cmocka_unit_test(does_without_another_file_that_has_none),
		cmocka_unit_test(survives_any_damaged_byte),
		cmocka_unit_test(fails_whenever_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
