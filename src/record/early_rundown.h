/* SPDX-License-Identifier: MIT */
/*
 * early_rundown.h - an early list of the names of methods, for the case that none comes at the end.
 *
 * A runtime lists the names of its methods when a session ends. One that is killed does
 * not. So a second session, which records nothing, is started and ended while the
 * first one runs, just for that list; again each minute if the last one was quick. A
 * process that has just started has few methods yet: there it is taken after one second,
 * two more, four more and so on up to a minute. It goes to a file without a name, which
 * goes when we go.
 *
 *	early_rundown_begin(&names, now_ns, false);
 *	early_rundown_tick(&names, client, now_ns);	when early_rundown_deadline_ns() has come,
 *and after names.taking has been read if (names.fd) repair(..., names.fd);
 *	early_rundown_release(&names);
 */
#ifndef RECORD_EARLY_RUNDOWN_H
#define RECORD_EARLY_RUNDOWN_H

#include "record/beginning.h"

struct early_rundown {
	struct beginning *starting; /* its session, or NULL */
	struct segment *taking;	    /* under way, or NULL: to be polled and read */
	int taking_fd;
	int fd;		  /* of the last whole list; 0: there is none */
	int64_t taken_ns; /* when its session ended */
	int64_t begun_ns; /* when the one under way began */
	int64_t due_ns;	  /* when the next one shall begin; 0: never */
	int64_t pause_ns; /* from one to the next */
};

/* Young: the process has just started. */
void early_rundown_begin(struct early_rundown *early, int64_t now_ns, bool young);
void early_rundown_tick(struct early_rundown *early, const struct pp_client *client,
			int64_t now_ns);
int64_t early_rundown_deadline_ns(const struct early_rundown *early);

/* No more lists: the process shall not be disturbed while it makes the last one. */
void early_rundown_stop(struct early_rundown *early);

void early_rundown_release(struct early_rundown *early);

#endif
