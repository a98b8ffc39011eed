/* SPDX-License-Identifier: MIT */
/*
 * poll_set.h - what to wait for: descriptors, each with the function to call when it can be
 * read, and a time.
 *
 * The set is filled anew before each wait, so nothing has to be removed from it. The one rule: a
 * function may not free an object that another entry of the set refers to.
 *
 *	struct poll_set set = { 0 };
 *
 *	for (;;) {
 *		poll_set_add(&set, socket, read_socket, connection);
 *		poll_set_wake(&set, deadline_ns);
 *		poll_set_run(&set);
 *	}
 *	poll_set_release(&set);
 */
#ifndef RECORD_POLL_SET_H
#define RECORD_POLL_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void poll_function(void *object);

struct poll_set {
	struct pollfd *fds;
	struct poll_entry *entries; /* their functions */
	size_t count;
	size_t fd_capacity;
	size_t entry_capacity;
	bool timed;
	int64_t wake_ns; /* if it is timed */
};

/* A negative descriptor is never ready. Without a function it only ends the wait. */
void poll_set_add(struct poll_set *set, int fd, poll_function *ready, void *object);

/* Ends the wait at this time, by time_monotonic_ns(), or at an earlier one that was given. */
void poll_set_wake(struct poll_set *set, int64_t time_ns);

/*
 * Waits, calls the functions of descriptors that are ready, in the order in which they were added,
 * and empties the set. A signal ends the wait, too.
 */
void poll_set_run(struct poll_set *set);

void poll_set_release(struct poll_set *set);

#endif
