/* SPDX-License-Identifier: MIT */
/*
 * The client against a process that answers anything. The first byte chooses the command; then,
 * for each connection, follow a 16-bit size and that many bytes of an answer, after which the
 * process is gone.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cursor.h"
#include "perfpipe/user_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int answer(void *context, unsigned timeout_ms, struct pp_error *err)
{
	struct cursor *script = context;
	const size_t wanted = cursor_u16(script);
	const size_t size = wanted < cursor_left(script) ? wanted : cursor_left(script);
	const uint8_t *bytes = cursor_bytes(script, size);
	int fds[2];

	(void)timeout_ms;
	(void)err;
	if (!bytes || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -1;
	if (size && send(fds[1], bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
		abort();
	close(fds[1]); /* what it sent can still be read; requests go nowhere */
	return fds[0];
}

static volatile size_t seen; /* keeps the compiler from dropping the reads */

static void touch(const char *text)
{
	seen += text ? strlen(text) : 0;
}

static int ask_info(struct pp_client *client, struct pp_error *err)
{
	struct pp_process_info *info = pp_client_process_info(client, err);
	const int result = info ? 0 : -1;

	if (info) {
		touch(info->command_line);
		touch(info->os);
		touch(info->architecture);
		touch(info->entrypoint);
		touch(info->runtime_version);
		touch(info->portable_rid);
	}
	pp_process_info_free(info);
	return result;
}

static int ask_environment(struct pp_client *client, struct pp_error *err)
{
	struct pp_environment *environment = pp_client_environment(client, err);
	const int result = environment ? 0 : -1;

	for (size_t i = 0; environment && i < environment->count; i++)
		touch(environment->variables[i]);
	pp_environment_free(environment);
	return result;
}

static int ask_dump(struct pp_client *client, struct pp_error *err)
{
	const struct pp_dump_options options = { sizeof(options), "/d", PP_DUMP_FULL, 0 };

	return pp_client_dump(client, &options, err);
}

static int ask_perf_map(struct pp_client *client, struct pp_error *err)
{
	return pp_client_enable_perf_map(client, PP_PERF_MAP_ALL, err);
}

/* Reads the whole stream, then the answer to a stop. */
static int use_session(struct pp_session *session, struct pp_error *err)
{
	ssize_t size = session ? 1 : 0;
	char bytes[256];

	while (size > 0) {
		size = pp_session_read(session, bytes, sizeof(bytes), err);
		seen += size > 0 ? (size_t)bytes[size - 1] : 0;
	}
	if (session && pp_session_stop(session, err) == 0 &&
	    pp_session_stop_answer(session, err) == PP_SESSION_WAIT)
		abort(); /* the process is gone, so there must be an answer */
	pp_session_close(session);
	return session && !err->code ? 0 : -1;
}

static const struct pp_session_provider provider = { .name = "P", .level = 5 };

static int ask_session(struct pp_client *client, struct pp_error *err)
{
	/* options that make it fall back twice */
	const struct pp_session_options options = {
		.size = sizeof(options),
		.providers = &provider,
		.provider_count = 1,
		.rundown = 1,
		.without_stacks = true,
	};

	return use_session(pp_session_start(client, &options, err), err);
}

static int ask_user_events(struct pp_client *client, struct pp_error *err)
{
	static const struct pp_tracepoints tracepoints = { .others = "tp" };
	const struct pp_user_events_options options = {
		.size = sizeof(options), &provider, &tracepoints, 1, 0
	};

	return use_session(pp_session_start_user_events(client, &options, err), err);
}

static int (*const calls[])(struct pp_client *client, struct pp_error *err) = {
	ask_info,    ask_environment,  ask_dump,	ask_perf_map,
	ask_session, pp_client_resume, ask_user_events,
};

/* Any answer must give a result, or a failure with a sentence. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor script = cursor_over(data, size);
	const unsigned call = cursor_u8(&script) % ARRAY_COUNT(calls);
	struct pp_client *client = pp_client_new_connected(
		&(struct pp_connector){ answer, &script }, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const int result = calls[call](client, &err);

	if (result && (err.code == PP_ERROR_NONE || !err.text[0]))
		abort();
	if (result == 0 && err.code != PP_ERROR_NONE)
		abort();
	if (result && pp_client_failure(client) == PP_FAILURE_TIMEOUT)
		abort(); /* nothing here can time out */
	pp_client_free(client);
	return 0;
}
