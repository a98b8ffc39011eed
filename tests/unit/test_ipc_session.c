/* SPDX-License-Identifier: MIT */
/* Sessions with a scripted server: start, read, stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "fake_server.h"
#include "ipc/refusal.h"
#include "perfpipe/user_events.h"

#define ID "\x0d\0\xad\0\xbe\0\xef\0"

static const uint32_t some_ids[] = { 1 };
static const struct pp_session_provider provider = { .name = "P", .level = 4 };
static const struct pp_session_provider filtered = {
	.name = "P",
	.filter = PP_FILTER_ONLY,
	.event_ids = some_ids,
	.event_id_count = 1,
};

/* A server, and a client that has started a session. */
struct scene {
	struct fake_server *server;
	struct pp_client *client;
	struct pp_session *session;
	struct pp_error err;
};

static struct scene scene_new(void)
{
	struct scene scene = { .server = fake_server_new() };

	scene.client = pp_client_new(scene.server->path, &(struct pp_error){ 0 });
	pp_client_set_timeout(scene.client, 3000);
	return scene;
}

static void scene_start(struct scene *scene, const struct pp_session_options *options)
{
	fake_server_start(scene->server);
	scene->session = pp_session_start(scene->client, options, &scene->err);
}

static void scene_free(struct scene *scene)
{
	pp_session_close(scene->session);
	pp_client_free(scene->client);
	fake_server_free(scene->server);
}

static ssize_t read_ready(struct scene *scene, char *bytes, size_t size)
{
	struct pollfd wanted = { .fd = pp_session_fd(scene->session), .events = POLLIN };

	assert_int_equal(poll(&wanted, 1, 3000), 1);
	return pp_session_read(scene->session, bytes, size, &scene->err);
}

static const struct pp_session_options plain = { .size = sizeof(plain),
						 .providers = &provider,
						 .provider_count = 1 };

static void reads_the_stream_after_the_answer(void **state)
{
	struct scene scene = scene_new();
	struct fake_answer *answer = fake_server_ok(scene.server, ID, 8);
	char bytes[16];

	(void)state;
	buffer_bytes(&answer->bytes, "Nettrace", 8);
	scene_start(&scene, &plain);
	assert_non_null(scene.session);
	assert_int_equal(pp_session_id(scene.session), UINT64_C(0x00ef00be00ad000d));
	assert_int_equal(pp_session_command(scene.session), 2);
	assert_int_equal(pp_session_given_up(scene.session), 0);
	assert_int_equal(read_ready(&scene, bytes, 3), 3);
	assert_memory_equal(bytes, "Net", 3);
	assert_int_equal(read_ready(&scene, bytes, sizeof(bytes)), 5);
	assert_memory_equal(bytes, "trace", 5);
	assert_int_equal(read_ready(&scene, bytes, sizeof(bytes)), 0);
	scene_free(&scene);
}

static void reports_that_there_is_nothing_to_read_yet(void **state)
{
	struct scene scene = scene_new();
	char byte;

	(void)state;
	fake_server_ok(scene.server, ID, 8)->keep_open = true;
	scene_start(&scene, &plain);
	assert_non_null(scene.session);
	assert_int_equal(pp_session_read(scene.session, &byte, 1, &scene.err), PP_SESSION_WAIT);
	assert_int_equal(scene.err.code, PP_ERROR_NONE);
	scene_free(&scene);
}

static void stops_without_waiting_for_the_answer(void **state)
{
	struct scene scene = scene_new();
	struct pollfd answered;

	(void)state;
	fake_server_ok(scene.server, ID, 8)->keep_open = true;
	fake_server_ok(scene.server, ID, 8)->pause_ms = 3;
	scene_start(&scene, &plain);
	assert_int_equal(pp_session_stop_fd(scene.session), -1);
	assert_int_equal(pp_session_stop(scene.session, &scene.err), 0);
	assert_int_equal(pp_session_stop(scene.session, &scene.err), 0); /* once is enough */
	assert_int_equal(pp_session_stop_answer(scene.session, &scene.err), PP_SESSION_WAIT);
	answered = (struct pollfd){ .fd = pp_session_stop_fd(scene.session), .events = POLLIN };
	assert_true(answered.fd >= 0);
	for (int i = 0; i < 1000 && pp_session_stop_fd(scene.session) >= 0; i++) {
		poll(&answered, 1, 3000);
		pp_session_stop_answer(scene.session, &scene.err);
	}
	assert_int_equal(pp_session_stop_answer(scene.session, &scene.err), 0);
	assert_int_equal(pp_session_stop_fd(scene.session), -1);
	fake_server_stop(scene.server);
	assert_int_equal(scene.server->answers[1].request.size, 28);
	assert_memory_equal(scene.server->answers[1].request.bytes,
			    "DOTNET_IPC_V1\0\x1c\0\x02\x01\0\0" ID, 28);
	scene_free(&scene);
}

static void reports_that_a_session_could_not_be_stopped(void **state)
{
	struct scene scene = scene_new();
	struct pollfd answered;

	(void)state;
	fake_server_ok(scene.server, ID, 8)->keep_open = true;
	fake_server_error(scene.server, 0x80004005);
	scene_start(&scene, &plain);
	assert_int_equal(pp_session_stop_answer(scene.session, &scene.err), -1);
	assert_string_equal(scene.err.text, "the session was not stopped");
	scene.err = (struct pp_error){ 0 };
	assert_int_equal(pp_session_stop(scene.session, &scene.err), 0);
	answered = (struct pollfd){ .fd = pp_session_stop_fd(scene.session), .events = POLLIN };
	if (answered.fd >= 0)
		poll(&answered, 1, 3000);
	assert_int_equal(pp_session_stop_answer(scene.session, &scene.err), -1);
	assert_string_equal(
		scene.err.text,
		"the runtime refuses StopTracing: it failed without giving a reason (0x80004005)");
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_REFUSED);
	scene_free(&scene);
}

static void reports_a_process_that_ended_before_the_stop(void **state)
{
	struct scene scene = scene_new();
	char byte;

	(void)state;
	fake_server_ok(scene.server, ID, 8)->keep_open = true;
	scene_start(&scene, &plain);
	fake_server_stop(scene.server);
	assert_int_equal(pp_session_stop(scene.session, &scene.err), -1);
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_DEAD_SOCKET);
	scene.err = (struct pp_error){ 0 };
	assert_int_equal(pp_session_read(scene.session, &byte, 1, &scene.err), 0);
	scene_free(&scene);
}

/* The runtime supports commands up to `known`. */
static struct scene start_on(int known, int first, const struct pp_session_options *options)
{
	struct scene scene = scene_new();

	for (int command = first; command > known; command--)
		fake_server_error(scene.server, HRESULT_UNKNOWN_COMMAND);
	fake_server_ok(scene.server, ID, 8);
	scene_start(&scene, options);
	return scene;
}

static void expect_session(struct scene scene, int command, unsigned given_up)
{
	assert_non_null(scene.session);
	assert_int_equal(scene.err.code, PP_ERROR_NONE);
	assert_int_equal(pp_session_command(scene.session), command);
	assert_int_equal(pp_session_given_up(scene.session), given_up);
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_NONE);
	scene_free(&scene);
}

static void expect_too_old(struct scene scene, const char *sentence)
{
	assert_null(scene.session);
	assert_string_equal(scene.err.text, sentence);
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_UNSUPPORTED);
	scene_free(&scene);
}

static void uses_each_command_where_the_runtime_knows_it(void **state)
{
	struct pp_session_options options = plain;

	(void)state;
	expect_session(start_on(6, 2, &options), 2, 0);
	options.without_stacks = true;
	expect_session(start_on(6, 3, &options), 3, 0);
	options.rundown = 1;
	expect_session(start_on(6, 4, &options), 4, 0);
	options.providers = &filtered;
	expect_session(start_on(6, 5, &options), 5, 0);
	options.wait_when_full = true;
	expect_session(start_on(6, 6, &options), 6, 0);
}

static void falls_back_and_reports_what_it_gave_up(void **state)
{
	struct pp_session_options options = plain;

	(void)state;
	options.without_stacks = true;
	expect_session(start_on(2, 3, &options), 2, PP_GAVE_UP_STACKS_OFF);
	options.rundown = 1;
	expect_session(start_on(3, 4, &options), 3, PP_GAVE_UP_RUNDOWN);
	expect_session(start_on(2, 4, &options), 2, PP_GAVE_UP_RUNDOWN | PP_GAVE_UP_STACKS_OFF);
	options.without_stacks = false;
	options.rundown = PP_RUNDOWN_DEFAULT | 2;
	expect_session(start_on(3, 4, &options), 2, PP_GAVE_UP_RUNDOWN_DETAIL);
}

static void gives_up_filters_and_waiting(void **state)
{
	struct pp_session_options options = plain;

	(void)state;
	options.wait_when_full = true;
	expect_session(start_on(2, 3, &options), 2, PP_GAVE_UP_WAITING);
	options.providers = &filtered;
	expect_session(start_on(5, 6, &options), 5, PP_GAVE_UP_WAITING);
	options.wait_when_full = false;
	expect_session(start_on(2, 3, &options), 2, PP_GAVE_UP_FILTERS);
}

/* The runtime refuses so many commands. */
static struct scene start_after(int refused, const struct pp_session_options *options)
{
	return start_on(0, refused, options);
}

static void records_a_runtime_that_has_the_first_command_only(void **state)
{
	struct pp_session_options options = plain;
	struct scene scene = scene_new();

	(void)state;
	options.rundown = PP_RUNDOWN_DEFAULT;
	expect_session(start_after(1, &options), 1, 0);
	options.rundown = 0;
	expect_session(start_after(1, &options), 1, PP_GAVE_UP_RUNDOWN_OFF);
	options.without_stacks = true;
	expect_session(start_after(2, &options), 1, PP_GAVE_UP_STACKS_OFF | PP_GAVE_UP_RUNDOWN_OFF);
	for (int command = 2; command > 0; command--)
		fake_server_error(scene.server, HRESULT_UNKNOWN_COMMAND);
	scene_start(&scene, &plain);
	expect_too_old(scene, "the runtime is too old for sessions: they need .NET Core 3.0");
}

static void hints_at_too_many_sessions(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	fake_server_error(scene.server, 0x80004005);
	scene_start(&scene, &plain);
	assert_null(scene.session);
	assert_string_equal(scene.err.text,
			    "the runtime could not start a session; it may have too many already");
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_REFUSED);
	scene_free(&scene);
}

static void rejects_a_session_without_an_id(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	fake_server_ok(scene.server, "\1\2\3", 3);
	scene_start(&scene, &plain);
	assert_null(scene.session);
	assert_string_equal(scene.err.text, "the new session has no id");
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_MALFORMED);
	scene_free(&scene);
}

static void does_not_send_invalid_options(void **state)
{
	struct scene scene = scene_new();
	const struct pp_session_options none = { .size = sizeof(none) };

	(void)state;
	fake_server_ok(scene.server, ID, 8);
	scene_start(&scene, &none);
	assert_null(scene.session);
	assert_int_equal(pp_client_failure(scene.client), PP_FAILURE_REQUEST);
	fake_server_stop(scene.server);
	assert_false(scene.server->answers[0].asked);
	scene_free(&scene);
}

static void lends_the_runtime_a_descriptor_for_tracepoints(void **state)
{
	static const struct pp_tracepoints tracepoints = { .others = "tp" };
	struct scene scene = scene_new();
	const struct pp_user_events_options options = {
		.size = sizeof(options), &provider, &tracepoints, 1, scene.server->listener
	};
	struct stat lent, got;

	(void)state;
	fake_server_ok(scene.server, ID, 8)->takes_fd = true;
	fake_server_start(scene.server);
	scene.session = pp_session_start_user_events(scene.client, &options, &scene.err);
	assert_non_null(scene.session);
	assert_int_equal(pp_session_command(scene.session), 5);
	assert_int_equal(fstat(scene.server->listener, &lent), 0);
	fake_server_stop(scene.server);
	assert_int_equal(fstat(scene.server->answers[0].sent, &got), 0);
	assert_int_equal(lent.st_ino, got.st_ino);
	scene_free(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_stream_after_the_answer),
		cmocka_unit_test(reports_that_there_is_nothing_to_read_yet),
		cmocka_unit_test(stops_without_waiting_for_the_answer),
		cmocka_unit_test(reports_that_a_session_could_not_be_stopped),
		cmocka_unit_test(reports_a_process_that_ended_before_the_stop),
		cmocka_unit_test(uses_each_command_where_the_runtime_knows_it),
		cmocka_unit_test(falls_back_and_reports_what_it_gave_up),
		cmocka_unit_test(gives_up_filters_and_waiting),
		cmocka_unit_test(records_a_runtime_that_has_the_first_command_only),
		cmocka_unit_test(hints_at_too_many_sessions),
		cmocka_unit_test(rejects_a_session_without_an_id),
		cmocka_unit_test(does_not_send_invalid_options),
		cmocka_unit_test(lends_the_runtime_a_descriptor_for_tracepoints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
