/* SPDX-License-Identifier: MIT */
#include "ipc/deadline.h"

#include <limits.h>
#include <poll.h>
#include <time.h>

#define NS_PER_MS 1000000

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct deadline deadline_in(unsigned timeout_ms)
{
	return (struct deadline){ now_ns() + (int64_t)timeout_ms * NS_PER_MS };
}

int deadline_left_ms(struct deadline deadline)
{
	const int64_t left = deadline.end_ns - now_ns();

	if (left <= 0)
		return 0;
	if (left / NS_PER_MS >= INT_MAX)
		return INT_MAX;
	return (int)((left + NS_PER_MS - 1) / NS_PER_MS);
}

bool deadline_wait(struct deadline deadline, int fd, short events, int most_ms)
{
	struct pollfd wanted = { .fd = fd, .events = events };
	const int left = deadline_left_ms(deadline);

	if (left == 0)
		return false;
	/* signals and errors show in the caller's next call */
	poll(&wanted, 1, most_ms >= 0 && most_ms < left ? most_ms : left);
	return true;
}
