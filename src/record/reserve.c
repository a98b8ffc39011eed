/* SPDX-License-Identifier: MIT */
#include "record/reserve.h"

#include <sys/eventfd.h>
#include <unistd.h>

void reserve_fill(struct reserve *reserve)
{
	for (int i = 0; i < RESERVE_MOST; i++) {
		const int fd = reserve->fds[i] > 0 ? reserve->fds[i] : eventfd(0, EFD_CLOEXEC);

		reserve->fds[i] = fd > 0 ? fd : 0;
	}
}

void reserve_release(struct reserve *reserve)
{
	for (int i = 0; i < RESERVE_MOST; i++) {
		if (reserve->fds[i] > 0)
			close(reserve->fds[i]);
		reserve->fds[i] = 0;
	}
}
