/* SPDX-License-Identifier: MIT */
/*
 * Memory may be gone at any allocation of a lookup: the call is left, and once its heap is dropped,
 * all memory and files are gone.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/heap.h"
#include "failing_alloc.h"
#include "own_folder.h"
#include "symbols/symbols.h"

/* Asked by AddressSanitizer, which would otherwise end the program itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* What is asked in each run. */
struct lookup {
	struct symbols_options options;
	struct code_address at;
};

static void ask(const struct lookup *lookup)
{
	static struct symbol_answer answer;
	struct symbols *symbols = symbols_new(&lookup->options);

	assert_true(symbols_find(symbols, &lookup->at, &answer));
	assert_non_null(answer.frames[0].function);
	symbols_free(symbols);
}

static int run(void *context, struct pp_error *err)
{
	struct heap *heap = heap_new(err);
	struct guard guard;
	volatile int failed = -1;

	if (!heap || guard_enter(&guard, heap, err))
		return -1;
	if (!setjmp(guard.out)) {
		ask(context);
		failed = 0;
	}
	guard_leave(&guard);
	heap_free(heap);
	return failed;
}

static void assert_nothing_stays(const struct lookup *lookup)
{
	const int files = count_open_files();
	struct lookup copy = *lookup;

	assert_true(fails_at_each_allocation(run, &copy) > 5);
	assert_int_equal(count_open_files(), files);
}

__attribute__((noinline)) static void a_function_of_this_test(void)
{
	__asm__ volatile("" ::: "memory");
}

static void of_a_function_of_a_process(void **state)
{
	(void)state;
	assert_nothing_stays(&(struct lookup){
		.options.no_network = true,
		.at = { .pid = getpid(), .address = (uint64_t)(uintptr_t)a_function_of_this_test },
	});
}

static void of_lines(void **state)
{
	(void)state;
	assert_nothing_stays(&(struct lookup){
		.options = { .no_network = true, .lines = true },
		.at = { .pid = getpid(), .address = (uint64_t)(uintptr_t)a_function_of_this_test },
	});
}

static void of_compiled_code(void **state)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *map;

	(void)state;
	assert_ptr_not_equal(code, MAP_FAILED);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	assert_non_null(map);
	fprintf(map, "%llx 10 method\n", (unsigned long long)(uintptr_t)code);
	fclose(map);
	assert_nothing_stays(&(struct lookup){
		.at = { .pid = getpid(), .address = (uint64_t)(uintptr_t)code },
	});
	unlink(path);
	munmap(code, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_function_of_a_process),
		cmocka_unit_test(of_lines),
		cmocka_unit_test(of_compiled_code),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
