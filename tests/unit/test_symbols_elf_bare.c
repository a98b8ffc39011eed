/* SPDX-License-Identifier: MIT */
/* Files without section headers, as hardened ones are: what is loaded is in the segments. */
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "symbols/elf_file.h"

static struct elf_file *open_bare(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pp_error err = { 0 };
	struct elf_file *file;
	struct stat status;
	Elf64_Ehdr *header;
	uint8_t *bytes;

	assert_int_equal(fstat(fd, &status), 0);
	bytes = xcalloc(1, (size_t)status.st_size);
	assert_int_equal(pread(fd, bytes, (size_t)status.st_size, 0), status.st_size);
	close(fd);
	header = (Elf64_Ehdr *)bytes;
	header->e_shoff = 0;
	header->e_shnum = 0;
	header->e_shstrndx = 0;
	file = elf_file_over(bytes, (size_t)status.st_size, "bare", &err);
	assert_non_null(file);
	return file;
}

static void it_has_its_build_id(void **state)
{
	struct pp_error err = { 0 };
	struct elf_file *whole =
		elf_file_open(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), "self", &err);
	struct elf_file *bare = open_bare("/proc/self/exe");
	uint64_t address = 0;

	(void)state;
	assert_non_null(elf_file_build_id(whole));
	assert_string_equal(elf_file_build_id(bare), elf_file_build_id(whole));
	assert_true(elf_file_has_code(bare));
	assert_false(elf_file_has_symtab(bare));
	assert_true(elf_file_address(bare, 0, &address));
	elf_file_close(bare);
	elf_file_close(whole);
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	struct symbol found;

	return symbol_table_find(table, address, &found) ? found.name : "";
}

/* As the dynamic linker finds them. */
static void it_has_its_exported_functions(void **state)
{
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct elf_file *libc;
	Dl_info info = { 0 };
	uint64_t start;

	(void)state;
	if (!dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &info) || !info.dli_saddr ||
	    !strstr(info.dli_fname, ".so"))
		skip();
	libc = open_bare(info.dli_fname);
	elf_file_list_symbols(libc, &list);
	table = symbol_list_seal(&list);
	start = (uint64_t)(uintptr_t)info.dli_saddr - (uint64_t)(uintptr_t)info.dli_fbase;
	assert_string_equal(name_at(&table, start), "gnu_get_libc_version");
	assert_string_equal(name_at(&table, start + 2), "gnu_get_libc_version");
	assert_true(symbol_table_count(&table) > 100);
	assert_false(symbol_table_is_whole(&table));
	symbol_table_release(&table);
	elf_file_close(libc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_its_build_id),
		cmocka_unit_test(it_has_its_exported_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
