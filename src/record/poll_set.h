/* SPDX-License-Identifier: MIT */
/*
 * poll_set.h - descriptors to wait for, each with the function to call when it can be read.
 *
 * The set is filled anew before each wait, so nothing has to be removed from it. The one rule: a
 * function may not free an object that another entry of the set refers to.
 *
 *	struct poll_set set = { 0 };
 *
 *	for (;;) {
 *		poll_set_add(&set, socket, read_socket, connection);
 *		poll_set_run(&set, deadline_ns);
 *	}
 *	poll_set_release(&set);
 */
#ifndef RECORD_POLL_SET_H
#define RECORD_POLL_SET_H

#include <stddef.h>
#include <stdint.h>

typedef void poll_function(void *object);

struct poll_set {
	struct pollfd *fds;
	struct poll_entry *entries; /* their functions */
	size_t count;
	size_t fd_capacity;
	size_t entry_capacity;
};

/* A negative descriptor is never ready. Without a function it only ends the wait. */
void poll_set_add(struct poll_set *set, int fd, poll_function *ready, void *object);

/*
 * Waits until a descriptor is ready or the deadline has passed (by time_monotonic_ns();
 * INT64_MAX: none), calls the functions of those that are, in the order in which they were
 * added, and empties the set. A signal ends the wait, too.
 */
void poll_set_run(struct poll_set *set, int64_t deadline_ns);

void poll_set_release(struct poll_set *set);

#endif
