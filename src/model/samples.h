/* SPDX-License-Identifier: MIT */
/*
 * samples.h - the samples of a trace, which may not fit into memory.
 *
 * Each thread has a series of samples in order of time, at about six bytes each; long ones go into
 * a temporary file (base/spool.h). Samples are added in the order of the trace, and can be walked
 * any number of times:
 *
 *	struct sample_walk walk;
 *	struct model_sample sample;
 *
 *	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
 *	while (sample_walk_next(&walk, &sample))
 *		...
 *	sample_walk_end(&walk);
 *
 * This goes thread by thread; sample_walk_thread() walks a single thread, and
 * samples_by_time_next() all threads in order of time.
 */
#ifndef MODEL_SAMPLES_H
#define MODEL_SAMPLES_H

#include "base/merge_heap.h"
#include "base/recorded_stack.h"
#include "base/spool.h"
#include "model/entities.h"

/*
 * The kernel's samples have their own weight, and all have it in samples that are `weighed`. Any
 * other sample lasts until its thread is seen again, which a walk finds by looking ahead:
 */
enum sample_until {
	UNTIL_NOTHING, /* weights are not needed */
	UNTIL_SAMPLE,  /* seen by the runtime's sampler; events have no weight */
	UNTIL_EVENT,   /* seen by the sampler or in an event */
};

struct sample_series {
	struct reel reel;
	struct model_sample last; /* added */
	uint64_t count;
	int64_t sampled_ns; /* time of the last sample by the sampler */
	bool sampled;
	bool disordered; /* a sample is older than the previous one */
};

struct samples {
	struct spool *shared; /* NULL: uses `own` */
	struct spool own;
	struct sample_series *series; /* by thread */
	size_t series_count;
	uint64_t counts[SAMPLE_KINDS]; /* without parts */
	bool weighed; /* every sample is added with its weight, which is then the last word */
	const uint32_t *stacks_now; /* by recorded stack: its node; NULL: nodes were added */
	uint64_t gaps;		/* between consecutive samples by the sampler, over all threads */
	int64_t longest_gap_ns; /* of those; INT64_MAX: unknown */
	int64_t last_ns;	/* weight of the last sample of a thread; see model_weigh() */
};

void samples_add(struct samples *samples, const struct model_sample *sample);

/* While the trace is read: sets `stack`, which walks translate by `stacks_now`. */
void samples_add_recorded(struct samples *samples, struct recorded_stack stack,
			  struct model_sample *sample);

void samples_release(struct samples *samples); /* before the shared spool */

/* Called after the last sample is added: sorts series that were not in order in the trace. */
void samples_sort(struct samples *samples);

/* Rewrites all samples as modified by `change`, which sees current stack numbers. */
void samples_rewrite(struct samples *samples, void (*change)(void *to, struct model_sample *sample),
		     void *to);

static inline uint64_t samples_count(const struct samples *samples)
{
	uint64_t count = 0;

	for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
		count += samples->counts[kind];
	return count;
}

/* Whether there are samples besides events. */
static inline bool samples_has_any(const struct samples *samples)
{
	return samples_count(samples) > samples->counts[SAMPLE_MARK] + samples->counts[SAMPLE_NOTE];
}

static inline bool samples_has_cpu(const struct samples *samples)
{
	return samples->counts[SAMPLE_MANAGED] || samples->counts[SAMPLE_CPU];
}

/* Reads one series; the weight is the one the sample was added with. */
struct series_reader {
	const struct samples *samples;
	struct reel_reader reader;
	struct model_sample sample;
	uint64_t number; /* of the current sample, from 1 */
};

struct sample_walk {
	const struct samples *samples;
	size_t next_thread;
	size_t end_thread;
	enum sample_until until;
	struct series_reader next; /* at the next sample, if `has_next` */
	bool has_next;
	struct series_reader scout; /* looks further ahead, if `next` does not end the sample */
};

void sample_walk_begin(struct sample_walk *walk, const struct samples *samples,
		       enum sample_until until);
void sample_walk_thread(struct sample_walk *walk, const struct samples *samples, uint32_t thread,
			enum sample_until until);
bool sample_walk_next(struct sample_walk *walk, struct model_sample *sample);
void sample_walk_end(struct sample_walk *walk);

/* The same for all threads in order of time. */
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
