/* SPDX-License-Identifier: MIT */
/*
 * session_stop.h - whether a session that is to stop does so.
 *
 * A runtime that was asked to stop sends what it has buffered, then the method names, and ends the
 * stream. The request may not reach it: its socket was removed, or we have no descriptor left. And
 * it may ignore the request. Neither must keep a recording from ending, so both are noticed here;
 * the caller then closes the stream, upon which the runtime ends the session by itself.
 *
 *	session_stop_begin(&stop, now_ns);
 *	...
 *	session_stop_tick(&stop, now_ns);	asks until the request is delivered
 *	session_stop_bytes(&stop, size, now_ns);	for each piece of the stream
 *	if (session_stop_is_refused(&stop, now_ns, &why))
 *		close the stream;
 */
#ifndef RECORD_SESSION_STOP_H
#define RECORD_SESSION_STOP_H

#include <stdbool.h>
#include <stdint.h>

#include "perfpipe/event.h"
#include "perfpipe/session.h"

/* How long a request to stop may be refused or ignored. */
#define SESSION_STOP_REFUSED_NS INT64_C(5000000000)

/* Bytes that a runtime may send after the request. */
#define SESSION_STOP_EVENTS_MOST                                                                   \
	(UINT64_C(64) << 20) /* besides its buffer, or what a limit allows */
#define SESSION_STOP_NAMES_MOST (UINT64_C(512) << 20) /* of method names */

struct session_stop {
	/* for the caller to set before session_stop_begin() */
	struct pp_session *session; /* borrowed */
	struct pp_client *client;   /* the session's */
	uint64_t buffered_most;	    /* bytes that the runtime may have buffered */
	struct reserve *reserve;    /* descriptors for the request; or NULL */

	int64_t begun_ns;    /* when it was to stop */
	int64_t asking_ns;   /* when it was last asked */
	bool asked;	     /* the request is delivered */
	int64_t read_ns;     /* when the runtime had read it; 0: not yet */
	int64_t answered_ns; /* when it had answered; 0: not yet */
	bool unreachable;    /* no request can be delivered, as things are */
	struct pp_error err; /* why it was not delivered, or how it was refused */

	int64_t late_ticks; /* events after this time are written by a runtime that goes on */
	bool goes_on;	    /* there was one */
	bool saw_events;    /* other than names, in the last piece */
	bool saw_names;
	int64_t events_ns; /* when the last of those events came */
	uint64_t events;   /* bytes, other than of names */
	uint64_t names;
	uint64_t undecided; /* bytes of an event block that has not come whole */
};

void session_stop_begin(struct session_stop *stop, int64_t now_ns);

/* Asks if that is due, and looks for the answer. Does not wait. */
void session_stop_tick(struct session_stop *stop, int64_t now_ns);

/* The next event of the stream. */
void session_stop_event(struct session_stop *stop, const struct pp_event *event);

/* After each piece of the stream, and the events in it. */
void session_stop_bytes(struct session_stop *stop, size_t size, int64_t now_ns);

/* More has come than a runtime that stops would send. */
bool session_stop_is_flooded(const struct session_stop *stop);

/* It will not stop; `why` says so, as in "cannot be asked to stop". */
bool session_stop_is_refused(const struct session_stop *stop, int64_t now_ns, struct pp_error *why);

#endif
