/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "symbols/elf_file.h"
#include "symbols/vdso.h"

/* False: there is none, as in some emulators. */
static bool find_own(uint64_t *start, uint64_t *end)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool found = false;

	assert_non_null(maps);
	while (!found && fgets(line, sizeof(line), maps))
		found = strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", start, end) == 2;
	fclose(maps);
	return found;
}

#ifdef HAVE_ELFUTILS
static void reads_an_elf_image_with_functions(void **state)
{
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct pp_error err = { 0 };
	struct elf_file *file;
	uint64_t start, end;
	size_t size;
	void *image;

	(void)state;
	if (!find_own(&start, &end))
		skip();
	image = vdso_image(getpid(), start, end, &size, &err);
	assert_non_null(image);
	assert_int_equal(size, end - start);
	file = elf_file_over(image, size, "[vdso]", &err);
	assert_non_null(file);
	elf_file_list_symbols(file, &list);
	table = symbol_list_seal(&list);
	assert_true(symbol_table_count(&table) >= 3);
	symbol_table_release(&table);
	elf_file_close(file);
}
#endif

static void our_own_is_the_same_image(void **state)
{
	struct pp_error err = { 0 };
	uint64_t start, end;
	size_t size, own_size;
	void *image, *own = vdso_own_image(&own_size);

	(void)state;
	if (!own || !find_own(&start, &end)) {
		xfree(own);
		skip();
	}
	image = vdso_image(getpid(), start, end, &size, &err);
	assert_int_equal(size, own_size);
	assert_memory_equal(image, own, size);
	xfree(image);
	xfree(own);
}

/* As of a process whose memory may not be read. */
static void our_own_stands_in_for_one_of_equal_size(void **state)
{
	const uint64_t start = UINT64_C(0x7fff00000000);
	struct pp_error err = { 0 };
	size_t size, own_size;
	void *image, *own = vdso_own_image(&own_size);

	(void)state;
	if (!own)
		skip();
	image = vdso_image(INT32_MAX, start, start + own_size, &size, &err);
	assert_memory_equal(image, own, own_size);
	xfree(image);
	xfree(own);
	assert_null(vdso_image(INT32_MAX, start, start + own_size + 4096, &size, &err));
	assert_string_equal(err.text, "cannot read the vDSO of process 2147483647: "
				      "No such file or directory");
	assert_null(vdso_image(INT32_MAX, 0xf7fc0000, 0xf7fc0000 + own_size, &size, &err));
}

static void refuses_odd_sizes(void **state)
{
	struct pp_error err = { 0 };
	size_t size;

	(void)state;
	assert_null(vdso_image(getpid(), 4096, 4096, &size, &err));
	assert_string_equal(err.code ? "error" : "", "error");
	assert_null(vdso_image(getpid(), 0, UINT64_MAX, &size, &err));
	assert_null(vdso_image(getpid(), 0, 4096, &size, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_ELFUTILS
		cmocka_unit_test(reads_an_elf_image_with_functions),
#endif
		cmocka_unit_test(our_own_is_the_same_image),
		cmocka_unit_test(our_own_stands_in_for_one_of_equal_size),
		cmocka_unit_test(refuses_odd_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
