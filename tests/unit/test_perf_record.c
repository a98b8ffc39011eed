/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "perf/perf_record.h"
#include "perf/perf_registers.h"

static const struct perf_layout layout = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.register_count = 3,
	.sample_id_all = true,
};

/* A record that is being written, and what was read of it. */
static struct buffer bytes;
static uint8_t *exact;
static struct perf_record record;
static struct pp_error err;

static int set_up(void **state)
{
	(void)state;
	buffer_rewind(&bytes, 0);
	err = (struct pp_error){ 0 };
	return 0;
}

static int release(void **state)
{
	(void)state;
	buffer_release(&bytes);
	free(exact);
	return 0;
}

static void begin(uint32_t type, uint16_t misc)
{
	buffer_u32(&bytes, type);
	buffer_u16(&bytes, misc);
	buffer_u16(&bytes, 0);
}

static void u32s(uint32_t first, uint32_t second)
{
	buffer_u32(&bytes, first);
	buffer_u32(&bytes, second);
}

static void text(const char *value)
{
	buffer_bytes(&bytes, value, strlen(value) + 1);
	while (bytes.size % 8)
		buffer_u8(&bytes, 0);
}

static void sample_id(void)
{
	u32s(100, 101);
	buffer_u64(&bytes, 5000);
	u32s(3, 0);
}

/* From a copy of exactly its size, so that a sanitizer sees a read past the end. */
static int read_as(const struct perf_layout *as)
{
	const uint16_t size = (uint16_t)bytes.size;

	memcpy(bytes.bytes + 6, &size, sizeof(size));
	free(exact);
	exact = malloc(bytes.size);
	assert_non_null(exact);
	memcpy(exact, bytes.bytes, bytes.size);
	return perf_record_read(as, exact, bytes.size, &record, &err);
}

static void sample_head(void)
{
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	buffer_u64(&bytes, 0x401000);
	sample_id();
}

static void a_sample_has_registers_and_the_stack_that_was_copied(void **state)
{
	(void)state;
	sample_head();
	buffer_u64(&bytes, PERF_SAMPLE_REGS_ABI_64);
	for (uint64_t i = 1; i <= 3; i++)
		buffer_u64(&bytes, i << 32);
	buffer_u64(&bytes, 32);
	buffer_bytes(&bytes, "stack bytes here and then junk..", 32);
	buffer_u64(&bytes, 16);
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.sample.ip, 0x401000);
	assert_int_equal(record.pid, 100);
	assert_int_equal(record.tid, 101);
	assert_int_equal(record.time_ns, 5000);
	assert_int_equal(record.cpu, 3);
	assert_int_equal(record.sample.register_abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(record.sample.register_count, 3);
	assert_int_equal(perf_sample_register(&record.sample, 2), UINT64_C(3) << 32);
	assert_int_equal(record.sample.stack_size, 16);
	assert_memory_equal(record.sample.stack, "stack bytes here", 16);
	assert_false(perf_record_is_kernel(&record));
}

static void a_thread_of_the_kernel_has_neither_registers_nor_stack(void **state)
{
	(void)state;
	sample_head();
	buffer_u64(&bytes, PERF_SAMPLE_REGS_ABI_NONE);
	buffer_u64(&bytes, 0);
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.sample.register_count, 0);
	assert_int_equal(record.sample.stack_size, 0);
}

static void a_stack_is_never_longer_than_its_space(void **state)
{
	(void)state;
	sample_head();
	buffer_u64(&bytes, PERF_SAMPLE_REGS_ABI_NONE);
	buffer_u64(&bytes, 8);
	buffer_u64(&bytes, 1);
	buffer_u64(&bytes, UINT64_MAX);
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.sample.stack_size, 8);
}

static void a_stack_longer_than_the_record_is_refused(void **state)
{
	(void)state;
	sample_head();
	buffer_u64(&bytes, PERF_SAMPLE_REGS_ABI_NONE);
	buffer_u64(&bytes, UINT64_MAX - 7);
	buffer_u64(&bytes, 8);
	assert_int_equal(read_as(&layout), -1);
	assert_string_equal(err.text, "a perf record of type 9 is cut short: it has 64 bytes");
}

static void a_call_chain_longer_than_the_record_is_refused(void **state)
{
	static const struct perf_layout chain = { .sample_type = PERF_SAMPLE_CALLCHAIN };

	(void)state;
	begin(PERF_RECORD_SAMPLE, 0);
	buffer_u64(&bytes, UINT64_MAX / 8 + 2);
	buffer_u64(&bytes, 1);
	assert_int_equal(read_as(&chain), -1);
}

static void fields_come_in_the_order_of_the_kernel(void **state)
{
	static const struct perf_layout all = { .sample_type = PERF_LAYOUT_KNOWN,
						.register_count = 1 };

	(void)state;
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	buffer_u64(&bytes, 77); /* identifier */
	buffer_u64(&bytes, 0xffff0000);
	sample_id();
	bytes.size -= 8; /* an address and two numbers of the event come before the CPU */
	buffer_u64(&bytes, 1);
	buffer_u64(&bytes, 77);
	buffer_u64(&bytes, 2);
	u32s(1, 0);
	buffer_u64(&bytes, 999); /* period */
	buffer_u64(&bytes, 2);
	buffer_u64(&bytes, (uint64_t)PERF_CONTEXT_USER);
	buffer_u64(&bytes, 0x1234);
	buffer_u32(&bytes, 4); /* raw */
	buffer_u32(&bytes, 0xabcd);
	buffer_u64(&bytes, PERF_SAMPLE_REGS_ABI_64);
	buffer_u64(&bytes, 42);
	buffer_u64(&bytes, 0);
	assert_int_equal(read_as(&all), 0);
	assert_int_equal(record.id, 77);
	assert_int_equal(record.cpu, 1);
	assert_int_equal(record.sample.period, 999);
	assert_int_equal(record.sample.chain_count, 2);
	assert_int_equal(perf_word(record.sample.chain, 1), 0x1234);
	assert_int_equal(record.sample.raw_size, 4);
	assert_int_equal(perf_sample_register(&record.sample, 0), 42);
	assert_true(perf_record_is_kernel(&record));
}

static void mapping_head(uint16_t misc)
{
	begin(PERF_RECORD_MMAP2, misc);
	u32s(7, 8);
	buffer_u64(&bytes, 0x7f0000001000);
	buffer_u64(&bytes, 0x2000);
	buffer_u64(&bytes, 0x1000);
}

static void a_mapping_has_the_number_of_its_file(void **state)
{
	(void)state;
	mapping_head(PERF_RECORD_MISC_USER);
	u32s(8, 1);
	buffer_u64(&bytes, 4711);
	buffer_u64(&bytes, 1);
	u32s(5, 2);
	text("/usr/lib/libc.so.6");
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.pid, 7);
	assert_int_equal(record.tid, 8);
	assert_int_equal(record.time_ns, 5000);
	assert_int_equal(record.mapping.start, 0x7f0000001000);
	assert_int_equal(record.mapping.size, 0x2000);
	assert_int_equal(record.mapping.offset, 0x1000);
	assert_int_equal(record.mapping.device_major, 8);
	assert_int_equal(record.mapping.inode, 4711);
	assert_int_equal(record.mapping.protection, 5);
	assert_null(record.mapping.build_id);
	assert_string_equal(record.mapping.path, "/usr/lib/libc.so.6");
}

static void or_its_build_id(void **state)
{
	(void)state;
	mapping_head(PERF_RECORD_MISC_MMAP_BUILD_ID);
	buffer_u32(&bytes, 20);
	buffer_bytes(&bytes, "0123456789abcdefghij", 20);
	u32s(5, 2);
	text("a");
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.mapping.build_id_size, 20);
	assert_memory_equal(record.mapping.build_id, "0123456789abcdefghij", 20);
	assert_int_equal(record.mapping.inode, 0);
}

static void a_build_id_has_at_most_20_bytes(void **state)
{
	(void)state;
	mapping_head(PERF_RECORD_MISC_MMAP_BUILD_ID);
	buffer_u32(&bytes, 255);
	buffer_bytes(&bytes, "0123456789abcdefghij", 20);
	u32s(5, 2);
	text("a");
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.mapping.build_id_size, 20);
}

static void a_path_without_an_end_is_refused(void **state)
{
	(void)state;
	mapping_head(0);
	buffer_u64(&bytes, 0);
	buffer_u64(&bytes, 0);
	buffer_u64(&bytes, 0);
	u32s(5, 2);
	buffer_bytes(&bytes, "pathpath", 8);
	sample_id();
	assert_int_equal(read_as(&layout), -1);
}

static void a_name_knows_whether_it_is_of_an_exec(void **state)
{
	(void)state;
	begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	u32s(9, 9);
	text("cc1");
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_string_equal(record.name, "cc1");
	assert_int_equal(record.pid, 9);
	assert_true(perf_record_is_exec(&record));
}

static void task(uint32_t type)
{
	begin(type, 0);
	u32s(20, 10);
	u32s(21, 11);
	buffer_u64(&bytes, 1234);
	sample_id();
}

static void a_fork_has_the_parent(void **state)
{
	(void)state;
	task(PERF_RECORD_FORK);
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.pid, 20);
	assert_int_equal(record.tid, 21);
	assert_int_equal(record.parent.pid, 10);
	assert_int_equal(record.parent.tid, 11);
	assert_int_equal(record.time_ns, 1234);
	assert_int_equal(record.cpu, 3);
}

static void an_exit_is_like_a_fork(void **state)
{
	(void)state;
	task(PERF_RECORD_EXIT);
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.tid, 21);
}

static void what_was_lost_is_a_number(void **state)
{
	(void)state;
	begin(PERF_RECORD_LOST, 0);
	buffer_u64(&bytes, 55);
	buffer_u64(&bytes, 12);
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.lost, 12);
	assert_int_equal(record.id, 55);
	buffer_rewind(&bytes, 0);
	begin(PERF_RECORD_LOST_SAMPLES, 0);
	buffer_u64(&bytes, 13);
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.lost, 13);
}

static void throttling_has_a_time(void **state)
{
	(void)state;
	begin(PERF_RECORD_THROTTLE, 0);
	buffer_u64(&bytes, 777);
	buffer_u64(&bytes, 55);
	buffer_u64(&bytes, 55);
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.time_ns, 777);
	assert_int_equal(record.id, 55);
	assert_int_equal(record.tid, 101);
}

static void of_an_unknown_type_thread_and_time_are_known(void **state)
{
	(void)state;
	begin(4711, 0);
	buffer_u64(&bytes, 1);
	sample_id();
	assert_int_equal(read_as(&layout), 0);
	assert_int_equal(record.type, 4711);
	assert_int_equal(record.tid, 101);
	assert_int_equal(record.time_ns, 5000);
}

static void a_record_of_another_size_is_refused(void **state)
{
	(void)state;
	begin(PERF_RECORD_COMM, 0);
	assert_int_equal(perf_record_read(&layout, bytes.bytes, bytes.size, &record, &err), -1);
	assert_string_equal(err.text, "a perf record of 8 bytes says it has 0");
	err = (struct pp_error){ 0 };
	assert_int_equal(perf_record_read(&layout, bytes.bytes, 3, &record, &err), -1);
}

static void a_record_cut_anywhere_is_refused(void **state)
{
	size_t whole;

	(void)state;
	task(PERF_RECORD_FORK);
	whole = bytes.size;
	for (bytes.size = 8; bytes.size < whole; bytes.size += 8)
		assert_int_equal(read_as(&layout), -1);
}

static void registers_have_the_numbers_of_dwarf(void **state)
{
	(void)state;
	assert_int_equal(__builtin_popcountll(perf_x86_64.mask), perf_x86_64.count);
	assert_int_equal(__builtin_popcountll(perf_aarch64.mask), perf_aarch64.count);
	assert_int_equal(perf_x86_64.dwarf[1], 3); /* RBX */
	assert_int_equal(perf_x86_64.dwarf[perf_x86_64.sp], 7);
	assert_int_equal(perf_x86_64.dwarf[perf_x86_64.pc], 16);
	assert_int_equal(perf_x86_64.dwarf[16], 15); /* R15 */
	assert_int_equal(perf_aarch64.dwarf[perf_aarch64.sp], 31);
	assert_int_equal(perf_aarch64.dwarf[perf_aarch64.pc], 32);
	assert_ptr_equal(perf_machine_find(EM_AARCH64), &perf_aarch64);
	assert_null(perf_machine_find(EM_RISCV));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_sample_has_registers_and_the_stack_that_was_copied,
				       set_up),
		cmocka_unit_test_setup(a_thread_of_the_kernel_has_neither_registers_nor_stack,
				       set_up),
		cmocka_unit_test_setup(a_stack_is_never_longer_than_its_space, set_up),
		cmocka_unit_test_setup(a_stack_longer_than_the_record_is_refused, set_up),
		cmocka_unit_test_setup(a_call_chain_longer_than_the_record_is_refused, set_up),
		cmocka_unit_test_setup(fields_come_in_the_order_of_the_kernel, set_up),
		cmocka_unit_test_setup(a_mapping_has_the_number_of_its_file, set_up),
		cmocka_unit_test_setup(or_its_build_id, set_up),
		cmocka_unit_test_setup(a_build_id_has_at_most_20_bytes, set_up),
		cmocka_unit_test_setup(a_path_without_an_end_is_refused, set_up),
		cmocka_unit_test_setup(a_name_knows_whether_it_is_of_an_exec, set_up),
		cmocka_unit_test_setup(a_fork_has_the_parent, set_up),
		cmocka_unit_test_setup(an_exit_is_like_a_fork, set_up),
		cmocka_unit_test_setup(what_was_lost_is_a_number, set_up),
		cmocka_unit_test_setup(throttling_has_a_time, set_up),
		cmocka_unit_test_setup(of_an_unknown_type_thread_and_time_are_known, set_up),
		cmocka_unit_test_setup(a_record_of_another_size_is_refused, set_up),
		cmocka_unit_test_setup(a_record_cut_anywhere_is_refused, set_up),
		cmocka_unit_test(registers_have_the_numbers_of_dwarf),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
