/* SPDX-License-Identifier: MIT */
/* Which processes are recorded: scripted ones, launched programs, unknown names. */
#include "record/targets.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time.h"
#include "fake_server.h"
#include "ipc/client.h"
#include "ipc/message.h"
#include "record/target_finder.h"
#include "trace_builder.h"

#define COUNT 6
#define ID    "\x0d\0\xad\0\xbe\0\xef\0"

static const struct pp_session_provider provider = { .name = "P", .level = 4 };
static const struct pp_session_options session = { .size = sizeof(session),
						   .providers = &provider,
						   .provider_count = 1 };
static const struct recording_options recording = { .session = &session, .no_file = true };

/* An engine with targets, and their reports. */
struct scene {
	struct engine engine;
	struct targets *targets;
	struct pp_error err;
	char notes[512];
	int started;
};

static void keep_note(void *context, const char *sentence)
{
	struct scene *scene = context;
	const size_t size = strlen(scene->notes);

	snprintf(scene->notes + size, sizeof(scene->notes) - size, "%s\n", sentence);
}

static void count_started(void *context, const struct target *target)
{
	struct scene *scene = context;

	assert_true(target->recorded);
	scene->started++;
}

static void scene_open(struct scene *scene, const struct target_options *options)
{
	*scene = (struct scene){ .started = 0 };
	assert_int_equal(engine_open(&scene->engine, &scene->err), 0);
	scene->targets = targets_new(&scene->engine, options, &recording,
				     &(struct target_callbacks){ .note = keep_note,
								 .started = count_started,
								 .context = scene });
}

static void scene_close(struct scene *scene)
{
	targets_free(scene->targets);
	engine_close(&scene->engine);
}

static void expect_part(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static void answer_info(struct fake_server *server, const char *command_line)
{
	struct buffer payload = { 0 };

	buffer_u32(&payload, 1);
	buffer_u64(&payload, 17);
	buffer_bytes(&payload, "0123456789abcdef", 16);
	for (int i = 0; i < 6; i++)
		message_put_text(&payload, i ? "x" : command_line);
	fake_server_ok(server, payload.bytes, payload.size);
	buffer_release(&payload);
}

/* Waits until the last start has finished, for at most 10 seconds. */
static void take_all(struct scene *scene)
{
	struct pollfd fd = { .fd = async_starts_fd(scene->engine.starts), .events = POLLIN };

	while (scene->targets->starting) {
		assert_int_equal(poll(&fd, 1, 10000), 1);
		async_starts_take(scene->engine.starts);
	}
}

/* State shared by choosers, guarded only by the targets' own lock. */
static struct {
	atomic_int inside;
	int most_inside;
	int asked;
} choosing;

/* All but the first two. */
static bool choose(struct target *target, const struct pp_process_info *info)
{
	const int inside = atomic_fetch_add(&choosing.inside, 1) + 1;

	if (inside > choosing.most_inside)
		choosing.most_inside = inside;
	usleep(5000);
	atomic_fetch_sub(&choosing.inside, 1);
	target_set_name(target, info);
	return !strcmp(target->name, "shop") && choosing.asked++ >= 2;
}

static void choices_are_made_one_at_a_time(void **state)
{
	const struct target_options options = { .port = "unused" };
	struct fake_server *servers[COUNT];
	struct scene scene;

	(void)state;
	scene_open(&scene, &options);
	for (int i = 0; i < COUNT; i++) {
		struct target *target;

		servers[i] = fake_server_new();
		answer_info(servers[i], "/srv/shop.dll");
		fake_server_ok(servers[i], ID, 8)->keep_open = true;
		fake_server_ok(servers[i], "\0\0\0\0", 4); /* resumed */
		fake_server_start(servers[i]);
		target = targets_add(scene.targets,
				     pp_client_new(servers[i]->path, &(struct pp_error){ 0 }), 0,
				     NULL);
		target->choose = choose;
		targets_start(scene.targets, target);
	}
	take_all(&scene);
	assert_string_equal(scene.notes, "");
	assert_int_equal(scene.started, COUNT - 2);
	assert_int_equal(scene.engine.recording_count, COUNT - 2);
	assert_int_equal(choosing.asked, COUNT);
	assert_int_equal(choosing.most_inside, 1);
	for (int i = 0; i < COUNT; i++) {
		fake_server_stop(servers[i]);
		/* processes that are not recorded are resumed too */
		assert_true(servers[i]->answers[1].asked);
	}
	scene_close(&scene);
	for (int i = 0; i < COUNT; i++)
		fake_server_free(servers[i]);
}

static void a_process_that_cannot_be_recorded_is_reported(void **state)
{
	const struct target_options options = { .port = "unused" };
	struct pp_client *client = pp_client_new("/tmp/no-such-socket", &(struct pp_error){ 0 });
	struct scene scene;

	(void)state;
	scene_open(&scene, &options);
	targets_start(scene.targets, targets_add(scene.targets, client, 4711, "shop"));
	take_all(&scene);
	expect_part(scene.notes, "process 4711 (shop) is not recorded: ");
	assert_int_not_equal(scene.targets->err.code, PP_ERROR_NONE);
	assert_int_equal(scene.started, 0);
	assert_false(scene.targets->first->recorded);
	scene_close(&scene);
}

static void pending_starts_are_waited_for(void **state)
{
	const struct target_options options = { .port = "unused" };
	struct fake_server *server = fake_server_new(); /* which never answers */
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct scene scene;

	(void)state;
	pp_client_set_timeout(client, 100);
	scene_open(&scene, &options);
	targets_start(scene.targets, targets_add(scene.targets, client, 0, "shop"));
	scene_close(&scene);
	fake_server_free(server);
}

static void abandoned_starts_are_not_waited_for(void **state)
{
	static const struct target_options options = { .name = "unused" };
	static struct scene scene; /* the thread uses its targets until it ends */
	struct fake_server *server = fake_server_new();
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	struct target *target;

	(void)state;
	pp_client_set_timeout(client, 3000);
	scene_open(&scene, &options);
	target = targets_add(scene.targets, client, 0, "shop");
	client_set_give_up(client, 0); /* as if it could not be interrupted */
	targets_start(scene.targets, target);
	assert_false(targets_abandon(scene.targets)); /* it would be true after the 3 s */
	assert_true(async_starts_settle(scene.engine.starts, 60000));
	engine_close(&scene.engine);
	fake_server_free(server);
}

static void a_signal_interrupts_starts(void **state)
{
	const struct target_options options = { .port = "unused" };
	struct fake_server *server = fake_server_new(); /* which never answers */
	struct pp_client *client = pp_client_new(server->path, &(struct pp_error){ 0 });
	const int64_t start = time_monotonic_ns();
	struct scene scene;

	(void)state;
	pp_client_set_timeout(client, 60000);
	scene_open(&scene, &options);
	targets_start(scene.targets, targets_add(scene.targets, client, 0, "shop"));
	engine_interrupt(&scene.engine);
	usleep(300000); /* else it counts as the same signal */
	engine_interrupt(&scene.engine);
	take_all(&scene);
	expect_part(scene.notes, "interrupted before the process had answered");
	assert_true(targets_abandon(scene.targets));
	assert_true(time_monotonic_ns() - start < 30 * INT64_C(1000000000));
	engine_close(&scene.engine);
	fake_server_free(server);
}

static void a_listening_runtime_is_recorded_to_its_end(void **state)
{
	struct fake_server *server = fake_server_new();
	struct builder trace = build_start(4);
	struct target_options options = { 0 };
	char port[256];
	struct scene scene;

	(void)state;
	build_end(&trace);
	answer_info(server, "/srv/shop.dll");
	buffer_bytes(&fake_server_ok(server, ID, 8)->bytes, trace.bytes, trace.size);
	fake_server_ok(server, "\0\0\0\0", 4);
	snprintf(port, sizeof(port), "%s,connect", server->path);
	options.port = port;
	scene_open(&scene, &options);
	fake_server_start(server);
	assert_int_equal(targets_begin(scene.targets, &scene.err), 0);
	engine_run(&scene.engine);
	targets_end(scene.targets);
	assert_int_equal(scene.started, 1);
	assert_string_equal(scene.targets->first->name, "shop");
	assert_int_equal(scene.targets->first->recording.reason, STOP_TARGET_EXIT);
	/* it says 17, but another process answered: that one is not measured and described */
	assert_int_equal(scene.targets->first->recording.process_id, 0);
	assert_null(scene.targets->first->next);
	scene_close(&scene);
	fake_server_free(server);
	builder_release(&trace);
}

/* Interrupts the engine on the first call. */
static void interrupt(void *context, int64_t now_ns)
{
	struct scene *scene = context;

	(void)now_ns;
	if (!scene->engine.signal_ns)
		engine_interrupt(&scene->engine);
}

static void an_unknown_name_is_awaited_until_a_signal(void **state)
{
	const struct target_options options = { .name = "no-process-is-called-this", .wait = true };
	struct scene scene;

	(void)state;
	scene_open(&scene, &options);
	assert_int_equal(targets_begin(scene.targets, &scene.err), 0);
	assert_string_equal(scene.notes, "waiting for a .NET process called "
					 "no-process-is-called-this; Ctrl+C gives up\n");
	engine_add_source(&scene.engine,
			  &(struct engine_source){ .tick = interrupt, .context = &scene });
	engine_run(&scene.engine);
	targets_end(scene.targets);
	assert_null(scene.targets->first);
	scene_close(&scene);
}

static void a_launched_program_without_a_runtime_says_so(void **state)
{
	char *const command[] = { "sh", "-c", "exit 7", NULL };
	const struct target_options options = { .command = command, .hide_output = true };
	struct launched_program program;
	struct scene scene;

	(void)state;
	scene_open(&scene, &options);
	assert_int_equal(targets_begin(scene.targets, &scene.err), 0);
	engine_run(&scene.engine);
	targets_end(scene.targets);
	assert_int_equal(targets_launched(scene.targets, &program, &scene.err), -1);
	assert_int_equal(program.code, 7);
	assert_false(program.ended_by_us);
	expect_part(scene.err.text, "sh exited with code 7 and nothing was recorded: no .NET "
				    "runtime connected");
	scene_close(&scene);
}

static void a_program_that_does_not_exist_cannot_be_launched(void **state)
{
	char *const command[] = { "/no/such/program", NULL };
	const struct target_options options = { .command = command };
	struct scene scene;

	(void)state;
	scene_open(&scene, &options);
	assert_int_equal(targets_begin(scene.targets, &scene.err), -1);
	assert_int_equal(scene.err.code, PP_ERROR_USAGE);
	scene_close(&scene);
}

static void options_say_whether_there_may_be_several_targets(void **state)
{
	static const uint64_t pids[] = { 1, 2 };
	char *const command[] = { "true", NULL };

	(void)state;
	assert_true(
		target_options_several(&(struct target_options){ .pids = pids, .pid_count = 2 }));
	assert_true(target_options_several(&(struct target_options){ .every = true }));
	assert_true(target_options_several(
		&(struct target_options){ .command = command, .follow_children = true }));
	assert_false(
		target_options_several(&(struct target_options){ .pids = pids, .pid_count = 1 }));
	assert_false(target_options_several(&(struct target_options){ .name = "n", .wait = true }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_are_made_one_at_a_time),
		cmocka_unit_test(a_process_that_cannot_be_recorded_is_reported),
		cmocka_unit_test(pending_starts_are_waited_for),
		cmocka_unit_test(abandoned_starts_are_not_waited_for),
		cmocka_unit_test(a_signal_interrupts_starts),
		cmocka_unit_test(a_listening_runtime_is_recorded_to_its_end),
		cmocka_unit_test(an_unknown_name_is_awaited_until_a_signal),
		cmocka_unit_test(a_launched_program_without_a_runtime_says_so),
		cmocka_unit_test(a_program_that_does_not_exist_cannot_be_launched),
		cmocka_unit_test(options_say_whether_there_may_be_several_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
