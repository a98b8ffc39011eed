/* SPDX-License-Identifier: MIT */
/*
 * thread_time.h - how threads spent their time.
 *
 * Sums of samples that are weighed (accounting.h), by what they say of their thread. Of samples as
 * the sampler marks them, each applies until the thread's next one, and events that only a running
 * thread writes are samples, too, where the model has marks.
 *
 *	struct thread_time time = thread_time_of(&model, &query, true);
 *	...
 *	thread_time_release(&time);
 *
 * The same sample by sample: a walk with UNTIL_EVENT, and thread_time_weight().
 */
#ifndef ANALYZE_THREAD_TIME_H
#define ANALYZE_THREAD_TIME_H

#include "analyze/sample_query.h"

struct thread_row {
	uint64_t samples;    /* without marks */
	uint64_t cpu_ns;     /* on a processor; where that was not measured, in managed code */
	uint64_t ready_ns;   /* waiting for a processor, if that was measured */
	uint64_t blocked_ns; /* waiting; if it was not measured, or in native code */
	uint64_t unknown_ns; /* the sampler failed */
};

struct thread_time {
	struct thread_row *threads; /* by number */
	size_t thread_count;
	struct thread_row total;
};

/* The time of a sample; -1 if it is left out, as a thread's last one may be. */
static inline int64_t thread_time_weight(const struct sample_query *query,
					 const struct model *model,
					 const struct model_sample *sample, bool count_last)
{
	return sample->is_last && !count_last ? -1 : sample_query_weight(query, model, sample);
}

struct thread_time thread_time_of(const struct model *model, const struct sample_query *query,
				  bool count_last);
void thread_time_release(struct thread_time *time);

#endif
