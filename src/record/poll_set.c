/* SPDX-License-Identifier: MIT */
#include "record/poll_set.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"

struct poll_entry {
	poll_function *ready;
	void *object;
};

void poll_set_add(struct poll_set *set, int fd, poll_function *ready, void *object)
{
	set->fds = xgrow(set->fds, set->count, &set->fd_capacity, sizeof(*set->fds));
	set->entries = xgrow(set->entries, set->count, &set->entry_capacity, sizeof(*set->entries));
	set->fds[set->count] = (struct pollfd){ .fd = fd, .events = POLLIN };
	set->entries[set->count++] = (struct poll_entry){ ready, object };
}

/* Rounded up, so that what is due at the deadline is due when the wait ends. */
static int milliseconds_until(int64_t deadline_ns)
{
	const int64_t now = time_monotonic_ns();

	if (deadline_ns == INT64_MAX)
		return -1;
	if (deadline_ns <= now)
		return 0;
	if ((deadline_ns - now) / 1000000 >= INT_MAX)
		return INT_MAX;
	return (int)((deadline_ns - now + 999999) / 1000000);
}

void poll_set_run(struct poll_set *set, int64_t deadline_ns)
{
	const size_t count = set->count;
	const int ready = poll(set->fds, count, milliseconds_until(deadline_ns));

	for (size_t i = 0; ready > 0 && i < count; i++)
		if (set->fds[i].revents && set->entries[i].ready)
			set->entries[i].ready(set->entries[i].object);
	set->count = 0;
}

void poll_set_release(struct poll_set *set)
{
	free(set->fds);
	free(set->entries);
	*set = (struct poll_set){ 0 };
}
