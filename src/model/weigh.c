/* SPDX-License-Identifier: MIT */
#include "model/weigh.h"

#include <stdlib.h>

#include "base/alloc.h"

#define DEFAULT_NS 1000000 /* the sampler's interval where nothing else is known */

static bool is_sampled(const struct model_sample *sample)
{
	return sample->kind <= SAMPLE_MANAGED;
}

static void swap(int64_t *a, int64_t *b)
{
	const int64_t kept = *a;

	*a = *b;
	*b = kept;
}

/* The element that sorting would put at `wanted`; moves elements about. */
static int64_t nth(int64_t *list, size_t count, size_t wanted)
{
	size_t low = 0;
	size_t high = count - 1;

	while (low < high) {
		const int64_t pivot = list[low + (high - low) / 2];
		size_t i = low;
		size_t j = high;

		for (;;) {
			while (list[i] < pivot)
				i++;
			while (list[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&list[i++], &list[j--]);
		}
		if (wanted <= j)
			high = j;
		else
			low = j + 1;
	}
	return list[wanted];
}

struct weighing {
	uint32_t *last; /* by thread: its last sample + 1 */
	int64_t *gaps;
	size_t gap_count;
};

static void weigh_until_next(struct model *model, struct weighing *w)
{
	for (size_t i = 0; i < model->sample_count; i++) {
		const struct model_sample *sample = &model->samples[i];
		const uint32_t before = w->last[sample->thread];

		if (!is_sampled(sample))
			continue;
		if (before) {
			struct model_sample *earlier = &model->samples[before - 1];

			earlier->weight_ns = sample->time_ns - earlier->time_ns;
			w->gaps[w->gap_count++] = earlier->weight_ns;
		}
		w->last[sample->thread] = (uint32_t)i + 1;
	}
}

void model_weigh(struct model *model)
{
	struct weighing w = { 0 };
	int64_t median = model->sampling_ns > 0 ? model->sampling_ns : DEFAULT_NS;

	if (!model->sample_count)
		return;
	w.last = xcalloc(model->thread_count + 1, sizeof(*w.last));
	w.gaps = xcalloc(model->sample_count, sizeof(*w.gaps));
	weigh_until_next(model, &w);
	if (w.gap_count)
		median = nth(w.gaps, w.gap_count, w.gap_count / 2);
	for (size_t i = 0; i < model->thread_count; i++)
		if (w.last[i])
			model->samples[w.last[i] - 1].weight_ns = median;
	free(w.last);
	free(w.gaps);
}
