/* SPDX-License-Identifier: MIT */
#include "own_folder.h"
#include "symbols/debug_files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/heap.h"
#include "failing_alloc.h"
#include "debug_elf.h"

#define ID	 "0123456789abcdef0123456789abcdef01234567"
#define BY_ID	 "01/23456789abcdef0123456789abcdef01234567"
#define OTHER_ID "ff23456789abcdef0123456789abcdef01234567"

static const struct debug_elf stripped = { .build_id = ID,
					   .code = true,
					   .debug_link = "app-1.debug" };
static const struct debug_elf debug_file = { .build_id = ID, .symtab = true, .lines = true };
static const struct debug_elf wrong_debug = { .build_id = OTHER_ID, .symtab = true, .lines = true };

static int begin_empty(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	return system("rm -rf root bin folder elsewhere");
}

static struct elf_file *open_elf(const char *path)
{
	struct pp_error err = { 0 };
	struct elf_file *file = elf_file_open(open(path, O_RDONLY | O_CLOEXEC), path, &err);

	assert_non_null(file);
	return file;
}

/* NULL: none is found. */
static void expect_path(struct elf_file *found, const char *path)
{
	if (!path)
		assert_null(found);
	else
		assert_non_null(found);
	if (path)
		assert_string_equal(elf_file_name(found), path);
	elf_file_close(found);
}

static void expect_debug(const struct debug_search *search, const char *binary, const char *path)
{
	struct elf_file *file = open_elf(binary);

	expect_path(debug_files_find(search, file, false), path);
	expect_path(debug_files_find(search, file, true), path);
	elf_file_close(file);
}

/* One file of debug information in each place in turn: it is found there if it is the right one. */
static void expect_in_places(const struct debug_search *search, const char *binary,
			     const char *const *places)
{
	for (; *places; places++) {
		debug_elf_write(*places, &wrong_debug);
		expect_debug(search, binary, NULL);
		assert_int_equal(unlink(*places), 0);
		assert_int_equal(mkfifo(*places, 0600), 0);
		expect_debug(search, binary, NULL);
		assert_int_equal(unlink(*places), 0);
		debug_elf_write(*places, &debug_file);
		expect_debug(search, binary, *places);
		assert_int_equal(unlink(*places), 0);
	}
}

static void files_beside_the_binary_are_found(void **state)
{
	static const char *const places[] = {
		"bin/app.debug",
		"bin/app.dbg",
		"bin/app-1.debug",
		"bin/.debug/app-1.debug",
		"bin/.debug/app.debug",
		"bin/.debug/app",
		NULL,
	};
	const struct debug_search search = { .root = "", .path = "bin/app" };

	(void)state;
	debug_elf_write("bin/app", &stripped);
	expect_in_places(&search, "bin/app", places);
	assert_int_equal(chdir("bin"), 0);
	debug_elf_write("app.debug", &debug_file);
	expect_debug(&(struct debug_search){ .root = "", .path = "app" }, "app", "./app.debug");
	assert_int_equal(chdir(".."), 0);
}

static void files_beside_what_a_link_leads_to_are_found(void **state)
{
	const struct debug_search search = { .root = "", .path = "bin/app" };
	char path[4096];

	(void)state;
	debug_elf_write("elsewhere/app-1", &stripped);
	debug_elf_write("elsewhere/.debug/app-1.debug", &debug_file);
	assert_int_equal(mkdir("bin", 0755), 0);
	assert_int_equal(symlink("../elsewhere/app-1", "bin/app"), 0);
	snprintf(path, sizeof(path), "%s/elsewhere/.debug/app-1.debug", folder);
	expect_debug(&search, "bin/app", path);
}

static void places_in_folders_of_the_options_are_found(void **state)
{
	static const char *const places[] = {
		"folder/app.debug",
		"folder/app.dbg",
		"folder/app-1.debug",
		"folder/app",
		"folder/.build-id/" BY_ID ".debug",
		"folder/" BY_ID ".debug",
		"folder/.build-id/" BY_ID "/debug",
		"folder/.build-id/" BY_ID "/elf",
		"folder/_.debug/elf-buildid-sym-" ID "/_.debug",
		NULL,
	};
	static const char *const by_path[] = {
		"folder/app/elf-buildid-" ID "/app",
		"folder/opt/bin/app",
		"folder/opt/bin/app.debug",
		"folder/opt/bin/app-1.debug",
		"folder/usr/lib/debug/.build-id/" BY_ID ".debug",
		"folder/usr/lib/debug/opt/bin/app-1.debug",
		NULL,
	};
	const char *const folders[] = { "", "missing", "folder" };
	const struct debug_search search = {
		.root = "", .path = "/opt/bin/app", .folders = folders, .folder_count = 3
	};

	(void)state;
	debug_elf_write("bin/app", &stripped);
	expect_in_places(&search, "bin/app", places);
	assert_int_equal(system("rm -r folder"), 0);
	expect_in_places(&search, "bin/app", by_path);
}

static void places_below_another_root_are_found(void **state)
{
	static const char *const places[] = {
		"root/usr/bin/app.debug",
		"root/usr/bin/app-1.debug",
		"root/usr/lib/debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug",
		"root/usr/lib/debug/usr/bin/app-1.debug",
		"root/usr/lib/debug/usr/bin/app.debug",
		"root/usr/lib/debug/usr/bin/app",
		"root/usr/lib/debug/bin/app.debug",
		"root/usr/lib/debug/bin/app",
		NULL,
	};
	static const char *const merged[] = {
		"root/usr/lib/debug/usr/lib/app-1.debug",
		"root/usr/lib/debug/usr/lib/app.debug",
		NULL,
	};

	(void)state;
	debug_elf_write("root/usr/bin/app", &stripped);
	expect_in_places(&(struct debug_search){ .root = "root", .path = "/usr/bin/app" },
			 "root/usr/bin/app", places);
	expect_in_places(&(struct debug_search){ .root = "root", .path = "/lib/app" },
			 "root/usr/bin/app", merged);
}

static void links_stay_in_the_root_of_the_process(void **state)
{
	const struct debug_search search = { .root = "root", .path = "/bin/app" };
	char target[4096];

	(void)state;
	debug_elf_write("root/bin/app", &stripped);
	debug_elf_write("elsewhere/app.debug", &debug_file);
	snprintf(target, sizeof(target), "%s/elsewhere/app.debug", folder);
	assert_int_equal(symlink(target, "root/bin/app.debug"), 0); /* a file of ours */
	expect_debug(&search, "root/bin/app", NULL);
	assert_int_equal(unlink("root/bin/app.debug"), 0);
	assert_int_equal(symlink("../../elsewhere/app.debug", "root/bin/app.debug"), 0);
	expect_debug(&search, "root/bin/app", NULL);
	debug_elf_write("root/opt/app.debug", &debug_file);
	assert_int_equal(unlink("root/bin/app.debug"), 0);
	assert_int_equal(symlink("/opt/app.debug", "root/bin/app.debug"), 0);
	expect_debug(&search, "root/bin/app", "root/bin/app.debug");
}

static void after_the_root_of_the_process_ours_is_searched(void **state)
{
	char path[4096], debug[4200];

	(void)state;
	debug_elf_write("bin/app", &stripped);
	debug_elf_write("bin/app.debug", &debug_file);
	assert_int_equal(mkdir("root", 0755), 0);
	snprintf(path, sizeof(path), "%s/bin/app", folder);
	snprintf(debug, sizeof(debug), "%s.debug", path);
	expect_debug(&(struct debug_search){ .root = "root", .path = path }, "bin/app", debug);
	expect_debug(&(struct debug_search){ .root = "missing", .path = path }, "bin/app", debug);
}

static void only_a_file_with_what_is_missing_is_found(void **state)
{
	const struct debug_search search = { .root = "", .path = "bin/app" };
	const struct debug_elf symbols = { .build_id = ID, .symtab = true };
	const struct debug_elf lines = { .build_id = ID, .lines = true };
	struct elf_file *binary;

	(void)state;
	debug_elf_write("bin/app", &stripped);
	debug_elf_write("bin/app.debug", &symbols);
	debug_elf_write("bin/app.dbg", &lines);
	binary = open_elf("bin/app");
	expect_path(debug_files_find(&search, binary, false), "bin/app.debug");
	expect_path(debug_files_find(&search, binary, true), "bin/app.dbg");
	elf_file_close(binary);
}

static void without_a_build_id_the_checksum_decides(void **state)
{
	const struct debug_search search = { .root = "", .path = "bin/app" };
	struct debug_elf binary = { .code = true, .debug_link = "app.debug" };
	struct debug_elf debug = { .symtab = true, .lines = true };

	(void)state;
	debug_elf_write("bin/app.debug", &debug);
	debug_elf_write("bin/app", &binary);
	expect_debug(&search, "bin/app", NULL);
	binary.debug_crc = debug_elf_crc("bin/app.debug");
	debug_elf_write("bin/app", &binary);
	expect_debug(&search, "bin/app", "bin/app.debug");
	binary.debug_link = NULL; /* nothing says that they belong together */
	debug_elf_write("bin/app", &binary);
	expect_debug(&search, "bin/app", NULL);
	binary = (struct debug_elf){ .build_id = ID, .code = true, .debug_link = "app.debug" };
	binary.debug_crc = debug_elf_crc("bin/app.debug");
	debug_elf_write("bin/app", &binary);
	expect_debug(&search, "bin/app", NULL); /* a build id, and the other has none */
}

static void the_name_in_a_debug_link_stays_in_its_folder(void **state)
{
	const struct debug_search search = { .root = "", .path = "bin/app" };
	struct debug_elf binary = { .build_id = ID, .code = true, .debug_link = "../elsewhere/x" };

	(void)state;
	debug_elf_write("bin/app", &binary);
	debug_elf_write("elsewhere/x", &debug_file);
	expect_debug(&search, "bin/app", NULL);
	debug_elf_write("bin/x", &debug_file);
	expect_debug(&search, "bin/app", "bin/x");
}

static void damaged_files_are_passed_over(void **state)
{
	const struct debug_search search = { .root = "", .path = "bin/app" };
	FILE *file;

	(void)state;
	debug_elf_write("bin/app", &stripped);
	file = fopen("bin/app.debug", "w");
	assert_non_null(file);
	fputs("\177ELF and nothing else", file);
	fclose(file);
	assert_int_equal(mkdir("bin/app.dbg", 0755), 0);
	debug_elf_write("bin/app-1.debug", &debug_file);
	expect_debug(&search, "bin/app", "bin/app-1.debug");
}

static void a_binary_is_found_by_its_build_id(void **state)
{
	static const char *const places[] = {
		"folder/app",
		"folder/opt/app",
		"folder/.build-id/" BY_ID,
		"folder/usr/lib/.build-id/" BY_ID,
		NULL,
	};
	const char *const folders[] = { "folder" };
	const struct debug_search search = {
		.root = "", .path = "/opt/app", .folders = folders, .folder_count = 1
	};
	const struct debug_elf other = { .build_id = OTHER_ID, .code = true };

	(void)state;
	for (size_t i = 0; places[i]; i++) {
		debug_elf_write(places[i], &other);
		expect_path(debug_files_find_binary(&search, ID), NULL);
		debug_elf_write(places[i], &debug_file); /* not the binary */
		expect_path(debug_files_find_binary(&search, ID), NULL);
		debug_elf_write(places[i], &stripped);
		expect_path(debug_files_find_binary(&search, ID), places[i]);
		assert_int_equal(unlink(places[i]), 0);
	}
	debug_elf_write("folder/app/elf-buildid-" ID "/app", &stripped);
	expect_path(debug_files_find_binary(&search, ID), "folder/app/elf-buildid-" ID "/app");
	expect_path(debug_files_find_binary(&search, "0123456789ABCDEF0123456789abcdef01234567"),
		    "folder/app/elf-buildid-" ID "/app");
}

static void texts_that_are_not_build_ids_find_nothing(void **state)
{
	static const char *const texts[] = { "", "01", "../../../bin/app", "0123/456", "xyzw" };
	const char *const folders[] = { "folder", "." };
	const struct debug_search search = {
		.root = "", .path = "/bin/app", .folders = folders, .folder_count = 2
	};

	(void)state;
	debug_elf_write("bin/app", &stripped);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		expect_path(debug_files_find_binary(&search, texts[i]), NULL);
	expect_path(debug_files_find_binary(&search, NULL), NULL);
	expect_path(debug_files_find_binary(&(struct debug_search){ 0 }, ID), NULL);
	expect_path(debug_files_find_binary(&(struct debug_search){ .path = "/.." }, ID), NULL);
}

static void expect_alt(const struct debug_search *search, const char *debug, const char *path)
{
	struct elf_file *file = open_elf(debug);

	expect_path(debug_files_find_alt(search, file), path);
	elf_file_close(file);
}

static void the_file_that_debug_files_share_is_found(void **state)
{
	static const char *const places[] = {
		"root/usr/lib/debug/.dwz/arch/shared.debug",
		"root/usr/lib/debug/.dwz/shared.debug",
		"root/usr/lib/debug/.build-id/ff/23456789abcdef0123456789abcdef01234567.debug",
		NULL,
	};
	const struct debug_search search = { .root = "root", .path = "/usr/bin/app" };
	const char *debug = "root/usr/lib/debug/.build-id/" BY_ID ".debug";
	struct debug_elf with_link = { .build_id = ID,
				       .lines = true,
				       .alt_link = "../../.dwz/arch/shared.debug",
				       .alt_build_id = OTHER_ID };

	(void)state;
	debug_elf_write(debug, &with_link);
	expect_alt(&search, debug, NULL);
	for (size_t i = 0; places[i]; i++) {
		debug_elf_write(places[i], &debug_file);
		expect_alt(&search, debug, NULL);
		debug_elf_write(places[i], &wrong_debug);
		expect_alt(&search, debug,
			   i ? places[i] /* below, as the link says it */
			     : "root/usr/lib/debug/.build-id/01/../../.dwz/arch/shared.debug");
		assert_int_equal(unlink(places[i]), 0);
	}
	with_link.alt_link = "/opt/shared.debug";
	debug_elf_write(debug, &with_link);
	debug_elf_write("root/opt/shared.debug", &wrong_debug);
	expect_alt(&search, debug, "root/opt/shared.debug");
	debug_elf_write(debug, &debug_file); /* without such a link */
	expect_alt(&search, debug, NULL);
}

static void a_shared_file_in_folders_of_the_options_is_found(void **state)
{
	static const char *const places[] = {
		"folder/.dwz/arch/shared.debug",
		"folder/.dwz/shared.debug",
		"folder/shared.debug",
		"folder/.build-id/ff/23456789abcdef0123456789abcdef01234567.debug",
		NULL,
	};
	const char *const folders[] = { "folder" };
	const struct debug_search search = { .folders = folders, .folder_count = 1 };
	const struct debug_elf as_dwz_makes_it = { .build_id = OTHER_ID,
						   .lines = true,
						   .object = true };
	const struct debug_elf with_link = { .build_id = ID,
					     .lines = true,
					     .alt_link = "/x/.dwz/arch/shared.debug",
					     .alt_build_id = OTHER_ID };

	(void)state;
	debug_elf_write("folder/app.debug", &with_link);
	for (size_t i = 0; places[i]; i++) {
		debug_elf_write(places[i], &as_dwz_makes_it);
		expect_alt(&search, "folder/app.debug", places[i]);
		assert_int_equal(unlink(places[i]), 0);
	}
}

static int find_in_call(void *context, struct pp_error *err)
{
	const char *const folders[] = { "folder" };
	const struct debug_search search = {
		.root = "root", .path = "/bin/app", .folders = folders, .folder_count = 1
	};
	struct elf_file *found = debug_files_find_binary(&search, ID);

	(void)context;
	if (!found)
		return error_set(err, PP_ERROR_MEMORY, "not found");
	elf_file_close(found);
	return 0;
}

static int run_call(void *context, struct pp_error *err)
{
	return guard_run(find_in_call, context, err);
}

static void nothing_stays_open_when_memory_is_gone(void **state)
{
	const int before = count_open_files();

	(void)state;
	debug_elf_write("folder/app", &wrong_debug);
	debug_elf_write("root/bin/app", &stripped);
	assert_true(fails_at_each_allocation(run_call, NULL) > 5);
	assert_int_equal(count_open_files(), before);
}

int main(void)
{
#define IN_NEW_FOLDER(test) cmocka_unit_test_setup(test, begin_empty)
	const struct CMUnitTest tests[] = {
		IN_NEW_FOLDER(files_beside_the_binary_are_found),
		IN_NEW_FOLDER(files_beside_what_a_link_leads_to_are_found),
		IN_NEW_FOLDER(places_in_folders_of_the_options_are_found),
		IN_NEW_FOLDER(places_below_another_root_are_found),
		IN_NEW_FOLDER(links_stay_in_the_root_of_the_process),
		IN_NEW_FOLDER(after_the_root_of_the_process_ours_is_searched),
		IN_NEW_FOLDER(only_a_file_with_what_is_missing_is_found),
		IN_NEW_FOLDER(without_a_build_id_the_checksum_decides),
		IN_NEW_FOLDER(the_name_in_a_debug_link_stays_in_its_folder),
		IN_NEW_FOLDER(damaged_files_are_passed_over),
		IN_NEW_FOLDER(a_binary_is_found_by_its_build_id),
		IN_NEW_FOLDER(texts_that_are_not_build_ids_find_nothing),
		IN_NEW_FOLDER(the_file_that_debug_files_share_is_found),
		IN_NEW_FOLDER(a_shared_file_in_folders_of_the_options_is_found),
		IN_NEW_FOLDER(nothing_stays_open_when_memory_is_gone),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
