/* SPDX-License-Identifier: MIT */
/*
 * trace_process - records the garbage collections of a running .NET process.
 *
 *	cc trace_process.c $(pkg-config --cflags --libs perfpipe) -o trace_process
 *	trace_process /tmp/dotnet-diagnostic-PID-KEY-socket 5 gc.nettrace
 */
#include <perfpipe/session.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REST_MS 30000 /* for the runtime to send what it still has */

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Copies the stream to the file until its end, or for `ms`. */
static ssize_t record(struct pp_session *session, long long ms, FILE *file, struct pp_error *err)
{
	const long long end = now_ms() + ms;
	static char bytes[65536];
	ssize_t size = PP_SESSION_WAIT;

	while (size && now_ms() < end) {
		struct pollfd wanted = { .fd = pp_session_fd(session), .events = POLLIN };

		poll(&wanted, 1, (int)(end - now_ms()));
		size = pp_session_read(session, bytes, sizeof(bytes), err);
		if (size == -1)
			return -1;
		if (size > 0)
			fwrite(bytes, 1, (size_t)size, file);
	}
	return size;
}

static int trace(struct pp_client *client, int seconds, FILE *file, struct pp_error *err)
{
	static const struct pp_session_provider collections = {
		.name = "Microsoft-Windows-DotNETRuntime",
		.keywords = 1, /* GC */
		.level = 4,
	};
	const struct pp_session_options options = {
		.size = sizeof(options),
		.providers = &collections,
		.provider_count = 1,
		.rundown = PP_RUNDOWN_DEFAULT,
	};
	struct pp_session *session = pp_session_start(client, &options, err);
	ssize_t left = session ? record(session, seconds * 1000LL, file, err) : -1;

	/* the runtime sends what it still has through the same stream */
	if (left != 0 && left != -1 && pp_session_stop(session, err) == 0)
		left = record(session, REST_MS, file, err);
	pp_session_close(session);
	return left == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct pp_client *client = argc == 4 ? pp_client_new(argv[1], &err) : NULL;
	FILE *file = client ? fopen(argv[3], "wb") : NULL;
	struct pp_process_info *info;
	int result = -1;

	if (!file) {
		fprintf(stderr, "%s\n",
			err.code ? err.text : "usage: trace_process SOCKET SECONDS FILE");
		pp_client_free(client);
		return 1;
	}
	info = pp_client_process_info(client, &err);
	if (info) {
		printf("process %llu: %s\n", (unsigned long long)info->process_id,
		       info->command_line);
		result = trace(client, atoi(argv[2]), file, &err);
	}
	if (result)
		fprintf(stderr, "%s\n", err.text);
	if (fclose(file))
		perror(argv[3]);
	pp_process_info_free(info);
	pp_client_free(client);
	return result ? 1 : 0;
}
