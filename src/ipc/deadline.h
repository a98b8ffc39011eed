/* SPDX-License-Identifier: MIT */
/*
 * deadline.h - a point on the monotonic clock by which a call is over.
 */
#ifndef IPC_DEADLINE_H
#define IPC_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct deadline {
	int64_t end_ns;
};

struct deadline deadline_in(unsigned timeout_ms);

/* Rounded up, for poll(); 0 once it is over. */
int deadline_left_ms(struct deadline deadline);

/* Waits for events on the descriptor, or with -1 just for `most_ms`; false once the time is over.
 */
bool deadline_wait(struct deadline deadline, int fd, short events, int most_ms);

#endif
