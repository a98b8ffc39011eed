/* SPDX-License-Identifier: MIT */
/*
 * exchange.h - one request and its answer over one connection, without waiting.
 *
 * One thread can have many of them under way. Write the request, then step until it is done;
 * between two steps poll `fd` for `events`, or pause for EXCHANGE_RETRY_MS while `fd` is -1 since
 * the queue of the socket is full.
 *
 *	struct exchange *x = exchange_new();
 *	exchange_open(x, path);
 *	process_info_request(&x->request, PROCESS_INFO_NEWEST);
 *	while (exchange_step(x, err) == EXCHANGE_PENDING)
 *		poll(&(struct pollfd){ x->fd, x->events, 0 }, 1,
 *		     x->fd < 0 ? EXCHANGE_RETRY_MS : 100);
 *	if (x->state == EXCHANGE_DONE)
 *		payload = exchange_payload(x);
 *	exchange_free(x);
 */
#ifndef IPC_EXCHANGE_H
#define IPC_EXCHANGE_H

#include "base/heap.h"
#include "ipc/connect.h"
#include "ipc/message.h"
#include "perfpipe/client.h"

#define EXCHANGE_RETRY_MS 5

enum exchange_state {
	EXCHANGE_FAILED = -1, /* `failure` says how */
	EXCHANGE_DONE = 0,    /* the answer is OK: exchange_payload() */
	EXCHANGE_PENDING = 1,
};

struct exchange {
	enum exchange_state state;
	int fd; /* owned, until the caller takes it; -1 while not connected */
	short events;
	const char *path; /* borrowed; NULL if it was opened with a descriptor */
	const struct process_socket *process; /* the same, of a process that must be the one */
	int32_t peer; /* the process that was connected to, by the kernel; 0: unknown */
	struct buffer request;
	size_t sent;
	int lent_fd;	     /* sent with one byte after the request; -1: none */
	uint16_t command;    /* of the request */
	struct buffer reply; /* bytes read so far */
	size_t reply_size;   /* bytes to read: the header first */
	enum pp_failure failure;
	uint32_t hresult; /* of the answer, or 0 */
	struct heap_drop *drop;
};

/*
 * One that is also closed if the public call that is under way runs out of memory. One that is
 * inside another struct is begun with zeros, and closed in that case by whoever has the struct.
 */
struct exchange *exchange_new(void);
void exchange_free(struct exchange *x);

/* None connects yet. The descriptor is taken, and must be a connected stream socket. */
void exchange_open(struct exchange *x, const char *path);
void exchange_open_process(struct exchange *x, const struct process_socket *process);
void exchange_open_fd(struct exchange *x, int taken);

/* Does as much as it can without blocking. Call it again only while it is pending. */
enum exchange_state exchange_step(struct exchange *x, struct pp_error *err);

/* The whole request was sent. */
static inline bool exchange_sent(const struct exchange *x)
{
	return x->sent && x->sent == x->request.size;
}

/* What follows the header of an answer that is OK; borrowed from the exchange. */
struct cursor exchange_payload(const struct exchange *x);

/* Marks it as failed, for callers too; returns EXCHANGE_FAILED. */
enum exchange_state exchange_fail(struct exchange *x, enum pp_failure failure);

void exchange_close(struct exchange *x); /* also while it is pending */

#endif
