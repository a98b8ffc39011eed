/* SPDX-License-Identifier: MIT */
/*
 * external_sort.h - records that come in any order, maybe too many for memory, and go in one.
 *
 * So many as fit into a batch are sorted at a time and become a run, a reel of a spool; readers
 * merge the runs. Of a few records there is one run, in memory. Records are structs of one
 * size, which is at most SPOOL_RECORD. Those that compare equal come out as they came in only
 * if they were in different batches: whoever cares compares something else, too.
 *
 *	struct external_sort sorted = { .spool = &spool, .size = sizeof(thing), .compare = by_time
 *}; external_sort_add(&sorted, &thing); external_sort_seal(&sorted);			(nothing is
 *added behind that)
 *
 *	struct external_sort_reader reader = { .sorted = &sorted };
 *	const struct thing *next;
 *	while ((next = external_sort_next(&reader)))	(it stays until the next call)
 *		...
 *	external_sort_reader_release(&reader);
 *	external_sort_release(&sorted);
 */
#ifndef BASE_EXTERNAL_SORT_H
#define BASE_EXTERNAL_SORT_H

#include "base/spool.h"

#define EXTERNAL_SORT_BATCH ((size_t)4 << 20) /* bytes */

typedef int external_sort_compare(const void *left, const void *right);

struct external_sort {
	struct spool *spool;
	size_t size; /* of a record */
	external_sort_compare *compare;
	size_t batch; /* bytes; 0: EXTERNAL_SORT_BATCH */
	uint64_t count;
	uint8_t *held; /* records that are in no run yet */
	size_t held_count, held_capacity;
	struct reel *runs;
	size_t run_count, run_capacity;
};

struct external_sort_reader {
	const struct external_sort *sorted;
	struct reel_reader *runs;
	uint32_t *heap; /* of runs: the one whose record comes next is the first */
	size_t count;	/* of runs that have records left */
	bool begun;
};

void external_sort_add(struct external_sort *sorted, const void *record);
void external_sort_seal(struct external_sort *sorted);
void external_sort_release(struct external_sort *sorted); /* before its spool */

/* NULL at the end, and then again and again. */
const void *external_sort_next(struct external_sort_reader *reader);
void external_sort_reader_release(struct external_sort_reader *reader);

#endif
