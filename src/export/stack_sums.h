/* SPDX-License-Identifier: MIT */
/*
 * stack_sums.h - a thread's samples summed up: what has the same stack, leaf and link is one.
 *
 * For formats without a time line. Memory grows with what is distinct in one thread. They come
 * in the order in which they were met first.
 *
 *	struct stack_sums sums = { 0 };
 *	for each thread: {
 *		stack_sums_of_thread(&sums, source, thread);
 *		for (size_t i = 0; i < sums.count; i++)
 *			use(&sums.list[i]);
 *	}
 *	stack_sums_release(&sums);
 */
#ifndef EXPORT_STACK_SUMS_H
#define EXPORT_STACK_SUMS_H

#include "export/source.h"

struct stack_sum {
	uint32_t stack;
	uint32_t leaf; /* or EXPORT_NONE */
	uint32_t link; /* see trace_links.h */
	uint32_t next; /* with the same stack and leaf, and another link; number + 1 */
	uint64_t count;
	uint64_t weight; /* INT64_MAX at most: readers take it for a signed number */
};

struct stack_sums {
	struct stack_sum *list;
	size_t count, capacity;
	struct map by_stack;
};

void stack_sums_of_thread(struct stack_sums *sums, const struct export_source *source,
			  const struct export_thread *thread);
void stack_sums_release(struct stack_sums *sums);

#endif
