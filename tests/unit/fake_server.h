/* SPDX-License-Identifier: MIT */
/*
 * fake_server.h - a process that answers according to a script.
 *
 * Each connection gets the next answer of the script. The server runs in a thread; requests may
 * be inspected after fake_server_stop().
 *
 *	struct fake_server *server = fake_server_new();
 *	fake_server_error(server, 0x80131385);
 *	fake_server_ok(server, payload, size)->keep_open = true;
 *	fake_server_start(server);
 *	client = pp_client_new(server->path, &err);
 *	...
 *	fake_server_stop(server);
 *	assert_int_equal(server->answers[0].request.size, 20);
 *	fake_server_free(server);
 */
#ifndef FAKE_SERVER_H
#define FAKE_SERVER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/buffer.h"

#define FAKE_ANSWERS 16

struct fake_answer {
	struct buffer bytes;
	unsigned pause_ms;     /* before each byte; 0: all at once */
	bool keep_open;	       /* until the server is stopped */
	bool ignore_request;   /* answers and closes without reading it */
	bool takes_fd;	       /* reads one more byte, which carries a descriptor */
	struct buffer request; /* as received */
	bool asked;
	int fd;	  /* the connection while it is kept open, or -1 */
	int sent; /* the descriptor received, or -1 */
};

struct fake_server {
	char folder[32];
	char *path;
	struct fake_answer answers[FAKE_ANSWERS];
	size_t count;
	int listener;
	int stop[2]; /* a pipe: closed to stop */
	pthread_t thread;
	bool running;
	bool stopped;
};

struct fake_server *fake_server_new(void);		 /* listens at once */
struct fake_server *fake_server_new_deep(size_t length); /* with a path of at least this size */
struct fake_answer *fake_server_raw(struct fake_server *server, const void *bytes, size_t size);
struct fake_answer *fake_server_ok(struct fake_server *server, const void *payload, size_t size);
struct fake_answer *fake_server_error(struct fake_server *server, uint32_t hresult);
void fake_server_start(struct fake_server *server);
void fake_server_stop(struct fake_server *server);
void fake_server_free(struct fake_server *server); /* also stops it */

#endif
