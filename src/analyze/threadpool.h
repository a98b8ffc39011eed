/* SPDX-License-Identifier: MIT */
/*
 * threadpool.h - the thread pools of a trace: workers over time, why their number changed,
 * how long work waited for one, and whether it waited in them.
 *
 * There is one pool for each process. Memory grows with the adjustments and with the work that
 * waits at one time, of which POOL_QUEUED at most is followed.
 *
 *	const struct pool_stats *stats = pass_want(&pass, &pool_analysis, NULL);
 *	...
 *	for (size_t i = 0; i < stats->pool_count; i++)
 *		starved += stats->pools[i]->reasons[POOL_STARVATION];
 */
#ifndef ANALYZE_THREADPOOL_H
#define ANALYZE_THREADPOOL_H

#include "analyze/histogram.h"
#include "base/map.h"
#include "pass/pass.h"

#define POOL_QUEUED (1 << 20)
#define POOL_MOST   256	 /* pools; what is of more processes is put together */
#define POOL_OTHERS (-1) /* their process's id */
#define POOL_STEPS  240	 /* of the time line */

/* Why the number of workers changed: ThreadAdjustmentReason of clr/enums.h. */
enum pool_reason {
	POOL_STARVATION = 6,
	POOL_COOPERATIVE_BLOCKING = 8,
	POOL_REASONS = 16, /* those from here on count as the last one */
};

/* Who tells of work that is queued; work that is a task is told by several. */
enum pool_source {
	POOL_WORK,  /* FrameworkEventSource; the runtime itself until .NET 5 */
	POOL_IO,    /* the runtime, of what an operation of the system completes */
	POOL_TASKS, /* TplEventSource */
	POOL_SOURCES,
};

struct pool_adjustment {
	int64_t time_ns;
	uint32_t workers;
	uint32_t reason;
	double throughput; /* items a second, on average */
};

/* What happened in one part of the time. */
struct pool_step {
	uint32_t workers_most;
	uint32_t workers_last;
	uint32_t starved;
	uint32_t items; /* that were begun */
	bool told;	/* of the workers */
};

struct pool {
	int64_t process_id;
	bool has_limits;
	uint32_t min_workers, max_workers;
	uint32_t workers_least, workers_most, workers_last;
	bool workers_told;
	uint64_t started;
	uint64_t stopped;
	uint64_t reasons[POOL_REASONS];
	struct pool_adjustment *adjustments;
	size_t adjustment_count, adjustment_capacity;
	uint64_t throughput_samples;
	double throughput_most; /* items a second */
	struct histogram queues[POOL_SOURCES];
	uint64_t task_waits;	  /* of workers that blocked */
	struct histogram blocked; /* how long; ends are told at a higher level only */
	uint64_t lost;		  /* queued beyond what is followed, or begun but never queued */
	int64_t line_start_ns;
	int64_t line_step_ns;
	struct pool_step line[POOL_STEPS];
	size_t line_count;
};

struct pool_stats {
	struct arena arena;
	struct pool **pools;
	size_t pool_count, pool_capacity;
	struct map by_process;
	struct pool_thread *threads; /* by thread->index */
	size_t thread_count;
	struct pool_queued **buckets; /* work that waits, by hash */
	size_t bucket_count;	      /* 0 or a power of two */
	size_t queued_count;
	struct pool_queued *unused;
	uint64_t seen; /* of all times and processes, but for tasks */
};

extern const struct analysis pool_analysis;

/* The source that knows most of work that is queued: work, or else tasks. */
const struct histogram *pool_queue(const struct pool *pool);

#endif
