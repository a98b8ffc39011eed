/* SPDX-License-Identifier: MIT */
#include "symbols/process_maps.h"

#include <fcntl.h>
#include <pthread.h>
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

#include "own_folder.h"

static struct process_maps parsed(const char *text)
{
	struct process_maps maps;

	process_maps_parse(&maps, text, strlen(text));
	return maps;
}

static void a_line_has_a_range_an_offset_and_a_path(void **state)
{
	struct process_maps maps =
		parsed("7f0000001000-7f0000003000 r-xp 00042000 fe:1f 1234567   /usr/lib/a b.so\n");

	(void)state;
	assert_int_equal(maps.count, 1);
	assert_int_equal(maps.list[0].start, 0x7f0000001000);
	assert_int_equal(maps.list[0].end, 0x7f0000003000);
	assert_int_equal(maps.list[0].file_offset, 0x42000);
	assert_int_equal(maps.list[0].inode, 1234567);
	assert_int_equal(maps.list[0].device_major, 0xfe);
	assert_int_equal(maps.list[0].device_minor, 0x1f);
	assert_string_equal(maps.list[0].path, "/usr/lib/a b.so");
	assert_true(maps.list[0].executable);
	assert_false(maps.list[0].deleted);
	process_maps_release(&maps);
}

static void an_address_belongs_to_the_mapping_around_it(void **state)
{
	struct process_maps maps = parsed("1000-2000 r--p 00000000 00:00 0 \n"
					  "2000-3000 r-xp 00000000 00:00 0 \n"
					  "5000-6000 r--p 00000000 00:00 0 [stack]\n");

	(void)state;
	assert_null(process_maps_find(&maps, 0xfff));
	assert_ptr_equal(process_maps_find(&maps, 0x1000), &maps.list[0]);
	assert_ptr_equal(process_maps_find(&maps, 0x2000), &maps.list[1]);
	assert_null(process_maps_find(&maps, 0x3000));
	assert_ptr_equal(process_maps_find(&maps, 0x5fff), &maps.list[2]);
	assert_null(process_maps_find(&maps, 0x6000));
	assert_null(process_maps_find(&maps, UINT64_MAX));
	process_maps_release(&maps);
}

static void deleted_files_and_files_in_memory_are_marked(void **state)
{
	struct process_maps maps =
		parsed("1000-2000 r-xp 00000000 08:01 7 /usr/lib/old.so (deleted)\n"
		       "2000-3000 rwxs 00000000 00:01 8 /memfd:doublemapper (deleted)\n"
		       "3000-4000 r-xp 00000000 08:01 9 (deleted)\n");

	(void)state;
	assert_string_equal(maps.list[0].path, "/usr/lib/old.so");
	assert_true(maps.list[0].deleted);
	assert_false(maps.list[0].memory);
	assert_string_equal(maps.list[1].path, "/memfd:doublemapper");
	assert_true(maps.list[1].memory);
	assert_string_equal(maps.list[2].path, "(deleted)");
	process_maps_release(&maps);
}

static void lines_that_make_no_sense_are_skipped(void **state)
{
	struct process_maps maps = parsed("\n"
					  "1000\n"
					  "1000-2000\n"
					  "1000-2000 r-xp\n"
					  "3000-2000 r-xp 00000000 00:00 0 \n"
					  "zz-yy r-xp 00000000 00:00 0 \n"
					  "4000-5000 r-xp 00000000 00:00 0 /a\n"
					  "1000-2000 r-xp 00000000 00:00 0 /not/in/order\n"
					  "6000-7000 r-xp 00000000 00:00 0 /without/its/end");

	(void)state;
	assert_int_equal(maps.count, 1);
	assert_string_equal(maps.list[0].path, "/a");
	process_maps_release(&maps);
}

static void code_that_was_remapped_for_huge_pages_stays_part_of_its_file(void **state)
{
	struct process_maps maps = parsed("1000-2000 r--p 00000000 08:01 7 /usr/bin/mysqld\n"
					  "2000-3000 r-xp 00001000 08:01 7 /usr/bin/mysqld\n"
					  "3000-4000 r-xp 00000000 00:00 0 \n"
					  "4000-6000 r-xp 00000000 00:00 0 [anon:huge text]\n"
					  "6000-7000 r-xp 00005000 08:01 7 /usr/bin/mysqld\n");

	(void)state;
	for (size_t i = 2; i < 4; i++) {
		assert_true(maps.list[i].remapped);
		assert_string_equal(maps.list[i].path, "/usr/bin/mysqld");
		assert_int_equal(maps.list[i].file_offset, i * 0x1000);
		assert_int_equal(maps.list[i].file_start, 0x2000);
	}
	process_maps_release(&maps);
}

static void anonymous_code_elsewhere_is_nobodys(void **state)
{
	static const char *const not_remapped[] = {
		/* the offsets leave no place for it */
		"2000-3000 r-xp 00001000 08:01 7 /a\n3000-4000 r-xp 00000000 00:00 0 \n"
		"4000-5000 r-xp 00002000 08:01 7 /a\n",
		/* another file follows */
		"2000-3000 r-xp 00001000 08:01 7 /a\n3000-4000 r-xp 00000000 00:00 0 \n"
		"4000-5000 r-xp 00003000 08:01 8 /b\n",
		/* with a gap */
		"2000-2800 r-xp 00001000 08:01 7 /a\n3000-4000 r-xp 00000000 00:00 0 \n"
		"4000-5000 r-xp 00003000 08:01 7 /a\n",
		/* nothing follows */
		"2000-3000 r-xp 00001000 08:01 7 /a\n3000-4000 r-xp 00000000 00:00 0 \n",
		/* data */
		"2000-3000 r-xp 00001000 08:01 7 /a\n3000-4000 rw-p 00000000 00:00 0 \n"
		"4000-5000 r-xp 00003000 08:01 7 /a\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(not_remapped) / sizeof(not_remapped[0]); i++) {
		struct process_maps maps = parsed(not_remapped[i]);

		assert_string_equal(maps.list[1].path, "");
		assert_false(maps.list[1].remapped);
		process_maps_release(&maps);
	}
}

/* A file of one page that this process has mapped. */
struct mapped {
	char path[300];
	char *at;
	struct stat status;
};

static struct mapped map_file(const char *name)
{
	struct mapped mapped;
	int fd;

	snprintf(mapped.path, sizeof(mapped.path), "%s/%s", folder, name);
	fd = open(mapped.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(fstat(fd, &mapped.status), 0);
	mapped.at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(mapped.at, MAP_FAILED);
	close(fd);
	return mapped;
}

static struct process_maps own_maps(void)
{
	struct process_maps maps;
	struct pp_error err = { 0 };

	assert_int_equal(process_maps_read(&maps, getpid(), &err), 0);
	return maps;
}

static void assert_opens(const struct process_maps *maps, const struct mapped *mapped)
{
	const struct process_mapping *mapping =
		process_maps_find(maps, (uint64_t)(uintptr_t)mapped->at);
	struct pp_error err = { 0 };
	struct stat status;
	int fd;

	assert_non_null(mapping);
	fd = process_mapping_open(maps, mapping, &err);
	assert_string_equal(err.text, "");
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	assert_int_equal(status.st_ino, mapped->status.st_ino);
	close(fd);
}

static void files_with_odd_names_are_opened(void **state)
{
	static const char *const names[] = { "plain",	       "a b",
					     "new\nline",      "like\\012one",
					     "here (deleted)", "\xff\xfe" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct mapped mapped = map_file(names[i]);
		struct process_maps maps = own_maps();

		assert_opens(&maps, &mapped);
		assert_false(process_maps_find(&maps, (uint64_t)(uintptr_t)mapped.at)->deleted);
		process_maps_release(&maps);
		munmap(mapped.at, 4096);
		unlink(mapped.path);
	}
}

static void a_replaced_file_is_not_the_new_one(void **state)
{
	struct mapped mapped = map_file("replaced"), other = map_file("other");
	struct pp_error err = { 0 };
	struct process_maps maps;
	const struct process_mapping *mapping;
	int fd;

	(void)state;
	assert_int_equal(rename(other.path, mapped.path), 0);
	maps = own_maps();
	mapping = process_maps_find(&maps, (uint64_t)(uintptr_t)mapped.at);
	assert_string_equal(mapping->path, mapped.path);
	assert_true(mapping->deleted);
	fd = process_mapping_open(&maps, mapping, &err);
	if (fd >= 0)
		assert_opens(&maps, &mapped);
	else
		assert_non_null(strstr(err.text, "was replaced")); /* only root may open it */
	close(fd);
	process_maps_release(&maps);
	munmap(mapped.at, 4096);
	munmap(other.at, 4096);
	unlink(mapped.path);
}

/* Ends the first thread; the other one says so, and waits. */
static void *outlive(void *ready)
{
	char path[64], text[512] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", getpid());
	while (!strstr(text, ") Z ")) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
			_exit(1);
		close(fd);
	}
	if (write((int)(intptr_t)ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void a_process_whose_first_thread_has_ended_has_its_mappings(void **state)
{
	struct process_maps maps;
	struct pp_error err = { 0 };
	int ready[2], status;
	char byte;
	pid_t pid;

	(void)state;
	if (getenv("EMULATED")) /* which has a /proc/PID/stat of its own */
		skip();
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		pthread_t thread;

		alarm(60);
		if (pthread_create(&thread, NULL, outlive, (void *)(intptr_t)ready[1]))
			_exit(1);
		pthread_exit(NULL);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(process_maps_read(&maps, pid, &err), 0);
	assert_true(maps.count > 3);
	assert_int_not_equal(maps.task, pid);
	process_maps_release(&maps);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(ready[0]);
}

static void a_process_that_is_not_there_is_said_so(void **state)
{
	struct process_maps maps;
	struct pp_error err = { 0 };
	int status;
	const pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	assert_int_equal(process_maps_read(&maps, pid, &err), -1);
	assert_non_null(strstr(err.text, "there is no process"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_a_range_an_offset_and_a_path),
		cmocka_unit_test(an_address_belongs_to_the_mapping_around_it),
		cmocka_unit_test(deleted_files_and_files_in_memory_are_marked),
		cmocka_unit_test(lines_that_make_no_sense_are_skipped),
		cmocka_unit_test(code_that_was_remapped_for_huge_pages_stays_part_of_its_file),
		cmocka_unit_test(anonymous_code_elsewhere_is_nobodys),
		cmocka_unit_test(files_with_odd_names_are_opened),
		cmocka_unit_test(a_replaced_file_is_not_the_new_one),
		cmocka_unit_test(a_process_whose_first_thread_has_ended_has_its_mappings),
		cmocka_unit_test(a_process_that_is_not_there_is_said_so),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
