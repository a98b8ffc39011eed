/* SPDX-License-Identifier: MIT */
/*
 * summary.h - all analyses of the runtime's events together, and the figures they come to.
 *
 *	for each of summary_analyses: pass_want(&pass, analysis, NULL);
 *	...
 *	struct summary summary = summary_of(&pass);
 *	struct summary_figures figures;
 *	summary_figures_of(&summary, &model, &query, &figures);	(once the model is built)
 */
#ifndef ANALYZE_SUMMARY_H
#define ANALYZE_SUMMARY_H

#include "analyze/allocations.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "analyze/gc.h"
#include "analyze/jit.h"
#include "analyze/requests.h"
#include "analyze/runtime_info.h"
#include "analyze/sample_query.h"
#include "analyze/threadpool.h"

/* They are the pass's. */
struct summary {
	const struct gc_stats *gc;
	const struct jit_stats *jit;
	const struct alloc_stats *alloc;
	const struct exception_stats *exceptions;
	const struct contention_stats *contention;
	const struct pool_stats *pools;
	const struct requests *requests;
	const struct runtime_info *runtime;
};

/* What findings are made from. What was not recorded is 0, and its flag is not set. */
struct summary_figures {
	double seconds;
	uint64_t events;
	uint64_t lost;

	bool gc_recorded;
	struct gc_summary gc;
	double pause_percent;
	uint64_t pauses_long; /* of SUMMARY_LONG_PAUSE and more */
	int64_t pauses_long_ns;

	bool alloc_recorded;
	enum alloc_source alloc_source;
	uint64_t alloc_bytes;
	uint64_t large_bytes;
	const char *large_type; /* of which most large bytes are; or NULL */

	bool jit_recorded;
	struct jit_summary jit;
	uint64_t jit_dynamic; /* methods that the program made itself */
	uint64_t jit_quick;   /* compiled quickly, to be compiled again if they run often */
	uint64_t jit_at_once; /* optimized at once, and no dynamic methods */

	bool exceptions_recorded;
	uint64_t exceptions;
	uint64_t exceptions_caught;
	bool catches_recorded;
	const char *exception_type; /* the most frequent; or NULL */
	const char *thrown_in;

	bool contention_recorded;
	struct contention_sum contention;
	struct contention_sum lock; /* that was waited for longest */
	uint32_t lock_waiting_most;
	const char *waited_in;

	bool pools_recorded;
	uint64_t starved;
	uint64_t cooperative; /* workers added since others blocked in waits for tasks */
	uint32_t workers_most;
	uint64_t queue_count;
	uint64_t queue_max_ns;
	uint64_t task_waits; /* of workers for tasks */
	uint64_t task_waits_ns;
	uint64_t pool_busy_ns;	  /* workers had work */
	uint64_t pool_blocked_ns; /* and stood still in it */
	const char *blocked_in;
};

/* How many per second, as a whole number. */
static inline uint64_t summary_rate(const struct summary_figures *figures, uint64_t count)
{
	const double rate = figures->seconds > 0 ? (double)count / figures->seconds : 0;

	return rate < 9e18 ? (uint64_t)rate : UINT64_MAX;
}

#define SUMMARY_LONG_PAUSE (25 * 1000 * 1000) /* ns */

extern const struct analysis *const summary_analyses[]; /* NULL ends them */

/* Of a pass that has wanted all of them. */
struct summary summary_of(const struct pass *pass);

/* They refer to the summary and the model. */
void summary_figures_of(const struct summary *summary, const struct model *model,
			const struct sample_query *query, struct summary_figures *figures);

/* How long workers of pools had work, and stood still in it, by samples. */
void summary_add_pool_samples(struct summary_figures *figures, const struct model *model,
			      const struct sample_query *query);

/* The first frame of a stack that is not of the runtime's own throwing and waiting; or NULL. */
const char *summary_where(const struct model *model, uint32_t stack);

#endif
