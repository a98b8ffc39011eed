/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "own_folder.h"
#include "record/watched_folder.h"

static struct stat look_at(const char *path)
{
	struct stat found;

	assert_int_equal(stat(path, &found), 0);
	return found;
}

static bool is_watched(const char *path)
{
	const struct stat found = look_at(path);

	return folder_is_watched("/proc", getpid(), &found);
}

static void recognizes_its_own_watches(void **state)
{
	const int fd = inotify_init1(IN_CLOEXEC);
	int watch;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(mkdir("watched", 0700) || mkdir("watched/below", 0700), 0);
	assert_false(is_watched("watched"));
	watch = inotify_add_watch(fd, "watched", IN_MODIFY | IN_CREATE);
	assert_true(watch >= 0);
	assert_true(is_watched("watched"));
	assert_false(is_watched("watched/below"));
	assert_false(is_watched("."));
	assert_int_equal(inotify_rm_watch(fd, watch), 0);
	assert_false(is_watched("watched"));
	close(fd);
}

static void ignores_watches_that_a_new_file_does_not_wake(void **state)
{
	const int fd = inotify_init1(IN_CLOEXEC);

	(void)state;
	assert_true(inotify_add_watch(fd, ".", IN_DELETE | IN_UNMOUNT) >= 0);
	assert_false(is_watched("."));
	close(fd);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A process with descriptor 3, which is this, and has these watches. */
static bool is_watched_by(const char *target, const char *watches)
{
	const struct stat wanted = { .st_ino = 0xb52244, .st_dev = 0xfe00 }; /* 254:0 */

	unlink("proc/17/fd/3");
	assert_int_equal(symlink(target, "proc/17/fd/3"), 0);
	write_file("proc/17/fdinfo/3", watches);
	return folder_is_watched("proc", 17, &wanted);
}

static void reads_what_the_kernel_lists(void **state)
{
	static const char listed[] =
		"pos:\t0\nflags:\t00\n"
		"inotify wd:2 ino:5ac0f9 sdev:fe00000 mask:102 ignored_mask:0 fhandle-bytes:8\n"
		"inotify wd:1 ino:b52244 sdev:fe00000 mask:102 ignored_mask:0 fhandle-bytes:8\n";

	(void)state;
	assert_int_equal(system("mkdir -p proc/17/fd proc/17/fdinfo"), 0);
	assert_true(is_watched_by("anon_inode:inotify", listed));
	assert_false(is_watched_by("anon_inode:[eventpoll]", listed));
	assert_false(is_watched_by("anon_inode:inotify",
				   "inotify wd:1 ino:b52244 sdev:fe00001 mask:102\n"));
	assert_false(is_watched_by("anon_inode:inotify", "inotify wd:1 ino:b52244\n"));
	assert_true(
		is_watched_by("anon_inode:inotify", "inotify wd:1 ino:b52244 sdev:fe00000 mask:2"));
	assert_false(is_watched_by("anon_inode:inotify", ""));
}

static void does_without_what_cannot_be_read(void **state)
{
	const struct stat here = look_at(".");

	(void)state;
	assert_false(folder_is_watched("/proc", 0, &here));
	assert_false(folder_is_watched("no-proc", 1, &here));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognizes_its_own_watches),
		cmocka_unit_test(ignores_watches_that_a_new_file_does_not_wake),
		cmocka_unit_test(reads_what_the_kernel_lists),
		cmocka_unit_test(does_without_what_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
