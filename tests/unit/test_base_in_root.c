/* SPDX-License-Identifier: MIT */
/* Paths inside another root directory: by openat2(), and step by step. */
#include "base/in_root.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char base[] = "/tmp/perfpipe-test-XXXXXX";
static int root = -1;

typedef int find_function(int, const char *, int);

static find_function *const ways[] = { in_root_find, in_root_walk };

static void make_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* BASE/secret is outside, and BASE/root has links of all kinds. */
static int make_root(void **state)
{
	static const char *const links[][2] = {
		{ "/a/file", "root/absolute" },
		{ "../../../../secret", "root/up" },
		{ "/../a/file", "root/a/over" },
		{ "file", "root/a/relative" },
		{ "..", "root/a/parent" },
		{ "/loop", "root/loop" },
		{ "a", "root/folder" },
		{ "/nowhere", "root/dangling" },
		{ "/proc/self/root", "root/host" },
		{ "/", "root/top" },
	};

	(void)state;
	if (!mkdtemp(base) || chdir(base) || mkdir("root", 0755) || mkdir("root/a", 0755))
		return -1;
	make_file("secret", "outside");
	make_file("root/a/file", "inside");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		assert_int_equal(symlink(links[i][0], links[i][1]), 0);
	assert_int_equal(mkfifo("root/pipe", 0644), 0);
	root = open("root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return root < 0 ? -1 : 0;
}

static int remove_root(void **state)
{
	char command[64];

	(void)state;
	close(root);
	snprintf(command, sizeof(command), "rm -r %s", base);
	return system(command);
}

static bool is_file(int fd, const char *path)
{
	struct stat found, wanted;

	return !fstat(fd, &found) && !stat(path, &wanted) && found.st_ino == wanted.st_ino &&
	       found.st_dev == wanted.st_dev;
}

static void expect_found(const char *path, const char *same)
{
	for (size_t i = 0; i < 2; i++) {
		const int fd = ways[i](root, path, 0);

		if (fd < 0 || !is_file(fd, same))
			fail_msg("way %zu: %s is not %s: %s", i, path, same, strerror(errno));
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		close(fd);
	}
}

static void expect_error(const char *path, int flags, int number)
{
	for (size_t i = 0; i < 2; i++) {
		const int fd = ways[i](root, path, flags);

		if (fd >= 0 || errno != number)
			fail_msg("way %zu: %s gives %d (%s)", i, path, fd, strerror(errno));
	}
}

static void links_are_resolved_inside_the_root(void **state)
{
	static const char *const inside[] = { "/a/file",
					      "a/file",
					      "absolute",
					      "/a/over",
					      "a/relative",
					      "//a//./file",
					      "a/parent/a/file",
					      "folder/file",
					      "top/top/a/file",
					      "../../a/file",
					      "/../folder/../absolute" };

	(void)state;
	for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++)
		expect_found(inside[i], "root/a/file");
	expect_found("/", "root");
	expect_found("/..", "root");
	expect_found("a/..", "root");
	expect_found("a/parent", "root");
	expect_found("top", "root");
	expect_found("a/", "root/a");
}

static void nothing_leads_out(void **state)
{
	(void)state;
	expect_error("up", 0, ENOENT);
	expect_error("/../secret", 0, ENOENT);
	expect_error("a/parent/../secret", 0, ENOENT);
	expect_error("host", 0, ENOENT); /* there is no /proc inside */
	expect_error("dangling", 0, ENOENT);
	expect_error("loop", 0, ELOOP);
	expect_error("a/file/x", 0, ENOTDIR);
	expect_error("", 0, ENOENT);
}

/* Not in old kernels and emulators, where paths are walked by hand. */
static bool has_openat2(void)
{
	return syscall(SYS_openat2, -1, "", NULL, 0) >= 0 || errno != ENOSYS;
}

/* /proc/PID/root and others open what they stand for, whatever their text is. */
static void magic_links_are_not_followed(void **state)
{
	const int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const int secret = open("secret", O_RDONLY | O_CLOEXEC);
	const int reason = has_openat2() ? ELOOP : ENOENT;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%d/fd/%d", (int)getpid(), secret);
	assert_int_equal(in_root_find(proc, path, 0), -1);
	assert_int_equal(errno, reason);
	assert_int_equal(in_root_walk(proc, path, 0), -1); /* by its text, which is not in /proc */
	assert_int_equal(errno, ENOENT);
	close(secret);
	close(proc);
}

static void a_last_link_can_be_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const int fd = ways[i](root, "/a/over", O_NOFOLLOW);
		struct stat info;

		assert_int_equal(fstat(fd, &info), 0);
		assert_true(S_ISLNK(info.st_mode));
		close(fd);
	}
	expect_error("dangling/x", O_NOFOLLOW, ENOENT);
}

static void long_and_deep_paths_are_refused(void **state)
{
	char path[6000];

	(void)state;
	memset(path, 'x', sizeof(path));
	path[300] = 0;
	expect_error(path, 0, ENAMETOOLONG);
	path[300] = '/';
	path[sizeof(path) - 1] = 0;
	expect_error(path, 0, ENAMETOOLONG);
}

static int count_descriptors(void)
{
	int count = 0;

	for (int i = 0; i < 256; i++)
		count += fcntl(i, F_GETFD) >= 0;
	return count;
}

static void descriptors_are_closed(void **state)
{
	const int before = count_descriptors();

	(void)state;
	nothing_leads_out(state);
	links_are_resolved_inside_the_root(state);
	assert_int_equal(in_root_regular(root, "pipe"), -1);
	assert_int_equal(count_descriptors(), before);
}

static void only_regular_files_are_read(void **state)
{
	char text[16] = "";
	int fd = in_root_regular(root, "absolute");

	(void)state;
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	assert_string_equal(text, "inside");
	close(fd);
	assert_int_equal(in_root_regular(root, "pipe"), -1); /* and does not wait for a writer */
	assert_int_equal(errno, EINVAL);
	assert_int_equal(in_root_regular(root, "a"), -1);
	fd = in_root_folder(root, "folder");
	assert_true(is_file(fd, "root/a"));
	close(fd);
	assert_int_equal(in_root_folder(root, "absolute"), -1);
	assert_int_equal(errno, ENOTDIR);
}

#define ROUNDS 20000

/* Somebody moves a directory out of the root and back, so that its `..` is outside for a while. */
static _Noreturn void move_for_ever(void)
{
	while (!rename("root/b", "moved") && !rename("moved", "root/b"))
		;
	_exit(1);
}

static void a_race_does_not_lead_out(void **state)
{
	pid_t child;

	(void)state;
	assert_int_equal(mkdir("root/b", 0755), 0);
	child = fork();
	if (!child)
		move_for_ever();
	for (int i = 0; i < ROUNDS; i++) {
		const int fd = ways[i % 2](root, "b/../secret", 0);

		assert_false(fd >= 0 && is_file(fd, "secret"));
		if (fd >= 0)
			close(fd);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_resolved_inside_the_root),
		cmocka_unit_test(nothing_leads_out),
		cmocka_unit_test(magic_links_are_not_followed),
		cmocka_unit_test(a_last_link_can_be_kept),
		cmocka_unit_test(long_and_deep_paths_are_refused),
		cmocka_unit_test(descriptors_are_closed),
		cmocka_unit_test(only_regular_files_are_read),
		cmocka_unit_test(a_race_does_not_lead_out),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
