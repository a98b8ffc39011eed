/* SPDX-License-Identifier: MIT */
#include "ipc/deadline.h"

#include <limits.h>
#include <poll.h>

#include "base/time.h"

#define NS_PER_MS 1000000

struct deadline deadline_in(unsigned timeout_ms)
{
	return (struct deadline){ time_monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS, 0 };
}

bool deadline_given_up(struct deadline deadline)
{
	struct pollfd give_up = { .fd = deadline.give_up_fd, .events = POLLIN };

	return deadline.give_up_fd > 0 && poll(&give_up, 1, 0) > 0;
}

int deadline_left_ms(struct deadline deadline)
{
	const int64_t left = deadline.end_ns - time_monotonic_ns();

	if (left <= 0 || deadline_given_up(deadline))
		return 0;
	if (left / NS_PER_MS >= INT_MAX)
		return INT_MAX;
	return (int)((left + NS_PER_MS - 1) / NS_PER_MS);
}

bool deadline_wait(struct deadline deadline, int fd, short events, int most_ms)
{
	struct pollfd wanted[] = { { .fd = fd, .events = events },
				   { .fd = deadline.give_up_fd, .events = POLLIN } };
	const int left = deadline_left_ms(deadline);

	if (left == 0)
		return false;
	/* signals and errors show in the caller's next call */
	poll(wanted, deadline.give_up_fd > 0 ? 2 : 1,
	     most_ms >= 0 && most_ms < left ? most_ms : left);
	return true;
}
