/* SPDX-License-Identifier: MIT */
/*
 * deadline.h - the time on the monotonic clock by which a call must return. It passes early if
 * somebody gives up on the call.
 */
#ifndef IPC_DEADLINE_H
#define IPC_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct deadline {
	int64_t end_ns;
	int give_up_fd; /* readable: it has passed; 0: none */
};

struct deadline deadline_in(unsigned timeout_ms);

bool deadline_given_up(struct deadline deadline);

/* Rounded up, for poll(); 0 once it has passed. */
int deadline_left_ms(struct deadline deadline);

/* Waits for the descriptor, or with -1 just for `most_ms`; false once the deadline has passed. */
bool deadline_wait(struct deadline deadline, int fd, short events, int most_ms);

#endif
