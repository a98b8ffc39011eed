/* SPDX-License-Identifier: MIT */
/*
 * sample_query.h - which samples a report is about.
 */
#ifndef ANALYZE_SAMPLE_QUERY_H
#define ANALYZE_SAMPLE_QUERY_H

#include "model/model.h"

struct sample_query {
	bool has_process;
	bool has_thread;
	int64_t process_id;
	int64_t thread_id;
	int64_t from_ns;      /* INT64_MIN: from the start; it is included */
	int64_t to_ns;	      /* INT64_MAX: to the end; it is not included */
	const char *activity; /* an id, or a path such as //1/2/; NULL: any */
	bool *activities;     /* by number of the model: whether it is that, or inside it */
};

/* Finds the activities that `activity` means; false if there is none. */
bool sample_query_find_activities(struct sample_query *query, const struct model *model);
void sample_query_release(struct sample_query *query);

bool sample_query_passes(const struct sample_query *query, const struct model *model,
			 const struct model_sample *sample);

/* The same for what is no sample, and belongs to no activity. */
bool sample_query_passes_at(const struct sample_query *query, const struct model *model,
			    uint32_t thread, int64_t time_ns);

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
