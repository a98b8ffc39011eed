/* SPDX-License-Identifier: MIT */
/*
 * name_sessions.h - method names for events that are shown as they happen.
 *
 * A runtime lists its methods only when a session ends. So two more sessions run beside the one
 * that is shown: one reports methods as they are compiled; the other one is stopped at once, for
 * the list of those that are compiled already. What is shown waits for that list. Both are read by
 * passes of their own, to which a live_pass adds what learns the names.
 *
 *	name_sessions_start(&names, client, live);	(before the session that is shown)
 *	name_sessions_take_list(&names);		(after it)
 *	if (name_sessions_are_ready(&names, now_ns))
 *		show_events();
 *	name_sessions_catch_up(&names, 100);		(a method of a stack is not known yet)
 *	name_sessions_release(&names);
 */
#ifndef RECORD_NAME_SESSIONS_H
#define RECORD_NAME_SESSIONS_H

#include "record/segment.h"

struct name_sessions {
	struct segment *loads; /* methods that are compiled from now on; NULL: none */
	struct segment *list;  /* those that are compiled already; the same */
	int64_t begun_ns;
};

/* May wait for the process. Without success there are no names. */
void name_sessions_start(struct name_sessions *names, const struct pp_client *client,
			 const struct live_pass *live);

/* A runtime that lists its methods starts no session until all of them are read. */
void name_sessions_take_list(struct name_sessions *names);

/* The list was read, or takes too long. */
bool name_sessions_are_ready(const struct name_sessions *names, int64_t now_ns);

/* As of a segment. */
void name_sessions_watch(struct name_sessions *names, struct poll_set *set);
void name_sessions_tick(struct name_sessions *names, int64_t now_ns);
void name_sessions_stop(struct name_sessions *names);

/* Reads what comes within this time; false if nothing does. */
bool name_sessions_catch_up(struct name_sessions *names, int wait_ms);

void name_sessions_release(struct name_sessions *names);

#endif
