/* SPDX-License-Identifier: MIT */
/*
 * control.h - how another shell finds a recording and stops it.
 *
 * Every collector listens on an abstract socket @perfpipe-collect-UID-PID, which leaves
 * nothing behind however it ends. Both sides look at who the other is: only the same
 * user, or root, is answered. A request and its answers are packets of text:
 *
 *	stop all        or:  stop 4711 (a process recorded, or the collector)
 *	                or:  stop /home/me/app.nettrace
 *
 *	4711 /home/me/app.nettrace	one for each recording that stops
 *	.				no more of them
 *
 * The connection is closed when they have ended and their files have their names.
 */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

#define CONTROL_PREFIX	"perfpipe-collect-"
#define CONTROL_LONGEST 8192 /* bytes of a packet */

struct engine;

/*
 * Lets others stop this engine's recordings, until it is closed. -1: they cannot, and recordings
 * end in other ways only.
 */
int control_open(struct engine *engine);

/* A request for recordings of one process, of one file, or for all. */
struct control_request {
	bool all;
	long process_id;  /* or 0 */
	const char *path; /* absolute, or NULL; borrowed */
};

/* Bytes from elsewhere, ended by a NUL; -1 if they make no sense. */
int control_parse_request(const char *text, struct control_request *request);

/* The same for an answer: the pid, and the path behind it, which may be "-" . */
int control_parse_answer(const char *text, long *process_id, const char **path);

/* A recording that was found. */
struct control_found {
	long process_id;
	const char *path; /* good until the next one */
};

/*
 * Send a request to every collector of this user (of all users, for root) and wait at
 * most `timeout_ms` for the recordings to end. `found` is told of each. Returns how many, or
 * -1; `*running` says how many had not ended in time.
 */
int control_send(const char *request, int timeout_ms, size_t *running,
		 void (*found)(void *context, const struct control_found *recording),
		 void *context);

#endif
