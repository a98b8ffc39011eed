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

static void make_path(char path[128], const char *middle)
{
	snprintf(path, 128, "%s/perfpipe-launch-%s.sock", folder, middle);
}

/* A listener at such a path; or just a stale socket, and -1. */
static int add_socket(const char *middle, bool listens)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char path[128];

	make_path(path, middle);
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

	make_path(path, middle);
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
	make_path(path, "1x");
	file = open(path, O_CREAT | O_CLOEXEC, 0600);
	launch_socket_tidy(folder, 0);
	assert_true(is_there(alive));
	assert_true(is_there(odd));
	assert_true(is_there("1x"));
	assert_true(is_there(dead));
	close(file);
	close(fd);
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

static void names_its_socket_after_its_process(void **state)
{
	char path[LAUNCH_SOCKET_SIZE], expected[128];

	(void)state;
	launch_socket_path(path);
	snprintf(expected, sizeof(expected), "/tmp/perfpipe-launch-%ld.sock", (long)getpid());
	assert_string_equal(path, expected);
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
		cmocka_unit_test(names_its_socket_after_its_process),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
