/* SPDX-License-Identifier: MIT */
/*
 * stack_sums.h - the samples of a thread, summed up by stack, leaf and link.
 *
 * For formats without a timeline. Sums are in the order of their first samples. Memory grows with
 * the distinct stacks of one thread.
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
	uint64_t weight; /* at most INT64_MAX, since readers take it as signed */
};

struct stack_sums {
	struct stack_sum *list;
	size_t count, capacity;
	struct map by_stack;
};

static inline uint64_t weight_sum(uint64_t a, uint64_t b)
{
	return a <= INT64_MAX - b ? a + b : INT64_MAX;
}

void stack_sums_of_thread(struct stack_sums *sums, const struct export_source *source,
			  const struct export_thread *thread);
void stack_sums_release(struct stack_sums *sums);

#endif
