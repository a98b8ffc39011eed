/* SPDX-License-Identifier: MIT */
/*
 * merge_heap.h - which of many rows that are each in order of time comes next.
 *
 *	struct merge_heap rows = { 0 };
 *	for each row: merge_heap_add(&rows, its first time, its number);
 *	while (rows.count) {
 *		use the next of row rows.heap[0].number;
 *		merge_heap_next(&rows, there is one more, its time);
 *	}
 *	merge_heap_release(&rows);
 *
 * At equal times the row with the smaller number comes first.
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
	struct merge_entry *heap; /* the earliest first */
	size_t count, capacity;
};

void merge_heap_add(struct merge_heap *rows, int64_t time, uint32_t number);

/* The first row goes on with `time`, or is at its end. */
void merge_heap_next(struct merge_heap *rows, bool more, int64_t time);

void merge_heap_release(struct merge_heap *rows);

#endif
