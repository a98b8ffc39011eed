/* SPDX-License-Identifier: MIT */
/*
 * earliest.h - which of many rows that are each in order of time comes next.
 *
 *	struct earliest rows = { 0 };
 *	for each row: earliest_add(&rows, its first time, its number);
 *	while (rows.count) {
 *		use the next of row rows.heap[0].number;
 *		earliest_next(&rows, there is one more, its time);
 *	}
 *	earliest_release(&rows);
 *
 * At equal times the row with the smaller number comes first.
 */
#ifndef BASE_EARLIEST_H
#define BASE_EARLIEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct earliest_row {
	int64_t time;
	uint32_t number;
};

struct earliest {
	struct earliest_row *heap; /* the earliest first */
	size_t count, capacity;
};

void earliest_add(struct earliest *rows, int64_t time, uint32_t number);

/* The first row goes on with `time`, or is at its end. */
void earliest_next(struct earliest *rows, bool more, int64_t time);

void earliest_release(struct earliest *rows);

#endif
