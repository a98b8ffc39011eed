/* SPDX-License-Identifier: MIT */
/*
 * derived_samples.h - samples that are made of events which are none, such as allocations.
 *
 *	derived_samples_add(derived, &(const struct derived_sample){
 *		.time_ns = item->time_ns, .weight = item->bytes, .stack = item->stack, ... });
 */
#ifndef EXPORT_DERIVED_SAMPLES_H
#define EXPORT_DERIVED_SAMPLES_H

#include "base/strings.h"
#include "model/model.h"

struct derived_samples {
	struct fill *fill;	 /* while the trace is read: numbers of threads */
	struct strings *strings; /* where leaves are kept */
	struct samples samples;
	const char **leaves; /* by a sample's leaf - 1 */
	size_t leaf_count, leaf_capacity;
	struct map leaves_by_text;
	bool from_ticks; /* allocations: ticks were met, and samples do not count any more */
};

struct derived_sample {
	int64_t time_ns;
	uint64_t weight; /* nanoseconds, bytes or a count */
	const struct pp_thread *thread;
	uint32_t stack; /* before model_build() */
	uint32_t link;
	const char *leaf; /* a frame below the stack that says what it is; NULL or "": none */
};

void derived_samples_add(struct derived_samples *derived, const struct derived_sample *sample);
void derived_samples_clear(struct derived_samples *derived);
void derived_samples_release(struct derived_samples *derived);

#endif
