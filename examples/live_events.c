/* SPDX-License-Identifier: MIT */
/*
 * live_events - prints the reason of each garbage collection of a running .NET process, as it
 * happens.
 *
 *	cc live_events.c $(pkg-config --cflags --libs perfpipe-trace) -o live_events
 *	live_events /tmp/dotnet-diagnostic-PID-KEY-socket
 */
#include <perfpipe/fields.h>
#include <perfpipe/session.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static void print_event(struct pp_trace *trace, const struct pp_event *event)
{
	struct pp_value reason;

	if (strcmp(pp_event_name(trace, event), "GC/Start") != 0)
		return;
	pp_event_field(trace, event, "Reason", &reason);
	printf("GC %" PRId64 ": %s\n", pp_event_number(trace, event, "Count", -1),
	       reason.symbol ? reason.symbol : "?");
	fflush(stdout);
}

/* More bytes of the session for the trace, once there are any; or its end. */
static void wait_and_feed(struct pp_session *session, struct pp_trace *trace, struct pp_error *err)
{
	struct pollfd wanted = { .fd = pp_session_fd(session), .events = POLLIN };
	static char bytes[65536];
	ssize_t size;

	poll(&wanted, 1, -1);
	size = pp_session_read(session, bytes, sizeof(bytes), err);
	if (size > 0)
		pp_trace_feed(trace, bytes, (size_t)size, err);
	else if (size != PP_SESSION_WAIT)
		pp_trace_end(trace);
}

static void print_events(struct pp_session *session, struct pp_trace *trace, struct pp_error *err)
{
	const struct pp_event *event;
	enum pp_next next;

	while ((next = pp_trace_next(trace, &event, err)) > PP_NEXT_END)
		if (next == PP_NEXT_ITEM)
			print_event(trace, event);
		else
			wait_and_feed(session, trace, err);
}

int main(int argc, char **argv)
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
	};
	/* as they come: to sort them, some would have to wait for others */
	const struct pp_trace_options in_file_order = { .size = sizeof(in_file_order),
							.file_order = true,
							.no_stacks = true };
	struct pp_error err = { 0 };
	struct pp_client *client = pp_client_new(argc > 1 ? argv[1] : "", &err);
	struct pp_session *session = client ? pp_session_start(client, &options, &err) : NULL;
	struct pp_trace *trace = session ? pp_trace_new(&in_file_order, &err) : NULL;

	if (trace)
		print_events(session, trace, &err);
	if (err.code)
		fprintf(stderr, "%s\n", err.text);
	pp_trace_close(trace);
	pp_session_close(session);
	pp_client_free(client);
	return err.code != PP_ERROR_NONE;
}
