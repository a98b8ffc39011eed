/* SPDX-License-Identifier: MIT */
/*
 * control.h - how another shell finds a recording and stops it.
 *
 * Every collector listens on an abstract socket @perfpipe-collect-UID-PID, which leaves nothing
 * behind however the collector ends; if somebody else has that name, something random follows it.
 * Both sides check who the other is, by the credentials that the kernel has of it and not by the
 * name: only the same user, or root, is answered. A request and its answers are packets of text:
 *
 *	stop all        or:  stop 4711 (a process that is recorded, or the collector)
 *	                or:  stop /home/me/app.nettrace
 *	list            which stops nothing
 *
 *	4711 /home/me/app.nettrace	one for each recording that stops, or is listed
 *	.				no more of them
 *
 * The connection is closed when those recordings have ended and their files have their names.
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

/* A recording that was found. */
struct control_found {
	long process_id;
	const char *path; /* "-": it has none; good until the next one */
};

/* One request to stop. */
struct control_stop {
	const char *which; /* "all", a file, or the pid of a process or of a collector */
	int timeout_ms;	   /* for the recordings to end */
	void (*found)(void *context, const struct control_found *recording);
	void *context;

	size_t running; /* collectors that had not ended in time */
};

/*
 * Asks every collector of this user, or for root of all users, and waits for the recordings to
 * end. Returns how many were found, or -1.
 */
int control_stop(struct control_stop *stop, struct pp_error *err);

/* Only looks for them; `timeout_ms` is for the collectors to answer. */
int control_list(struct control_stop *list, struct pp_error *err);

/* What a packet asks for. */
struct control_request {
	bool all;
	bool list;	  /* and do not stop them */
	long process_id;  /* or 0 */
	const char *path; /* absolute, or NULL; borrowed */
};

/* Bytes from elsewhere, with a NUL at their end; -1 if they are malformed. */
int control_parse_request(const char *text, struct control_request *request);
int control_parse_answer(const char *text, struct control_found *recording);

/* The name that a file has when it is whole, in place. */
void control_strip_partial(char *path);

#endif
