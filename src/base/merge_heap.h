/* SPDX-License-Identifier: MIT */
/*
 * merge_heap.h - merges time-ordered sequences.
 *
 *	struct merge_heap merge = { 0 };
 *	for each sequence: merge_heap_add(&merge, its first time, its number);
 *	while (merge.count) {
 *		take the next item of sequence merge.heap[0].number;
 *		merge_heap_next(&merge, whether it has another, whose time is);
 *	}
 *	merge_heap_release(&merge);
 *
 * At equal times the sequence with the smaller number comes first.
 */
#ifndef BASE_MERGE_HEAP_H
#define BASE_MERGE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge_entry {
	int64_t time;
	uint32_t number;
};

struct merge_heap {
	struct merge_entry *heap; /* the earliest at [0] */
	size_t count, capacity;
};

void merge_heap_add(struct merge_heap *merge, int64_t time, uint32_t number);

/* The first sequence continues at `time`, or has ended. */
void merge_heap_next(struct merge_heap *merge, bool more, int64_t time);

void merge_heap_release(struct merge_heap *merge);

#endif
