/* SPDX-License-Identifier: MIT */
#include "record/poll_set.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "ipc/deadline.h"

#define LOOK_MS 10

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

void poll_set_wake(struct poll_set *set, int64_t time_ns)
{
	if (!set->timed || time_ns < set->wake_ns)
		set->wake_ns = time_ns;
	set->timed = true;
}

/* poll() takes no more descriptors than may be open, and that limit may have been lowered. */
static int poll_each(struct poll_set *set, int wait_ms)
{
	int ready = 0;

	for (size_t i = 0; i < set->count; i++)
		ready += poll(&set->fds[i], 1, 0) > 0;
	if (!ready)
		poll(NULL, 0, wait_ms >= 0 && wait_ms < LOOK_MS ? wait_ms : LOOK_MS);
	return ready;
}

void poll_set_run(struct poll_set *set)
{
	const int wait_ms =
		set->timed ? deadline_left_ms((struct deadline){ .end_ns = set->wake_ns }) : -1;
	int ready = poll(set->fds, set->count, wait_ms);

	if (ready < 0 && errno == EINVAL)
		ready = poll_each(set, wait_ms);
	for (size_t i = 0; ready > 0 && i < set->count; i++)
		if (set->fds[i].revents && set->entries[i].ready)
			set->entries[i].ready(set->entries[i].object);
	set->count = 0;
	set->timed = false;
}

void poll_set_release(struct poll_set *set)
{
	xfree(set->fds);
	xfree(set->entries);
	*set = (struct poll_set){ 0 };
}
