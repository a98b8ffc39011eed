/* SPDX-License-Identifier: MIT */
/*
 * early_rundown.h - method names, taken early in case none come at the end.
 *
 * A runtime lists its methods when a session ends, but not when it is killed. So a second session,
 * which records nothing, is started and stopped for that list alone while the first one runs, and
 * again each minute if the last list was quick. A process that has just started has few methods
 * yet: there the list is taken after 1 s, 3 s, 7 s and so on. It goes to a file without a name.
 *
 *	early_rundown_begin(&early, now_ns, false);
 *	early_rundown_tick(&early, starts, client, now_ns);
 *	if (early.fd)
 *		repair.rundown = early.fd;
 *	early_rundown_release(&early);
 *
 * A tick is due after each wait, as for a segment.
 */
#ifndef RECORD_EARLY_RUNDOWN_H
#define RECORD_EARLY_RUNDOWN_H

#include "record/segment.h"

struct early_rundown {
	struct segment_start starting;
	struct segment *taking; /* the list under way; NULL: none */
	int taking_fd;		/* its file */
	int fd;			/* file of the last whole list; 0: none */
	int64_t taken_ns;	/* when its session ended */
	int64_t begun_ns;	/* when the list under way began */
	int64_t due_ns;		/* when the next one begins; 0: never */
	int64_t pause_ns;	/* from one to the next; 0: there is no next */
};

/* Young: the process has just started. */
void early_rundown_begin(struct early_rundown *early, int64_t now_ns, bool young);
void early_rundown_tick(struct early_rundown *early, struct async_starts *starts,
			const struct pp_client *client, int64_t now_ns);
void early_rundown_watch(struct early_rundown *early, struct poll_set *set);

/* No more lists, so that the process can finish the session that is recorded. */
void early_rundown_stop(struct early_rundown *early);

void early_rundown_release(struct early_rundown *early);

#endif
