/* SPDX-License-Identifier: MIT */
#include "ipc/client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/options.h"
#include "perfpipe/processes.h"

#define TIMEOUT_MS 10000u
#define SLICE_MS   100

/* With texts of its own. */
static void *make_copy(struct heap *heap, const void *from, struct pp_error *err)
{
	const struct pp_client *client = from;
	struct pp_client *copy = xcalloc(1, sizeof(*copy));

	(void)err;
	*copy = *client;
	copy->heap = heap;
	copy->path = xstrdup(client->path);
	copy->proc = xstrdup(client->proc);
	copy->process.proc = copy->proc;
	copy->process.path = copy->path;
	return copy;
}

struct pp_client *pp_client_new(const char *socket_path, struct pp_error *err)
{
	const struct pp_client client = { .timeout_ms = TIMEOUT_MS, .path = socket_path };

	if (argument_check(socket_path, "path of a socket", err))
		return NULL;
	return heap_make(make_copy, &client, err);
}

struct pp_client *pp_client_new_for(const struct pp_process *process, struct pp_error *err)
{
	const struct pp_client client = {
		.timeout_ms = TIMEOUT_MS,
		.path = process->socket ? process->socket : "",
		.proc = process->proc,
		.process = { .pid = process->pid, .start_ticks = process->start_ticks },
	};

	return heap_make(make_copy, &client, err);
}

struct pp_client *pp_client_new_connected(const struct pp_connector *connector,
					  struct pp_error *err)
{
	return heap_make(make_copy,
			 &(struct pp_client){ .timeout_ms = TIMEOUT_MS, .connector = *connector },
			 err);
}

struct pp_client *pp_client_copy(const struct pp_client *client, struct pp_error *err)
{
	const struct pp_client fresh = {
		.timeout_ms = client->timeout_ms,
		.give_up_fd = client->give_up_fd,
		.connector = client->connector,
		.path = client->path,
		.proc = client->proc,
		.process = client->process,
	};

	return heap_make(make_copy, &fresh, err);
}

void pp_client_free(struct pp_client *client)
{
	if (client)
		heap_free(client->heap);
}

int client_run(struct pp_client *client, int (*work)(void *context, struct pp_error *err),
	       void *context, struct pp_error *err)
{
	client_begin(client);
	if (!guard_run(work, context, err))
		return 0;
	if (client->failure == PP_FAILURE_NONE) /* memory was gone */
		client->failure = PP_FAILURE_SYSTEM;
	return -1;
}

void client_set_give_up(struct pp_client *client, int fd)
{
	client->give_up_fd = fd;
}

void pp_client_set_timeout(struct pp_client *client, unsigned timeout_ms)
{
	client->timeout_ms = timeout_ms;
}

enum pp_failure pp_client_failure(const struct pp_client *client)
{
	return client->failure;
}

uint32_t pp_client_hresult(const struct pp_client *client)
{
	return client->hresult;
}

void client_begin(struct pp_client *client)
{
	client->deadline = deadline_in(client->timeout_ms);
	client->deadline.give_up_fd = client->give_up_fd;
	client->failure = PP_FAILURE_NONE;
	client->hresult = 0;
}

int client_fail(struct pp_client *client, enum pp_failure failure)
{
	client->failure = failure;
	return -1;
}

static int fail_timeout(struct pp_client *client, struct pp_error *err)
{
	if (deadline_given_up(client->deadline))
		error_set(err, PP_ERROR_SYSTEM, "interrupted before the process had answered");
	else
		error_set(err, PP_ERROR_SYSTEM,
			  "the process did not answer within %u ms: it is stopped, hung or busy",
			  client->timeout_ms);
	return client_fail(client, PP_FAILURE_TIMEOUT);
}

static int call_connector(const struct pp_connector *connector, unsigned timeout_ms,
			  struct pp_error *err)
{
	struct guard *suspended = guard_suspend();
	const int fd = connector->connect(connector->context, timeout_ms, err);

	guard_resume(suspended);
	return fd;
}

/* In slices, between which somebody may have given up. */
static int connect_by_other(const struct pp_client *client, struct pp_error *err)
{
	int left, fd = -1;

	while (fd < 0 && (left = deadline_left_ms(client->deadline))) {
		struct pp_error why = { 0 };

		if (client->give_up_fd && left > SLICE_MS)
			left = SLICE_MS;
		fd = call_connector(&client->connector, (unsigned)left, &why);
		if (fd < 0 && !client->give_up_fd)
			return error_set(err, why.code, "%s", why.text);
	}
	return fd;
}

static int open_exchange(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	int fd;

	if (client->proc) {
		exchange_open_process(x, &client->process);
		return 0;
	}
	if (client->path) {
		exchange_open(x, client->path);
		return 0;
	}
	fd = connect_by_other(client, err);
	if (fd >= 0) {
		exchange_open_fd(x, fd);
		return 0;
	}
	if (!deadline_left_ms(client->deadline))
		return fail_timeout(client, err);
	error_set(err, PP_ERROR_SYSTEM, "the process has not connected");
	return client_fail(client, PP_FAILURE_NO_SOCKET);
}

struct exchange *client_connect(struct pp_client *client, struct pp_error *err)
{
	struct exchange *x;

	client->failure = PP_FAILURE_NONE; /* of the newer command tried before */
	client->hresult = 0;
	x = exchange_new();
	if (!open_exchange(client, x, err))
		return x;
	exchange_free(x);
	return NULL;
}

static int client_step(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	const enum exchange_state state = exchange_step(x, err);

	client->peer = x->peer;
	if (state == EXCHANGE_FAILED) {
		client->hresult = x->hresult;
		return client_fail(client, x->failure);
	}
	return 0;
}

static int client_wait(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	const int pause = x->fd < 0 ? EXCHANGE_RETRY_MS : -1;

	if (deadline_wait(client->deadline, x->fd, x->events, pause))
		return 0;
	exchange_fail(x, PP_FAILURE_TIMEOUT);
	return fail_timeout(client, err);
}

int client_ask(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	while (x->state == EXCHANGE_PENDING) {
		if (client_step(client, x, err))
			return -1;
		if (x->state == EXCHANGE_PENDING && client_wait(client, x, err))
			return -1;
	}
	return 0;
}

int client_send(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	while (x->state == EXCHANGE_PENDING) {
		if (client_step(client, x, err))
			return -1;
		if (exchange_sent(x))
			return 0;
		if (client_wait(client, x, err))
			return -1;
	}
	return 0;
}

int client_command(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	struct cursor payload;

	if (client_ask(client, x, err))
		return -1;
	payload = exchange_payload(x);
	client->hresult = cursor_u32(&payload); /* 0 if there is none */
	if ((int32_t)client->hresult >= 0)
		return 0;
	return client_fail(client, refusal_explain(x->command, client->hresult, err));
}

/* Number of bytes read; -1 at the end, 0 if there is nothing yet. */
static ssize_t receive(struct buffer *to, int fd, size_t most)
{
	uint8_t *room = buffer_take(to, most);
	const ssize_t got = room ? recv(fd, room, most, MSG_DONTWAIT) : -1;

	if (!room)
		return -1;
	to->size -= most - (got > 0 ? (size_t)got : 0);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return got > 0 ? got : -1;
}

#define PIECE ((size_t)64 * 1024) /* memory grows with what arrives, not with what is announced */

int client_read_more(struct pp_client *client, const struct exchange *x, struct buffer *to,
		     size_t size, struct pp_error *err)
{
	while (size) {
		const ssize_t got = receive(to, x->fd, size < PIECE ? size : PIECE);

		if (got < 0) {
			error_set(err, PP_ERROR_FORMAT,
				  "the process closed the connection in the middle of its answer");
			return client_fail(client, PP_FAILURE_CUT);
		}
		size -= (size_t)got;
		if (size && !deadline_wait(client->deadline, x->fd, POLLIN, -1))
			return fail_timeout(client, err);
	}
	return 0;
}
