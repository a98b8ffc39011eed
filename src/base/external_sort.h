/* SPDX-License-Identifier: MIT */
/*
 * external_sort.h - sorts more records than fit into memory.
 *
 * As many records as fit into a batch are sorted at a time and become a run, a reel of a spool;
 * readers merge the runs. A few records are one run, in memory. Records are structs of one size, at
 * most SPOOL_RECORD. The sort is not stable within a batch: where the order of equal records
 * matters, `compare` must tell them apart.
 *
 *	struct external_sort sorted = {
 *		.spool = &spool, .size = sizeof(struct thing), .compare = by_time
 *	};
 *	external_sort_add(&sorted, &thing);
 *	external_sort_seal(&sorted);			(nothing is added after this)
 *
 *	struct external_sort_reader reader = { .sorted = &sorted };
 *	const struct thing *next;
 *	while ((next = external_sort_next(&reader)))	(valid until the next call)
 *		...
 *	external_sort_reader_release(&reader);
 *	external_sort_release(&sorted);
 */
#ifndef BASE_EXTERNAL_SORT_H
#define BASE_EXTERNAL_SORT_H

#include "base/spool.h"

#define EXTERNAL_SORT_BATCH ((size_t)4 << 20) /* bytes */

struct external_sort {
	struct spool *spool;
	size_t size; /* of a record */
	int (*compare)(const void *left, const void *right);
	size_t batch; /* bytes; 0: EXTERNAL_SORT_BATCH */
	uint64_t count;
	uint8_t *held; /* records not yet in a run */
	size_t held_count, held_capacity;
	struct reel *runs;
	size_t run_count, run_capacity;
};

struct external_sort_reader {
	const struct external_sort *sorted;
	struct reel_reader *runs;
	uint32_t *heap; /* of runs, by their next record */
	size_t count;	/* runs in the heap: those with records left */
	bool begun;
};

void external_sort_add(struct external_sort *sorted, const void *record);
void external_sort_seal(struct external_sort *sorted);
void external_sort_release(struct external_sort *sorted); /* before its spool */

/* NULL at the end, and on every call after that. */
const void *external_sort_next(struct external_sort_reader *reader);
void external_sort_reader_release(struct external_sort_reader *reader);

#endif
