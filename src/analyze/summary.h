/* SPDX-License-Identifier: MIT */
/*
 * summary.h - all analyses of the runtime's events in one pass, and the figures they come to.
 *
 * Which analyses want a kind of event is found once and kept as bits, so that an event that
 * nobody wants costs one look. Give it every event in order of time; the figures can be had
 * once the model is filled, and refer to the summary and the model.
 *
 *	struct summary summary;
 *	struct summary_figures figures;
 *
 *	summary_init(&summary, &query);
 *	takers = summary_takers(&summary, event->kind);
 *	if (takers)
 *		summary_add(&summary, header, event, &(struct summary_place){ takers, stack });
 *	summary_finish(&summary, &model, &figures);
 *	summary_release(&summary);
 */
#ifndef ANALYZE_SUMMARY_H
#define ANALYZE_SUMMARY_H

#include "analyze/allocations.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "analyze/gc.h"
#include "analyze/jit.h"
#include "analyze/requests.h"
#include "analyze/sample_query.h"
#include "analyze/threadpool.h"

enum summary_taker {
	SUMMARY_GC = 1 << 0,
	SUMMARY_JIT = 1 << 1,
	SUMMARY_ALLOC = 1 << 2,
	SUMMARY_EXCEPTIONS = 1 << 3,
	SUMMARY_CONTENTION = 1 << 4,
	SUMMARY_POOLS = 1 << 5,
	SUMMARY_REQUESTS = 1 << 6,
	SUMMARY_RUNTIME = 1 << 7,
	SUMMARY_STACKS = SUMMARY_ALLOC | SUMMARY_EXCEPTIONS | SUMMARY_CONTENTION,
	SUMMARY_MET = 1 << 15,
};

enum { /* of StartupFlags */
       SUMMARY_CONCURRENT_GC = 0x1,
       SUMMARY_SERVER_GC = 0x1000,
};

struct summary_runtime {
	bool told;
	uint32_t version[3];
	uint32_t flags; /* StartupFlags */
};

struct summary {
	const struct sample_query *query;
	bool all; /* it asks for everything */
	struct gc_stats gc;
	struct jit_stats jit;
	struct alloc_stats alloc;
	struct exception_stats exceptions;
	struct contention_stats contention;
	struct pool_stats pools;
	struct requests requests;
	struct watch runtime_watch;
	struct summary_runtime runtime;
	uint16_t *takers; /* by kind->index: bits of enum summary_taker */
	size_t kind_count;
};

/* What the caller knows of an event. */
struct summary_place {
	unsigned takers;
	uint32_t stack; /* only if one of SUMMARY_STACKS is among them */
};

/* What findings are made from. What was not recorded is 0, and not told. */
struct summary_figures {
	double seconds;
	uint64_t events;
	uint64_t lost;

	bool gc_told;
	struct gc_summary gc;
	double pause_percent;
	uint64_t pauses_long; /* of SUMMARY_LONG_PAUSE and more */
	int64_t pauses_long_ns;

	bool alloc_told;
	enum alloc_source alloc_source;
	uint64_t alloc_bytes;
	uint64_t large_bytes;
	const char *large_type; /* of which most large bytes are; or NULL */

	bool jit_told;
	struct jit_summary jit;
	uint64_t jit_dynamic; /* methods that the program made itself */
	uint64_t jit_quick;   /* compiled quickly, to be compiled again if they run often */
	uint64_t jit_at_once; /* optimized at once, and no dynamic methods */

	bool exceptions_told;
	uint64_t exceptions;
	uint64_t exceptions_caught;
	bool catches_told;
	const char *exception_type; /* the most frequent; or NULL */
	const char *thrown_in;

	bool contention_told;
	struct contention_sum contention;
	struct contention_sum lock; /* that was waited for longest */
	uint32_t lock_waiting_most;
	const char *waited_in;

	bool pools_told;
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

/* So many a second, as a whole number. */
static inline uint64_t summary_rate(const struct summary_figures *figures, uint64_t count)
{
	const double rate = figures->seconds > 0 ? (double)count / figures->seconds : 0;

	return rate < 9e18 ? (uint64_t)rate : UINT64_MAX;
}

#define SUMMARY_LONG_PAUSE (25 * 1000 * 1000) /* ns */

void summary_init(struct summary *summary, const struct sample_query *query);
void summary_release(struct summary *summary);

/* Finds them for a kind that is met for the first time. */
unsigned summary_meet(struct summary *summary, const struct pp_kind *kind);

static inline unsigned summary_takers(struct summary *summary, const struct pp_kind *kind)
{
	if (kind->index < summary->kind_count && summary->takers[kind->index])
		return summary->takers[kind->index] & ~(unsigned)SUMMARY_MET;
	return summary_meet(summary, kind);
}

void summary_add(struct summary *summary, const struct pp_trace_header *header,
		 const struct pp_event *event, const struct summary_place *place);

/* Ends all analyses. */
void summary_finish(struct summary *summary, const struct model *model,
		    struct summary_figures *figures);

/* How long workers of pools had work, and stood still in it, by samples. */
void summary_add_pool_samples(struct summary_figures *figures, const struct model *model,
			      const struct sample_query *query);

/* The first frame of a stack that is not of the runtime's own throwing and waiting; or NULL. */
const char *summary_where(const struct model *model, uint32_t stack);

#endif
