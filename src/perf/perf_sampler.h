/* SPDX-License-Identifier: MIT */
/*
 * perf_sampler.h - samples of a process and all that it starts, on every processor.
 *
 * Each processor has its own ring: records of one are in order, those of several have to be
 * sorted by their times.
 *
 *	struct perf_sampler *sampler = perf_sampler_open(&options, 256, &err);
 *
 *	while (perf_sampler_wait(sampler, -1))
 *		while (perf_sampler_next(sampler, &record, &err) > 0)
 *			...
 *	perf_sampler_close(sampler);
 */
#ifndef PERF_SAMPLER_H
#define PERF_SAMPLER_H

#include "perf/perf_event.h"

struct perf_sampler;

/* `cpu` and `inherit` of the options do not count. `pages` of each ring, a power of 2. */
struct perf_sampler *perf_sampler_open(const struct perf_options *options, size_t pages,
				       struct pp_error *err);
void perf_sampler_close(struct perf_sampler *sampler); /* accepts NULL */

int perf_sampler_enable(struct perf_sampler *sampler, struct pp_error *err);
int perf_sampler_disable(struct perf_sampler *sampler, struct pp_error *err);

/*
 * Waits for records, at most this many milliseconds; -1: for as long as it takes. False: all
 * threads have ended, and what is left in the rings is all there will be.
 */
bool perf_sampler_wait(struct perf_sampler *sampler, int milliseconds);

/* 1: a record, valid until the next call; 0: there is none now; -1: an error. */
int perf_sampler_next(struct perf_sampler *sampler, struct perf_record *record,
		      struct pp_error *err);

uint64_t perf_sampler_lost(const struct perf_sampler *sampler);

#endif
