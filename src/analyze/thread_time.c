/* SPDX-License-Identifier: MIT */
#include "analyze/thread_time.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Those whose time ends where the thread's next one begins. */
static bool lasts_until_next(const struct model_sample *sample)
{
	return sample->kind != SAMPLE_CPU && sample->kind != SAMPLE_SWITCH;
}

static int64_t gap(const struct model_sample *from, const struct model_sample *to)
{
	return to->time_ns > from->time_ns ? to->time_ns - from->time_ns : 0;
}

static void weigh(struct thread_time *time, const struct model *model, bool count_last)
{
	size_t *last = xcalloc(model->thread_count + 1, sizeof(*last)); /* sample + 1 */

	for (size_t i = 0; i < model->sample_count; i++) {
		const struct model_sample *sample = &model->samples[i];
		size_t *before = &last[sample->thread];

		time->weights[i] = sample->weight_ns;
		if (!lasts_until_next(sample))
			continue;
		if (*before)
			time->weights[*before - 1] = gap(&model->samples[*before - 1], sample);
		*before = i + 1;
	}
	for (size_t i = 0; i < model->thread_count; i++)
		if (last[i] && !count_last)
			time->weights[last[i] - 1] = -1;
	free(last);
}

static void add(struct thread_row *row, const struct model_sample *sample, uint64_t ns)
{
	row->samples += !sample_is_event(sample);
	if (sample->kind == SAMPLE_ERROR || sample->kind == SAMPLE_NOTE)
		row->unknown_ns += ns;
	else if (sample->kind == SAMPLE_EXTERNAL || sample->kind == SAMPLE_SWITCH)
		row->blocked_ns += ns;
	else
		row->cpu_ns += ns;
}

struct thread_time thread_time_of(const struct model *model, const struct sample_query *query,
				  bool count_last)
{
	struct thread_time time = { .thread_count = model->thread_count };

	time.threads = xcalloc(model->thread_count + 1, sizeof(*time.threads));
	time.weights = xcalloc(model->sample_count + 1, sizeof(*time.weights));
	weigh(&time, model, count_last);
	for (size_t i = 0; i < model->sample_count; i++) {
		struct model_sample sample = model->samples[i];

		if (time.weights[i] < 0 || !sample_query_passes(query, model, &model->samples[i])) {
			time.weights[i] = -1;
			continue;
		}
		sample.weight_ns = time.weights[i];
		time.weights[i] = sample_query_weight(query, &sample);
		add(&time.threads[sample.thread], &sample, (uint64_t)time.weights[i]);
		add(&time.total, &sample, (uint64_t)time.weights[i]);
	}
	return time;
}

void thread_time_release(struct thread_time *time)
{
	free(time->threads);
	free(time->weights);
	*time = (struct thread_time){ 0 };
}
