/* SPDX-License-Identifier: MIT */
#include "analyze/deadlock.h"

#include <stdlib.h>

static int by_thread(const void *left, const void *right)
{
	const struct lasting_wait *a = left;
	const struct lasting_wait *b = right;

	if (a->process_id != b->process_id)
		return a->process_id < b->process_id ? -1 : 1;
	return (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

/* The wait of the thread that this one waits for; NULL if that one does not wait. */
static struct lasting_wait *of_owner(struct lasting_wait *waits, size_t count,
				     const struct lasting_wait *wait)
{
	const struct lasting_wait owner = { .process_id = wait->process_id,
					    .thread_id = wait->owner_id };

	return wait->owner_id ? bsearch(&owner, waits, count, sizeof(*waits), by_thread) : NULL;
}

static size_t mark_cycle(struct lasting_wait *waits, size_t count, struct lasting_wait *first)
{
	struct lasting_wait *wait = first;
	size_t marked = 0;

	do {
		wait->deadlocked = true;
		marked++;
		wait = of_owner(waits, count, wait);
	} while (wait != first);
	return marked;
}

/* Each wait has one owner, so a path that comes back to itself has found a cycle. */
size_t deadlock_find(struct lasting_wait *waits, size_t count)
{
	size_t found = 0;

	if (count)
		qsort(waits, count, sizeof(*waits), by_thread);
	for (size_t i = 0; i < count; i++) {
		struct lasting_wait *wait = &waits[i];

		while (wait && !wait->visited) {
			wait->visited = (uint32_t)i + 1;
			wait = of_owner(waits, count, wait);
		}
		/* a lock that its own thread holds is entered again, not waited for */
		if (wait && wait->visited == i + 1 && !wait->deadlocked &&
		    wait->owner_id != wait->thread_id)
			found += mark_cycle(waits, count, wait);
	}
	return found;
}
