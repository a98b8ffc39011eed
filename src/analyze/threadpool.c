/* SPDX-License-Identifier: MIT */
#include "analyze/threadpool.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define RUNTIME	      CLR_RUNTIME_PROVIDER
#define FIRST_STEP_NS (1000 * 1000)

/* Ids of events of managed event sources. */
enum {
	TPL_TASK_SCHEDULED = 7,
	TPL_TASK_STARTED = 8,
	TPL_WAIT_BEGIN = 10,
	TPL_WAIT_END = 11,
	FRAMEWORK_ENQUEUE = 30,
	FRAMEWORK_DEQUEUE = 31,
};

/* Work that waits for a thread. */
struct pool_queued {
	struct pool_queued *next; /* in the list of those free for reuse */
	int64_t since_ns;
};

struct pool_thread {
	bool worker;
	bool blocked; /* in a wait for a task */
	int64_t blocked_ns;
};

static struct pool *pool_of(struct pool_stats *stats, const struct event_context *at)
{
	int64_t id = at->event->thread->process_id;
	struct pool *pool = map_find(&stats->by_process, (uint64_t)id);

	if (!pool && stats->pool_count >= POOL_MOST - 1) {
		id = POOL_OTHERS;
		pool = map_find(&stats->by_process, (uint64_t)id);
	}
	if (pool)
		return pool;
	pool = arena_new(&at->pass->arena, struct pool);
	pool->process_id = id;
	pool->line_step_ns = FIRST_STEP_NS;
	map_put(&stats->by_process, (uint64_t)id, pool);
	stats->pools = xgrow(stats->pools, stats->pool_count, &stats->pool_capacity,
			     sizeof(struct pool *));
	stats->pools[stats->pool_count++] = pool;
	return pool;
}

static struct pool_thread *thread_of(struct pool_stats *stats, const struct pp_thread *thread)
{
	stats->threads =
		xroom(stats->threads, &stats->thread_count, thread->index, sizeof(*stats->threads));
	return &stats->threads[thread->index];
}

/* Two steps become one, so that the line spans twice the time. */
static void halve(struct pool *pool)
{
	for (size_t i = 0; i < POOL_STEPS / 2; i++) {
		const struct pool_step *a = &pool->line[2 * i];
		const struct pool_step *b = a + 1;

		pool->line[i] = (struct pool_step){
			.workers_most = a->workers_most > b->workers_most ? a->workers_most
									  : b->workers_most,
			.workers_last = b->has_workers ? b->workers_last : a->workers_last,
			.starved = a->starved + b->starved,
			.items = a->items + b->items,
			.has_workers = a->has_workers || b->has_workers,
		};
	}
	memset(pool->line + POOL_STEPS / 2, 0, POOL_STEPS / 2 * sizeof(pool->line[0]));
	pool->line_count = (pool->line_count + 1) / 2;
	pool->line_step_ns *= 2;
}

static struct pool_step *step_at(struct pool *pool, int64_t time_ns)
{
	int64_t since_ns;
	size_t step;

	if (!pool->line_count) {
		pool->line_count = 1;
		pool->line_start_ns = time_ns;
	}
	since_ns = ns_between(pool->line_start_ns, time_ns);
	if (since_ns <= 0)
		return &pool->line[0];
	while (since_ns / pool->line_step_ns >= POOL_STEPS)
		halve(pool);
	step = (size_t)(since_ns / pool->line_step_ns);
	if (step >= pool->line_count)
		pool->line_count = step + 1;
	return &pool->line[step];
}

static void set_workers(struct pool *pool, struct pool_step *step, uint32_t workers)
{
	step->has_workers = true;
	step->workers_last = workers;
	if (workers > step->workers_most)
		step->workers_most = workers;
	if (!pool->has_workers || workers < pool->workers_least)
		pool->workers_least = workers;
	if (workers > pool->workers_most)
		pool->workers_most = workers;
	pool->workers_last = workers;
	pool->has_workers = true;
}

static void take_workers(void *self, const struct event_context *at)
{
	const uint32_t id = at->event->kind->id;
	struct pool_stats *stats = self;
	struct pool *pool = pool_of(stats, at);

	stats->seen++;
	thread_of(stats, at->event->thread)->worker = id != CLR_THREAD_POOL_WORKER_THREAD_STOP;
	if (!at->wanted || !at->values[0].known)
		return;
	set_workers(pool, step_at(pool, at->time_ns), (uint32_t)at->values[0].number);
	pool->started += id == CLR_THREAD_POOL_WORKER_THREAD_START;
	pool->stopped += id == CLR_THREAD_POOL_WORKER_THREAD_STOP;
}

static double throughput_of(const struct field_value *value)
{
	const double real = field_real(value);

	return real >= 0 && real < 1e18 ? real : 0;
}

static void take_sample(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	const double throughput = throughput_of(&at->values[0]);
	struct pool *pool = pool_of(stats, at);

	stats->seen++;
	if (!at->wanted)
		return;
	pool->throughput_samples++;
	if (throughput > pool->throughput_most)
		pool->throughput_most = throughput;
}

enum { ADJUSTMENT_THROUGHPUT, ADJUSTMENT_WORKERS, ADJUSTMENT_REASON };
static const char adjustment_fields[] = "AverageThroughput NewWorkerThreadCount Reason";

static void take_adjustment(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	const struct field_value *values = at->values;
	const uint32_t reason = (uint32_t)values[ADJUSTMENT_REASON].number;
	struct pool *pool = pool_of(stats, at);

	stats->seen++;
	if (!at->wanted || !values[ADJUSTMENT_REASON].known)
		return;
	pool->reasons[reason < POOL_REASONS ? reason : POOL_REASONS - 1]++;
	if (reason == POOL_STARVATION)
		step_at(pool, at->time_ns)->starved++;
	pool->adjustments = xgrow(pool->adjustments, pool->adjustment_count,
				  &pool->adjustment_capacity, sizeof(*pool->adjustments));
	pool->adjustments[pool->adjustment_count++] = (struct pool_adjustment){
		.time_ns = at->time_ns,
		.workers = (uint32_t)values[ADJUSTMENT_WORKERS].number,
		.reason = reason,
		.throughput = throughput_of(&values[ADJUSTMENT_THROUGHPUT]),
	};
}

static const char limit_fields[] = "MinWorkerThreads MaxWorkerThreads";

static void take_limits(void *self, const struct event_context *at)
{
	struct pool *pool = pool_of(self, at);

	pool->has_limits = at->values[1].known;
	pool->min_workers = (uint32_t)at->values[0].number;
	pool->max_workers = (uint32_t)at->values[1].number;
}

static enum pool_source source_of(const struct event_context *at)
{
	switch (at->event->kind->id) {
	case CLR_THREAD_POOL_IO_ENQUEUE:
	case CLR_THREAD_POOL_IO_DEQUEUE:
		return POOL_IO;
	case TPL_TASK_SCHEDULED:
	case TPL_TASK_STARTED:
		return POOL_TASKS;
	default:
		return POOL_WORK;
	}
}

/* Ids are reused, so the newest of an id is meant. */
static uint64_t queued_key(const struct event_context *at, enum pool_source source)
{
	const uint64_t process = (uint64_t)at->event->thread->process_id;

	return hash_mix(hash_u64(at->values[0].number), process * POOL_SOURCES + source);
}

static void take_enqueue(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	const enum pool_source source = source_of(at);
	const uint64_t key = queued_key(at, source);
	struct pool_queued *queued = map_find(&stats->queued, key);

	stats->seen += source != POOL_TASKS;
	if (!queued && stats->queued.count == POOL_QUEUED) {
		pool_of(stats, at)->lost++;
		return;
	}
	if (!queued) {
		queued = stats->unused;
		if (queued)
			stats->unused = queued->next;
		else
			queued = arena_new(&at->pass->arena, struct pool_queued);
		map_put(&stats->queued, key, queued);
	}
	queued->since_ns = at->time_ns;
}

static void take_dequeue(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	const enum pool_source source = source_of(at);
	const uint64_t key = queued_key(at, source);
	struct pool_queued *queued = map_find(&stats->queued, key);
	struct pool *pool = pool_of(stats, at);
	int64_t waited_ns;

	stats->seen += source != POOL_TASKS;
	if (source == POOL_WORK)
		thread_of(stats, at->event->thread)->worker = true;
	if (!queued) {
		pool->lost += at->wanted;
		return;
	}
	waited_ns = ns_between(queued->since_ns, at->time_ns);
	map_remove(&stats->queued, key);
	queued->next = stats->unused;
	stats->unused = queued;
	if (!at->wanted)
		return;
	histogram_add(&pool->queues[source], waited_ns > 0 ? (uint64_t)waited_ns : 0);
	if (pool_queue(pool) == &pool->queues[source])
		step_at(pool, at->time_ns)->items++;
}

#define SYNCHRONOUS 1 /* a wait that blocks its thread */

static void take_task_wait(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	struct pool_thread *thread = thread_of(stats, at->event->thread);

	thread->blocked = at->values[0].number == SYNCHRONOUS;
	thread->blocked_ns = at->time_ns;
	if (thread->blocked && thread->worker && at->wanted)
		pool_of(stats, at)->task_waits++;
}

static void take_task_wait_end(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	struct pool_thread *thread = thread_of(stats, at->event->thread);
	const int64_t time_ns = ns_between(thread->blocked_ns, at->time_ns);

	if (thread->blocked && thread->worker && at->wanted)
		histogram_add(&pool_of(stats, at)->blocked, time_ns > 0 ? (uint64_t)time_ns : 0);
	thread->blocked = false;
}

static const struct event_row rows[] = {
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_START, NULL, "ActiveWorkerThreadCount",
	  take_workers },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_STOP, NULL, "ActiveWorkerThreadCount",
	  take_workers },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_WAIT, NULL, "ActiveWorkerThreadCount",
	  take_workers },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_ADJUSTMENT_SAMPLE, NULL, "Throughput",
	  take_sample },
	{ RUNTIME, CLR_THREAD_POOL_WORKER_THREAD_ADJUSTMENT_ADJUSTMENT, NULL, adjustment_fields,
	  take_adjustment },
	{ RUNTIME, CLR_THREAD_POOL_MIN_MAX_THREADS, NULL, limit_fields, take_limits },
	{ RUNTIME, CLR_THREAD_POOL_ENQUEUE, NULL, "WorkID", take_enqueue },
	{ RUNTIME, CLR_THREAD_POOL_DEQUEUE, NULL, "WorkID", take_dequeue },
	{ RUNTIME, CLR_THREAD_POOL_IO_ENQUEUE, NULL, "NativeOverlapped", take_enqueue },
	{ RUNTIME, CLR_THREAD_POOL_IO_DEQUEUE, NULL, "NativeOverlapped", take_dequeue },
	{ FRAMEWORK_PROVIDER, FRAMEWORK_ENQUEUE, NULL, "workID", take_enqueue },
	{ FRAMEWORK_PROVIDER, FRAMEWORK_DEQUEUE, NULL, "workID", take_dequeue },
	{ TPL_PROVIDER, TPL_TASK_SCHEDULED, NULL, "TaskID", take_enqueue },
	{ TPL_PROVIDER, TPL_TASK_STARTED, NULL, "TaskID", take_dequeue },
	{ TPL_PROVIDER, TPL_WAIT_BEGIN, NULL, "Behavior", take_task_wait },
	{ TPL_PROVIDER, TPL_WAIT_END, NULL, NULL, take_task_wait_end },
	{ 0 },
};

static void release(void *self)
{
	struct pool_stats *stats = self;

	for (size_t i = 0; i < stats->pool_count; i++)
		xfree(stats->pools[i]->adjustments);
	xfree(stats->pools);
	xfree(stats->threads);
	map_release(&stats->queued);
	map_release(&stats->by_process);
}

const struct analysis pool_analysis = {
	.name = "threadpool",
	.size = sizeof(struct pool_stats),
	.rows = rows,
	.release = release,
};

const struct histogram *pool_queue(const struct pool *pool)
{
	return &pool->queues[pool->queues[POOL_WORK].count ? POOL_WORK : POOL_TASKS];
}
