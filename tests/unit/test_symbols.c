/* SPDX-License-Identifier: MIT */
/* This process asks about itself. */
#include "symbols/symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "asking_symbols.h"
#include "failing_alloc.h"
#include "own_folder.h"
#include "symbols/process_maps.h"

static uint64_t address_of(void (*function)(void))
{
	return (uint64_t)(uintptr_t)function;
}

__attribute__((noinline)) static void a_function_of_this_test(void)
{
	__asm__ volatile("" ::: "memory");
}

static void a_function_of_the_program_has_its_name(void **state)
{
	struct symbols *symbols = new_symbols();

	(void)state;
	assert_true(ask(symbols, getpid(), address_of(a_function_of_this_test)));
	assert_int_equal(answer.count, 1);
	assert_string_equal(answer.frames[0].function, "a_function_of_this_test");
	assert_string_equal(answer.module->name, "test_symbols");
	assert_int_equal(answer.module->state, SYMBOLS_WHOLE);
	assert_int_equal(answer.function_start, answer.offset);
	symbols_free(symbols);
}

static void a_function_of_a_library_has_its_name(void **state)
{
	struct symbols *symbols = new_symbols();
	void *libc = dlopen("libc.so.6", RTLD_NOW); /* sanitizers have functions of these names */

	(void)state;
	assert_non_null(libc);
	assert_true(ask(symbols, getpid(), (uint64_t)(uintptr_t)dlsym(libc, "qsort")));
	assert_string_equal(answer.frames[0].function, "qsort");
	assert_non_null(strstr(answer.module->name, "libc"));
	symbols_free(symbols);
}

static void the_same_address_as_linked_has_the_same_name(void **state)
{
	struct symbols *symbols = new_symbols();
	struct code_file file = { 0 };
	uint64_t offset;

	(void)state;
	ask(symbols, getpid(), address_of(a_function_of_this_test) + 1);
	file = (struct code_file){ .path = answer.module->path,
				   .build_id = answer.module->build_id };
	offset = answer.offset;
	assert_true(symbols_find(
		symbols,
		&(struct code_address){ .space = CODE_AS_LINKED, .address = offset, .file = &file },
		&answer));
	assert_string_equal(answer.frames[0].function, "a_function_of_this_test");
	assert_int_equal(symbols_module_count(symbols), 1);
	assert_int_equal(symbols_module(symbols, 0)->asked, 2);
	assert_int_equal(symbols_module(symbols, 0)->named, 2);
	symbols_free(symbols);
}

static void where_nothing_is_mapped_is_no_module(void **state)
{
	struct symbols *symbols = new_symbols();

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_false(ask(symbols, getpid(), 16));
	assert_null(answer.module);
	assert_int_equal(answer.count, 0);
	assert_int_equal(symbols_module_count(symbols), 0);
	symbols_free(symbols);
}

static void a_file_that_is_not_there_says_so(void **state)
{
	struct symbols *symbols = new_symbols();
	const struct code_file file = { .path = "/nowhere/lib.so", .build_id = "abcdef" };

	(void)state;
	assert_false(symbols_find(
		symbols, &(struct code_address){ .space = CODE_OF_FILE, .file = &file }, &answer));
	assert_int_equal(answer.module->state, SYMBOLS_NO_FILE);
	assert_string_equal(answer.module->name, "lib.so");
	assert_string_equal(answer.module->build_id, "abcdef");
	assert_non_null(answer.module->problem);
	symbols_free(symbols);
}

static void a_file_of_another_build_is_not_used(void **state)
{
	struct symbols *symbols = new_symbols();
	const struct code_file file = { .path = "/proc/self/exe", .build_id = "abcdef" };

	(void)state;
	assert_false(symbols_find(
		symbols,
		&(struct code_address){ .space = CODE_OF_FILE, .address = 0x1000, .file = &file },
		&answer));
	assert_int_equal(answer.module->state, SYMBOLS_OTHER_BUILD);
	assert_non_null(strstr(answer.module->problem, "abcdef"));
	symbols_free(symbols);
}

static void a_recorded_file_of_a_process_that_has_ended_is_looked_for_here(void **state)
{
	struct symbols *symbols = new_symbols();
	struct code_file file = { .path = "/proc/self/exe", .build_id = "abcdef" };
	int status;

	(void)state;
	file.pid = fork();
	if (!file.pid)
		_exit(0);
	waitpid((pid_t)file.pid, &status, 0);
	assert_false(symbols_find(
		symbols,
		&(struct code_address){ .space = CODE_OF_FILE, .address = 0x1000, .file = &file },
		&answer));
	assert_int_equal(answer.module->state, SYMBOLS_OTHER_BUILD);
	symbols_free(symbols);
}

static void a_mapped_file_that_cannot_be_read_has_places_in_the_file(void **state)
{
	const int fd = open("no.elf", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct symbols *symbols = new_symbols();
	char *code;

	(void)state;
	assert_int_equal(ftruncate(fd, 0x3000), 0);
	code = mmap(NULL, 0x1000, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0x2000);
	assert_ptr_not_equal(code, MAP_FAILED);
	close(fd);
	assert_false(ask(symbols, getpid(), (uint64_t)(uintptr_t)code + 0x10));
	assert_string_equal(answer.module->name, "no.elf");
	assert_int_equal(answer.module->state, SYMBOLS_UNREADABLE);
	assert_int_equal(answer.offset, 0x2010);
	munmap(code, 0x1000);
	symbols_free(symbols);
}

static void a_process_that_has_ended_says_so(void **state)
{
	struct symbols *symbols = new_symbols();
	int status;
	const pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	assert_false(ask(symbols, pid, 4096));
	assert_int_equal(answer.module->state, SYMBOLS_UNREADABLE);
	assert_non_null(strstr(answer.module->problem, "there is no process"));
	symbols_free(symbols);
}

static volatile int counted;

__attribute__((always_inline)) static inline void an_inlined_function(void)
{
	counted = counted * 3 + 1;
}

__attribute__((noinline)) static void a_function_with_another_in_it(void)
{
	counted = 2;
	an_inlined_function();
}

static void lines_come_with_the_functions_that_are_inlined_there(void **state)
{
	struct symbols *symbols =
		symbols_new(&(struct symbols_options){ .no_network = true, .lines = true });
	const uint64_t start = address_of(a_function_with_another_in_it);
	bool inlined = false;

	(void)state;
	if (getenv("EMULATED")) /* which need not be built with lines */
		skip();
	a_function_with_another_in_it();
	assert_true(ask(symbols, getpid(), start));
	assert_int_equal(answer.count, 1);
	assert_non_null(strstr(answer.frames[0].file, "test_symbols.c"));
	assert_true(answer.frames[0].line > 0);
	assert_non_null(answer.module->lines_path);
	for (uint64_t at = start; !inlined && at < start + answer.function_size; at++)
		inlined = ask(symbols, getpid(), at) && answer.count == 2;
	assert_true(inlined);
	assert_string_equal(answer.frames[0].function, "an_inlined_function");
	assert_true(answer.frames[0].inlined);
	assert_string_equal(answer.frames[1].function, "a_function_with_another_in_it");
	assert_false(answer.frames[1].inlined);
	symbols_free(symbols);
}

static void a_table_comes_from_the_cache_the_next_time(void **state)
{
	const struct symbols_options options = { .no_network = true, .cache = "cache" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct symbols *symbols = symbols_new(&options);

		assert_true(ask(symbols, getpid(), address_of(a_function_of_this_test)));
		assert_string_equal(answer.frames[0].function, "a_function_of_this_test");
		assert_int_equal(answer.module->state, SYMBOLS_WHOLE);
		if (answer.module->build_id)
			assert_int_equal(access("cache", F_OK), 0);
		symbols_free(symbols);
	}
}

static void a_process_with_many_mappings_is_read(void **state)
{
	struct symbols *symbols = new_symbols();
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 20000;
	const int fd = memfd_create("many", MFD_CLOEXEC);
	char *last = NULL;

	(void)state;
	if (getenv("EMULATED"))
		skip();
	assert_int_equal(ftruncate(fd, (off_t)page), 0);
	for (size_t i = 0; i < count; i++) {
		char *at = mmap(NULL, page, i % 2 ? PROT_READ : PROT_READ | PROT_EXEC, MAP_SHARED,
				fd, 0);

		if (at == MAP_FAILED)
			break;
		last = i % 2 ? last : at;
	}
	assert_non_null(last);
	assert_false(ask(symbols, getpid(), (uint64_t)(uintptr_t)last));
	assert_string_equal(answer.module->name, "[anon]");
	assert_true(ask(symbols, getpid(), address_of(a_function_of_this_test)));
	close(fd);
	symbols_free(symbols);
}

/* The library of the tests themselves, which is always a file of its own, and one without symbols.
 */
static const char *library_path(void)
{
	static Dl_info info;

	assert_true(dladdr((void *)(uintptr_t)cmocka_set_test_filter, &info));
	return info.dli_fname;
}

static bool is_library(void)
{
	return strstr(library_path(), ".so");
}

static void *load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		fail_msg("%s", dlerror());
	return library;
}

static bool ask_about(struct symbols *symbols, void *library)
{
	return ask(symbols, getpid(),
		   (uint64_t)(uintptr_t)dlsym(library, "cmocka_set_test_filter"));
}

static void assert_library_function(void)
{
	assert_int_equal(answer.count, 1);
	assert_string_equal(answer.frames[0].function, "cmocka_set_test_filter");
}

static void a_process_that_ends_meanwhile_keeps_its_names(void **state)
{
	struct symbols *symbols = new_symbols();
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	int status;
	pid_t pid;

	(void)state;
	if (getenv("EMULATED"))
		skip();
	pid = fork();
	if (!pid)
		for (;;)
			pause();
	assert_true(ask(symbols, pid, address_of(a_function_of_this_test)));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_true(ask(symbols, pid, address_of(a_function_of_this_test)));
	assert_true(ask(symbols, pid, (uint64_t)(uintptr_t)dlsym(libc, "qsort")));
	assert_string_equal(answer.frames[0].function, "qsort");
	assert_false(ask(symbols, pid, 16));
	assert_null(answer.module);
	symbols_free(symbols);
}

static void files_do_not_stay_open(void **state)
{
	struct symbols *symbols = new_symbols();
	const int files = count_open_files();

	(void)state;
	assert_true(ask(symbols, getpid(), address_of(a_function_of_this_test)));
	assert_int_equal(count_open_files(), files);
	symbols_free(symbols);
}

static void a_library_that_is_loaded_later_is_found(void **state)
{
	struct symbols *symbols = new_symbols();
	void *library;

	(void)state;
	if (!is_library())
		skip();
	ask(symbols, getpid(), address_of(a_function_of_this_test));
	copy(library_path(), "later.so");
	library = load("./later.so");
	assert_true(ask_about(symbols, library));
	assert_library_function();
	assert_string_equal(answer.module->name, "later.so");
	dlclose(library);
	symbols_free(symbols);
}

static bool may_open_map_files(void)
{
	return geteuid() == 0 && !getenv("EMULATED");
}

static void a_deleted_library_keeps_its_names(void **state)
{
	struct symbols *symbols = new_symbols();
	void *library;

	(void)state;
	if (!is_library() || !may_open_map_files())
		skip();
	copy(library_path(), "deleted.so");
	library = load("./deleted.so");
	unlink("deleted.so");
	assert_true(ask_about(symbols, library));
	assert_library_function();
	assert_string_equal(answer.module->name, "deleted.so");
	dlclose(library);
	symbols_free(symbols);
}

static void a_replaced_library_never_has_the_names_of_the_new_one(void **state)
{
	struct symbols *symbols = new_symbols();
	void *library;

	(void)state;
	if (!is_library())
		skip();
	copy(library_path(), "replaced.so");
	library = load("./replaced.so");
	copy("/proc/self/exe", "new.so");
	assert_int_equal(rename("new.so", "replaced.so"), 0);
	if (ask_about(symbols, library)) {
		assert_library_function();
	} else {
		assert_false(may_open_map_files());
		assert_int_equal(answer.module->state, SYMBOLS_OTHER_BUILD);
		assert_non_null(strstr(answer.module->problem, answer.module->build_id));
		assert_null(answer.nearest);
	}
	dlclose(library);
	symbols_free(symbols);
}

static void a_recorded_file_is_found_in_the_process_that_still_runs(void **state)
{
	struct symbols *symbols = new_symbols();
	struct code_file file = { .pid = getpid() };
	char build_id[129], path[4096];
	uint64_t offset;
	void *library;

	(void)state;
	if (!is_library() || !may_open_map_files())
		skip();
	copy(library_path(), "upgraded.so");
	library = load("./upgraded.so");
	assert_true(ask_about(symbols, library));
	offset = answer.offset;
	snprintf(build_id, sizeof(build_id), "%s", answer.module->build_id);
	snprintf(path, sizeof(path), "%s", answer.module->path);
	symbols_free(symbols);
	copy("/proc/self/exe", "new.so");
	assert_int_equal(rename("new.so", "upgraded.so"), 0);
	file.build_id = build_id;
	file.path = path;
	symbols = new_symbols();
	assert_true(symbols_find(
		symbols,
		&(struct code_address){ .space = CODE_AS_LINKED, .address = offset, .file = &file },
		&answer));
	assert_library_function();
	dlclose(library);
	symbols_free(symbols);
}

/* Compiled code in memory has no build id, and is nothing that could be found. */
static void a_library_in_memory_has_its_names(void **state)
{
	struct symbols *symbols = new_symbols();
	const int fd = memfd_create("loaded", MFD_CLOEXEC);
	struct code_file recorded = { .path = "/memfd:loaded (deleted)", .pid = getpid() };
	struct code_address at = { .space = CODE_AS_LINKED, .file = &recorded };
	char path[64];
	void *library;

	(void)state;
	if (!is_library() || !may_open_map_files())
		skip();
	copy_to(fd, library_path());
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	library = load(path);
	assert_true(ask_about(symbols, library));
	assert_library_function();
	assert_string_equal(answer.module->name, "memfd:loaded");
	at.address = answer.offset;
	recorded.build_id = answer.module->build_id;
	assert_true(symbols_find(symbols, &at, &answer));
	assert_library_function();
	recorded.build_id = NULL;
	assert_false(symbols_find(symbols, &at, &answer));
	assert_string_equal(answer.module->name, "[anon]");
	dlclose(library);
	close(fd);
	symbols_free(symbols);
}

/* Three pages of our own code, the one of the function in the middle. */
static char *map_own_code(uint64_t function, size_t page)
{
	struct process_maps maps;
	const struct process_mapping *mapping;
	struct pp_error err = { 0 };
	uint64_t offset;
	char *code;
	int fd;

	assert_int_equal(process_maps_read(&maps, getpid(), &err), 0);
	mapping = process_maps_find(&maps, function);
	assert_non_null(mapping);
	offset = (function - mapping->start + mapping->file_offset) / page * page - page;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	code = mmap(NULL, 3 * page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (off_t)offset);
	assert_ptr_not_equal(code, MAP_FAILED);
	close(fd);
	process_maps_release(&maps);
	return code;
}

static void code_that_was_remapped_for_huge_pages_has_its_names(void **state)
{
	const uint64_t function = address_of(a_function_of_this_test);
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct symbols *symbols = new_symbols();
	char *code;

	(void)state;
	if (getenv("EMULATED"))
		skip();
	code = map_own_code(function, page);
	assert_ptr_equal(mmap(code + page, page, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
			 code + page);
	assert_true(ask(symbols, getpid(), (uint64_t)(uintptr_t)(code + page) + function % page));
	assert_string_equal(answer.frames[0].function, "a_function_of_this_test");
	munmap(code, 3 * page);
	symbols_free(symbols);
}

static void a_function_of_the_vdso_has_its_name(void **state)
{
	static const char *const names[] = { "__vdso_clock_gettime", "__kernel_clock_gettime" };
	struct symbols *symbols = new_symbols();
	void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD), *function = NULL;

	(void)state;
	for (size_t i = 0; vdso && i < 2 && !function; i++)
		function = dlsym(vdso, names[i]);
	if (!function || getenv("EMULATED"))
		skip();
	assert_true(ask(symbols, getpid(), (uint64_t)(uintptr_t)function));
	assert_non_null(strstr(answer.frames[0].function, "clock_gettime"));
	assert_string_equal(answer.module->name, "[vdso]");
	assert_true(symbols_find(
		symbols,
		&(struct code_address){ .space = CODE_AS_LINKED,
					.address = answer.offset,
					.file = &(struct code_file){ .path = "[vdso]" } },
		&answer));
	symbols_free(symbols);
}

static void data_is_not_code(void **state)
{
	struct symbols *symbols = new_symbols();

	(void)state;
	assert_false(ask(symbols, getpid(), (uint64_t)(uintptr_t)symbols)); /* on the heap */
	assert_null(answer.module);
	symbols_free(symbols);
}

static void special_paths_of_traces_are_not_files(void **state)
{
	static const struct {
		const char *path, *name;
	} specials[] = {
		{ "//anon", "[anon]" },
		{ "", "[anon]" },
		{ "/memfd:doublemapper (deleted)", "[anon]" },
		{ "[anon:text]", "[anon]" },
		{ "[vsyscall]", "[vsyscall]" },
		{ "[stack]", "[stack]" },
		{ "[kernel.kallsyms]_text", "[kernel]" },
	};
	struct symbols *symbols = new_symbols();

	(void)state;
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
		const struct code_file file = { .path = specials[i].path };

		assert_false(symbols_find(symbols,
					  &(struct code_address){ .space = CODE_OF_FILE,
								  .address = 5,
								  .file = &file },
					  &answer));
		assert_string_equal(answer.module->name, specials[i].name);
	}
	symbols_free(symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_of_the_program_has_its_name),
		cmocka_unit_test(a_function_of_a_library_has_its_name),
		cmocka_unit_test(the_same_address_as_linked_has_the_same_name),
		cmocka_unit_test(where_nothing_is_mapped_is_no_module),
		cmocka_unit_test(a_file_that_is_not_there_says_so),
		cmocka_unit_test(a_file_of_another_build_is_not_used),
		cmocka_unit_test(a_recorded_file_of_a_process_that_has_ended_is_looked_for_here),
		cmocka_unit_test(a_mapped_file_that_cannot_be_read_has_places_in_the_file),
		cmocka_unit_test(a_process_that_has_ended_says_so),
		cmocka_unit_test(a_process_that_ends_meanwhile_keeps_its_names),
		cmocka_unit_test(files_do_not_stay_open),
		cmocka_unit_test(a_library_that_is_loaded_later_is_found),
		cmocka_unit_test(a_deleted_library_keeps_its_names),
		cmocka_unit_test(a_replaced_library_never_has_the_names_of_the_new_one),
		cmocka_unit_test(a_recorded_file_is_found_in_the_process_that_still_runs),
		cmocka_unit_test(a_library_in_memory_has_its_names),
		cmocka_unit_test(code_that_was_remapped_for_huge_pages_has_its_names),
		cmocka_unit_test(a_function_of_the_vdso_has_its_name),
		cmocka_unit_test(data_is_not_code),
		cmocka_unit_test(special_paths_of_traces_are_not_files),
		cmocka_unit_test(lines_come_with_the_functions_that_are_inlined_there),
		cmocka_unit_test(a_table_comes_from_the_cache_the_next_time),
		cmocka_unit_test(a_process_with_many_mappings_is_read),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
