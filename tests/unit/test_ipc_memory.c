/* SPDX-License-Identifier: MIT */
/* Calls to processes fail at each of their allocations, and nothing is left: no memory, no file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "fake_proc.h"
#include "fake_server.h"
#include "ipc/answers.h"
#include "ipc/connect.h"
#include "perfpipe/port.h"
#include "perfpipe/processes.h"
#include "perfpipe/user_events.h"

#define UNKNOWN_COMMAND 0x80131385u
#define REQUEST_MOST	4096u
#define ID		"\x0d\0\xad\0\xbe\0\xef\0"

/* The server has all memory, and what its thread needs it has before it starts. */
static struct fake_server *begin_server(void (*script)(struct fake_server *server))
{
	struct fake_server *server;

	failing_alloc_pause();
	server = fake_server_new();
	script(server);
	for (size_t i = 0; i < server->count; i++)
		assert_true(buffer_grow(&server->answers[i].request, REQUEST_MOST));
	fake_server_start(server);
	failing_alloc_resume();
	return server;
}

static void end_server(struct fake_server *server)
{
	failing_alloc_pause();
	fake_server_free(server);
	failing_alloc_resume();
}

/* A call of a client, after which the client is still good. */
struct call {
	void (*script)(struct fake_server *server);
	int (*make)(struct pp_client *client, struct pp_error *err);
};

static int make_call(void *context, struct pp_error *err)
{
	const struct call *call = context;
	struct fake_server *server = begin_server(call->script);
	struct pp_client *client = pp_client_new(server->path, err);
	struct pp_client *copy = client ? pp_client_copy(client, err) : NULL;
	const int failed = copy ? call->make(copy, err) : -1;

	if (copy)
		assert_int_equal(pp_client_failure(copy),
				 failed ? PP_FAILURE_SYSTEM : PP_FAILURE_NONE);
	pp_client_free(copy);
	pp_client_free(client);
	end_server(server);
	return failed;
}

static void put_info(struct fake_server *server)
{
	static const uint8_t cookie[16];
	struct buffer info = { 0 };

	fake_server_error(server, UNKNOWN_COMMAND);
	buffer_u64(&info, 17);
	buffer_bytes(&info, cookie, sizeof(cookie));
	message_put_text(&info, "dotnet orders.dll");
	message_put_text(&info, "Linux");
	message_put_text(&info, "arm64");
	message_put_text(&info, "orders");
	message_put_text(&info, "10.0.12");
	fake_server_ok(server, info.bytes, info.size);
	buffer_release(&info);
}

static int ask_info(struct pp_client *client, struct pp_error *err)
{
	struct pp_process_info *info = pp_client_process_info(client, err);

	if (!info)
		return -1;
	assert_string_equal(info->command_line, "dotnet orders.dll");
	pp_process_info_free(info);
	return 0;
}

static void put_environment(struct fake_server *server)
{
	struct buffer block = { 0 };
	struct fake_answer *answer;
	uint8_t payload[6] = { 0 };
	uint32_t size;

	buffer_u32(&block, 1000);
	for (int i = 0; i < 1000; i++)
		message_put_text(&block, "LONG=0123456789012345678901234567890123456789");
	size = (uint32_t)block.size;
	memcpy(payload, &size, sizeof(size));
	answer = fake_server_ok(server, payload, sizeof(payload));
	buffer_bytes(&answer->bytes, block.bytes, block.size);
	buffer_release(&block);
}

static int ask_environment(struct pp_client *client, struct pp_error *err)
{
	struct pp_environment *environment = pp_client_environment(client, err);

	if (!environment)
		return -1;
	assert_int_equal(environment->count, 1000);
	pp_environment_free(environment);
	return 0;
}

static void put_done(struct fake_server *server)
{
	fake_server_error(server, UNKNOWN_COMMAND);
	fake_server_ok(server, "\0\0\0", 4);
}

static int ask_dump(struct pp_client *client, struct pp_error *err)
{
	const struct pp_dump_options options = { sizeof(options), "/tmp/dump", PP_DUMP_MINI, 0 };

	return pp_client_dump(client, &options, err);
}

static void put_one_done(struct fake_server *server)
{
	fake_server_ok(server, "\0\0\0", 4);
}

static int set_variable(struct pp_client *client, struct pp_error *err)
{
	return pp_client_set_variable(client, "NAME", "value", err);
}

static void put_session(struct fake_server *server)
{
	struct fake_answer *answer;

	fake_server_error(server, UNKNOWN_COMMAND);
	answer = fake_server_ok(server, ID, 8);
	buffer_bytes(&answer->bytes, "Nettrace", 8);
	answer->keep_open = true;
	fake_server_ok(server, ID, 8);
}

static int stop_and_wait(struct pp_session *session, struct pp_error *err)
{
	int result = pp_session_stop(session, err);

	while (!result && (result = pp_session_stop_answer(session, err)) == PP_SESSION_WAIT) {
		struct pollfd answered = { pp_session_stop_fd(session), POLLIN, 0 };

		result = poll(&answered, 1, 10000) == 1 ? 0 : -1;
	}
	return result;
}

static int run_session(struct pp_client *client, struct pp_error *err)
{
	static const struct pp_session_provider provider = { .name = "P", .level = 4 };
	const struct pp_session_options options = {
		.size = sizeof(options), .providers = &provider, .provider_count = 1, .rundown = 1
	};
	struct pp_session *session = pp_session_start(client, &options, err);
	char bytes[8];
	int failed;

	if (!session)
		return -1;
	assert_int_equal(poll(&(struct pollfd){ pp_session_fd(session), POLLIN, 0 }, 1, 10000), 1);
	assert_true(pp_session_read(session, bytes, sizeof(bytes), err) > 0);
	failed = stop_and_wait(session, err);
	if (failed) { /* for good */
		struct pp_error again = { 0 };

		assert_int_equal(pp_session_stop_answer(session, &again), -1);
		assert_int_equal(again.code, PP_ERROR_MEMORY);
	}
	pp_session_close(session);
	return failed;
}

static void put_user_events(struct fake_server *server)
{
	fake_server_ok(server, ID, 8)->takes_fd = true;
}

static int run_user_events(struct pp_client *client, struct pp_error *err)
{
	static const struct pp_session_provider provider = { .name = "P", .level = 4 };
	static const struct pp_tracepoints tracepoints = { .others = "others" };
	const struct pp_user_events_options options = { sizeof(options), &provider, &tracepoints, 1,
							STDIN_FILENO };
	struct pp_session *session = pp_session_start_user_events(client, &options, err);

	pp_session_close(session);
	return session ? 0 : -1;
}

static void fails_at_each_allocation_of_a_call(void **state)
{
	static struct call calls[] = {
		{ put_info, ask_info },	      { put_environment, ask_environment },
		{ put_done, ask_dump },	      { put_one_done, set_variable },
		{ put_session, run_session }, { put_user_events, run_user_events },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		assert_true(fails_at_each_allocation(make_call, &calls[i]) > 8);
}

/* A function of the caller's may call the library, and what it gets is its own. */
static int connect_to(void *context, unsigned timeout_ms, struct pp_error *err)
{
	struct fake_server *server = context;
	struct pp_client *other = pp_client_new("/tmp/another", err);

	(void)timeout_ms;
	pp_client_free(other);
	return other ? connect_unix(server->path) : -1;
}

static int call_connected(void *context, struct pp_error *err)
{
	struct fake_server *server = begin_server(put_one_done);
	const struct pp_connector connector = { connect_to, server };
	struct pp_client *client = pp_client_new_connected(&connector, err);
	const int failed = client ? pp_client_resume(client, err) : -1;

	(void)context;
	pp_client_free(client);
	end_server(server);
	return failed;
}

static void fails_at_each_allocation_of_a_connector(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(call_connected, NULL) > 4);
}

/* One that answers, one with an old socket, and others that are looked at. */
static struct fake_proc *fill_proc(const struct fake_server *server)
{
	struct fake_proc *proc;

	failing_alloc_pause();
	proc = fake_proc_new();
	fake_proc_add(proc, &(struct fake_process){ .pid = 1, .name = "init" });
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 17,
				    .name = "dotnet",
				    .threads = ".NET SynchManag,.NET EventPipe,.NET Finalizer",
				    .environ = "A=b\nTMPDIR=/tmp\n",
				    .cmdline = "dotnet\norders.dll\n--seconds 5\n",
				    .exe = "/usr/share/dotnet/dotnet",
				    .maps = "7f00-7f01 r-xp 0 0:0 1 /opt/10.0.1/libcoreclr.so\n",
				    .cgroup = "0::/lxc.payload.web\n",
			    });
	fake_proc_add(proc, &(struct fake_process){
				    .pid = 18,
				    .name = "orders",
				    .threads = ".NET SynchManag,.NET EventPipe",
				    .environ = "A=b\n",
				    .exe = "/bin/sh",
			    });
	fake_proc_listen(proc, 17, server->path);
	failing_alloc_resume();
	return proc;
}

static int find_processes(void *context, struct pp_error *err)
{
	struct fake_server *server = begin_server(put_info);
	struct fake_proc *proc = fill_proc(server);
	const struct pp_process_query query = { .size = sizeof(query),
						.proc = proc->path,
						.timeout_ms = 10000 };
	struct pp_client *client = NULL;
	struct pp_processes found;
	int failed;

	(void)context;
	failed = pp_processes_find(&query, &found, err);
	assert_int_equal(found.count, failed ? 0 : 2);
	if (!failed)
		client = pp_client_new_for(&found.items[0], err);
	failed |= !client;
	pp_client_free(client);
	pp_processes_release(&found);
	failing_alloc_pause();
	fake_proc_free(proc);
	failing_alloc_resume();
	end_server(server);
	return failed;
}

static void fails_at_each_allocation_of_a_search(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(find_processes, NULL) > 15);
}

static const char *port_path(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perfpipe-port-%d", (int)getpid());
	return path;
}

/* Connects and identifies itself, as a runtime does. */
static int come(void)
{
	static const uint8_t said[ADVERTISE_SIZE] = "ADVR_V1\0a cookie";
	const int fd = connect_unix(port_path());

	assert_true(fd >= 0);
	assert_int_equal(write(fd, said, sizeof(said)), sizeof(said));
	return fd;
}

static int use_port(struct pp_port *port, struct pp_error *err)
{
	struct pp_runtime *runtime;
	struct pp_client *client;

	for (int i = 0; i < 5; i++)
		pp_port_serve(port);
	runtime = pp_port_next(port);
	if (!runtime) { /* it was refused, and will come again */
		err->code = PP_ERROR_MEMORY;
		return -1;
	}
	client = pp_runtime_client(runtime, err);
	pp_client_free(client);
	return client ? 0 : -1;
}

static int run_port(void *context, struct pp_error *err)
{
	struct pp_port *port = pp_port_listen(port_path(), err);
	int failed, fd;

	(void)context;
	if (!port)
		return -1;
	fd = come();
	failed = use_port(port, err);
	close(fd);
	pp_port_close(port);
	return failed;
}

static void fails_at_each_allocation_of_a_port(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(run_port, NULL) > 4);
}

/* A runtime for which there was no memory is taken in when it comes again. */
static void a_port_goes_on_after_it_had_no_memory(void **state)
{
	struct pp_error err = { 0 };
	struct pp_port *port;
	int first, second;

	(void)state;
	failing_alloc_begin(1);
	port = pp_port_listen(port_path(), &err);
	first = come();
	pp_port_serve(port);
	assert_null(pp_port_next(port));
	assert_int_equal(failing_alloc_refused(), 1);
	failing_alloc_resume();
	failing_alloc_begin(100);
	second = come();
	assert_int_equal(use_port(port, &err), 0);
	close(first);
	close(second);
	pp_port_close(port);
	failing_alloc_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fails_at_each_allocation_of_a_call),
		cmocka_unit_test(fails_at_each_allocation_of_a_connector),
		cmocka_unit_test(fails_at_each_allocation_of_a_search),
		cmocka_unit_test(fails_at_each_allocation_of_a_port),
		cmocka_unit_test(a_port_goes_on_after_it_had_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
