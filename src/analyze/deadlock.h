/* SPDX-License-Identifier: MIT */
/*
 * deadlock.h - threads that wait for each other's locks.
 *
 * A wait knows the thread that held the lock when it began. Owners that run may release the lock
 * unseen, those that wait cannot: so a cycle of waits is a deadlock once it lasts.
 *
 *	count = deadlock_find(waits, wait_count);
 */
#ifndef ANALYZE_DEADLOCK_H
#define ANALYZE_DEADLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/recorded_stack.h"

struct lasting_wait {
	int64_t process_id;
	int64_t thread_id;
	int64_t owner_id; /* 0: not recorded */
	int64_t start_ns;
	int64_t end_ns; /* of its trace, which may be one of several */
	struct recorded_stack stack;
	bool deadlocked;
	uint32_t visited; /* for deadlock_find() */
};

/* Sorts the waits, marks those in cycles, and returns how many they are. */
size_t deadlock_find(struct lasting_wait *waits, size_t count);

#endif
