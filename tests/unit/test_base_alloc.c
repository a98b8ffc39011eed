/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"

/* Asked by AddressSanitizer, which would otherwise end the program itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void grows_by_doubling(void **state)
{
	size_t capacity = 0;
	size_t moves = 0;
	int *list = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		const size_t before = capacity;

		list = xgrow(list, (size_t)i, &capacity, sizeof(*list));
		moves += capacity != before;
		list[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list[i], i);
	assert_int_equal(capacity, 1024);
	assert_int_equal(moves, 7); /* 16, 32, 64, ... */
	xfree(list);
}

static void leaves_an_array_with_room_alone(void **state)
{
	size_t capacity = 4;
	int *list = xcalloc(4, sizeof(*list));

	(void)state;
	assert_ptr_equal(xgrow(list, 3, &capacity, sizeof(*list)), list);
	assert_int_equal(capacity, 4);
	xfree(list);
}

static void has_zeros_up_to_any_index(void **state)
{
	size_t count = 0;
	uint64_t *list = xroom(NULL, &count, 0, sizeof(*list));

	(void)state;
	assert_true(count > 0);
	for (size_t index = 1; index < 100000; index = 3 * index + 1) {
		list = xroom(list, &count, index, sizeof(*list));
		assert_true(count > index);
		assert_int_equal(list[index], 0);
		assert_int_equal(list[count - 1], 0);
		list[index] = index;
	}
	for (size_t index = 1; index < 100000; index = 3 * index + 1)
		assert_int_equal(list[index], index);
	xfree(list);
}

static void leaves_an_array_that_reaches_the_index_alone(void **state)
{
	size_t count = 4;
	int *list = xcalloc(4, sizeof(*list));

	(void)state;
	assert_ptr_equal(xroom(list, &count, 3, sizeof(*list)), list);
	assert_int_equal(count, 4);
	xfree(list);
}

static void zeroes_new_elements_and_keeps_old_ones(void **state)
{
	unsigned char *memory = xcalloc(10, 3);

	(void)state;
	for (size_t i = 0; i < 30; i++)
		assert_int_equal(memory[i], 0);
	memset(memory, 7, 30);
	memory = xrealloc(memory, 100, 3);
	for (size_t i = 0; i < 30; i++)
		assert_int_equal(memory[i], 7);
	xfree(memory);
}

static void accepts_a_size_of_zero(void **state)
{
	(void)state;
	xfree(xcalloc(0, 8));
	xfree(xrealloc(NULL, 0, 8));
}

static void print_and_exit(const struct pp_error *err)
{
	fprintf(stderr, "%s\n", err->text);
	exit(5);
}

/* Runs `call` in a child, which must print this and exit with 5. */
static void expect_end(void (*call)(void), const char *sentence)
{
	char text[1024] = "";
	int ends[2];
	int status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		alloc_set_handler(print_and_exit);
		call();
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	close(ends[0]);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
	assert_non_null(strstr(text, sentence)); /* a sanitizer may add its own output */
}

static void ask_for_half_of_all(void)
{
	xfree(xcalloc(SIZE_MAX / 4, 2));
}

static void ask_for_more_than_fits(void)
{
	xfree(xrealloc(NULL, SIZE_MAX / 2, 3));
}

static void calls_the_handler_when_out_of_memory(void **state)
{
	(void)state;
	expect_end(ask_for_half_of_all, "out of memory (asked for "
					"4611686018427387903 x 2 bytes)\n");
	expect_end(ask_for_more_than_fits, "out of memory (asked for "
					   "9223372036854775807 x 3 bytes)\n");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Address space of this process. */
static rlim_t used_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	assert_int_equal(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

static void uses_its_reserve_when_memory_runs_out(void **state)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)state;
	skip(); /* a sanitizer needs more than any limit */
#else
	const struct rlimit before = { RLIM_INFINITY, RLIM_INFINITY };
	void *memory;

	(void)state;
	alloc_keep_reserve((size_t)64 << 20);
	assert_false(alloc_is_low());
	setrlimit(RLIMIT_AS, &(struct rlimit){ used_bytes() + (4 << 20), RLIM_INFINITY });
	memory = xcalloc(1, (size_t)32 << 20);
	setrlimit(RLIMIT_AS, &before);
	assert_non_null(memory);
	if (!getenv("EMULATED")) /* where no limit holds */
		assert_true(alloc_is_low());
	xfree(memory);
	alloc_keep_reserve(0);
	assert_false(alloc_is_low());
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_by_doubling),
		cmocka_unit_test(leaves_an_array_with_room_alone),
		cmocka_unit_test(has_zeros_up_to_any_index),
		cmocka_unit_test(leaves_an_array_that_reaches_the_index_alone),
		cmocka_unit_test(zeroes_new_elements_and_keeps_old_ones),
		cmocka_unit_test(accepts_a_size_of_zero),
		cmocka_unit_test(calls_the_handler_when_out_of_memory),
		cmocka_unit_test(uses_its_reserve_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
