/* SPDX-License-Identifier: MIT */
#include "ipc/exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "ipc/refusal.h"

static void drop(void *object)
{
	exchange_close(object);
}

struct exchange *exchange_new(void)
{
	struct exchange *x = xcalloc(1, sizeof(*x));

	x->fd = -1;
	x->drop = heap_on_drop(drop, x);
	return x;
}

void exchange_free(struct exchange *x)
{
	exchange_close(x);
	heap_forget_drop(x->drop);
	xfree(x);
}

void exchange_open(struct exchange *x, const char *path)
{
	*x = (struct exchange){
		.state = EXCHANGE_PENDING,
		.fd = -1,
		.path = path,
		.lent_fd = -1,
		.drop = x->drop,
	};
}

void exchange_open_process(struct exchange *x, const struct process_socket *process)
{
	exchange_open(x, process->path);
	x->process = process;
}

void exchange_open_fd(struct exchange *x, int taken)
{
	const int flags = fcntl(taken, F_GETFL);

	exchange_open(x, NULL);
	x->fd = taken;
	if (flags >= 0)
		fcntl(taken, F_SETFL, flags | O_NONBLOCK);
}

enum exchange_state exchange_fail(struct exchange *x, enum pp_failure failure)
{
	x->failure = failure;
	return x->state = EXCHANGE_FAILED;
}

static enum exchange_state connect_now(struct exchange *x, struct pp_error *err)
{
	x->fd = x->process ? connect_process(x->process) : connect_unix(x->path);
	if (x->fd < 0 && (errno == EAGAIN || errno == EINTR))
		return EXCHANGE_PENDING;
	if (x->fd < 0)
		return exchange_fail(x, connect_failed(x->path, errno, err));
	x->peer = connect_peer(x->fd).pid;
	return EXCHANGE_DONE;
}

static enum exchange_state finish_request(struct exchange *x, struct pp_error *err)
{
	struct message_header header;

	if (message_end(&x->request, err))
		return exchange_fail(x, PP_FAILURE_REQUEST);
	message_parse_header(x->request.bytes, &header);
	x->command = header.code;
	return EXCHANGE_DONE;
}

static enum exchange_state send_request(struct exchange *x, struct pp_error *err)
{
	while (x->sent < x->request.size) {
		const ssize_t sent = send(x->fd, x->request.bytes + x->sent,
					  x->request.size - x->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent > 0) {
			x->sent += (size_t)sent;
		} else if (errno == EAGAIN) {
			x->events = POLLOUT;
			return EXCHANGE_PENDING;
		} else if (errno == EPIPE || errno == ECONNRESET) {
			x->sent = x->request.size; /* it may have answered already */
		} else if (errno != EINTR) {
			error_errno(err, "cannot send the request");
			return exchange_fail(x, PP_FAILURE_SYSTEM);
		}
	}
	return EXCHANGE_DONE;
}

/* The runtime takes the descriptor before it answers. */
static enum exchange_state lend_descriptor(struct exchange *x, struct pp_error *err)
{
	char room[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec byte = { "", 1 };
	struct msghdr message = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	struct cmsghdr *control = CMSG_FIRSTHDR(&message);

	*control = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	};
	memcpy(CMSG_DATA(control), &x->lent_fd, sizeof(x->lent_fd));
	if (sendmsg(x->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		if (errno == EAGAIN || errno == EINTR) {
			x->events = POLLOUT;
			return EXCHANGE_PENDING;
		}
		if (errno != EPIPE && errno != ECONNRESET) {
			error_errno(err, "cannot send the descriptor");
			return exchange_fail(x, PP_FAILURE_SYSTEM);
		}
	}
	x->lent_fd = -1;
	return EXCHANGE_DONE;
}

/* Reads until the reply has `reply_size` bytes. */
static enum exchange_state receive(struct exchange *x, struct pp_error *err)
{
	uint8_t *bytes = x->reply.bytes;

	while (x->reply.size < x->reply_size) {
		const ssize_t got = recv(x->fd, bytes + x->reply.size,
					 x->reply_size - x->reply.size, MSG_DONTWAIT);

		if (got > 0) {
			x->reply.size += (size_t)got;
		} else if (got < 0 && errno == EAGAIN) {
			x->events = POLLIN;
			return EXCHANGE_PENDING;
		} else if (got == 0 || errno == ECONNRESET) {
			error_set(err, PP_ERROR_FORMAT, "the process closed the connection %s",
				  x->reply.size ? "in the middle of its answer"
						: "without an answer");
			return exchange_fail(x, PP_FAILURE_CUT);
		} else if (errno != EINTR) {
			error_errno(err, "cannot read the answer");
			return exchange_fail(x, PP_FAILURE_SYSTEM);
		}
	}
	return EXCHANGE_DONE;
}

/* Reserves memory for the reply: its header, or all of it. */
static enum exchange_state expect(struct exchange *x, size_t size, struct pp_error *err)
{
	if (x->reply.capacity < size && !buffer_grow(&x->reply, size)) {
		error_set(err, PP_ERROR_MEMORY, "out of memory for the answer");
		return exchange_fail(x, PP_FAILURE_SYSTEM);
	}
	x->reply_size = size;
	return EXCHANGE_DONE;
}

static enum exchange_state read_header(struct exchange *x, struct pp_error *err)
{
	struct message_header header;

	switch (message_parse_header(x->reply.bytes, &header)) {
	case MESSAGE_WRONG_MAGIC:
		error_set(err, PP_ERROR_FORMAT,
			  "what answered does not speak the diagnostics protocol of .NET");
		return exchange_fail(x, PP_FAILURE_WRONG_MAGIC);
	case MESSAGE_MALFORMED:
		error_set(err, PP_ERROR_FORMAT,
			  "the answer claims a size of %u bytes, less than its header",
			  header.size);
		return exchange_fail(x, PP_FAILURE_MALFORMED);
	default:
		return expect(x, header.size, err);
	}
}

static enum exchange_state judge(struct exchange *x, struct pp_error *err)
{
	struct message_header header;
	struct cursor payload = exchange_payload(x);

	message_parse_header(x->reply.bytes, &header);
	if (header.code == REPLY_OK) {
		x->state = EXCHANGE_DONE;
		return x->state;
	}
	if (header.code != REPLY_ERROR) {
		error_set(err, PP_ERROR_FORMAT, "the answer has the unknown kind 0x%04X",
			  header.code);
		return exchange_fail(x, PP_FAILURE_MALFORMED);
	}
	return exchange_fail(x, refusal_parse(&payload, x->command, &x->hresult, err));
}

enum exchange_state exchange_step(struct exchange *x, struct pp_error *err)
{
	enum exchange_state state = EXCHANGE_DONE;

	if (!x->command)
		state = finish_request(x, err);
	if (state == EXCHANGE_DONE && x->fd < 0)
		state = connect_now(x, err);
	if (state == EXCHANGE_DONE)
		state = send_request(x, err);
	if (state == EXCHANGE_DONE && x->lent_fd >= 0)
		state = lend_descriptor(x, err);
	if (state == EXCHANGE_DONE && !x->reply_size)
		state = expect(x, MESSAGE_HEADER_SIZE, err);
	if (state == EXCHANGE_DONE)
		state = receive(x, err);
	if (state == EXCHANGE_DONE && x->reply_size == MESSAGE_HEADER_SIZE)
		state = read_header(x, err);
	if (state == EXCHANGE_DONE)
		state = receive(x, err);
	return state == EXCHANGE_DONE ? judge(x, err) : state;
}

struct cursor exchange_payload(const struct exchange *x)
{
	return cursor_over(x->reply.bytes + MESSAGE_HEADER_SIZE,
			   x->reply.size - MESSAGE_HEADER_SIZE);
}

void exchange_close(struct exchange *x)
{
	if (x->fd >= 0)
		close(x->fd);
	buffer_release(&x->request);
	buffer_release(&x->reply);
	x->fd = -1;
}
