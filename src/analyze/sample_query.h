/* SPDX-License-Identifier: MIT */
/*
 * sample_query.h - which samples a report is about: of a process, a thread, a time, an activity,
 * with certain stacks.
 */
#ifndef ANALYZE_SAMPLE_QUERY_H
#define ANALYZE_SAMPLE_QUERY_H

#include "analyze/calltree.h"
#include "pass/event_query.h"

struct sample_query {
	struct event_query events;     /* of the same process, thread and time */
	const char *activity;	       /* an id, or a path such as //1/2/; NULL: any */
	bool *activities;	       /* by number of the model: that one or nested in it */
	const struct calltree *stacks; /* those that pass it; NULL: any */
};

/* Sets `activities` by `activity`; false if there is none. */
bool sample_query_find_activities(struct sample_query *query, const struct model *model);
void sample_query_release(struct sample_query *query);

bool sample_query_passes(const struct sample_query *query, const struct model *model,
			 const struct model_sample *sample);

bool sample_query_passes_stack(const struct sample_query *query, uint32_t stack);

/* `activity` is a number of the model, or MODEL_NONE. */
bool sample_query_passes_activity(const struct sample_query *query, uint32_t activity);

/* The same for what is not a sample and has no activity. */
bool sample_query_passes_at(const struct sample_query *query, const struct model *model,
			    uint32_t thread, int64_t time_ns);

/* The length of the time that is asked for, within the trace. */
int64_t sample_query_length_ns(const struct sample_query *query, const struct model *model);

/* The part of the sample's weight that lies before `to_ns`; -1 if it does not pass. */
int64_t sample_query_weight(const struct sample_query *query, const struct model *model,
			    const struct model_sample *sample);

/* On-CPU: sampled by the kernel, or in managed code by the runtime. */
static inline bool sample_is_cpu(const struct model_sample *sample)
{
	return sample->kind == SAMPLE_MANAGED || sample->kind == SAMPLE_CPU;
}

/* The process of all samples that pass; MODEL_NONE if there are none, or several processes. */
uint32_t sample_query_process(const struct sample_query *query, const struct model *model);

#endif
