/* SPDX-License-Identifier: MIT */
/*
 * async_start.h - starting sessions without waiting for them.
 *
 * Starting a session waits for the process to answer, and one that is stopped or about to end
 * does not. So each start has a thread of its own, which ends when the deadlines of its calls
 * have passed at the latest. The thread that records is woken and takes what came of it.
 *
 *	struct async_start start = { .run = connect, .done = use_it, .context = target };
 *
 *	async_start_begin(&start, starts);
 *	poll_set_add(&set, async_starts_fd(starts), take, starts);
 *	...
 *	async_starts_take(starts);	which calls `done`
 */
#ifndef RECORD_ASYNC_START_H
#define RECORD_ASYNC_START_H

#include <stdbool.h>

#include "perfpipe/error.h"

/* The starts of one thread that records. */
struct async_starts;

/* One of them. It must stay where it is until `done` is called. */
struct async_start {
	void (*run)(void *context);  /* on a thread of its own */
	void (*done)(void *context); /* afterwards, by async_starts_take() */
	void *context;

	struct async_starts *starts; /* NULL: it is not under way */
	bool finished;		     /* guarded by the lock of the starts, as is the next */
	struct async_start *next;
};

struct async_starts *async_starts_new(struct pp_error *err);

/* Those under way go on by themselves, and use what they were given. Takes NULL. */
void async_starts_free(struct async_starts *starts);

int async_starts_fd(const struct async_starts *starts); /* readable: there is one to take */
void async_starts_take(struct async_starts *starts);	/* all that have finished */

bool async_starts_running(struct async_starts *starts); /* there is one that has not been taken */

/* Waits until all of them have finished, for at most this long; false: some have not. */
bool async_starts_settle(struct async_starts *starts, unsigned timeout_ms);

/* Where no thread can be started, it runs here and now. */
void async_start_begin(struct async_start *start, struct async_starts *starts);

/* Waits for it if it is under way, and takes it without calling `done`. */
void async_start_wait(struct async_start *start);

static inline bool async_start_is_pending(const struct async_start *start)
{
	return start->starts;
}

#endif
