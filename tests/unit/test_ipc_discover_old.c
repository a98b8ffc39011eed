/* SPDX-License-Identifier: MIT */
/* Finding processes whose runtime is older than .NET 5, and what they cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "fake_server.h"
#include "found_processes.h"

#define UNKNOWN_COMMAND 0x80131385u

/* A server that knows neither of the three commands that describe a process. */
static struct fake_server *old_server(void)
{
	struct fake_server *server = fake_server_new();

	for (int command = 3; command > 0; command--)
		fake_server_error(server, UNKNOWN_COMMAND);
	fake_server_start(server);
	return server;
}

static char *socket_of(int pid)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/dotnet-diagnostic-%d-%d-socket",
		 fake_proc_folder(proc, pid, "/tmp"), pid, FAKE_KEY);
	return path;
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Before .NET 5 a runtime knows none of the commands that describe it. */
static void lists_a_runtime_that_cannot_describe_itself(void **state)
{
	struct fake_server *server = old_server();
	const struct pp_process *p;

	(void)state;
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17,
				    .threads = "dotnet,dotnet",
				    .name = "dotnet",
				    .environ = "\n",
				    .cmdline = "dotnet\norders.dll\n",
				    .exe = "/d/dotnet",
				    .maps = "7f r-xp 0 8:1 1 /d/NETCore.App/3.1.32/libcoreclr.so\n",
			    });
	fake_proc_listen(proc, 17, server->path);
	p = only();
	assert_true(p->traceable);
	assert_true(p->before_net5);
	assert_null(p->reason);
	assert_string_equal(p->runtime, "3.1.32");
	assert_string_equal(p->name, "orders");
	assert_string_equal(p->command_line, "dotnet orders.dll");
	assert_string_equal(p->os, "Linux");
	fake_server_free(server);
}

static void knows_the_old_runtime_of_a_self_contained_program(void **state)
{
	static const char *const deps[] = {
		"", "\"runtimepack.Microsoft.NETCore.App.Runtime.x/3.0.1\""
	};
	static const char *const versions[] = { "3.x", "3.0.1" };
	char path[300];

	(void)state;
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17,
				    .threads = "orders,orders",
				    .environ = "\n",
				    .exe = "/srv/orders",
				    .maps = "7f r-xp 0 8:1 1 /srv/libcoreclr.so\n",
			    });
	snprintf(path, sizeof(path), "%s/orders.dll", fake_proc_folder(proc, 17, "/srv"));
	write_text(path, "");
	snprintf(path, sizeof(path), "%s/orders.deps.json", fake_proc_folder(proc, 17, "/srv"));
	for (int i = 0; i < 2; i++) {
		struct fake_server *server = old_server();

		write_text(path, deps[i]);
		unlink(socket_of(17));
		fake_proc_listen(proc, 17, server->path);
		assert_string_equal(only()->runtime, versions[i]);
		assert_true(found.items->traceable);
		fake_server_free(server);
	}
}

static void counts_threads_and_cpu_time_since_the_start(void **state)
{
	const int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	struct fake_server *server = old_server();
	const struct pp_process *p;

	(void)state;
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17, .threads = ".NET EventPipe,x", .environ = "\n" });
	fake_proc_listen(proc, 17, server->path);
	p = only();
	assert_int_equal(p->threads, 15);
	assert_int_equal(p->cpu_ns, (5 + 2) * tick_ns);
	assert_true(p->cpu_interval_ns >= tick_ns);
	fake_server_free(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lists_a_runtime_that_cannot_describe_itself, begin,
						end),
		cmocka_unit_test_setup_teardown(knows_the_old_runtime_of_a_self_contained_program,
						begin, end),
		cmocka_unit_test_setup_teardown(counts_threads_and_cpu_time_since_the_start, begin,
						end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
