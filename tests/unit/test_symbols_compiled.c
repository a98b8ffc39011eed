/* SPDX-License-Identifier: MIT */
/* Code of JIT compilers, and of .NET assemblies: this process has some mapped, and asks about it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "asking_symbols.h"
#include "own_folder.h"
#include "places.h"

/* Code without a file. */
static char *compiled_code(void)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(code, MAP_FAILED);
	return code;
}

static void write_perf_map(const char *mode, const char *format, ...)
{
	char path[64];
	va_list args;
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	file = fopen(path, mode);
	assert_non_null(file);
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
}

static void remove_perf_map(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
}

static void names_are_demangled_unless_raw_ones_are_asked_for(void **state)
{
	static const char name[] = "_ZN3foo3barEi";
	char *code = compiled_code();

	(void)state;
	write_perf_map("w", "%llx 10 %s\n", (unsigned long long)(uintptr_t)code, name);
	for (int raw = 0; raw < 2; raw++) {
		struct symbols *symbols =
			symbols_new(&(struct symbols_options){ .raw_names = raw });

		assert_true(ask(symbols, getpid(), (uint64_t)(uintptr_t)code));
		assert_string_equal(answer.frames[0].function, raw ? name : "foo::bar(int)");
		symbols_free(symbols);
	}
	remove_perf_map();
	munmap(code, 4096);
}

static void compiled_code_has_the_names_of_its_perf_map(void **state)
{
	struct symbols *symbols = new_symbols();
	char *code = compiled_code();
	const uint64_t at = (uint64_t)(uintptr_t)code;

	(void)state;
	assert_false(ask(symbols, getpid(), at));
	assert_string_equal(answer.module->path, "[anon]");
	assert_int_equal(answer.module->state, SYMBOLS_NONE);
	assert_non_null(strstr(answer.module->problem, "perf map"));
	write_perf_map("w", "%llx 10 void Program::Main()\n", (unsigned long long)at);
	assert_true(ask(symbols, getpid(), at + 15));
	assert_string_equal(answer.frames[0].function, "void Program::Main()");
	assert_int_equal(answer.module->state, SYMBOLS_WHOLE);
	assert_null(answer.module->problem);
	assert_false(ask(symbols, getpid(), at + 16));
	for (unsigned i = 1; i < 100; i++) { /* it grows, line by line */
		char name[32];

		snprintf(name, sizeof(name), "method %u", i);
		write_perf_map("a", "%llx 10 %s\n", (unsigned long long)at + i * 16, name);
		assert_true(ask(symbols, getpid(), at + i * 16));
		assert_string_equal(answer.frames[0].function, name);
	}
	assert_true(ask(symbols, getpid(), at));
	assert_string_equal(answer.frames[0].function, "void Program::Main()");
	assert_int_equal(symbols_module_count(symbols), 1);
	remove_perf_map();
	munmap(code, 4096);
	symbols_free(symbols);
}

static void a_perf_map_of_another_user_is_not_used(void **state)
{
	struct symbols *symbols = new_symbols();
	char *code = compiled_code();
	char path[64];

	(void)state;
	if (geteuid() != 0)
		skip();
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	write_perf_map("w", "%llx 10 evil\n", (unsigned long long)(uintptr_t)code);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_false(ask(symbols, getpid(), (uint64_t)(uintptr_t)code));
	assert_int_equal(answer.module->state, SYMBOLS_NONE);
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_false(ask(symbols, getpid(), (uint64_t)(uintptr_t)code));
	remove_perf_map();
	munmap(code, 4096);
	symbols_free(symbols);
}

static void a_perf_map_that_is_older_than_the_process_is_not_its_own(void **state)
{
	static const struct timespec long_ago[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct symbols *symbols = new_symbols();
	char *code = compiled_code();
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	write_perf_map("w", "%llx 10 old\n", (unsigned long long)(uintptr_t)code);
	assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
	assert_false(ask(symbols, getpid(), (uint64_t)(uintptr_t)code));
	write_perf_map("w", "%llx 10 new\n", (unsigned long long)(uintptr_t)code);
	assert_true(ask(symbols, getpid(), (uint64_t)(uintptr_t)code));
	assert_string_equal(answer.frames[0].function, "new");
	remove_perf_map();
	munmap(code, 4096);
	symbols_free(symbols);
}

/* An image whose code is at 0x200 in the file, and at the RVA 0x1000. */
static char *map_assembly(const char *path)
{
	char *code;
	int fd;

	copy(place_of("", "fuzz/corpus/r2r_image", "64"), path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(code, MAP_FAILED);
	close(fd);
	return code;
}

static void write_r2r_map(const char *path, const char *signature)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "FFFFFFFF 00 %s\nFFFFFFFE 00 1\n00001010 10 void [app] P::M()\n", signature);
	fclose(file);
}

static void an_assembly_has_the_names_of_its_own_map_only(void **state)
{
	static const struct {
		const char *map, *signature;
		bool named;
	} tries[] = {
		{ "app.ni.r2rmap", "30313233343536373839616263646567", false },
		{ "app.ni.r2rmap", "30313233343536373839616263646566", true },
		{ "maps/app.ni.r2rmap", "30313233343536373839616263646566", true },
	};
	static const char *const folders[] = { "maps" };
	char *code = map_assembly("app.dll");

	(void)state;
	assert_int_equal(mkdir("maps", 0700), 0);
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct symbols *symbols = symbols_new(
			&(struct symbols_options){ .folders = folders, .folder_count = 1 });

		write_r2r_map(tries[i].map, tries[i].signature);
		assert_int_equal(ask(symbols, getpid(), (uint64_t)(uintptr_t)code + 0x214),
				 tries[i].named);
		assert_string_equal(answer.module->name, "app.dll");
		if (tries[i].named) {
			assert_string_equal(answer.frames[0].function, "void [app] P::M()");
			assert_int_equal(answer.offset, 0x1014);
		} else {
			assert_int_equal(answer.module->state, SYMBOLS_NONE);
			assert_non_null(strstr(answer.module->problem, "app.ni.r2rmap"));
		}
		unlink(tries[i].map);
		symbols_free(symbols);
	}
	munmap(code, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compiled_code_has_the_names_of_its_perf_map),
		cmocka_unit_test(names_are_demangled_unless_raw_ones_are_asked_for),
		cmocka_unit_test(a_perf_map_of_another_user_is_not_used),
		cmocka_unit_test(a_perf_map_that_is_older_than_the_process_is_not_its_own),
		cmocka_unit_test(an_assembly_has_the_names_of_its_own_map_only),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
