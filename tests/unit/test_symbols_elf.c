/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "failing_alloc.h"
#include "small_elf.h"
#include "symbols/elf_file.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct small_symbol some_symbols[] = {
	{ "first", 0x1000, 16, STT_FUNC, STB_GLOBAL, SMALL_CODE },
	{ "second", 0x1020, 8, STT_FUNC, STB_LOCAL, SMALL_CODE },
	{ "versioned@@LIB_1.2", 0x1040, 8, STT_FUNC, STB_GLOBAL, SMALL_CODE },
	{ "old@LIB_1.0", 0x1050, 8, STT_FUNC, STB_GLOBAL, SMALL_CODE },
	{ "resolver", 0x1060, 8, STT_GNU_IFUNC, STB_GLOBAL, SMALL_CODE },
	{ "assembler", 0x1080, 0, STT_NOTYPE, STB_LOCAL, SMALL_CODE },
	{ "$x", 0x1088, 0, STT_NOTYPE, STB_LOCAL, SMALL_CODE },
	{ "$d.3", 0x1090, 0, STT_NOTYPE, STB_LOCAL, SMALL_CODE },
	{ "label_of_data", 0x1100, 0, STT_NOTYPE, STB_LOCAL, SMALL_DATA },
	{ "variable", 0x1104, 4, STT_OBJECT, STB_GLOBAL, SMALL_DATA },
	{ "imported", 0, 0, STT_FUNC, STB_GLOBAL, SMALL_NOWHERE },
};

static const struct small_elf plain = { .symbols = some_symbols, .count = COUNT(some_symbols) };

static struct elf_file *open_small(const struct small_elf *from)
{
	struct pp_error err = { 0 };
	size_t size;
	uint8_t *bytes = small_elf_build(from, &size);
	struct elf_file *file = elf_file_over(bytes, size, "small", &err);

	assert_string_equal(err.text, "");
	assert_non_null(file);
	return file;
}

static struct symbol_table table_of(struct elf_file *file)
{
	struct symbol_list list = { 0 };

	elf_file_list_symbols(file, &list);
	return symbol_list_seal(&list);
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	struct symbol found;

	return symbol_table_find(table, address, &found) ? found.name : "";
}

/* Of each class and byte order, with the fields of this one. */
static void reads_both_classes_and_byte_orders(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct small_elf from = plain;
		struct elf_file *file;
		struct symbol_table table;

		from.is_32_bit = i & 1;
		from.is_big_endian = i & 2;
		from.machine = i & 2 ? EM_PPC64 : EM_X86_64;
		file = open_small(&from);
		table = table_of(file);
		assert_string_equal(elf_file_name(file), "small");
		assert_string_equal(elf_file_build_id(file), SMALL_ELF_BUILD_ID);
		assert_string_equal(name_at(&table, 0x1008), "first");
		assert_string_equal(name_at(&table, 0x1027), "second");
		assert_true(symbol_table_is_whole(&table));
		symbol_table_release(&table);
		elf_file_close(file);
	}
}

static void functions_are_listed_and_nothing_else(void **state)
{
	struct elf_file *file = open_small(&plain);
	struct symbol_table table = table_of(file);

	(void)state;
	assert_string_equal(name_at(&table, 0x1040), "versioned");
	assert_string_equal(name_at(&table, 0x1050), "old");
	assert_string_equal(name_at(&table, 0x1060), "resolver");
	assert_string_equal(name_at(&table, 0x1080), "assembler");
	assert_string_equal(name_at(&table, 0x10ff), "$d.3"); /* a name like any, on x86 */
	assert_string_equal(name_at(&table, 0x1100), "");
	assert_string_equal(name_at(&table, 0x1104), "");
	assert_string_equal(name_at(&table, 0), "");
	assert_int_equal(symbol_table_count(&table), 8);
	symbol_table_release(&table);
	elf_file_close(file);
}

static void mapping_symbols_are_not_names(void **state)
{
	struct small_elf from = plain;
	struct elf_file *file;
	struct symbol_table table;

	(void)state;
	from.machine = EM_AARCH64;
	file = open_small(&from);
	table = table_of(file);
	assert_string_equal(name_at(&table, 0x1088), "assembler");
	assert_string_equal(name_at(&table, 0x10ff), "assembler"); /* up to the end of the code */
	assert_int_equal(symbol_table_count(&table), 6);
	symbol_table_release(&table);
	elf_file_close(file);
}

static void a_stripped_file_has_only_exported_functions(void **state)
{
	struct small_elf from = plain;
	struct elf_file *file;
	struct symbol_table table;

	(void)state;
	from.is_stripped = true;
	from.no_build_id = true;
	file = open_small(&from);
	table = table_of(file);
	assert_false(elf_file_has_symtab(file));
	assert_null(elf_file_build_id(file));
	assert_false(symbol_table_is_whole(&table));
	assert_string_equal(name_at(&table, 0x1008), "first");
	symbol_table_release(&table);
	elf_file_close(file);
}

/* As strip --keep-symbol leaves it. */
static void a_file_with_less_symbols_than_it_exports_is_stripped(void **state)
{
	struct small_elf from = plain;
	struct elf_file *file;
	struct symbol_table table;

	(void)state;
	from.is_stripped = true;
	from.kept = 2;
	file = open_small(&from);
	table = table_of(file);
	assert_true(elf_file_has_symtab(file));
	assert_false(symbol_table_is_whole(&table));
	assert_string_equal(name_at(&table, 0x1008), "first");
	assert_string_equal(name_at(&table, 0x1060), "resolver");
	symbol_table_release(&table);
	elf_file_close(file);

	from.kept = from.count;
	file = open_small(&from);
	table = table_of(file);
	assert_true(symbol_table_is_whole(&table));
	symbol_table_release(&table);
	elf_file_close(file);
}

static void other_kinds_of_files_are_refused_with_a_reason(void **state)
{
	static const struct {
		unsigned type;
		const char *text;
	} kinds[] = { { ET_REL, "small is an object file" },
		      { ET_CORE, "small is a core dump" },
		      { 0xfe00, "small is an ELF file of an unknown type" } };

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct pp_error err = { 0 };
		size_t size;
		uint8_t *bytes =
			small_elf_build(&(struct small_elf){ .type = kinds[i].type }, &size);

		assert_null(elf_file_over(bytes, size, "small", &err));
		assert_int_equal(err.code, PP_ERROR_UNSUPPORTED);
		assert_non_null(strstr(err.text, kinds[i].text));
	}
}

static void what_is_not_an_elf_file_is_refused(void **state)
{
	struct pp_error err = { 0 };
	int ends[2];

	(void)state;
	assert_null(elf_file_open(open("/proc/self/status", O_RDONLY), "status", &err));
	assert_int_equal(err.code, PP_ERROR_FORMAT);
	err = (struct pp_error){ 0 };
	assert_int_equal(pipe(ends), 0);
	assert_null(elf_file_open(ends[0], "pipe", &err));
	assert_string_equal(err.text, "pipe is not a file with code");
	close(ends[1]);
	err = (struct pp_error){ 0 };
	assert_null(elf_file_open(open("/", O_RDONLY), "/", &err));
	assert_string_equal(err.text, "/ is not a file with code");
}

static void offsets_become_addresses_as_linked(void **state)
{
	struct elf_file *file = open_small(&plain);
	uint64_t address = 0;
	size_t size, at = 0;
	uint8_t *bytes = small_elf_build(&plain, &size);
	Elf64_Phdr segment;

	(void)state;
	memcpy(&segment, bytes + ((Elf64_Ehdr *)bytes)->e_phoff, sizeof(segment));
	at = segment.p_offset;
	assert_true(elf_file_address(file, at, &address));
	assert_int_equal(address, SMALL_ELF_CODE);
	assert_true(elf_file_address(file, at + 0x42, &address));
	assert_int_equal(address, SMALL_ELF_CODE + 0x42);
	assert_false(elf_file_address(file, at + SMALL_ELF_CODE_SIZE, &address));
	assert_false(elf_file_address(file, UINT64_MAX, &address));
	assert_true(elf_file_has_code(file));
	assert_false(elf_file_has_lines(file));
	xfree(bytes);
	elf_file_close(file);
}

static void reads_the_link_to_a_debug_file(void **state)
{
	struct small_elf from = { .section = ".gnu_debuglink",
				  .bytes = "small.debug\0\x78\x56\x34\x12",
				  .size = 16 };
	struct elf_file *file = open_small(&from);
	struct elf_link link;

	(void)state;
	assert_true(elf_file_debug_link(file, &link));
	assert_string_equal(link.name, "small.debug");
	assert_int_equal(link.crc, 0x12345678);
	assert_false(elf_file_alt_link(file, &link));
	elf_file_close(file);

	from.size = 14; /* its checksum is cut */
	file = open_small(&from);
	assert_false(elf_file_debug_link(file, &link));
	elf_file_close(file);

	from = (struct small_elf){ .section = ".gnu_debugaltlink",
				   .bytes = "shared.debug\0\xab\xcd",
				   .size = 15 };
	file = open_small(&from);
	assert_true(elf_file_alt_link(file, &link));
	assert_string_equal(link.name, "shared.debug");
	assert_string_equal(link.build_id, "abcd");
	elf_file_close(file);
}

/* A property of this CRC: that of any bytes with their own CRC after them is the same number. */
static void the_checksum_is_that_of_debug_links(void **state)
{
	const int fd = memfd_create("crc", 0);
	size_t size;
	uint8_t *bytes = small_elf_build(&plain, &size);
	struct pp_error err = { 0 };
	struct elf_file *over = elf_file_over(bytes, size, "crc", &err);
	struct elf_file *file;
	uint32_t crc;

	(void)state;
	assert_non_null(over);
	assert_true(elf_file_crc(over, &crc));
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(write(fd, &crc, sizeof(crc)), sizeof(crc));
	file = elf_file_open(fd, "crc", &err);
	assert_non_null(file);
	assert_true(elf_file_crc(file, &crc));
	assert_int_equal(crc, 0x2144df1c);
	elf_file_close(file);
	elf_file_close(over);
}

#ifdef HAVE_LZMA
static void a_stripped_file_has_the_names_of_its_minidebuginfo(void **state)
{
	static const struct small_symbol more[] = { { "hidden", 0x10c0, 8, STT_FUNC, STB_LOCAL,
						      SMALL_CODE } };
	static uint8_t packed[8192];
	size_t size, packed_size = 0;
	uint8_t *bytes = small_elf_build(&(struct small_elf){ .symbols = more, .count = 1 }, &size);
	struct small_elf from = plain;
	struct elf_file *file;
	struct symbol_table table;

	(void)state;
	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes, size, packed,
						 &packed_size, sizeof(packed)),
			 LZMA_OK);
	xfree(bytes);
	from.is_stripped = true;
	from.section = ".gnu_debugdata";
	from.bytes = packed;
	for (from.size = packed_size; from.size; from.size--) {
		const bool cut = from.size < packed_size;

		file = open_small(&from);
		table = table_of(file);
		assert_string_equal(name_at(&table, 0x10c0), cut ? "$d.3" : "hidden");
		assert_string_equal(name_at(&table, 0x1008), "first");
		assert_int_equal(symbol_table_is_whole(&table), !cut);
		symbol_table_release(&table);
		elf_file_close(file);
	}
}

static void minidebuginfo_that_is_no_elf_file_is_left_out(void **state)
{
	static const uint8_t text[] = "no ELF file";
	uint8_t packed[256];
	struct small_elf from = plain;
	struct elf_file *file;
	struct symbol_table table;

	(void)state;
	from.is_stripped = true;
	from.section = ".gnu_debugdata";
	from.bytes = packed;
	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, text, sizeof(text),
						 packed, &from.size, sizeof(packed)),
			 LZMA_OK);
	file = open_small(&from);
	table = table_of(file);
	assert_string_equal(name_at(&table, 0x1008), "first");
	assert_false(symbol_table_is_whole(&table));
	symbol_table_release(&table);
	elf_file_close(file);
}
#endif

static struct elf_file *open_self(void)
{
	struct pp_error err = { 0 };
	struct elf_file *file = elf_file_open(open("/proc/self/exe", O_RDONLY), "self", &err);

	assert_string_equal(err.text, "");
	assert_non_null(file);
	return file;
}

static uint64_t as_linked(void (*function)(void **state))
{
	Dl_info info = { 0 };

	assert_true(dladdr((void *)(uintptr_t)function, &info));
	return (uint64_t)(uintptr_t)function - (uint64_t)(uintptr_t)info.dli_fbase;
}

static void knows_the_functions_of_this_program(void **state)
{
	struct elf_file *file = open_self();
	struct symbol_table table = table_of(file);

	(void)state;
	assert_true(elf_file_has_code(file));
	assert_true(elf_file_has_symtab(file));
	assert_string_equal(name_at(&table, as_linked(knows_the_functions_of_this_program)),
			    "knows_the_functions_of_this_program");
	assert_string_equal(name_at(&table, as_linked(reads_the_link_to_a_debug_file) + 1),
			    "reads_the_link_to_a_debug_file");
	symbol_table_release(&table);
	elf_file_close(file);
}

static uint8_t *read_self(size_t *size)
{
	const int fd = open("/proc/self/exe", O_RDONLY);
	struct stat status;
	uint8_t *bytes;

	assert_int_equal(fstat(fd, &status), 0);
	*size = (size_t)status.st_size;
	bytes = xcalloc(1, *size);
	assert_int_equal(pread(fd, bytes, *size, 0), *size);
	close(fd);
	return bytes;
}

static void entries_of_the_plt_are_named_after_what_they_call(void **state)
{
	struct elf_file *file = open_self();
	struct symbol_table table = table_of(file);
	struct symbol found;
	size_t entries = 0;
	bool runs_tests = false;

	(void)state;
	for (size_t i = 0; symbol_table_at(&table, i, &found); i++) {
		if (!strstr(found.name, "@plt"))
			continue;
		entries++;
		runs_tests |= !strcmp(found.name, "_cmocka_run_group_tests@plt");
	}
	assert_true(entries > 5);
	assert_true(runs_tests);
	symbol_table_release(&table);
	elf_file_close(file);
}

/* Opens what may be damaged, and reads all that there is in it. Takes the bytes. */
static void use_all(uint8_t *bytes, size_t size)
{
	struct pp_error err = { 0 };
	struct elf_file *file = elf_file_over(bytes, size, "damaged", &err);
	struct symbol_table table;
	struct elf_link link;
	uint64_t address;

	if (!file) {
		assert_true(err.text[0]);
		return;
	}
	elf_file_debug_link(file, &link);
	elf_file_alt_link(file, &link);
	elf_file_address(file, 64, &address);
	elf_file_has_lines(file);
	elf_file_has_code(file);
	table = table_of(file);
	name_at(&table, SMALL_ELF_CODE);
	symbol_table_release(&table);
	elf_file_close(file);
}

static void every_truncation_of_a_file_is_safe(void **state)
{
	size_t size;
	uint8_t *bytes = small_elf_build(&plain, &size);

	(void)state;
	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *copy = xcalloc(1, cut ? cut : 1);

		memcpy(copy, bytes, cut);
		use_all(copy, cut);
	}
	xfree(bytes);
}

static void every_damaged_byte_of_a_file_is_safe(void **state)
{
	static const uint8_t damages[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t size;
	uint8_t *bytes;

	(void)state;
	for (int bits = 32; bits <= 64; bits += 32) {
		struct small_elf from = plain;

		from.is_32_bit = bits == 32;
		bytes = small_elf_build(&from, &size);
		for (size_t at = 0; at < size; at++) {
			for (size_t i = 0; i < sizeof(damages); i++) {
				uint8_t *copy = xcalloc(1, size);

				memcpy(copy, bytes, size);
				copy[at] = damages[i];
				use_all(copy, size);
			}
		}
		xfree(bytes);
	}
}

static void damaged_copies_of_this_program_are_safe(void **state)
{
	(void)state;
	for (size_t i = 0; i < 48; i++) {
		size_t size;
		uint8_t *bytes = read_self(&size);
		const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
		/* all of the section headers, one after the other, and more in the segments' */
		const size_t at = i < 40 ? header->e_shoff + i * 64 + i * 5 % 64
					 : header->e_phoff + (i - 40) * 31;

		if (at < size)
			bytes[at] ^= (uint8_t)(0x55 + i);
		use_all(bytes, size - (i % 7 ? 0 : i * 1000));
	}
}

/* Opens a file and reads its symbols, as a public call does. */
static int read_symbols(void *context, struct pp_error *err)
{
	const char *path = context;
	struct elf_file *file = elf_file_open(open(path, O_RDONLY | O_CLOEXEC), path, err);
	struct symbol_list list = { 0 };
	struct symbol_table table;

	if (!file)
		return -1;
	elf_file_list_symbols(file, &list);
	table = symbol_list_seal(&list);
	symbol_table_release(&table);
	elf_file_close(file);
	return 0;
}

static int run_guarded(void *path, struct pp_error *err)
{
	return guard_run(read_symbols, path, err);
}

static void no_memory_fails_the_call_and_closes_the_file(void **state)
{
	char path[] = "/tmp/perfpipe-test-XXXXXX";
	const int fd = mkostemp(path, O_CLOEXEC);
	const int open_before = count_open_files();
	size_t size;
	uint8_t *bytes = small_elf_build(&plain, &size);

	(void)state;
	assert_int_equal(write(fd, bytes, size), size);
	xfree(bytes);
	assert_true(fails_at_each_allocation(run_guarded, path) > 5);
	assert_int_equal(count_open_files(), open_before);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_both_classes_and_byte_orders),
		cmocka_unit_test(functions_are_listed_and_nothing_else),
		cmocka_unit_test(mapping_symbols_are_not_names),
		cmocka_unit_test(a_stripped_file_has_only_exported_functions),
		cmocka_unit_test(a_file_with_less_symbols_than_it_exports_is_stripped),
		cmocka_unit_test(other_kinds_of_files_are_refused_with_a_reason),
		cmocka_unit_test(what_is_not_an_elf_file_is_refused),
		cmocka_unit_test(offsets_become_addresses_as_linked),
		cmocka_unit_test(reads_the_link_to_a_debug_file),
		cmocka_unit_test(the_checksum_is_that_of_debug_links),
#ifdef HAVE_LZMA
		cmocka_unit_test(a_stripped_file_has_the_names_of_its_minidebuginfo),
		cmocka_unit_test(minidebuginfo_that_is_no_elf_file_is_left_out),
#endif
		cmocka_unit_test(knows_the_functions_of_this_program),
		cmocka_unit_test(entries_of_the_plt_are_named_after_what_they_call),
		cmocka_unit_test(every_truncation_of_a_file_is_safe),
		cmocka_unit_test(every_damaged_byte_of_a_file_is_safe),
		cmocka_unit_test(damaged_copies_of_this_program_are_safe),
		cmocka_unit_test(no_memory_fails_the_call_and_closes_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
