/* SPDX-License-Identifier: MIT */
/*
 * samples_by_time.h - the samples of all threads, in order of time.
 *
 *	struct samples_by_time walk;
 *	struct model_sample sample;
 *
 *	samples_by_time_begin(&walk, &model->samples, UNTIL_SAMPLE);
 *	while (samples_by_time_next(&walk, &sample))
 *		...
 *	samples_by_time_end(&walk);
 */
#ifndef MODEL_SAMPLES_BY_TIME_H
#define MODEL_SAMPLES_BY_TIME_H

#include "base/merge_heap.h"
#include "model/samples.h"

struct samples_by_time {
	struct sample_walk *threads;
	struct model_sample *next; /* by thread */
	size_t thread_count;
	struct merge_heap order;
};

void samples_by_time_begin(struct samples_by_time *walk, const struct samples *samples,
			   enum sample_until until);
bool samples_by_time_next(struct samples_by_time *walk, struct model_sample *sample);
void samples_by_time_end(struct samples_by_time *walk);

#endif
