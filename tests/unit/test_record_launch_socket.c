/* SPDX-License-Identifier: MIT */
#include "record/launch_socket.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/perfpipe-test-XXXXXX";

static void make_path(char path[128], const char *middle, const char *name)
{
	snprintf(path, 128, "%s/perfpipe-%s-AbCd12%s", folder, middle, name);
}

/* A listener in such a directory; or just a stale socket, and -1. */
static int add_socket(const char *middle, bool listens)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char path[128];

	make_path(path, middle, "");
	assert_int_equal(mkdir(path, 0700), 0);
	make_path(path, middle, "/launch.sock");
	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 1), 0);
	if (listens)
		return fd;
	close(fd);
	return -1;
}

static bool is_there(const char *middle)
{
	struct stat file;
	char path[128];

	make_path(path, middle, "");
	return !lstat(path, &file);
}

/* The pid of a process that has just ended. */
static void dead_process(char middle[32])
{
	const pid_t pid = fork();

	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	snprintf(middle, 32, "%ld", (long)pid);
}

static void leaves_sockets_that_may_be_in_use(void **state)
{
	char dead[32], alive[32], odd[40], path[128];
	int fd, file;

	(void)state;
	dead_process(dead);
	snprintf(alive, sizeof(alive), "%ld", (long)getpid());
	snprintf(odd, sizeof(odd), "0%s", dead);
	add_socket(alive, false);
	add_socket(odd, false);
	fd = add_socket(dead, true);
	make_path(path, "1x", "");
	file = open(path, O_CREAT | O_CLOEXEC, 0600);
	launch_socket_tidy(folder, 0);
	assert_true(is_there(alive));
	assert_true(is_there(odd));
	assert_true(is_there("1x"));
	assert_true(is_there(dead));
	close(file);
	close(fd);
}

/* Anybody can make a directory of such a name in /tmp, or a link. */
static void leaves_what_others_made(void **state)
{
	char dead[32], path[128], target[128];

	(void)state;
	dead_process(dead);
	add_socket(dead, false);
	make_path(path, dead, "");
	assert_int_equal(chmod(path, 0777), 0);
	launch_socket_tidy(folder, 0);
	assert_true(is_there(dead));
	assert_int_equal(chmod(path, 0700), 0);

	snprintf(target, sizeof(target), "%s/target", folder);
	assert_int_equal(rename(path, target), 0);
	assert_int_equal(symlink(target, path), 0);
	launch_socket_tidy(folder, 0);
	snprintf(target, sizeof(target), "%s/target/launch.sock", folder);
	assert_int_equal(access(target, F_OK), 0);
	assert_true(is_there(dead));
	if (geteuid())
		return;
	assert_int_equal(unlink(path), 0);
	snprintf(target, sizeof(target), "%s/target", folder);
	assert_int_equal(rename(target, path), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	launch_socket_tidy(folder, 0);
	assert_true(is_there(dead));
}

static void removes_sockets_of_dead_processes(void **state)
{
	char dead[32];

	(void)state;
	dead_process(dead);
	add_socket(dead, false);
	launch_socket_tidy(folder, 10);
	assert_true(is_there(dead)); /* a process we cannot see may have just created it */
	launch_socket_tidy(folder, 0);
	assert_false(is_there(dead));
	launch_socket_tidy("/no/such/folder", 0);
}

static void expect_made_in(const char *base)
{
	struct launch_socket made = { 0 };
	struct pp_error err = { 0 };
	char start[160];
	struct stat info;

	assert_int_equal(launch_socket_make(&made, &err), 0);
	snprintf(start, sizeof(start), "%s/perfpipe-%ld-", base, (long)getpid());
	if (strncmp(made.folder, start, strlen(start)))
		fail_msg("%s does not begin with %s", made.folder, start);
	assert_int_equal(strncmp(made.path, made.folder, strlen(made.folder)), 0);
	assert_string_equal(made.path + strlen(made.folder), "/launch.sock");
	assert_int_equal(stat(made.folder, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	assert_int_equal(info.st_uid, geteuid());
	launch_socket_remove(&made);
	assert_int_equal(stat(start, &info), -1);
	launch_socket_remove(&made);
}

/* Too long for the address of a socket. */
static void make_long_folder(void)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%080d", folder, 0);
	assert_int_equal(mkdir(path, 0700), 0);
	setenv("XDG_RUNTIME_DIR", path, 1);
}

static void makes_a_directory_where_nobody_else_can_write(void **state)
{
	char link[64];

	(void)state;
	unsetenv("XDG_RUNTIME_DIR");
	expect_made_in("/tmp");
	setenv("XDG_RUNTIME_DIR", folder, 1);
	expect_made_in(folder);
	assert_int_equal(chmod(folder, 0777), 0);
	expect_made_in("/tmp");
	assert_int_equal(chmod(folder, 0700), 0);
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	expect_made_in("/tmp");
	setenv("XDG_RUNTIME_DIR", "/no/such/folder", 1);
	expect_made_in("/tmp");
	make_long_folder();
	expect_made_in("/tmp");
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink(folder, link), 0);
	setenv("XDG_RUNTIME_DIR", link, 1);
	expect_made_in("/tmp");
	if (!geteuid()) { /* as sudo leaves it */
		assert_int_equal(chown(folder, 65534, 65534), 0);
		setenv("XDG_RUNTIME_DIR", folder, 1);
		expect_made_in("/tmp");
		assert_int_equal(chown(folder, 0, 0), 0);
	}
	unsetenv("XDG_RUNTIME_DIR");
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_sockets_that_may_be_in_use),
		cmocka_unit_test(removes_sockets_of_dead_processes),
		cmocka_unit_test(leaves_what_others_made),
		cmocka_unit_test(makes_a_directory_where_nobody_else_can_write),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
