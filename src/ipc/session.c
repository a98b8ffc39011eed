/* SPDX-License-Identifier: MIT */
#include "perfpipe/user_events.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/options.h"
#include "ipc/client.h"
#include "ipc/collect.h"

struct pp_session {
	struct heap *heap;	  /* all memory, with this */
	struct pp_client *client; /* borrowed */
	struct collect_plan plan;
	uint64_t id;
	int fd;
	bool stopping;
	struct exchange *stop; /* once it is stopping */
	struct pp_error stop_err;
};

#define HRESULT_FAIL 0x80004005u

static int take_answer(struct pp_session *session, struct exchange *x, struct pp_error *err)
{
	struct cursor payload = exchange_payload(x);

	session->id = cursor_u64(&payload);
	if (!session->id) {
		error_set(err, PP_ERROR_FORMAT, "the new session has no id");
		return client_fail(session->client, PP_FAILURE_MALFORMED);
	}
	session->fd = x->fd; /* events follow the answer */
	x->fd = -1;
	return 0;
}

/* Sends the request and takes the connection. Frees the exchange. */
static int ask(struct pp_session *session, struct exchange *x, struct pp_error *err)
{
	const bool failed = client_ask(session->client, x, err) || take_answer(session, x, err);

	exchange_free(x);
	return failed ? -1 : 0;
}

static int try_start(struct pp_session *session, const struct pp_session_options *options,
		     struct pp_error *err)
{
	struct exchange *x = client_connect(session->client, err);

	if (!x)
		return -1;
	collect_request(&x->request, &session->plan, options);
	return ask(session, x, err);
}

static int explain(const struct pp_session *session, const struct pp_error *last,
		   struct pp_error *err)
{
	if (client_too_new(session->client))
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "the runtime is too old for sessions: they need .NET Core 3.0");
	if (session->client->hresult == HRESULT_FAIL)
		return error_set(
			err, PP_ERROR_LIMIT,
			"the runtime could not start a session; it may have too many already");
	return error_set(err, last->code, "%s", last->text);
}

static int start(struct pp_session *session, const void *given, struct pp_error *err)
{
	const struct pp_session_options *options = given;
	struct pp_error last = { 0 };

	if (collect_check(options, err))
		return client_fail(session->client, PP_FAILURE_REQUEST);
	session->plan = collect_first(options);
	while (try_start(session, options, &last)) {
		if (!client_too_new(session->client) || !collect_older(&session->plan))
			return explain(session, &last, err);
		last = (struct pp_error){ 0 };
	}
	return 0;
}

static void close_stream(void *object)
{
	const struct pp_session *session = object;

	if (session->fd >= 0)
		close(session->fd);
}

static struct pp_session *session_new(struct pp_client *client, struct heap *heap)
{
	struct pp_session *session = xcalloc(1, sizeof(*session));

	session->heap = heap;
	session->client = client;
	session->fd = -1;
	heap_on_drop(close_stream, session);
	return session;
}

struct starting {
	struct pp_client *client;
	int (*start)(struct pp_session *session, const void *options, struct pp_error *err);
	const void *options;
};

/* If it does not start, its heap is all that there is to be freed. */
static void *make_session(struct heap *heap, const void *from, struct pp_error *err)
{
	const struct starting *starting = from;
	struct pp_session *session = session_new(starting->client, heap);

	return starting->start(session, starting->options, err) ? NULL : session;
}

static struct pp_session *start_with(const struct starting *starting, struct pp_error *err)
{
	struct pp_session *session = heap_make(make_session, starting, err);

	if (!session && starting->client->failure == PP_FAILURE_NONE) /* memory was gone */
		client_fail(starting->client, PP_FAILURE_SYSTEM);
	return session;
}

struct pp_session *pp_session_start(struct pp_client *client,
				    const struct pp_session_options *options, struct pp_error *err)
{
	struct pp_session_options known;

	client_begin(client);
	if (OPTIONS_READ(&known, options, err)) {
		client_fail(client, PP_FAILURE_REQUEST);
		return NULL;
	}
	return start_with(&(struct starting){ client, start, &known }, err);
}

static int start_user_events(struct pp_session *session, const void *given, struct pp_error *err)
{
	const struct pp_user_events_options *options = given;
	struct exchange *x;

	if (collect_check_user_events(options, err))
		return client_fail(session->client, PP_FAILURE_REQUEST);
	x = client_connect(session->client, err);
	if (!x)
		return -1;
	session->plan.command = 5;
	collect_user_events_request(&x->request, options);
	x->lent_fd = options->user_events_data;
	return ask(session, x, err);
}

struct pp_session *pp_session_start_user_events(struct pp_client *client,
						const struct pp_user_events_options *options,
						struct pp_error *err)
{
	struct pp_user_events_options known;

	client_begin(client);
	if (OPTIONS_READ(&known, options, err)) {
		client_fail(client, PP_FAILURE_REQUEST);
		return NULL;
	}
	return start_with(&(struct starting){ client, start_user_events, &known }, err);
}

uint64_t pp_session_id(const struct pp_session *session)
{
	return session->id;
}

int pp_session_command(const struct pp_session *session)
{
	return session->plan.command;
}

unsigned pp_session_given_up(const struct pp_session *session)
{
	return session->plan.given_up;
}

int pp_session_fd(const struct pp_session *session)
{
	return session->fd;
}

ssize_t pp_session_read(struct pp_session *session, void *bytes, size_t size, struct pp_error *err)
{
	ssize_t got;

	do {
		got = recv(session->fd, bytes, size, MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got >= 0)
		return got;
	if (errno == EAGAIN)
		return PP_SESSION_WAIT;
	if (errno == ECONNRESET) /* it was killed; all that it sent has been read */
		return 0;
	return error_errno(err, "cannot read the events");
}

/* Runs a call on the session in a guard. */
static int guarded(struct pp_session *session, int (*call)(struct pp_session *, struct pp_error *),
		   struct pp_error *err)
{
	volatile int result = -1;
	struct guard guard;

	if (guard_enter(&guard, session->heap, err))
		return client_fail(session->client, PP_FAILURE_SYSTEM);
	if (!setjmp(guard.out))
		result = call(session, err);
	guard_leave(&guard);
	if (session->heap->broken)
		client_fail(session->client, PP_FAILURE_SYSTEM);
	return result;
}

static int stop(struct pp_session *session, struct pp_error *err)
{
	struct exchange *x;

	client_begin(session->client);
	x = client_connect(session->client, err);
	if (!x)
		return -1;
	message_begin(&x->request, COMMAND_STOP_TRACING);
	buffer_u64(&x->request, session->id);
	session->stop = x;
	session->stopping =
		client_send(session->client, x, &session->stop_err) == 0 || exchange_sent(x);
	if (session->stopping)
		return 0;
	exchange_free(x);
	session->stop = NULL;
	error_set(err, session->stop_err.code, "%s", session->stop_err.text);
	session->stop_err = (struct pp_error){ 0 };
	return -1;
}

int pp_session_stop(struct pp_session *session, struct pp_error *err)
{
	return session->stopping ? 0 : guarded(session, stop, err);
}

int pp_session_stop_fd(const struct pp_session *session)
{
	return session->stopping && session->stop->state == EXCHANGE_PENDING ? session->stop->fd
									     : -1;
}

static int stop_answer(struct pp_session *session, struct pp_error *err)
{
	struct exchange *x = session->stop;

	if (x->state == EXCHANGE_PENDING)
		exchange_step(x, &session->stop_err);
	if (x->state == EXCHANGE_PENDING)
		return PP_SESSION_WAIT;
	if (x->state == EXCHANGE_DONE)
		return 0;
	client_fail(session->client, x->failure);
	session->client->hresult = x->hresult;
	return error_set(err, session->stop_err.code, "%s", session->stop_err.text);
}

int pp_session_stop_answer(struct pp_session *session, struct pp_error *err)
{
	if (!session->stopping && !session->heap->broken)
		return error_set(err, PP_ERROR_USAGE, "the session was not stopped");
	return guarded(session, stop_answer, err);
}

void pp_session_close(struct pp_session *session)
{
	if (session)
		heap_free(session->heap);
}
