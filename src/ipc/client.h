/* SPDX-License-Identifier: MIT */
/*
 * client.h - a client: sends a command and reads the answer.
 *
 *	client_begin(client);
 *	x = client_connect(client, err);
 *	if (!x)
 *		return -1;
 *	message_begin(&x->request, COMMAND_RESUME);
 *	result = client_ask(client, x, err);
 *	exchange_free(x);
 *
 * What a call allocates is not in the heap of the client, so that a client without memory for one
 * call can make another.
 */
#ifndef IPC_CLIENT_H
#define IPC_CLIENT_H

#include "ipc/deadline.h"
#include "ipc/exchange.h"
#include "ipc/refusal.h"
#include "perfpipe/client.h"

struct pp_client {
	struct heap *heap; /* all that follows, with this */
	const char *path;  /* NULL with a connector */
	const char *proc;  /* NULL: whoever listens at the path; else only `process` */
	struct process_socket process;
	struct pp_connector connector;
	unsigned timeout_ms;
	int give_up_fd;		  /* see client_set_give_up() */
	struct deadline deadline; /* of the current call */
	int32_t peer;		  /* the process it was connected to, by the kernel; 0: unknown */
	enum pp_failure failure;
	uint32_t hresult;
};

/* Calls fail once this descriptor is readable; 0: none. It is borrowed. */
void client_set_give_up(struct pp_client *client, int fd);

/* Begins a call: starts its timeout and clears earlier failures. */
void client_begin(struct pp_client *client);

/* Runs `work` as guard_run() does, for a public call. */
int client_run(struct pp_client *client, int (*work)(void *context, struct pp_error *err),
	       void *context, struct pp_error *err);

/* A connection for one command, or NULL. */
struct exchange *client_connect(struct pp_client *client, struct pp_error *err);

/* Sends the request and waits for an answer that is OK. */
int client_ask(struct pp_client *client, struct exchange *x, struct pp_error *err);

/* Waits until the request is sent, but not for the answer. */
int client_send(struct pp_client *client, struct exchange *x, struct pp_error *err);

/* As client_ask(), and the HRESULT in the answer must be success. */
int client_command(struct pp_client *client, struct exchange *x, struct pp_error *err);

/* Reads the `size` bytes that follow an answer into the buffer. */
int client_read_more(struct pp_client *client, const struct exchange *x, struct buffer *to,
		     size_t size, struct pp_error *err);

/* Remembers the reason; returns -1. */
int client_fail(struct pp_client *client, enum pp_failure failure);

/* The runtime does not know the command, so an older one is worth a try. */
static inline bool client_too_new(const struct pp_client *client)
{
	return client->failure == PP_FAILURE_UNSUPPORTED &&
	       client->hresult == HRESULT_UNKNOWN_COMMAND;
}

#endif
