/* SPDX-License-Identifier: MIT */
/* Names of this very program, and of damaged copies of it. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "ipc/elf_names.h"

static void finds_a_name_that_the_program_uses(void **state)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_true(elf_has_dynamic_name(fd, "_cmocka_run_group_tests"));
	assert_false(elf_has_dynamic_name(fd, "_cmocka_run_group_test"));
	assert_false(elf_has_dynamic_name(fd, "DotNetRuntimeDebugHeader"));
	close(fd);
}

/* The first bytes of the program with one of them changed; a file in memory. */
static int damaged(const char *head, size_t size, size_t at, unsigned char value)
{
	const int fd = memfd_create("damaged", MFD_CLOEXEC);

	assert_int_equal(write(fd, head, size), (ssize_t)size);
	if (at < size)
		assert_int_equal(pwrite(fd, &value, 1, (off_t)at), 1);
	return fd;
}

static void survives_damaged_files(void **state)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0xff };
	static char head[1 << 14];
	const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const ssize_t size = read(self, head, sizeof(head));

	(void)state;
	close(self);
	assert_int_equal(size, sizeof(head));
	for (size_t i = 0; i < 1024 * 4; i++) {
		const int fd = damaged(head, sizeof(head), i / 4, values[i % 4]);

		elf_has_dynamic_name(fd, "x"); /* any answer will do */
		close(fd);
	}
	for (size_t cut = 0; cut < 1024; cut++) {
		const int fd = damaged(head, cut, cut, 0);

		assert_false(elf_has_dynamic_name(fd, "_cmocka_run_group_tests"));
		close(fd);
	}
}

static void is_false_for_what_is_not_a_file(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_false(elf_has_dynamic_name(ends[0], "x"));
	assert_false(elf_has_dynamic_name(-1, "x"));
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_name_that_the_program_uses),
		cmocka_unit_test(survives_damaged_files),
		cmocka_unit_test(is_false_for_what_is_not_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
