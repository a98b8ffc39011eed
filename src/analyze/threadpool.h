/* SPDX-License-Identifier: MIT */
/*
 * threadpool.h - the thread pools of a trace: workers over time, reasons of adjustments, how long
 * work was queued, and how long workers were blocked.
 *
 * There is one pool per process. Memory grows with the adjustments and with the work that is queued
 * at one time, of which POOL_QUEUED items at most are tracked.
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
#define POOL_MOST   256	 /* pools; those of further processes are merged */
#define POOL_OTHERS (-1) /* the process id of merged ones */
#define POOL_STEPS  240	 /* of the timeline */

/* Why the number of workers changed: ThreadAdjustmentReason of clr/enums.h. */
enum pool_reason {
	POOL_STARVATION = 6,
	POOL_COOPERATIVE_BLOCKING = 8,
	POOL_REASONS = 16, /* larger ones count as the last one */
};

/* What reports queued work; tasks are reported by several. */
enum pool_source {
	POOL_WORK,  /* FrameworkEventSource; the runtime itself until .NET 5 */
	POOL_IO,    /* the runtime, for completions of I/O */
	POOL_TASKS, /* TplEventSource */
	POOL_SOURCES,
};

struct pool_adjustment {
	int64_t time_ns;
	uint32_t workers;
	uint32_t reason;
	double throughput; /* average, items per second */
};

/* A step of the timeline. */
struct pool_step {
	uint32_t workers_most;
	uint32_t workers_last;
	uint32_t starved;
	uint32_t items; /* dequeued */
	bool has_workers;
};

struct pool {
	int64_t process_id;
	bool has_limits;
	uint32_t min_workers, max_workers;
	uint32_t workers_least, workers_most, workers_last;
	bool has_workers;
	uint64_t started;
	uint64_t stopped;
	uint64_t reasons[POOL_REASONS];
	struct pool_adjustment *adjustments;
	size_t adjustment_count, adjustment_capacity;
	uint64_t throughput_samples;
	double throughput_most; /* items per second */
	struct histogram queues[POOL_SOURCES];
	uint64_t task_waits;	  /* of workers, synchronous */
	struct histogram blocked; /* their times; ends are recorded at a higher level only */
	uint64_t lost;		  /* queued beyond POOL_QUEUED, or dequeued but never queued */
	int64_t line_start_ns;
	int64_t line_step_ns;
	struct pool_step line[POOL_STEPS];
	size_t line_count;
};

struct pool_stats {
	struct pool **pools;
	size_t pool_count, pool_capacity;
	struct map by_process;
	struct pool_thread *threads; /* by thread->index */
	size_t thread_count;
	struct map queued; /* by hash of process, source and id */
	struct pool_queued *unused;
	uint64_t seen; /* all events but those of tasks, wanted by the query or not */
};

extern const struct analysis pool_analysis;

/* The source with most of the queued work: work items, or else tasks. */
const struct histogram *pool_queue(const struct pool *pool);

#endif
