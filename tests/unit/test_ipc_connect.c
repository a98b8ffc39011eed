/* SPDX-License-Identifier: MIT */
/* Sockets that are missing, dead, of another user, with a long path, or with a full queue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "fake_server.h"
#include "ipc/connect.h"
#include "ipc/process_read.h"
#include "perfpipe/processes.h"

static void expect_failure(const char *path, enum pp_failure failure, const char *sentence)
{
	struct pp_client *client = pp_client_new(path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	assert_int_equal(pp_client_resume(client, &err), -1);
	assert_string_equal(err.text, sentence);
	assert_int_equal(pp_client_failure(client), failure);
	pp_client_free(client);
}

static void says_that_there_is_no_socket(void **state)
{
	(void)state;
	expect_failure("/tmp/no-such-folder/socket", PP_FAILURE_NO_SOCKET,
		       "there is no socket /tmp/no-such-folder/socket: the process has ended, "
		       "or its diagnostics are disabled");
	expect_failure(
		"", PP_FAILURE_NO_SOCKET,
		"there is no socket : the process has ended, or its diagnostics are disabled");
	expect_failure("/dev/null/socket", PP_FAILURE_NO_SOCKET,
		       "there is no socket /dev/null/socket: the process has ended, or its "
		       "diagnostics are disabled");
}

static void says_that_a_socket_is_dead(void **state)
{
	struct fake_server *server = fake_server_new();
	char sentence[256];

	(void)state;
	fake_server_stop(server); /* the file stays */
	snprintf(sentence, sizeof(sentence),
		 "no process listens on %s: it ended without removing the socket", server->path);
	expect_failure(server->path, PP_FAILURE_DEAD_SOCKET, sentence);
	fake_server_free(server);
}

#define NOBODY 65534u

static void says_that_a_socket_belongs_to_another_user(void **state)
{
	struct fake_server *server = fake_server_new();
	char sentence[256];

	(void)state;
	snprintf(sentence, sizeof(sentence),
		 "%s belongs to another user; run as that user or as root", server->path);
	assert_int_equal(chmod(server->path, 0), 0);
	assert_int_equal(chmod(server->folder, 0755), 0);
	if (geteuid() == 0) /* who ignores file modes */
		assert_int_equal(seteuid(NOBODY), 0);
	expect_failure(server->path, PP_FAILURE_DENIED, sentence);
	assert_int_equal(seteuid(getuid()), 0);
	fake_server_free(server);
}

static void connects_to_a_path_of_any_length(void **state)
{
	static const size_t lengths[] = { 100, 120, 300, 3000 };

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct fake_server *server = fake_server_new_deep(lengths[i]);
		struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
		struct pp_error err = { 0 };

		assert_true(strlen(server->path) >= lengths[i]);
		fake_server_ok(server, "", 0);
		fake_server_start(server);
		assert_int_equal(pp_client_resume(client, &err), 0);
		pp_client_free(client);
		fake_server_free(server);
	}
}

static void shows_the_end_of_a_long_path(void **state)
{
	char path[400];
	struct pp_error err = { 0 };
	struct pp_client *client;

	(void)state;
	memset(path, 'x', sizeof(path));
	memcpy(path, "/tmp/", 5);
	strcpy(path + sizeof(path) - 12, "/the-socket");
	for (size_t i = 100; i < 380; i += 100)
		path[i] = '/';
	client = pp_client_new(path, &(struct pp_error){ 0 });
	assert_int_equal(pp_client_resume(client, &err), -1);
	assert_int_equal(pp_client_failure(client), PP_FAILURE_NO_SOCKET);
	assert_non_null(strstr(err.text, "xxx/the-socket: the process has ended"));
	pp_client_free(client);
}

static void leaves_no_descriptor_to_children(void **state)
{
	struct fake_server *server = fake_server_new();
	const int fd = connect_unix(server->path);

	(void)state;
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	fake_server_free(server);
}

/* A process of its own that listens at the path, until it is killed. */
static pid_t listen_elsewhere(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int ready[2];
	char byte;
	pid_t child;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (!child) {
		const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		close(ready[0]);
		if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 8))
			_exit(1);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return child;
}

static uint64_t start_of(pid_t pid)
{
	struct process_files files;
	struct process_text text;
	struct process_stat stat;
	struct pp_error err = { 0 };

	assert_int_equal(process_files_open(&files, "/proc", &err), 0);
	assert_true(process_read(&files, pid, "stat", &text));
	assert_true(process_stat_parse(text, &stat));
	process_files_close(&files);
	return stat.start_ticks;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void connects_only_to_the_process_that_is_meant(void **state)
{
	char folder[] = "/tmp/perfpipe-test-XXXXXX", path[64], through[128];
	struct process_socket wanted = { .proc = "/proc", .path = path };
	struct pp_process process = { .proc = "/proc", .socket = through };
	pid_t listener, another;
	struct pp_error err = { 0 };
	struct pp_client *client;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/socket", folder);
	listener = listen_elsewhere(path);
	wanted.pid = listener;
	wanted.start_ticks = start_of(listener);
	snprintf(through, sizeof(through), "/proc/%d/root%s", (int)listener, path);
	for (int i = 0; i < 2; i++) {
		wanted.path = i ? through : path;
		fd = connect_process(&wanted);
		assert_true(fd >= 0);
		close(fd);
	}

	wanted.start_ticks++; /* an earlier process with the same pid */
	assert_int_equal(connect_process(&wanted), -1);
	assert_int_equal(errno, CONNECT_OTHER_PROCESS);

	another = fork();
	if (!another)
		for (;;)
			pause();
	process.pid = another;
	process.start_ticks = start_of(another);
	snprintf(through, sizeof(through), "/proc/%d/root%s", (int)another, path);
	client = pp_client_new_for(&process, &(struct pp_error){ 0 });
	assert_int_equal(pp_client_resume(client, &err), -1);
	assert_int_equal(pp_client_failure(client), PP_FAILURE_OTHER_PROCESS);
	assert_non_null(strstr(err.text, "another process than the one meant: nothing was sent"));
	pp_client_free(client);
	end_process(another);
	end_process(listener);
	unlink(path);
	rmdir(folder);
}

static void does_not_follow_a_link_to_a_socket(void **state)
{
	struct fake_server *server = fake_server_new();
	struct process_socket wanted = { .proc = "/proc", .pid = getpid() };
	char path[256];

	(void)state;
	wanted.start_ticks = start_of(getpid());
	wanted.path = server->path;
	close(connect_process(&wanted));
	snprintf(path, sizeof(path), "%s/link", server->folder);
	assert_int_equal(symlink(server->path, path), 0);
	wanted.path = path;
	assert_int_equal(connect_process(&wanted), -1);
	assert_int_equal(errno, ENOENT);
	unlink(path);
	fake_server_free(server);
}

#define CROWD 512

/* Fills the server's queue; returns the number of connections. */
static int crowd(const struct fake_server *server, int fds[CROWD])
{
	int count = 0;

	listen(server->listener, 4);
	while (count < CROWD && (fds[count] = connect_unix(server->path)) >= 0)
		count++;
	return count;
}

static void waits_for_room_in_the_queue_up_to_the_deadline(void **state)
{
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	int fds[CROWD];
	int count = crowd(server, fds);

	(void)state;
	assert_true(count > 0 && count < CROWD);
	pp_client_set_timeout(client, 100);
	assert_int_equal(pp_client_resume(client, &err), -1);
	assert_int_equal(pp_client_failure(client), PP_FAILURE_TIMEOUT);

	/* those before us are dropped, and then it is our turn */
	for (int i = 0; i < count; i++) {
		fake_server_raw(server, "", 0)->ignore_request = true;
		close(fds[i]);
	}
	fake_server_ok(server, "", 0);
	fake_server_start(server);
	err = (struct pp_error){ 0 };
	pp_client_set_timeout(client, 5000);
	assert_int_equal(pp_client_resume(client, &err), 0);
	pp_client_free(client);
	fake_server_free(server);
}

struct lender {
	const struct fake_server *server;
	int asked;
	unsigned timeout_ms;
	bool empty;
};

static int lend(void *context, unsigned timeout_ms, struct pp_error *err)
{
	struct lender *lender = context;

	(void)err;
	lender->asked++;
	lender->timeout_ms = timeout_ms;
	return lender->empty ? -1 : connect_unix(lender->server->path);
}

static void takes_a_fresh_connection_for_each_command(void **state)
{
	struct fake_server *server = fake_server_new();
	struct lender lender = { .server = server };
	struct pp_client *client = pp_client_new_connected(&(struct pp_connector){ lend, &lender },
							   &(struct pp_error){ 0 });
	struct pp_error err = { 0 };

	(void)state;
	fake_server_ok(server, "", 0);
	fake_server_ok(server, "", 0);
	fake_server_start(server);
	pp_client_set_timeout(client, 4000);
	assert_int_equal(pp_client_resume(client, &err), 0);
	assert_int_equal(pp_client_resume(client, &err), 0);
	assert_int_equal(lender.asked, 2);
	assert_true(lender.timeout_ms > 0 && lender.timeout_ms <= 4000);

	lender.empty = true;
	assert_int_equal(pp_client_resume(client, &err), -1);
	assert_string_equal(err.text, "the process has not connected");
	assert_int_equal(pp_client_failure(client), PP_FAILURE_NO_SOCKET);
	pp_client_free(client);
	fake_server_free(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_that_there_is_no_socket),
		cmocka_unit_test(says_that_a_socket_is_dead),
		cmocka_unit_test(says_that_a_socket_belongs_to_another_user),
		cmocka_unit_test(connects_to_a_path_of_any_length),
		cmocka_unit_test(shows_the_end_of_a_long_path),
		cmocka_unit_test(leaves_no_descriptor_to_children),
		cmocka_unit_test(connects_only_to_the_process_that_is_meant),
		cmocka_unit_test(does_not_follow_a_link_to_a_socket),
		cmocka_unit_test(waits_for_room_in_the_queue_up_to_the_deadline),
		cmocka_unit_test(takes_a_fresh_connection_for_each_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
