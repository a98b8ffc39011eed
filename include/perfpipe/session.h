/* SPDX-License-Identifier: MIT */
/*
 * session.h - recording the events of a running .NET process.
 *
 * A session is a stream of NetTrace bytes, for a file or for the reader of nettrace.h. When it
 * is stopped, the runtime sends what it still has through the same stream: keep reading until
 * its end.
 *
 *	static const struct pp_session_provider runtime = {
 *		.name = "Microsoft-Windows-DotNETRuntime", .keywords = 1, .level = 4,
 *	};
 *	const struct pp_session_options options = {
 *		.size = sizeof(options), .providers = &runtime, .provider_count = 1,
 *	};
 *	struct pp_session *session = pp_session_start(client, &options, &err);
 *
 *	poll(&(struct pollfd){ pp_session_fd(session), POLLIN, 0 }, 1, 5000);
 *	pp_session_stop(session, &err);
 *	while ((size = pp_session_read(session, bytes, sizeof(bytes), &err)) != 0)
 *		...
 *	pp_session_close(session);
 *
 * examples/trace_process.c is a complete program.
 */
#ifndef PERFPIPE_SESSION_H
#define PERFPIPE_SESSION_H

#include <sys/types.h>

#include "perfpipe/client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A filter by event id, in addition to keywords and level; needs .NET 10. */
enum pp_event_filter {
	PP_FILTER_NONE,	  /* all */
	PP_FILTER_ONLY,	  /* only those with these ids; without ids, none */
	PP_FILTER_EXCEPT, /* all except those */
};

/* One item of a list, so it has no size of its own. */
struct pp_session_provider {
	const char *name;
	uint64_t keywords;
	unsigned level;	       /* 0 to 5, higher is more verbose */
	const char *arguments; /* "key=value;key=value", or NULL */
	enum pp_event_filter filter;
	const uint32_t *event_ids;
	size_t event_id_count;
};

/* The rundown of runtimes before .NET 9: the names of all methods. */
#define PP_RUNDOWN_DEFAULT UINT64_C(0x80020139)

struct pp_session_options {
	size_t size; /* of this struct */
	const struct pp_session_provider *providers;
	size_t provider_count;
	unsigned buffer_mb;  /* in the process; 0: 256 */
	uint64_t rundown;    /* keywords of the rundown at the end; 0: none */
	bool without_stacks; /* needs .NET 9 */
	bool wait_when_full; /* threads wait instead of losing events; needs .NET 11 */
};

struct pp_session;

/*
 * Uses the oldest command that supports all options. A runtime that does not know it gets an
 * older one, down to that of .NET Core 3.0; pp_session_given_up() returns what that gave up.
 */
PP_API struct pp_session *pp_session_start(struct pp_client *client,
					   const struct pp_session_options *options,
					   struct pp_error *err);

enum pp_given_up {
	PP_GAVE_UP_RUNDOWN = 1, /* there will be no rundown, since it is not the default one */
	PP_GAVE_UP_RUNDOWN_DETAIL = 2, /* there will be the default rundown */
	PP_GAVE_UP_STACKS_OFF = 4,     /* events will have stacks */
	PP_GAVE_UP_RUNDOWN_OFF = 8,    /* there will be a rundown */
	PP_GAVE_UP_FILTERS = 16,       /* there will be all events of the providers */
	PP_GAVE_UP_WAITING = 32,       /* events are lost when the buffer is full */
};

PP_API uint64_t pp_session_id(const struct pp_session *session);
PP_API int pp_session_command(const struct pp_session *session); /* CollectTracing 1 to 6 */
PP_API unsigned pp_session_given_up(const struct pp_session *session);

/* To poll for reading; non-blocking. */
PP_API int pp_session_fd(const struct pp_session *session);

#define PP_SESSION_WAIT (-2) /* no bytes yet: poll */

/* The number of bytes, 0 at the end of the stream, -1 or PP_SESSION_WAIT. */
PP_API ssize_t pp_session_read(struct pp_session *session, void *bytes, size_t size,
			       struct pp_error *err);

/*
 * Asks the runtime to end the session. Does not wait for the answer, which comes after the last
 * byte of the stream. Further calls do nothing.
 */
PP_API int pp_session_stop(struct pp_session *session, struct pp_error *err);

/* To poll for the answer; -1 before pp_session_stop(), and after the answer. */
PP_API int pp_session_stop_fd(const struct pp_session *session);

/* 0: the runtime has ended the session; PP_SESSION_WAIT: no answer yet; -1: it failed. */
PP_API int pp_session_stop_answer(struct pp_session *session, struct pp_error *err);

/*
 * Accepts NULL. A session that was not stopped ends when the runtime notices, and so does one that
 * could not be stopped since memory was gone.
 */
PP_API void pp_session_close(struct pp_session *session);

#ifdef __cplusplus
}
#endif

#endif
