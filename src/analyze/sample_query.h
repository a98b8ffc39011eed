/* SPDX-License-Identifier: MIT */
/*
 * sample_query.h - which samples a report is about.
 */
#ifndef ANALYZE_SAMPLE_QUERY_H
#define ANALYZE_SAMPLE_QUERY_H

#include "model/model.h"
#include "pass/event_query.h"

struct sample_query {
	struct event_query events; /* of the same process, thread and time */
	const char *activity;	   /* an id, or a path such as //1/2/; NULL: any */
	bool *activities;	   /* by number of the model: whether it is that, or inside it */
};

/* Finds the activities that `activity` means; false if there is none. */
bool sample_query_find_activities(struct sample_query *query, const struct model *model);
void sample_query_release(struct sample_query *query);

bool sample_query_passes(const struct sample_query *query, const struct model *model,
			 const struct model_sample *sample);

/* The same for what is no sample, and belongs to no activity. */
bool sample_query_passes_at(const struct sample_query *query, const struct model *model,
			    uint32_t thread, int64_t time_ns);

/* How long the stretch of time is that is asked for; 0 if there is none. */
int64_t sample_query_length_ns(const struct sample_query *query, const struct model *model);

/* The part of the sample's weight that lies before `to_ns`; -1 if it does not pass. */
int64_t sample_query_weight(const struct sample_query *query, const struct model *model,
			    const struct model_sample *sample);

/* It was on a processor: sampled there by the kernel, or in managed code by the runtime. */
static inline bool sample_is_cpu(const struct model_sample *sample)
{
	return sample->kind == SAMPLE_MANAGED || sample->kind == SAMPLE_CPU;
}

/*
 * The number of the one process that samples which pass are about; MODEL_NONE for
 * none and for several.
 */
uint32_t sample_query_process(const struct sample_query *query, const struct model *model);

#endif
