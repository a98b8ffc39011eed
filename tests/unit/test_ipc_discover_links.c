/* SPDX-License-Identifier: MIT */
/* Finding processes in containers whose links, sockets and directories may mean harm. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "fake_server.h"
#include "found_processes.h"
#include "ipc/message.h"

#define NET_THREADS ".NET SynchManag,.NET EventPipe,.NET Finalizer"

/* A server that says it is process 17. */
static struct fake_server *server_of_17(void)
{
	struct fake_server *server = fake_server_new();
	struct buffer info = { 0 };

	buffer_u32(&info, 1);
	buffer_u64(&info, 17);
	buffer_bytes(&info, "0123456789abcdef", 16);
	for (int i = 0; i < 6; i++)
		message_put_text(&info, "x");
	fake_server_ok(server, info.bytes, info.size);
	buffer_release(&info);
	fake_server_start(server);
	return server;
}

/* As a container sees it, and not as we do. */
static void resolves_links_inside_the_root_of_the_process(void **state)
{
	struct fake_server *server = server_of_17();
	char path[256], target[300];

	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .threads = NET_THREADS,
						    .environ = "TMPDIR=/link\n" });
	snprintf(path, sizeof(path), "%s/link", fake_proc_folder(proc, 17, ""));
	assert_int_equal(symlink("/real", path), 0);
	snprintf(target, sizeof(target), "%s/dotnet-diagnostic-17-%d-socket",
		 fake_proc_folder(proc, 17, "/real"), FAKE_KEY);
	assert_int_equal(link(server->path, target), 0);
	assert_true(only()->traceable);
	fake_server_free(server);
}

static void a_link_does_not_lead_out_of_the_root(void **state)
{
	struct fake_server *server = server_of_17();
	char path[256], name[256];

	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .threads = NET_THREADS,
						    .environ = "TMPDIR=/link\n" });
	snprintf(path, sizeof(path), "%s/link", fake_proc_folder(proc, 17, ""));
	assert_int_equal(symlink(server->folder, path), 0);
	for (int key = FAKE_KEY; key < FAKE_KEY + 2; key++) { /* its own name, and another one */
		snprintf(name, sizeof(name), "%s/dotnet-diagnostic-17-%d-socket", server->folder,
			 key);
		assert_int_equal(link(server->path, name), 0);
		expect_problem(PP_PROCESS_NO_SOCKET, "removed from /link");
		assert_int_equal(unlink(name), 0);
	}
	fake_server_free(server);
}

static int bind_socket_of_17(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/dotnet-diagnostic-17-%d-socket",
		 fake_proc_folder(proc, 17, "/tmp"), FAKE_KEY);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void reports_that_another_process_listens(void **state)
{
	char self[32], path[128], byte;
	int fd, connection;
	pid_t child;

	(void)state;
	fake_proc_add(proc,
		      &(struct fake_process){ .pid = 17, .threads = NET_THREADS, .environ = "\n" });
	snprintf(self, sizeof(self), "%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/self", proc->path);
	assert_int_equal(symlink(self, path), 0); /* so that its pids are ours */
	fd = bind_socket_of_17();
	child = fork();
	if (!child)
		_exit(listen(fd, 255)); /* the socket stays open with us */
	assert_int_equal(waitpid(child, NULL, 0), child);
	expect_problem(PP_PROCESS_OTHER_LISTENER, "nothing was sent");
	assert_string_equal(pp_process_problem_name(found.items->problem), "other-listener");
	connection = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
	assert_int_equal(recv(connection, &byte, 1, 0), 0); /* closed, and nothing was sent */
	close(connection);
	close(fd);
}

static void lists_a_part_of_a_directory_that_is_full(void **state)
{
	char path[300];

	(void)state;
	fake_proc_add(proc,
		      &(struct fake_process){ .pid = 17, .threads = NET_THREADS, .environ = "\n" });
	for (int i = 0; i < 20000; i++) {
		snprintf(path, sizeof(path), "%s/dotnet-diagnostic-17-%d-socket",
			 fake_proc_folder(proc, 17, "/tmp"), 100000 + i);
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	}
	expect_problem(PP_PROCESS_NO_SOCKET, "removed");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(resolves_links_inside_the_root_of_the_process),
		TEST(a_link_does_not_lead_out_of_the_root),
		TEST(reports_that_another_process_listens),
		TEST(lists_a_part_of_a_directory_that_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
