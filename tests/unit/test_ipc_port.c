/* SPDX-License-Identifier: MIT */
#include "perfpipe/port.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ipc/answers.h"
#include "ipc/connect.h"

static char folder[] = "/tmp/perfpipe-test-port-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "%s/port", mkdtemp(folder));
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static struct pp_port *listen_there(void)
{
	struct pp_error err = { 0 };
	struct pp_port *port = pp_port_listen(path, &err);

	assert_string_equal(err.text, "");
	assert_non_null(port);
	return port;
}

/* Connects and identifies itself, as a runtime does. */
static int come(char cookie, size_t size)
{
	uint8_t said[ADVERTISE_SIZE] = "ADVR_V1";
	const int fd = connect_unix(path);

	memset(said + 8, cookie, 16);
	said[24] = 42;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, said, size), size);
	return fd;
}

static void serve(struct pp_port *port)
{
	for (int i = 0; i < 5; i++)
		pp_port_serve(port);
}

static void returns_each_runtime_once(void **state)
{
	struct pp_port *port = listen_there();
	const int a = come('a', ADVERTISE_SIZE), b = come('b', ADVERTISE_SIZE);
	const int again = come('a', ADVERTISE_SIZE);
	struct pp_runtime *first;

	(void)state;
	serve(port);
	first = pp_port_next(port);
	assert_non_null(first);
	assert_int_equal(pp_runtime_own_process_id(first), 42);
	assert_int_equal(pp_runtime_process_id(first), getpid());
	assert_int_equal(pp_runtime_cookie(first)[15], 'a');
	assert_true(pp_runtime_is_ready(first));
	assert_int_equal(pp_runtime_cookie(pp_port_next(port))[0], 'b');
	assert_null(pp_port_next(port));
	close(a);
	close(b);
	close(again);
	pp_port_close(port);
}

static void notices_that_a_runtime_has_gone(void **state)
{
	struct pp_port *port = listen_there();
	const int fd = come('a', ADVERTISE_SIZE);
	struct pp_runtime *runtime;

	(void)state;
	serve(port);
	runtime = pp_port_next(port);
	close(fd);
	serve(port);
	assert_false(pp_runtime_is_ready(runtime));
	pp_port_close(port);
}

/* In another process, as a runtime would be: reads and answers one request. */
static pid_t answer_one(int fd)
{
	const pid_t child = fork();
	char request[20];

	if (child)
		return child;
	poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, 5000);
	_exit(read(fd, request, 20) != 20 ||
	      write(fd, "DOTNET_IPC_V1\0\x14\0\xFF\0\0\0", 20) != 20);
}

static void gives_each_command_a_connection_of_its_own(void **state)
{
	struct pp_error err = { 0 };
	struct pp_port *port = listen_there();
	const int fd = come('a', ADVERTISE_SIZE);
	struct pp_client *client;
	pid_t child;
	int status;

	(void)state;
	serve(port);
	client = pp_runtime_client(pp_port_next(port), &(struct pp_error){ 0 });
	child = answer_one(fd);
	pp_client_resume(client, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	pp_client_set_timeout(client, 30);
	assert_int_equal(pp_client_resume(client, &err), -1);
	assert_non_null(strstr(err.text, "did not connect again"));
	assert_int_equal(pp_client_failure(client), PP_FAILURE_TIMEOUT);
	pp_client_free(client);
	close(fd);
	pp_port_close(port);
}

static void ignores_connections_that_are_not_runtimes(void **state)
{
	struct pp_port *port = listen_there();
	const int cut = come('a', ADVERTISE_SIZE - 1);
	const int wrong = connect_unix(path);

	(void)state;
	assert_int_equal(write(wrong, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 35), 35);
	serve(port);
	close(cut);
	serve(port);
	assert_null(pp_port_next(port));
	close(wrong);
	pp_port_close(port);
}

static void drops_silent_connections(void **state)
{
	struct pp_port *port = listen_there();
	int fds[200];

	(void)state;
	for (int i = 0; i < 200; i++)
		fds[i] = come('a', 1);
	for (int i = 0; i < 20; i++)
		serve(port);
	come('b', ADVERTISE_SIZE);
	serve(port);
	assert_non_null(pp_port_next(port));
	for (int i = 0; i < 200; i++)
		close(fds[i]);
	pp_port_close(port);
}

static void makes_a_socket_for_this_user_and_removes_it(void **state)
{
	struct pp_port *port = listen_there();
	struct stat there;

	(void)state;
	assert_int_equal(lstat(path, &there), 0);
	assert_int_equal(there.st_mode & 0777, 0600);
	pp_port_close(port);
	assert_int_equal(lstat(path, &there), -1);
}

static void replaces_a_stale_socket_but_not_one_in_use(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct pp_error err = { 0 };
	struct pp_port *port;

	(void)state;
	memcpy(address.sun_path, path, strlen(path));
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	port = listen_there();
	assert_null(pp_port_listen(path, &err));
	assert_non_null(strstr(err.text, "another program is listening"));
	pp_port_close(port);
}

static void leaves_files_of_other_kinds_alone(void **state)
{
	struct pp_error err = { 0 };

	(void)state;
	close(open(path, O_CREAT | O_WRONLY, 0600));
	assert_null(pp_port_listen(path, &err));
	assert_non_null(strstr(err.text, "is not a socket"));
	assert_int_equal(unlink(path), 0);
}

static void rejects_paths_that_no_socket_can_have(void **state)
{
	struct pp_error err = { 0 };
	char longest[200];

	(void)state;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[199] = 0;
	assert_null(pp_port_listen(longest, &err));
	assert_non_null(strstr(err.text, "1 to 107 bytes"));
	assert_null(pp_port_listen("", &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_each_runtime_once),
		cmocka_unit_test(notices_that_a_runtime_has_gone),
		cmocka_unit_test(gives_each_command_a_connection_of_its_own),
		cmocka_unit_test(ignores_connections_that_are_not_runtimes),
		cmocka_unit_test(drops_silent_connections),
		cmocka_unit_test(makes_a_socket_for_this_user_and_removes_it),
		cmocka_unit_test(replaces_a_stale_socket_but_not_one_in_use),
		cmocka_unit_test(leaves_files_of_other_kinds_alone),
		cmocka_unit_test(rejects_paths_that_no_socket_can_have),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
