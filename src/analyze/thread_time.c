/* SPDX-License-Identifier: MIT */
#include "analyze/thread_time.h"

#include <stdlib.h>

#include "base/alloc.h"

static void add(struct thread_row *row, const struct model_sample *sample, uint64_t ns)
{
	row->samples += !sample_is_event(sample) && !sample->part;
	if (sample->kind == SAMPLE_READY)
		row->ready_ns += ns;
	else if (sample->kind == SAMPLE_ERROR || sample->kind == SAMPLE_NOTE)
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
	struct sample_walk walk;
	struct model_sample sample;

	time.threads = xcalloc(model->thread_count + 1, sizeof(*time.threads));
	sample_walk_begin(&walk, &model->samples, UNTIL_EVENT);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(query, model, &sample, count_last);

		if (ns < 0)
			continue;
		add(&time.threads[sample.thread], &sample, (uint64_t)ns);
		add(&time.total, &sample, (uint64_t)ns);
	}
	sample_walk_end(&walk);
	return time;
}

void thread_time_release(struct thread_time *time)
{
	xfree(time->threads);
	*time = (struct thread_time){ 0 };
}
