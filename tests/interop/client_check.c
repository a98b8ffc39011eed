/* SPDX-License-Identifier: MIT */
/*
 * client_check - sends every command to a real .NET process, and reports what failed.
 *
 *	client_check SOCKET PID FOLDER
 *	client_check SOCKET HOOK
 *
 * client.sh starts the process. Files go to the directory FOLDER. The second form is for a
 * process suspended at startup: it gets the hook and is resumed.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfpipe/nettrace.h"
#include "perfpipe/session.h"

static struct pp_client *client;
static long pid;
static const char *folder;
static int bad;

static void check(bool holds, const char *what, const struct pp_error *err)
{
	if (holds)
		return;
	printf("does not hold: %s%s%s\n", what, err->code ? ": " : "", err->text);
	bad = 1;
}

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void check_info(void)
{
	struct pp_error err = { 0 };
	struct pp_process_info *info = pp_client_process_info(client, &err);

	check(info != NULL, "the process describes itself", &err);
	if (!info)
		return;
	check(info->process_id == (uint64_t)pid, "it tells its pid", &err);
	check(info->command == 3, "it knows ProcessInfo3", &err);
	check(strstr(info->command_line, "--seconds") != NULL, "it tells its command line", &err);
	check(strcmp(info->os, "Linux") == 0, "it runs on Linux", &err);
	check(strcmp(info->entrypoint, "orders") == 0, "it tells its assembly", &err);
	check(strncmp(info->runtime_version, "10.", 3) == 0, "it is .NET 10", &err);
	check(strncmp(info->portable_rid, "linux-", 6) == 0, "it tells its platform", &err);
	pp_process_info_free(info);
}

/* Whether the process has the variable with exactly this value; NULL: not set. */
static bool has_variable(const char *name, const char *value, struct pp_error *err)
{
	struct pp_environment *environment = pp_client_environment(client, err);
	const size_t length = strlen(name);
	const char *found = NULL;
	bool same;

	for (size_t i = 0; environment && i < environment->count; i++)
		if (strncmp(environment->variables[i], name, length) == 0 &&
		    environment->variables[i][length] == '=')
			found = environment->variables[i] + length + 1;
	same = environment && (found && value ? strcmp(found, value) == 0 : !found && !value);
	pp_environment_free(environment);
	return same;
}

static void check_variables(void)
{
	struct pp_error err = { 0 };

	check(has_variable("CHECK_GIVEN", "W\xc3\xb6rter \xf0\x9f\x8d\x8f", &err),
	      "the environment has what it was started with", &err);
	check(has_variable("CHECK_SET", NULL, &err), "nothing else is in it", &err);
	check(pp_client_set_variable(client, "CHECK_SET", "one=two", &err) == 0,
	      "a variable can be set", &err);
	check(has_variable("CHECK_SET", "one=two", &err), "it is there then", &err);
	check(pp_client_set_variable(client, "CHECK_SET", NULL, &err) == 0,
	      "a variable can be removed", &err);
	check(has_variable("CHECK_SET", NULL, &err), "it is gone then", &err);
}

static off_t file_size(const char *path)
{
	struct stat info;

	return stat(path, &info) ? -1 : info.st_size;
}

static void check_perf_map(void)
{
	struct pp_error err = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%ld.map", pid);
	check(file_size(path) < 0, "there is no perf map at first", &err);
	check(pp_client_enable_perf_map(client, PP_PERF_MAP_MAP, &err) == 0,
	      "a perf map can be asked for", &err);
	check(file_size(path) > 1000, "it lists methods", &err);
	check(pp_client_disable_perf_map(client, &err) == 0, "it can be ended", &err);
	unlink(path);
}

static void check_dump(void)
{
	struct pp_error err = { 0 };
	char path[4096];
	const struct pp_dump_options options = { .size = sizeof(options),
						 .path = path,
						 .type = PP_DUMP_MINI };

	snprintf(path, sizeof(path), "%s/core", folder);
	pp_client_set_timeout(client, 60000);
	check(pp_client_dump(client, &options, &err) == 0, "a small dump can be written", &err);
	check(file_size(path) > 10000, "it has bytes", &err);
	unlink(path);

	snprintf(path, sizeof(path), "%s/no-such-folder/core", folder);
	err = (struct pp_error){ 0 };
	check(pp_client_dump(client, &options, &err) == -1, "a dump needs a folder", &err);
	check(pp_client_failure(client) == PP_FAILURE_REFUSED, "the runtime says so", &err);
	printf("of a folder that is not there: %s\n", err.text);
	pp_client_set_timeout(client, 10000);
}

static const uint8_t guid[16] = "0123456789abcdef";
static const struct pp_profiler no_profiler = { guid, "/no/such/profiler.so" };

static void check_profiler(void)
{
	const struct pp_profiler_attach attach = { .size = sizeof(attach),
						   .profiler = no_profiler,
						   .seconds = 1 };
	struct pp_error err = { 0 };

	check(pp_client_attach_profiler(client, &attach, &err) == -1,
	      "a profiler must be there to be attached", &err);
	check(pp_client_failure(client) == PP_FAILURE_REFUSED, "the runtime says so too", &err);
	printf("of a profiler that is not there: %s\n", err.text);
	err = (struct pp_error){ 0 };
	check(pp_client_resume(client, &err) == 0, "a process that runs can be resumed", &err);
}

/* The hook prints the variable; a profiler that cannot be loaded does no harm. */
static void check_waiting(const char *hook)
{
	struct pp_error err = { 0 };

	check(pp_client_set_startup_profiler(client, &no_profiler, &err) == 0,
	      "a start-up profiler can be set", &err);
	check(pp_client_set_variable(client, "CHECK_SET", "from outside", &err) == 0,
	      "a variable can be set before the start", &err);
	check(pp_client_apply_startup_hook(client, hook, &err) == 0, "a hook can be set", &err);
	check(pp_client_resume(client, &err) == 0, "it can be resumed", &err);
}

/* The stream of our session, as our own reader sees it. */
struct recording {
	struct pp_session *session;
	struct pp_nettrace *trace;
	uint64_t named; /* events of the requested provider */
	uint64_t stacks;
	bool ended;
};

#define ENOUGH 10 /* events, for us to be sure that they come */

static const struct pp_session_provider orders = {
	.name = "Orders",
	.keywords = UINT64_MAX,
	.level = 5,
};

static void take_events(struct recording *recording, struct pp_error *err)
{
	const struct pp_event *event;

	while (pp_nettrace_next(recording->trace, &event, err) == PP_NEXT_ITEM) {
		recording->named += strcmp(event->kind->provider, orders.name) == 0;
		recording->stacks += event->stack && event->stack->count > 0;
	}
}

/* Reads what is available now, and then until the timeout or the end of the stream. */
static void drain(struct recording *recording, int ms, struct pp_error *err)
{
	const long long end = now_ms() + ms;
	static char bytes[65536];

	while (!recording->ended && now_ms() < end) {
		struct pollfd wanted = { pp_session_fd(recording->session), POLLIN, 0 };
		ssize_t size;

		poll(&wanted, 1, (int)(end - now_ms()));
		size = pp_session_read(recording->session, bytes, sizeof(bytes), err);
		if (size > 0)
			pp_nettrace_feed(recording->trace, bytes, (size_t)size);
		else if (size != PP_SESSION_WAIT)
			pp_nettrace_end(recording->trace);
		recording->ended = size == 0 || size == -1;
		if (size != PP_SESSION_WAIT)
			take_events(recording, err);
	}
}

static struct recording begin(const struct pp_session_options *options, struct pp_error *err)
{
	struct recording recording = { .trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 }) };
	const struct pp_event *event;

	recording.session = pp_session_start(client, options, err);
	pp_nettrace_next(recording.trace, &event, err); /* it needs bytes */
	return recording;
}

static void end(struct recording *recording, struct pp_error *err)
{
	check(pp_session_stop(recording->session, err) == 0, "a session can be stopped", err);
	drain(recording, 20000, err);
	check(recording->ended, "its stream ends", err);
	check(pp_nettrace_totals(recording->trace).complete, "its trace is complete", err);
	for (int i = 0; i < 100 && pp_session_stop_fd(recording->session) >= 0; i++) {
		poll(&(struct pollfd){ pp_session_stop_fd(recording->session), POLLIN, 0 }, 1, 100);
		pp_session_stop_answer(recording->session, err);
	}
	check(pp_session_stop_answer(recording->session, err) == 0, "the stop is answered", err);
}

static void release(struct recording *recording)
{
	pp_session_close(recording->session);
	pp_nettrace_free(recording->trace);
}

/* Until that many events have come, however busy the machine is; but for a moment in any case. */
static struct recording record(const struct pp_session_options *options, int command,
			       uint64_t wanted, struct pp_error *err)
{
	struct recording recording = begin(options, err);

	check(recording.session != NULL, "a session starts", err);
	if (!recording.session)
		return recording;
	check(pp_session_command(recording.session) == command, "with the right command", err);
	check(pp_session_given_up(recording.session) == 0, "with all that was asked for", err);
	drain(&recording, 400, err);
	for (int i = 0; i < 100 && recording.named < wanted; i++)
		drain(&recording, 400, err);
	end(&recording, err);
	return recording;
}

static void check_sessions(void)
{
	static const uint32_t none[] = { 60000 };
	struct pp_session_provider provider = orders;
	struct pp_session_options options = { .size = sizeof(options),
					      .providers = &provider,
					      .provider_count = 1 };
	struct pp_error err = { 0 };
	struct recording recording = record(&options, 2, ENOUGH, &err);

	check(recording.named >= ENOUGH, "the events come", &err);
	check(recording.stacks >= ENOUGH, "they have stacks", &err);
	release(&recording);

	options.without_stacks = true;
	recording = record(&options, 3, ENOUGH, &err);
	check(recording.named >= ENOUGH, "the events come without stacks", &err);
	check(recording.stacks == 0, "they have none then", &err);
	release(&recording);

	options.rundown = 1;
	options.without_stacks = false;
	recording = record(&options, 4, ENOUGH, &err);
	check(recording.named >= ENOUGH, "the events come with a rundown of one's own", &err);
	release(&recording);

	provider.filter = PP_FILTER_EXCEPT;
	provider.event_ids = none;
	provider.event_id_count = 1;
	recording = record(&options, 5, ENOUGH, &err);
	check(recording.named >= ENOUGH, "the events come through a filter", &err);
	release(&recording);

	provider.filter = PP_FILTER_ONLY;
	recording = record(&options, 5, 0, &err);
	check(recording.named == 0, "a filter keeps the others away", &err);
	release(&recording);

	options.wait_when_full = true;
	recording = begin(&options, &err);
	check(recording.session != NULL, "a runtime that cannot wait is recorded", &err);
	if (!recording.session)
		return;
	check(pp_session_given_up(recording.session) == PP_GAVE_UP_WAITING, "and says so", &err);
	end(&recording, &err);
	release(&recording);
}

#define PARALLEL 64

static void check_parallel_sessions(void)
{
	const struct pp_session_options options = {
		.size = sizeof(options),
		.providers = &orders,
		.provider_count = 1,
		.buffer_mb = 1,
	};
	struct pp_session *sessions[PARALLEL + 1] = { 0 };
	struct recording recordings[3];
	struct pp_error err = { 0 };
	int count = 0;

	for (int i = 0; i < 3; i++)
		recordings[i] = begin(&options, &err);
	for (int i = 0; i < 3; i++)
		drain(&recordings[i], 200, &err);
	for (int i = 0; i < 3; i++) {
		end(&recordings[i], &err);
		check(recordings[i].named > 10, "each of several sessions has its events", &err);
		release(&recordings[i]);
	}

	while (count <= PARALLEL && (sessions[count] = pp_session_start(client, &options, &err)))
		count++;
	printf("%d sessions at once, then: %s\n", count, err.text);
	check(count == PARALLEL, "there are 64 sessions", &(struct pp_error){ 0 });
	for (int i = 0; i < count; i++)
		pp_session_stop(sessions[i], &err);
	for (int i = 0; i < count; i++)
		pp_session_close(sessions[i]);
}

/* A stopped process costs exactly the deadline, and answers once it continues. */
static void check_stopped(void)
{
	const struct pp_session_options options = { .size = sizeof(options),
						    .providers = &orders,
						    .provider_count = 1 };
	struct pp_error err = { 0 };
	const long long start = now_ms();

	kill((pid_t)pid, SIGSTOP);
	pp_client_set_timeout(client, 200);
	check(pp_client_process_info(client, &err) == NULL, "a stopped process says nothing", &err);
	check(pp_client_failure(client) == PP_FAILURE_TIMEOUT, "that is a timeout", &err);
	check(pp_session_start(client, &options, &err) == NULL, "nor starts a session", &err);
	check(pp_client_failure(client) == PP_FAILURE_TIMEOUT, "that is a timeout too", &err);
	check(now_ms() - start >= 400 && now_ms() - start < 2000, "it took two deadlines", &err);
	kill((pid_t)pid, SIGCONT);
	pp_client_set_timeout(client, 10000);
	check_info();
}

static void check_running(const char *id, const char *place)
{
	pid = atol(id);
	folder = place;
	check_info();
	check_variables();
	check_sessions();
	check_parallel_sessions();
	check_stopped();
	check_perf_map();
	check_profiler();
	check_dump();
	check_info();
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: client_check SOCKET PID FOLDER | SOCKET HOOK\n");
		return 2;
	}
	client = pp_client_new(argv[1], &(struct pp_error){ 0 });
	if (argc == 4)
		check_running(argv[2], argv[3]);
	else
		check_waiting(argv[2]);
	pp_client_free(client);
	return bad;
}
