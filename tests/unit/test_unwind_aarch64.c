/* SPDX-License-Identifier: MIT */
/* Stacks of aarch64 that were recorded, with the return addresses that the program itself has seen.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "unwind/elf_frames.h"
#include "unwind/unwind.h"

#define FRAMES 32

struct bytes {
	uint8_t *at;
	size_t size;
};

static struct bytes read_data(const char *name, const char *suffix)
{
	struct bytes bytes;
	struct stat status;
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/tests/data/%s%s", getenv("SOURCE"), name, suffix);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	bytes.size = (size_t)status.st_size;
	bytes.at = xcalloc(1, bytes.size);
	assert_int_equal(read(fd, bytes.at, bytes.size), bytes.size);
	close(fd);
	return bytes;
}

static struct address_space space_of(const char *name)
{
	struct address_space space = { .machine = &unwind_aarch64 };
	struct unwind_module *module = unwind_module_new(name);
	struct bytes program = read_data(name, "");
	struct pp_error err = { 0 };

	assert_int_equal(elf_frames_read(program.at, program.size, module, &err), 0);
	for (size_t i = 0; i < module->segment_count; i++) {
		const struct unwind_segment *segment = &module->segments[i];

		address_space_map(&space, segment->address, segment->address + segment->size,
				  module, segment->address);
	}
	unwind_module_unref(module);
	xfree(program.at);
	return space;
}

static struct unwind_registers read_registers(struct cursor *c)
{
	struct unwind_registers registers = { 0 };

	for (unsigned i = 0; i <= AARCH64_PC; i++)
		register_set(&registers, i, cursor_u64(c));
	return registers;
}

static void is_unwound_as_recorded(const char *name)
{
	struct address_space space = space_of(name);
	struct bytes recording = read_data(name, ".stack");
	struct cursor c = cursor_over(recording.at, recording.size);
	const size_t expected = (size_t)cursor_u64(&c);
	struct cursor addresses = cursor_within(&c, 8 * expected);
	const struct unwind_registers registers = read_registers(&c);
	const size_t size = (size_t)cursor_u64(&c);
	const struct captured_stack stack = { registers.value[AARCH64_SP], cursor_bytes(&c, size),
					      size };
	struct unwound_frame frames[FRAMES];
	struct unwind_end end;
	const size_t count =
		unwind_stack(&space, &registers, &stack, &(struct unwound){ frames, FRAMES }, &end);

	assert_false(c.failed);
	/* the leaf and the function that called it, then all that were seen */
	assert_int_equal(count, 2 + expected);
	assert_int_equal(frames[1].ip, registers.value[AARCH64_LR]);
	for (size_t i = 0; i < expected; i++) {
		assert_int_equal(frames[2 + i].ip, cursor_u64(&addresses));
		assert_int_equal(frames[2 + i].by, UNWOUND_RULE);
	}
	assert_int_equal(end.reason, UNWIND_END_START);
	address_space_release(&space);
	xfree(recording.at);
}

static void unwinds_leaves_large_frames_alloca_and_recursion(void **state)
{
	(void)state;
	is_unwound_as_recorded("aarch64-frames");
}

static void unwinds_signed_return_addresses(void **state)
{
	(void)state;
	is_unwound_as_recorded("aarch64-frames-signed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unwinds_leaves_large_frames_alloca_and_recursion),
		cmocka_unit_test(unwinds_signed_return_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
