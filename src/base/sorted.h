/* SPDX-License-Identifier: MIT */
/*
 * sorted.h - records that come in any order, maybe too many for memory, and go in one.
 *
 * So many as fit into a batch are sorted at a time and become a run, a reel of a spool; readers
 * merge the runs. Of a few records there is one run, in memory. Records are structs of one
 * size, which is at most SPOOL_RECORD. Those that compare equal come out as they came in only
 * if they were in different batches: whoever cares compares something else, too.
 *
 *	struct sorted sorted = { .spool = &spool, .size = sizeof(thing), .compare = by_time };
 *	sorted_add(&sorted, &thing);
 *	sorted_seal(&sorted);			(nothing is added behind that)
 *
 *	struct sorted_reader reader = { .sorted = &sorted };
 *	const struct thing *next;
 *	while ((next = sorted_next(&reader)))	(it stays until the next call)
 *		...
 *	sorted_reader_release(&reader);
 *	sorted_release(&sorted);
 */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include "base/spool.h"

#define SORTED_BATCH ((size_t)4 << 20) /* bytes */

typedef int sorted_compare(const void *left, const void *right);

struct sorted {
	struct spool *spool;
	size_t size; /* of a record */
	sorted_compare *compare;
	size_t batch; /* bytes; 0: SORTED_BATCH */
	uint64_t count;
	uint8_t *held; /* records that are in no run yet */
	size_t held_count, held_capacity;
	struct reel *runs;
	size_t run_count, run_capacity;
};

struct sorted_reader {
	const struct sorted *sorted;
	struct reel_reader *runs;
	uint32_t *heap; /* of runs: the one whose record comes next is the first */
	size_t count;	/* of runs that have records left */
	bool begun;
};

void sorted_add(struct sorted *sorted, const void *record);
void sorted_seal(struct sorted *sorted);
void sorted_release(struct sorted *sorted); /* before its spool */

/* NULL at the end, and then again and again. */
const void *sorted_next(struct sorted_reader *reader);
void sorted_reader_release(struct sorted_reader *reader);

#endif
