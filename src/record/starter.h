/* SPDX-License-Identifier: MIT */
/*
 * starter.h - recordings that are started side by side.
 *
 * Starting a session waits for the process to answer, and one that is stopped does not.
 * So each start has a thread of its own, which ends when its calls' deadlines have
 * passed at the latest; what came of it is then picked up by the one thread that
 * records.
 *
 *	starter_begin(starter, start);
 *	poll(&(struct pollfd){ starter_fd(starter), POLLIN, 0 }, 1, -1);
 *	while ((start = starter_next(starter)))
 *		if (start->wanted && !start->err.code)
 *			engine_add(engine, start->recording);
 */
#ifndef RECORD_STARTER_H
#define RECORD_STARTER_H

#include <pthread.h>

#include "record/recording.h"

/* One start; the caller's memory, which the thread uses until starter_next() gives it back. */
struct start {
	struct recording *recording; /* with its client and options; the name may be missing */
	bool resume;		     /* the runtime shall go on afterwards, wanted or not */
	/*
	 * Whether the process is to be recorded, by what it says of itself, and what it
	 * is called; NULL: it is. Called on the thread, by one at a time.
	 */
	bool (*choose)(struct start *start, const struct pp_process_info *info);
	void *context; /* for `choose` */

	/* what came of it */
	bool wanted;
	struct pp_process_info *info; /* if `choose` was asked; to be freed */
	struct pp_error err;

	struct starter *starter;
	struct start *next;
};

struct starter;

struct starter *starter_new(struct pp_error *err);

/* Starts that are under way are left to themselves. Takes NULL. */
void starter_free(struct starter *starter);

int starter_fd(const struct starter *starter); /* readable: starter_next() has something */
void starter_begin(struct starter *starter, struct start *start);
struct start *starter_next(struct starter *starter); /* NULL: none has finished */
size_t starter_pending(struct starter *starter);

#endif
