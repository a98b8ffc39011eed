/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "fake_server.h"
#include "found_processes.h"
#include "ipc/message.h"

#define UNKNOWN_COMMAND 0x80131385u
#define NET_THREADS	".NET SynchManag,.NET EventPipe,.NET Finalizer"
#define SHORT_MS	500

/* A server that answers ProcessInfo 3, 2 or 1, and newer commands with an error. */
static struct fake_server *server_with(int command, uint64_t pid)
{
	struct fake_server *server = fake_server_new();
	struct buffer info = { 0 };
	static const uint8_t cookie[16];

	for (int newer = 3; newer > command; newer--)
		fake_server_error(server, UNKNOWN_COMMAND);
	if (command == 3)
		buffer_u32(&info, 1);
	buffer_u64(&info, pid);
	buffer_bytes(&info, cookie, sizeof(cookie));
	message_put_text(&info, "dotnet orders.dll");
	message_put_text(&info, "Linux");
	message_put_text(&info, "arm64");
	if (command >= 2) {
		message_put_text(&info, "orders");
		message_put_text(&info, "10.0.12");
	}
	if (command == 3)
		message_put_text(&info, "linux-arm64");
	if (command > 0)
		fake_server_ok(server, info.bytes, info.size);
	buffer_release(&info);
	fake_server_start(server);
	return server;
}

/* A socket that accepts connections and never answers; or, closed, a dead one. */
static int listen_silently(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(strlen(path) < sizeof(address.sun_path));
	strcpy(address.sun_path, path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 255), 0);
	patience_ms = SHORT_MS;
	return fd;
}

static char *socket_of(int pid, int key)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/dotnet-diagnostic-%d-%d-socket",
		 fake_proc_folder(proc, pid, "/tmp"), pid, key);
	return path;
}

static void finds_nothing_among_other_processes(void **state)
{
	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 1, .name = "init" });
	fake_proc_add(proc,
		      &(struct fake_process){ .pid = 2, .name = "a) b (c", .threads = "x,y" });
	find();
	assert_int_equal(found.count, 0);
}

static void describes_a_process_that_answers(void **state)
{
	struct fake_server *server = server_with(3, 17);
	const struct pp_process *p;

	(void)state;
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17,
				    .name = "dotnet",
				    .threads = NET_THREADS,
				    .environ = "A=b\n",
				    .cmdline = "dotnet\norders.dll\n--seconds 5\n",
				    .exe = "/usr/share/dotnet/dotnet",
				    .cgroup = "0::/lxc.payload.web\n",
			    });
	fake_proc_listen(proc, 17, server->path);
	p = only();
	assert_true(p->traceable);
	assert_int_equal(p->problem, PP_PROCESS_FINE);
	assert_null(p->reason);
	assert_int_equal(p->pid, 17);
	assert_int_equal(p->ns_pid, 17);
	assert_string_equal(p->name, "orders");
	assert_string_equal(p->executable, "dotnet");
	assert_string_equal(p->entrypoint, "orders");
	assert_string_equal(p->runtime, "10.0.12");
	assert_string_equal(p->architecture, "arm64");
	assert_string_equal(p->os, "Linux");
	assert_int_equal(p->user_id, geteuid());
	assert_string_equal(p->user, geteuid() ? p->user : "root");
	assert_string_equal(p->container, "lxc:web");
	assert_string_equal(p->command_line, "dotnet orders.dll '--seconds 5'");
	assert_non_null(strstr(p->socket, "/17/root/tmp/dotnet-diagnostic-17-4711-socket"));
	assert_true(p->start_ns > 0);
	fake_server_free(server);
}

static void falls_back_to_older_commands(void **state)
{
	(void)state;
	for (int command = 2; command >= 1; command--) {
		struct fake_server *server = server_with(command, 16u + (unsigned)command);
		const struct pp_process *p;

		fake_proc_add(proc, &(struct fake_process){ .pid = 16 + command,
							    .threads = NET_THREADS,
							    .exe = "/srv/api (deleted)",
							    .environ = "\n" });
		fake_proc_listen(proc, 16 + command, server->path);
		find();
		p = &found.items[0];
		assert_true(p->traceable);
		assert_string_equal(p->name, "api");
		assert_string_equal(p->architecture, "arm64");
		fake_server_free(server);
	}
}

static void recognises_sockets_that_do_not_speak_the_protocol(void **state)
{
	struct fake_server *server = fake_server_new();

	(void)state;
	fake_server_raw(server, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
	fake_server_start(server);
	fake_proc_add(proc, &(struct fake_process){ .pid = 17, .threads = "x", .environ = "\n" });
	fake_proc_listen(proc, 17, server->path);
	expect_problem(PP_PROCESS_BAD_ANSWER, "does not speak");
	fake_server_free(server);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void waits_for_many_hung_processes_as_long_as_for_one(void **state)
{
	int listeners[20];
	int64_t start;

	(void)state;
	for (int i = 0; i < 20; i++) {
		fake_proc_add(proc, &(struct fake_process){ .pid = 100 + i,
							    .threads = NET_THREADS,
							    .environ = "\n" });
		listeners[i] = listen_silently(socket_of(100 + i, FAKE_KEY));
	}
	start = now_ms();
	find();
	/* one by one would take twenty times as long */
	assert_in_range(now_ms() - start, SHORT_MS, 10 * SHORT_MS);
	assert_int_equal(found.count, 20);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(found.items[i].pid, 100 + i);
		assert_int_equal(found.items[i].problem, PP_PROCESS_NO_ANSWER);
		close(listeners[i]);
	}
}

static void does_not_wait_for_a_stopped_process(void **state)
{
	int listener;

	(void)state;
	fake_proc_add(proc,
		      &(struct fake_process){
			      .pid = 17, .state = 'T', .threads = NET_THREADS, .environ = "\n" });
	listener = listen_silently(socket_of(17, FAKE_KEY));
	expect_problem(PP_PROCESS_STOPPED, "kill -CONT 17");
	close(listener);
}

static void names_the_debugger_that_stopped_it(void **state)
{
	int listener;

	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .state = 't',
						    .threads = NET_THREADS,
						    .environ = "\n",
						    .status = "TracerPid:\t99\nNSpid:\t17\n" });
	listener = listen_silently(socket_of(17, FAKE_KEY));
	expect_problem(PP_PROCESS_DEBUGGED, "pid 99");
	close(listener);
}

static void skips_a_dead_socket(void **state)
{
	(void)state;
	/* left over from a process that was killed; its pid went to another program */
	fake_proc_add(proc, &(struct fake_process){ .pid = 17, .threads = "x", .environ = "\n" });
	close(listen_silently(socket_of(17, FAKE_KEY)));
	find();
	assert_int_equal(found.count, 0);
}

static void ignores_links_and_sockets_of_other_users(void **state)
{
	struct fake_server *server = server_with(3, 17);
	char status[64];

	(void)state;
	/* a link could lead out of a container, to any socket */
	fake_proc_add(proc,
		      &(struct fake_process){ .pid = 17, .threads = NET_THREADS, .environ = "\n" });
	assert_int_equal(symlink(server->path, socket_of(17, FAKE_KEY)), 0);
	expect_problem(PP_PROCESS_NO_SOCKET, "removed");

	/* anybody can create a socket of this name in /tmp */
	snprintf(status, sizeof(status), "Uid:\t%u\t%u\n", geteuid() + 1, geteuid() + 1);
	fake_proc_add(proc, &(struct fake_process){ .pid = 18,
						    .threads = NET_THREADS,
						    .environ = "\n",
						    .status = status });
	fake_proc_listen(proc, 18, server->path);
	find();
	assert_int_equal(found.count, 2);
	if (geteuid())
		assert_int_equal(found.items[1].problem, PP_PROCESS_NO_SOCKET);
	fake_server_free(server);
}

static void reports_a_removed_socket(void **state)
{
	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .threads = NET_THREADS,
						    .environ = "TMPDIR=/var/x\n" });
	expect_problem(PP_PROCESS_NO_SOCKET, "removed from /var/x");
}

static void names_the_variable_that_disables_diagnostics(void **state)
{
	static const struct {
		const char *environ, *reason;
	} cases[] = {
		{ "DOTNET_EnableDiagnostics=0\n", "DOTNET_EnableDiagnostics=0" },
		{ "COMPlus_EnableDiagnostics=0x0\n", "COMPlus_EnableDiagnostics=0x0" },
		{ "DOTNET_EnableDiagnostics=1\nDOTNET_EnableDiagnostics_IPC=0\n",
		  "DOTNET_EnableDiagnostics_IPC=0" },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		fake_proc_add(proc, &(struct fake_process){ .pid = 17,
							    .threads = ".NET SynchManag",
							    .environ = cases[i].environ });
		expect_problem(PP_PROCESS_DISABLED, cases[i].reason);
		fake_proc_free(proc);
		proc = fake_proc_new();
	}
}

static void reports_a_temporary_directory_that_is_too_long(void **state)
{
	char environ[256] = "TMPDIR=/";

	(void)state;
	memset(environ + strlen(environ), 'x', 90);
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17, .threads = ".NET SynchManag", .environ = environ });
	expect_problem(PP_PROCESS_PATH_LENGTH, "91 bytes");
}

static void looks_in_the_temporary_directory_of_the_process(void **state)
{
	struct fake_server *server = server_with(3, 4);
	char path[256], target[300];

	(void)state;
	/* in a pid namespace of its own the process has another pid */
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .threads = NET_THREADS,
						    .environ = "TMPDIR=/var/my tmp/\n",
						    .status = "NSpid:\t17\t4\n" });
	snprintf(path, sizeof(path), "%s", fake_proc_folder(proc, 17, "/var/my tmp"));
	snprintf(target, sizeof(target), "%s/dotnet-diagnostic-4-4711-socket", path);
	assert_int_equal(link(server->path, target), 0);
	assert_true(only()->traceable);
	assert_int_equal(found.items->ns_pid, 4);
	assert_non_null(strstr(found.items->socket, "/var/my tmp/dotnet-diagnostic-4-4711-socket"));
	fake_server_free(server);
}

static void prefers_the_newest_socket_if_the_key_differs(void **state)
{
	const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
	struct fake_server *server = server_with(3, 17);
	int stale;

	(void)state;
	fake_proc_add(proc,
		      &(struct fake_process){ .pid = 17, .threads = NET_THREADS, .environ = "\n" });
	stale = listen_silently(socket_of(17, 1));
	assert_int_equal(utimensat(AT_FDCWD, socket_of(17, 1), old, 0), 0);
	assert_int_equal(link(server->path, socket_of(17, 2)), 0);
	assert_true(only()->traceable);
	assert_non_null(strstr(found.items->socket, "-17-2-socket"));
	close(stale);
	fake_server_free(server);
}

static void does_not_mistake_another_process_for_it(void **state)
{
	struct fake_server *server = server_with(3, 18);

	(void)state;
	fake_proc_add(proc,
		      &(struct fake_process){ .pid = 17, .threads = NET_THREADS, .environ = "\n" });
	assert_int_equal(link(server->path, socket_of(17, 2)), 0);
	expect_problem(PP_PROCESS_NO_SOCKET, "removed");
	fake_server_free(server);
}

static void reports_files_that_are_not_accessible(void **state)
{
	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .threads = NET_THREADS,
						    .status = "Uid:\t0\t0\nNSpid:\t17\t4\n",
						    .without_root = true });
	expect_problem(geteuid() ? PP_PROCESS_OTHER_USER : PP_PROCESS_UNREACHABLE,
		       geteuid() ? "belongs to root" : "SYS_PTRACE");
}

static void recognises_an_old_runtime_by_its_library(void **state)
{
	char path[300];

	(void)state;
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17,
				    .threads = "orders,orders",
				    .environ = "\n",
				    .exe = "/srv/orders",
				    .maps = "7f r-xp 0 8:1 1 /d/NETCore.App/2.1.30/libcoreclr.so\n",
			    });
	find();
	assert_int_equal(found.count, 0); /* there is no reason to read the maps */
	snprintf(path, sizeof(path), "%s/orders.dll", fake_proc_folder(proc, 17, "/srv"));
	fclose(fopen(path, "w"));
	expect_problem(PP_PROCESS_TOO_OLD, "newer .NET");
	assert_string_equal(found.items->runtime, "2.1.30");
}

static void recognises_a_runtime_suspended_at_startup(void **state)
{
	struct fake_server *server = server_with(3, 17);
	const struct pp_process *p;

	(void)state;
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17,
				    .threads = ".NET SynchManag,.NET EventPipe",
				    .environ = "DOTNET_DiagnosticPorts=/tmp/p,suspend\n",
				    .maps = "7f r-xp 0 8:1 1 /d/10.0.12/libcoreclr.so\n",
			    });
	fake_proc_listen(proc, 17, server->path);
	p = only();
	assert_true(p->traceable);
	assert_int_equal(p->problem, PP_PROCESS_SUSPENDED);
	assert_string_equal(pp_process_problem_name(p->problem), "suspended");
	fake_server_free(server);
}

static void looks_at_one_process_if_asked_to(void **state)
{
	struct pp_process_query query = { .size = sizeof(query), .proc = proc->path, .pid = 18 };
	struct pp_error err = { 0 };

	(void)state;
	for (int pid = 17; pid < 20; pid++)
		fake_proc_add(proc, &(struct fake_process){
					    .pid = pid, .threads = NET_THREADS, .environ = "\n" });
	assert_int_equal(pp_processes_find(&query, &found, &err), 0);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.items->pid, 18);
	pp_processes_release(&found);
	query.pid = 21;
	assert_int_equal(pp_processes_find(&query, &found, &err), 0);
	assert_int_equal(found.count, 0);
}

/* Also processes that may yet become .NET. */
static void find_starting(void)
{
	const struct pp_process_query query = { .size = sizeof(query),
						.proc = proc->path,
						.starting = true };
	struct pp_error err = { 0 };

	pp_processes_release(&found);
	assert_int_equal(pp_processes_find(&query, &found, &err), 0);
}

static void awaits_the_runtime_of_a_young_process_if_asked_to(void **state)
{
	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17, .environ = "\n", .young = true });
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 18, .threads = "x", .environ = "\n", .young = true });
	fake_proc_add(proc, &(struct fake_process){ .pid = 19, .environ = "\n" });
	fake_proc_add(proc, &(struct fake_process){ .pid = 20, .threads = "x", .environ = "\n" });
	find();
	assert_int_equal(found.count, 0);
	find_starting();
	assert_int_equal(found.count, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(found.items[i].pid, 17 + i);
		assert_int_equal(found.items[i].problem, PP_PROCESS_STARTING);
		assert_true(found.items[i].guessed);
		assert_false(found.items[i].traceable);
	}
}

static void a_runtime_without_a_socket_is_starting_while_it_is_young(void **state)
{
	(void)state;
	fake_proc_add(proc, &(struct fake_process){ .pid = 17,
						    .threads = ".NET SynchManag",
						    .environ = "\n",
						    .young = true });
	expect_problem(PP_PROCESS_STARTING, "still starting");
	find_starting();
	assert_int_equal(found.count, 1);
	assert_int_equal(found.items->problem, PP_PROCESS_STARTING);
	assert_false(found.items->guessed);
}

static void fails_without_a_proc(void **state)
{
	const struct pp_process_query query = { .size = sizeof(query), .proc = "/nowhere" };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(pp_processes_find(&query, &found, &err), -1);
	assert_string_equal(err.text, "cannot read /nowhere: No such file or directory");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(finds_nothing_among_other_processes),
		TEST(describes_a_process_that_answers),
		TEST(falls_back_to_older_commands),
		TEST(recognises_sockets_that_do_not_speak_the_protocol),
		TEST(waits_for_many_hung_processes_as_long_as_for_one),
		TEST(does_not_wait_for_a_stopped_process),
		TEST(names_the_debugger_that_stopped_it),
		TEST(skips_a_dead_socket),
		TEST(ignores_links_and_sockets_of_other_users),
		TEST(reports_a_removed_socket),
		TEST(names_the_variable_that_disables_diagnostics),
		TEST(reports_a_temporary_directory_that_is_too_long),
		TEST(looks_in_the_temporary_directory_of_the_process),
		TEST(prefers_the_newest_socket_if_the_key_differs),
		TEST(does_not_mistake_another_process_for_it),
		TEST(reports_files_that_are_not_accessible),
		TEST(recognises_an_old_runtime_by_its_library),
		TEST(recognises_a_runtime_suspended_at_startup),
		TEST(looks_at_one_process_if_asked_to),
		TEST(awaits_the_runtime_of_a_young_process_if_asked_to),
		TEST(a_runtime_without_a_socket_is_starting_while_it_is_young),
		TEST(fails_without_a_proc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
