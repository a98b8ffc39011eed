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
#include "symbols/code_timeline.h"
#include "symbols/jitdump.h"

enum { LOAD, MOVE, LINES, CLOSE, UNWINDING, UNKNOWN = 77 };

/* A file that is being written, and what was read of it. */
static struct buffer file;
static bool swapped;
static struct jitdump *dump;
static struct map_totals totals;
static struct pp_error err;

static void u32(uint32_t value)
{
	buffer_u32(&file, swapped ? __builtin_bswap32(value) : value);
}

static void u64(uint64_t value)
{
	buffer_u64(&file, swapped ? __builtin_bswap64(value) : value);
}

static void text(const char *value)
{
	buffer_bytes(&file, value, strlen(value) + 1);
}

static void begin(uint64_t flags)
{
	buffer_rewind(&file, 0);
	u32(0x4A695444);
	u32(1);
	u32(40);
	u32(62);
	u32(0);
	u32(4711);
	u64(1000);
	u64(flags);
}

static size_t open_record(uint32_t id, uint64_t time)
{
	u32(id);
	u32(0);
	u64(time);
	return file.size - 16;
}

static void close_record(size_t opened)
{
	const uint32_t size = (uint32_t)(file.size - opened);
	const uint32_t written = swapped ? __builtin_bswap32(size) : size;

	buffer_patch(&file, opened + 4, &written, sizeof(written));
}

static void load(uint64_t time, uint64_t start, uint64_t size, const char *name)
{
	static uint64_t number;
	const size_t record = open_record(LOAD, time);

	u32(4711);
	u32(4712);
	u64(start);
	u64(start);
	u64(size);
	u64(++number);
	text(name);
	for (uint64_t i = 0; i < size && i < 64; i++)
		buffer_u8(&file, 0xC3);
	close_record(record);
}

static void move(uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t number)
{
	const size_t record = open_record(MOVE, time);

	u32(4711);
	u32(4712);
	u64(from);
	u64(from);
	u64(to);
	u64(size);
	u64(number);
	close_record(record);
}

struct line {
	uint64_t address;
	uint32_t line;
	const char *file;
};

static void lines(uint64_t time, uint64_t start, const struct line *list, size_t count)
{
	const size_t record = open_record(LINES, time);

	u64(start);
	u64(count);
	for (size_t i = 0; i < count; i++) {
		u64(list[i].address);
		u32(list[i].line);
		u32(0);
		text(list[i].file);
	}
	close_record(record);
}

static void other(uint32_t id, uint64_t time)
{
	const size_t record = open_record(id, time);

	u64(0x1234);
	close_record(record);
}

static void read_first(size_t size)
{
	const int fd = file_of_bytes(file.bytes, size);

	jitdump_free(dump);
	err = (struct pp_error){ 0 };
	dump = jitdump_read(fd, &totals, &err);
	close(fd);
}

static void read_it(void)
{
	read_first(file.size);
	assert_non_null(dump);
}

static const char *name_at(uint64_t address, int64_t time)
{
	struct jit_code code;

	return jitdump_find(dump, address, time, &code) ? code.name : "-";
}

static void assert_line(uint64_t address, const char *name, uint32_t line)
{
	struct jit_code code;

	assert_true(jitdump_find(dump, address, INT64_MAX, &code));
	assert_int_equal(code.line, line);
	if (name)
		assert_string_equal(code.file, name);
	else
		assert_null(code.file);
}

static int forget(void **state)
{
	(void)state;
	jitdump_free(dump);
	dump = NULL;
	buffer_release(&file);
	swapped = false;
	return 0;
}

static void finds_code_from_its_time_on(void **state)
{
	struct jit_code code;

	(void)state;
	begin(0);
	load(2000, 0x1000, 0x40, "instance void [app] P+<>c::M(int32)[OptimizedTier1]");
	read_it();
	assert_true(jitdump_find(dump, 0x103f, 2000, &code));
	assert_string_equal(code.name, "instance void [app] P+<>c::M(int32)[OptimizedTier1]");
	assert_int_equal(code.start, 0x1000);
	assert_int_equal(code.size, 0x40);
	assert_int_equal(code.from_ns, 2000);
	assert_int_equal(code.to_ns, INT64_MAX);
	assert_null(code.file);
	assert_int_equal(code.line, 0);
	assert_string_equal(name_at(0x1000, 1999), "-");
	assert_string_equal(name_at(0x1040, 2000), "-");
	assert_string_equal(name_at(0xfff, 2000), "-");
	assert_int_equal(totals.functions, 1);
	assert_int_equal(totals.skipped, 0);
}

static void later_code_replaces_older_from_its_time_on(void **state)
{
	struct jit_code code;

	(void)state;
	begin(0);
	load(2000, 0x1000, 0x40, "old");
	load(3000, 0x1020, 0x40, "new");
	read_it();
	assert_true(jitdump_find(dump, 0x1020, 2999, &code));
	assert_string_equal(code.name, "old");
	assert_int_equal(code.to_ns, 3000);
	assert_string_equal(name_at(0x1020, 3000), "new");
	assert_string_equal(name_at(0x1020, INT64_MAX), "new");
	assert_string_equal(name_at(0x1010, INT64_MAX), "old");
}

/* Threads write records when they get to it. */
static void the_time_counts_and_not_the_order_in_the_file(void **state)
{
	(void)state;
	begin(0);
	load(3000, 0x1000, 0x40, "new");
	load(2000, 0x1000, 0x40, "old");
	read_it();
	assert_string_equal(name_at(0x1000, 2500), "old");
	assert_string_equal(name_at(0x1000, 3500), "new");
}

static void at_equal_times_the_order_in_the_file_counts(void **state)
{
	(void)state;
	begin(0);
	load(2000, 0x1000, 0x40, "old");
	load(2000, 0x1000, 0x40, "new");
	read_it();
	assert_string_equal(name_at(0x1000, 2000), "new");
}

static void times_of_a_counter_are_ignored(void **state)
{
	struct jit_code code;

	(void)state;
	begin(1);
	load(9000, 0x1000, 0x40, "old");
	load(8000, 0x1000, 0x40, "new");
	read_it();
	assert_true(jitdump_find(dump, 0x1000, 5, &code));
	assert_string_equal(code.name, "new");
	assert_int_equal(code.to_ns, INT64_MAX);
}

static void reads_the_other_byte_order(void **state)
{
	(void)state;
	swapped = true;
	begin(0);
	lines(1500, 0x1000, (struct line[]){ { 0x1000, 7, "a.js" } }, 1);
	load(2000, 0x1000, 0x40, "function");
	read_it();
	assert_memory_equal(file.bytes, "JiTD", 4);
	assert_string_equal(name_at(0x1001, 2000), "function");
	assert_line(0x1001, "a.js", 7);
}

static void moved_code_is_at_its_new_place_only(void **state)
{
	(void)state;
	begin(0);
	load(2000, 0x1000, 0x40, "moved");
	move(3000, 0x1000, 0x9000, 0x40, 0);
	load(4000, 0x1000, 0x10, "next");
	read_it();
	assert_string_equal(name_at(0x1000, 2999), "moved");
	assert_string_equal(name_at(0x1000, 3000), "-");
	assert_string_equal(name_at(0x9000, 2999), "-");
	assert_string_equal(name_at(0x9000, 3000), "moved");
	assert_string_equal(name_at(0x1000, 4000), "next");
	assert_string_equal(name_at(0x1020, 4000), "-");
	assert_int_equal(totals.functions, 2);
}

static void moved_code_keeps_its_lines(void **state)
{
	(void)state;
	begin(0);
	lines(1500, 0x1000, (struct line[]){ { 0x1000, 7, "a.js" }, { 0x1010, 8, "a.js" } }, 2);
	load(2000, 0x1000, 0x40, "moved");
	move(3000, 0x1000, 0x1010, 0x40, 0);
	read_it();
	assert_line(0x1010, "a.js", 7);
	assert_line(0x1020, "a.js", 8);
	assert_string_equal(name_at(0x1000, 3000), "-");
}

static void a_move_of_nothing_is_skipped(void **state)
{
	(void)state;
	begin(0);
	move(3000, 0x1000, 0x9000, 0x40, 99999);
	load(4000, 0x1000, 0x10, "next");
	read_it();
	assert_int_equal(totals.functions, 1);
	assert_int_equal(totals.skipped, 1);
	assert_string_equal(name_at(0x9000, INT64_MAX), "-");
}

static void lines_belong_to_the_code_that_follows(void **state)
{
	static const struct line first[] = {
		{ 0x1020, 12, "b.cs" },
		{ 0x1000, 10, "a.cs" },
		{ 0x1010, 11, "\xff" },
	};

	(void)state;
	begin(0);
	load(1000, 0x1000, 0x40, "before");
	lines(1500, 0x1000, first, 3);
	lines(1600, 0x2004, (struct line[]){ { 0x2008, 20, "c.cs" } }, 1);
	load(2000, 0x2000, 0x40, "without");
	load(2000, 0x1000, 0x40, "with");
	load(3000, 0x5000, 0x40, "later");
	read_it();
	assert_line(0x1000, "a.cs", 10);
	assert_line(0x100f, "a.cs", 10);
	assert_line(0x1010, "a.cs", 11);
	assert_line(0x103f, "b.cs", 12);
	assert_line(0x2010, NULL, 0);
	assert_line(0x5000, NULL, 0);
}

static void before_its_first_line_code_has_none(void **state)
{
	(void)state;
	begin(0);
	lines(1500, 0x1000, (struct line[]){ { 0x1008, 10, "a.cs" } }, 1);
	load(2000, 0x1000, 0x40, "with");
	read_it();
	assert_line(0x1007, NULL, 0);
	assert_line(0x1008, "a.cs", 10);
}

/* V8 and LLVM write addresses for the file that perf makes of the code, after its ELF header. */
static void lines_may_be_counted_from_an_elf_header(void **state)
{
	static const struct line list[] = { { 0x1040, 10, "a.js" }, { 0x1050, 11, "a.js" } };

	(void)state;
	begin(0);
	lines(1500, 0x1000, list, 2);
	load(2000, 0x1000, 0x100, "function");
	read_it();
	assert_line(0x1000, "a.js", 10);
	assert_line(0x1010, "a.js", 11);
}

static void skips_other_records_by_their_size(void **state)
{
	(void)state;
	begin(0);
	other(UNWINDING, 1000);
	other(UNKNOWN, 1000);
	load(2000, 0x1000, 0x40, "function");
	other(CLOSE, 3000);
	read_it();
	assert_string_equal(name_at(0x1000, INT64_MAX), "function");
	assert_int_equal(totals.skipped, 0);
}

static void skips_a_longer_header(void **state)
{
	const uint32_t longer = 48;

	(void)state;
	begin(0);
	buffer_patch(&file, 8, &longer, sizeof(longer));
	buffer_u64(&file, 0);
	load(2000, 0x1000, 0x40, "function");
	read_it();
	assert_string_equal(name_at(0x1000, INT64_MAX), "function");
}

static void counts_records_that_make_no_sense(void **state)
{
	(void)state;
	begin(0);
	other(LOAD, 1000);
	other(MOVE, 1000);
	other(LINES, 1000);
	load(1000, 0x1000, 0, "empty");
	load(1000, UINT64_MAX - 8, 0x40, "beyond the end");
	load(1000, 0x1000, 0x40, "");
	lines(1000, 0x1000, NULL, 0);
	load(2000, 0x1000, 0x40, "good");
	read_it();
	assert_int_equal(totals.functions, 1);
	assert_int_equal(totals.skipped, 7);
}

/* It cannot be known where the next one begins. */
static void a_record_smaller_than_its_header_is_the_last(void **state)
{
	(void)state;
	begin(0);
	load(2000, 0x1000, 0x40, "function");
	u32(LOAD);
	u32(15);
	u64(3000);
	load(3000, 0x1000, 0x40, "lost");
	read_it();
	assert_string_equal(name_at(0x1000, INT64_MAX), "function");
	assert_int_equal(totals.skipped, 1);
}

static void of_a_cut_file_what_is_complete_counts(void **state)
{
	size_t first, second;

	(void)state;
	begin(0);
	load(2000, 0x1000, 0x40, "first");
	first = file.size;
	load(3000, 0x2000, 0x40, "second");
	second = file.size;
	for (size_t size = 40; size <= second; size++) {
		read_first(size);
		assert_non_null(dump);
		assert_int_equal(totals.functions, (size >= first) + (size >= second));
		assert_int_equal(totals.skipped, 0);
	}
}

static void other_files_are_refused(void **state)
{
	const uint32_t two = 2;
	int pipe_ends[2];

	(void)state;
	begin(0);
	for (size_t size = 0; size < 40; size++) {
		read_first(size);
		assert_null(dump);
		assert_string_equal(err.text, "not a jitdump");
	}
	buffer_patch(&file, 4, &two, sizeof(two));
	read_first(file.size);
	assert_null(dump);
	assert_string_equal(err.text, "a jitdump of version 2; 1 is known");
	assert_int_equal(pipe(pipe_ends), 0);
	err = (struct pp_error){ 0 };
	assert_null(jitdump_read(pipe_ends[0], &totals, &err));
	assert_string_equal(err.text, "not a regular file");
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

static void replaces_invalid_bytes_and_cuts_long_names(void **state)
{
	char *name = malloc(100001);

	(void)state;
	memset(name, 'x', 100000);
	name[100000] = '\0';
	begin(0);
	load(2000, 0x1000, 0x40, "a\xff z");
	load(2000, 0x2000, 0x40, name);
	load(2000, 0x3000, 0x40, "after");
	read_it();
	free(name);
	assert_string_equal(name_at(0x1000, 2000), "a\xef\xbf\xbd z");
	assert_int_equal(strlen(name_at(0x2000, 2000)), 16384);
	assert_string_equal(name_at(0x3000, 2000), "after");
}

static void reads_files_larger_than_a_piece(void **state)
{
	char name[32];

	(void)state;
	begin(0);
	for (unsigned i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "method%u", i);
		load(2000 + i, 0x10000 + i * 0x40, 0x40 - i % 7, name);
	}
	read_it();
	assert_int_equal(totals.functions, 20000);
	for (unsigned i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "method%u", i);
		assert_string_equal(name_at(0x10000 + i * 0x40, INT64_MAX), name);
		assert_string_equal(name_at(0x10000 + i * 0x40, 1999 + i), "-");
	}
}

/* The rule itself against what the tree makes of it: all addresses at all times. */
static void a_timeline_knows_what_was_placed_last(void **state)
{
	static int last[48][64];

	(void)state;
	srand(1);
	for (unsigned round = 0; round < 100; round++) {
		struct code_timeline timeline = { 0 };
		struct placed_code found;
		int64_t until;

		memset(last, 0xff, sizeof(last));
		for (int i = 0; i < 40; i++) {
			const int start = rand() % 32, size = 1 + rand() % 32,
				  time = i + rand() % 2;

			code_timeline_add(&timeline,
					  &(struct placed_code){ (uint64_t)start,
								 (uint64_t)(start + size), time,
								 i % 5 ? &last[i] : NULL });
			/* one that is placed at the same time as the next is replaced by it */
			for (int t = time; t < 48; t++)
				for (int a = start; a < start + size; a++)
					if (last[t][a] < time * 100 + i)
						last[t][a] = time * 100 + i;
		}
		code_timeline_seal(&timeline);
		for (int t = 0; t < 48; t++) {
			for (int a = 0; a < 64; a++) {
				const int number = last[t][a] % 100;
				const bool any = last[t][a] >= 0 && number % 5;

				assert_int_equal(code_timeline_find(&timeline, (uint64_t)a, t,
								    &found, &until),
						 any);
				if (any)
					assert_ptr_equal(found.code, &last[number]);
				if (any && until < 48)
					assert_int_not_equal(last[until][a], last[until - 1][a]);
			}
		}
		code_timeline_release(&timeline);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(finds_code_from_its_time_on, forget),
		cmocka_unit_test_teardown(later_code_replaces_older_from_its_time_on, forget),
		cmocka_unit_test_teardown(the_time_counts_and_not_the_order_in_the_file, forget),
		cmocka_unit_test_teardown(at_equal_times_the_order_in_the_file_counts, forget),
		cmocka_unit_test_teardown(times_of_a_counter_are_ignored, forget),
		cmocka_unit_test_teardown(reads_the_other_byte_order, forget),
		cmocka_unit_test_teardown(moved_code_is_at_its_new_place_only, forget),
		cmocka_unit_test_teardown(moved_code_keeps_its_lines, forget),
		cmocka_unit_test_teardown(a_move_of_nothing_is_skipped, forget),
		cmocka_unit_test_teardown(lines_belong_to_the_code_that_follows, forget),
		cmocka_unit_test_teardown(before_its_first_line_code_has_none, forget),
		cmocka_unit_test_teardown(lines_may_be_counted_from_an_elf_header, forget),
		cmocka_unit_test_teardown(skips_other_records_by_their_size, forget),
		cmocka_unit_test_teardown(skips_a_longer_header, forget),
		cmocka_unit_test_teardown(counts_records_that_make_no_sense, forget),
		cmocka_unit_test_teardown(a_record_smaller_than_its_header_is_the_last, forget),
		cmocka_unit_test_teardown(of_a_cut_file_what_is_complete_counts, forget),
		cmocka_unit_test_teardown(other_files_are_refused, forget),
		cmocka_unit_test_teardown(replaces_invalid_bytes_and_cuts_long_names, forget),
		cmocka_unit_test_teardown(reads_files_larger_than_a_piece, forget),
		cmocka_unit_test(a_timeline_knows_what_was_placed_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
