/* SPDX-License-Identifier: MIT */
/* Recordings of a scripted server: how each one ends, and the file it leaves. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "fake_server.h"
#include "ipc/connect.h"
#include "record/control.h"
#include "record/engine.h"
#include "trace_builder.h"
#include "own_folder.h"

#define EVENTS 5
#define ID     "\x0d\0\xad\0\xbe\0\xef\0"

static struct builder whole_trace(void)
{
	struct builder b = build_start(4);

	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	build_events(&b, PLAIN);
	for (int i = 0; i < EVENTS; i++)
		event(&b, .kind = 1, .thread = 1, .ticks = i);
	build_close(&b);
	build_end(&b);
	return b;
}

/* A process that sends a stream, and one recording of it. */
struct scene {
	struct fake_server *server;
	struct builder trace;
	struct recording_options options;
	struct recording recording;
	struct engine engine;
	struct pp_error err;

	/* called by the engine each `every_ns`, if that is not 0 */
	void (*call)(struct scene *scene);
	int64_t every_ns;
	int64_t called_ns;
	int signals; /* for interrupt() */
	bool controlled;
};

static const struct pp_session_provider provider = { .name = "P", .level = 4 };
static const struct pp_session_options session = { .size = sizeof(session),
						   .providers = &provider,
						   .provider_count = 1 };

static void scene_init(struct scene *scene)
{
	*scene = (struct scene){ .server = fake_server_new(), .trace = whole_trace() };
	scene->options = (struct recording_options){ .session = &session,
						     .output = "out.nettrace",
						     .replace.force = true };
	scene->recording = (struct recording){ .options = &scene->options,
					       .client = pp_client_new(scene->server->path,
								       &(struct pp_error){ 0 }),
					       .process_id = getpid(),
					       .name = "fake" };
}

/* Confirms the session, then sends the first `size` bytes of the trace. */
static struct fake_answer *scene_send(struct scene *scene, const void *bytes, size_t size)
{
	struct fake_answer *answer = fake_server_ok(scene->server, ID, 8);

	buffer_bytes(&answer->bytes, bytes, size);
	fake_server_ok(scene->server, ID, 8); /* answers the stop request */
	return answer;
}

static void call_if_due(void *context, int64_t now_ns)
{
	struct scene *scene = context;

	if (now_ns - scene->called_ns < scene->every_ns)
		return;
	scene->called_ns = now_ns;
	scene->call(scene);
}

static void wake_for_next_call(void *context, struct poll_set *set)
{
	const struct scene *scene = context;

	poll_set_wake(set, scene->called_ns + scene->every_ns);
}

static void scene_run(struct scene *scene)
{
	assert_int_equal(engine_open(&scene->engine, &scene->err), 0);
	fake_server_start(scene->server); /* its thread inherits the blocked signals */
	if (scene->every_ns)
		engine_add_source(&scene->engine,
				  &(struct engine_source){ .watch = wake_for_next_call,
							   .tick = call_if_due,
							   .context = scene });
	if (scene->controlled)
		assert_int_equal(control_open(&scene->engine), 0);
	engine_add(&scene->engine, &scene->recording);
	assert_int_equal(recording_start(&scene->recording, &scene->err), 0);
	engine_run(&scene->engine);
}

static void scene_free(struct scene *scene)
{
	recording_release(&scene->recording);
	engine_close(&scene->engine);
	fake_server_free(scene->server);
	builder_release(&scene->trace);
}

static off_t size_of_file(void)
{
	struct stat status;

	assert_int_equal(stat("out.nettrace.partial", &status), -1);
	assert_int_equal(stat("out.nettrace", &status), 0);
	return status.st_size;
}

static void expect_file(size_t size)
{
	assert_int_equal(size_of_file(), size);
}

/* A truncated trace is repaired: an event after the last complete block says why it ended. */
static void expect_repaired_file(void)
{
	assert_true(size_of_file() > 0);
}

static void expect_error(const struct scene *scene, const char *part)
{
	assert_int_not_equal(scene->recording.err.code, PP_ERROR_NONE);
	if (!strstr(scene->recording.err.text, part))
		fail_msg("'%s' does not say '%s'", scene->recording.err.text, part);
}

static void a_stream_with_an_end_mark_means_the_process_exited(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	scene_send(&scene, scene.trace.bytes, scene.trace.size);
	scene_run(&scene);
	assert_int_equal(scene.recording.reason, STOP_TARGET_EXIT);
	assert_int_equal(scene.recording.events, EVENTS);
	assert_int_equal(scene.recording.bytes, scene.trace.size);
	assert_false(scene.recording.incomplete);
	assert_int_equal(scene.recording.err.code, PP_ERROR_NONE);
	expect_file(scene.trace.size);
	scene_free(&scene);
}

static void a_stream_without_an_end_mark_means_it_was_killed(void **state)
{
	const pid_t child = fork();
	struct scene scene;

	(void)state;
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	scene_init(&scene);
	scene.recording.process_id = child;
	scene_send(&scene, scene.trace.bytes, scene.trace.size - 10);
	scene_run(&scene);
	assert_int_equal(scene.recording.reason, STOP_TARGET_KILLED);
	assert_true(scene.recording.incomplete);
	expect_error(&scene, "was killed or crashed");
	expect_repaired_file();
	scene_free(&scene);
}

static void a_stream_closed_by_a_living_process_is_a_failure(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	scene_send(&scene, scene.trace.bytes, scene.trace.size - 10);
	scene_run(&scene);
	assert_int_equal(scene.recording.reason, STOP_FAILURE);
	expect_error(&scene, "closed the stream before its end");
	scene_free(&scene);
}

static void data_that_is_not_a_trace_is_not_written(void **state)
{
	char noise[5000];
	struct scene scene;
	struct stat status;

	(void)state;
	memset(noise, 'x', sizeof(noise));
	scene_init(&scene);
	unlink("out.nettrace");
	scene_send(&scene, noise, sizeof(noise))->keep_open = true;
	scene_run(&scene);
	assert_true(scene.recording.unreadable);
	expect_error(&scene, "sent data that is not NetTrace; nothing was recorded");
	assert_int_equal(scene.recording.file_count, 0);
	assert_int_equal(scene.recording.bytes, 0);
	assert_int_equal(stat("out.nettrace", &status), -1);
	assert_int_equal(stat("out.nettrace.partial", &status), -1);
	scene_free(&scene);
}

/* Nobody waits for the end of such a stream. */
static void a_stream_that_turns_into_something_else_ends_there(void **state)
{
	struct buffer bytes = { 0 };
	struct scene scene;

	(void)state;
	scene_init(&scene);
	buffer_bytes(&bytes, scene.trace.bytes, scene.trace.size - 1); /* without its end mark */
	for (int i = 0; i < 10000; i++)
		buffer_bytes(&bytes, "not a trace ", 12);
	scene_send(&scene, bytes.bytes, bytes.size)->keep_open = true;
	scene_run(&scene);
	assert_int_equal(scene.recording.reason, STOP_FAILURE);
	assert_int_equal(scene.recording.events, EVENTS + 1); /* and that of the end */
	expect_error(&scene, "is not NetTrace from byte");
	assert_in_range(size_of_file(), scene.trace.size, scene.trace.size + 1000);
	assert_int_equal(scene.recording.bytes, size_of_file());
	scene_free(&scene);
	buffer_release(&bytes);
}

/* Only as many as the scene says: one more that is not handled would end the test. */
static void interrupt(struct scene *scene)
{
	if (scene->signals-- > 0)
		kill(getpid(), SIGINT);
}

static void the_second_signal_abandons_a_hung_process(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	scene.options.most_events = 1;
	scene.call = interrupt;
	scene.signals = 2;
	scene.every_ns = 250000000;
	scene_send(&scene, scene.trace.bytes, scene.trace.complete_at - 10)->keep_open = true;
	scene_run(&scene);
	fake_server_stop(scene.server);
	assert_true(scene.server->answers[1].asked);
	assert_true(scene.engine.gave_up);
	assert_true(scene.recording.incomplete);
	assert_int_equal(scene.recording.err.code, PP_ERROR_NONE);
	expect_repaired_file();
	scene_free(&scene);
}

/* A process that connects to us, but is busy when it is first asked to stop. */
struct busy {
	const char *path;
	int calls;
	unsigned longest_ms; /* longest timeout we passed */
};

static int connect_when_idle(void *context, unsigned timeout_ms, struct pp_error *err)
{
	struct busy *busy = context;

	if (!busy->calls++)
		return connect_unix(busy->path); /* the session */
	if (timeout_ms > busy->longest_ms)
		busy->longest_ms = timeout_ms;
	if (busy->calls > 4)
		return connect_unix(busy->path);
	usleep(timeout_ms * 1000);
	return error_set(err, PP_ERROR_SYSTEM, "busy");
}

static void a_busy_process_is_asked_to_stop_again_without_delaying_others(void **state)
{
	struct busy busy = { 0 };
	struct scene scene;

	(void)state;
	scene_init(&scene);
	busy.path = scene.server->path;
	pp_client_free(scene.recording.client);
	scene.recording.client = pp_client_new_connected(
		&(struct pp_connector){ connect_when_idle, &busy }, &(struct pp_error){ 0 });
	scene.options.most_events = 1;
	scene.call = interrupt;
	scene.signals = 2;
	scene.every_ns = 500000000;
	scene_send(&scene, scene.trace.bytes, scene.trace.complete_at - 10)->keep_open = true;
	scene_run(&scene);
	fake_server_stop(scene.server);
	assert_int_equal(busy.calls, 5);
	assert_true(busy.longest_ms <= 10);
	assert_true(scene.server->answers[1].asked);
	scene_free(&scene);
}

static void stop_at_third(void *self, const struct event_context *at)
{
	(void)self;
	at->pass->stopped = at->pass->tally.events == 3;
}

static void want_to_stop(void *context, struct pass *pass)
{
	pass_want_every(pass, stop_at_third, context);
}

static void a_pass_can_stop_a_recording(void **state)
{
	static const struct live_pass live = { .query = EVENT_QUERY_ALL, .want = want_to_stop };
	struct scene scene;

	(void)state;
	scene_init(&scene);
	scene.options.live = &live;
	scene_send(&scene, scene.trace.bytes, scene.trace.size);
	scene_run(&scene);
	assert_int_equal(scene.recording.reason, STOP_EVENT);
	assert_false(scene.recording.incomplete);
	scene_free(&scene);
}

static void count_found(void *count, const struct control_found *recording)
{
	(void)recording;
	++*(int *)count;
}

/* The result of `perfpipe stop`. */
struct asked {
	pthread_t thread;
	bool begun;
	int found;
	size_t running;
};

static struct asked asked;

static void *ask_to_stop(void *argument)
{
	struct control_stop stop = { .timeout_ms = 10000, .found = count_found };
	struct pp_error err = { 0 };
	char which[32];

	(void)argument;
	snprintf(which, sizeof(which), "%d", (int)getpid());
	stop.which = which;
	stop.context = &asked.found;
	control_stop(&stop, &err);
	asked.running = stop.running;
	return NULL;
}

/* From another thread; the stream ends once the runtime has been asked to stop. */
static void ask_and_end(struct scene *scene)
{
	if (!asked.begun)
		asked.begun = !pthread_create(&asked.thread, NULL, ask_to_stop, NULL);
	if (scene->recording.state == RECORDING_STOPPING && !scene->server->stopped) {
		send(scene->server->answers[0].fd, scene->trace.bytes + scene->trace.size - 1, 1,
		     MSG_NOSIGNAL);
		fake_server_stop(scene->server);
	}
}

static void another_process_can_stop_a_recording_and_wait_for_it(void **state)
{
	struct scene scene;

	(void)state;
	asked.running = 1;
	scene_init(&scene);
	scene.controlled = true;
	scene.options.no_thread_times = true;
	scene.call = ask_and_end;
	scene.every_ns = 50000000;
	scene_send(&scene, scene.trace.bytes, scene.trace.size - 1)->keep_open = true;
	scene_run(&scene);
	assert_int_equal(scene.recording.reason, STOP_ASKED);
	expect_file(scene.trace.size);
	scene_free(&scene);
	pthread_join(asked.thread, NULL);
	assert_int_equal(asked.found, 1);
	assert_int_equal(asked.running, 0);
}

/* Anybody can take the name that a collector would have. */
static void a_taken_name_does_not_keep_a_recording_from_being_stopped(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int squatter = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	const int size = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
				  CONTROL_PREFIX "%u-%d", geteuid(), (int)getpid());

	assert_int_equal(
		bind(squatter, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1) + (socklen_t)size),
		0);
	asked = (struct asked){ 0 };
	another_process_can_stop_a_recording_and_wait_for_it(state);
	close(squatter);
}

static void malformed_requests_are_rejected(void **state)
{
	static const char *const wrong[] = {
		"",	    "stop",	 "stop ", "stop 0", "stop -1",
		"stop 1 2", "stop alle", "lists", "go 1",   "stop 99999999999999999999"
	};
	struct control_request request;
	struct control_found found;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(control_parse_request(wrong[i], &request), -1);
	assert_int_equal(control_parse_request("stop all", &request), 0);
	assert_true(request.all);
	assert_false(request.list);
	assert_int_equal(control_parse_request("list", &request), 0);
	assert_true(request.list && request.all);
	assert_int_equal(control_parse_request("stop 4711", &request), 0);
	assert_int_equal(request.process_id, 4711);
	assert_int_equal(control_parse_request("stop /a b", &request), 0);
	assert_string_equal(request.path, "/a b");
	assert_int_equal(control_parse_answer("4711 /a b", &found), 0);
	assert_int_equal(found.process_id, 4711);
	assert_string_equal(found.path, "/a b");
	assert_int_equal(control_parse_answer(".", &found), -1);
	assert_int_equal(control_parse_answer("4711", &found), -1);
	assert_int_equal(control_parse_answer("4711 ", &found), -1);
}

static void recordings_are_stopped_by_pid_by_file_or_all(void **state)
{
	struct control_stop stop = { .which = "no-such-file", .found = count_found };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(control_stop(&stop, &err), -1);
	assert_int_equal(err.code, PP_ERROR_USAGE);
	assert_string_equal(err.text, "stop takes a process id, a file that is being recorded, or "
				      "all, not 'no-such-file'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream_with_an_end_mark_means_the_process_exited),
		cmocka_unit_test(a_stream_without_an_end_mark_means_it_was_killed),
		cmocka_unit_test(a_stream_closed_by_a_living_process_is_a_failure),
		cmocka_unit_test(data_that_is_not_a_trace_is_not_written),
		cmocka_unit_test(a_stream_that_turns_into_something_else_ends_there),
		cmocka_unit_test(the_second_signal_abandons_a_hung_process),
		cmocka_unit_test(a_busy_process_is_asked_to_stop_again_without_delaying_others),

		cmocka_unit_test(a_pass_can_stop_a_recording),
		cmocka_unit_test(another_process_can_stop_a_recording_and_wait_for_it),
		cmocka_unit_test(a_taken_name_does_not_keep_a_recording_from_being_stopped),
		cmocka_unit_test(malformed_requests_are_rejected),
		cmocka_unit_test(recordings_are_stopped_by_pid_by_file_or_all),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
