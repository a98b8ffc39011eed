/* SPDX-License-Identifier: MIT */
/*
 * samples.h - the samples of a trace, of which there may be more than memory can hold.
 *
 * Each thread has a row of them in order of time, at some six bytes each; long rows go into
 * a temporary file (base/spool.h). They are added in the order in which the trace has them,
 * and read by walking, any number of times:
 *
 *	struct sample_walk walk;
 *	struct model_sample sample;
 *
 *	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
 *	while (sample_walk_next(&walk, &sample))
 *		...
 *	sample_walk_end(&walk);
 *
 * That goes thread by thread; sample_walk_row() goes over one thread only, and
 * samples_by_time.h over all threads at once.
 */
#ifndef MODEL_SAMPLES_H
#define MODEL_SAMPLES_H

#include "base/spool.h"
#include "model/entities.h"

/*
 * How long a sample lasts is found out by looking ahead. The kernel's samples say so
 * themselves; what a thread was seen to do, it does until it is seen the next time:
 */
enum sample_until {
	UNTIL_NOTHING, /* nobody asks */
	UNTIL_SAMPLE,  /* by the runtime's sampler; events last no time */
	UNTIL_EVENT,   /* by the sampler, or by an event that is kept */
};

struct sample_row {
	struct reel reel;
	struct model_sample last; /* that was added */
	uint64_t count;
	int64_t sampled_ns; /* when the sampler saw it last */
	bool sampled;
	bool disordered; /* one is older than the one before it */
};

struct samples {
	struct spool *shared; /* where they are put; NULL: `own` */
	struct spool own;
	struct sample_row *rows; /* by thread */
	size_t row_count;
	uint64_t counts[SAMPLE_KINDS];
	const uint32_t *stacks_now; /* by stack that was added: what it is now; NULL: the same */
	uint64_t gaps;		    /* between the sampler's samples of a thread */
	int64_t longest_gap_ns;	    /* of those; INT64_MAX: not known */
	int64_t last_ns;	    /* what the last one of a thread stands for: see weigh.h */
};

void samples_add(struct samples *samples, const struct model_sample *sample);
void samples_release(struct samples *samples); /* before the spool that is shared */

/* No more are added: rows get in order where the trace was not. */
void samples_settle(struct samples *samples);

/* Writes all of them anew, as `change` has changed them. Stacks are what they are now. */
void samples_rewrite(struct samples *samples, void (*change)(void *to, struct model_sample *sample),
		     void *to);

static inline uint64_t samples_count(const struct samples *samples)
{
	uint64_t count = 0;

	for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
		count += samples->counts[kind];
	return count;
}

/* Those that are more than events. */
static inline bool samples_has_any(const struct samples *samples)
{
	return samples_count(samples) > samples->counts[SAMPLE_MARK] + samples->counts[SAMPLE_NOTE];
}

static inline bool samples_has_cpu(const struct samples *samples)
{
	return samples->counts[SAMPLE_MANAGED] || samples->counts[SAMPLE_CPU];
}

/* Reads one row; the sample's weight is the one that it was added with. */
struct row_reader {
	struct reel_reader reader;
	struct model_sample sample;
	uint64_t number; /* of the sample, from 1 */
};

struct sample_walk {
	const struct samples *samples;
	size_t next_row;
	size_t end_row;
	enum sample_until until;
	struct row_reader next; /* at the sample that comes next, if there is one */
	bool has_next;
	struct row_reader scout; /* looks farther ahead, where that does not end the one before */
};

void sample_walk_begin(struct sample_walk *walk, const struct samples *samples,
		       enum sample_until until);
void sample_walk_row(struct sample_walk *walk, const struct samples *samples, uint32_t thread,
		     enum sample_until until);
bool sample_walk_next(struct sample_walk *walk, struct model_sample *sample);
void sample_walk_end(struct sample_walk *walk);

#endif
