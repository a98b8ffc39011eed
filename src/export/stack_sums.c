/* SPDX-License-Identifier: MIT */
#include "export/stack_sums.h"

#include <stdlib.h>

#include "base/alloc.h"

static struct stack_sum *find(struct stack_sums *sums, const struct export_sample *sample)
{
	const uint64_t key = (uint64_t)sample->leaf << 32 | sample->stack;
	const uint32_t first = (uint32_t)(uintptr_t)map_find(&sums->by_stack, key);
	struct stack_sum *sum;

	for (uint32_t i = first; i; i = sums->list[i - 1].next)
		if (sums->list[i - 1].link == sample->link)
			return &sums->list[i - 1];
	sums->list = xgrow(sums->list, sums->count, &sums->capacity, sizeof(*sums->list));
	sum = &sums->list[sums->count++];
	*sum = (struct stack_sum){
		.stack = sample->stack, .leaf = sample->leaf, .link = sample->link, .next = first
	};
	map_put(&sums->by_stack, key, (void *)(uintptr_t)sums->count);
	return sum;
}

void stack_sums_of_thread(struct stack_sums *sums, const struct export_source *source,
			  const struct export_thread *thread)
{
	struct export_walk walk = export_walk_of(source, thread);
	struct export_sample sample;

	sums->count = 0;
	map_clear(&sums->by_stack);
	while (export_walk_next(&walk, &sample)) {
		struct stack_sum *sum = find(sums, &sample);

		sum->count += !sample.part;
		sum->weight = weight_sum(sample.weight, sum->weight);
	}
}

void stack_sums_release(struct stack_sums *sums)
{
	xfree(sums->list);
	map_release(&sums->by_stack);
}
