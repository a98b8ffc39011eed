/* SPDX-License-Identifier: MIT */
#include "analyze/threadpool.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

#define FIRST_STEP_NS (1000 * 1000)

/* Work that waits for a thread. */
struct pool_queued {
	struct pool_queued *next;
	uint64_t hash;
	uint64_t id;
	int64_t process_id;
	int64_t since_ns;
	enum pool_source source;
};

struct pool_thread {
	bool worker;
	bool blocked; /* it waits for a task */
	int64_t blocked_ns;
};

/* No trace has so many processes, but a file may say so: then the last ones share one. */
static int64_t process_of(const struct pool_stats *stats, const struct event_context *at)
{
	const int64_t id = at->event->thread->process_id;
	const bool known = map_find(&stats->by_process, (uint64_t)id);

	return known || stats->pool_count < POOL_MOST - 1 ? id : POOL_OTHERS;
}

static struct pool *pool_of(struct pool_stats *stats, const struct event_context *at)
{
	const int64_t id = process_of(stats, at);
	struct pool *pool = map_find(&stats->by_process, (uint64_t)id);

	if (pool)
		return pool;
	pool = arena_new(&stats->arena, struct pool);
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

/* Two steps become one, and the line has room for twice the time. */
static void halve(struct pool *pool)
{
	for (size_t i = 0; i < POOL_STEPS / 2; i++) {
		const struct pool_step *a = &pool->line[2 * i];
		const struct pool_step *b = a + 1;

		pool->line[i] = (struct pool_step){
			.workers_most = a->workers_most > b->workers_most ? a->workers_most
									  : b->workers_most,
			.workers_last = b->told ? b->workers_last : a->workers_last,
			.starved = a->starved + b->starved,
			.items = a->items + b->items,
			.told = a->told || b->told,
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

enum { WORKERS_ACTIVE };
static struct pool *note_workers(struct pool_stats *stats, const struct event_context *at)
{
	const uint32_t workers = (uint32_t)at->values[WORKERS_ACTIVE].number;
	struct pool *pool = pool_of(stats, at);
	struct pool_step *step;

	stats->seen++;
	if (!at->wanted || !at->values[WORKERS_ACTIVE].known)
		return NULL;
	step = step_at(pool, at->time_ns);
	step->told = true;
	step->workers_last = workers;
	if (workers > step->workers_most)
		step->workers_most = workers;
	if (!pool->workers_told || workers < pool->workers_least)
		pool->workers_least = workers;
	if (workers > pool->workers_most)
		pool->workers_most = workers;
	pool->workers_last = workers;
	pool->workers_told = true;
	return pool;
}

static void take_worker_start(void *self, const struct event_context *at)
{
	struct pool *pool = note_workers(self, at);

	thread_of(self, at->event->thread)->worker = true;
	if (pool)
		pool->started++;
}

static void take_worker_stop(void *self, const struct event_context *at)
{
	struct pool *pool = note_workers(self, at);

	thread_of(self, at->event->thread)->worker = false;
	if (pool)
		pool->stopped++;
}

static void take_worker_wait(void *self, const struct event_context *at)
{
	note_workers(self, at);
	thread_of(self, at->event->thread)->worker = true;
}

static double real_of(const struct field_value *picked)
{
	double real = 0;

	if (picked->known)
		memcpy(&real, &picked->number, sizeof(real));
	return real >= 0 && real < 1e18 ? real : 0;
}

static void take_sample(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	const double throughput = real_of(&at->values[0]);
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
		.throughput = real_of(&values[ADJUSTMENT_THROUGHPUT]),
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

/* Ids are used again, so the newest of an id is meant. */
static struct pool_queued **find_queued(const struct pool_stats *stats,
					const struct pool_queued *like)
{
	struct pool_queued **at;

	if (!stats->bucket_count)
		return NULL;
	at = &stats->buckets[like->hash & (stats->bucket_count - 1)];
	while (*at && ((*at)->id != like->id || (*at)->source != like->source ||
		       (*at)->process_id != like->process_id))
		at = &(*at)->next;
	return *at ? at : NULL;
}

static void grow_buckets(struct pool_stats *stats)
{
	const size_t count = stats->bucket_count ? 2 * stats->bucket_count : 256;
	struct pool_queued **buckets = xcalloc(count, sizeof(struct pool_queued *));

	for (size_t i = 0; i < stats->bucket_count; i++) {
		struct pool_queued *queued = stats->buckets[i];

		while (queued) {
			struct pool_queued *next = queued->next;
			struct pool_queued **bucket = &buckets[queued->hash & (count - 1)];

			queued->next = *bucket;
			*bucket = queued;
			queued = next;
		}
	}
	free(stats->buckets);
	stats->buckets = buckets;
	stats->bucket_count = count;
}

static struct pool_queued queued_like(const struct event_context *at, enum pool_source source)
{
	const uint64_t id = at->values[0].number;
	const int64_t process_id = at->event->thread->process_id;

	return (struct pool_queued){
		.hash = hash_u64(id ^ (uint64_t)process_id << 40 ^ (uint64_t)source << 62),
		.id = id,
		.process_id = process_id,
		.since_ns = at->time_ns,
		.source = source,
	};
}

static void enqueue(struct pool_stats *stats, const struct event_context *at,
		    enum pool_source source)
{
	const struct pool_queued like = queued_like(at, source);
	struct pool_queued **known = find_queued(stats, &like);
	struct pool_queued *queued = stats->unused;

	stats->seen += source != POOL_TASKS;
	if (known) { /* its begin was lost */
		(*known)->since_ns = like.since_ns;
		return;
	}
	if (stats->queued_count == POOL_QUEUED) {
		pool_of(stats, at)->lost++;
		return;
	}
	if (stats->queued_count == stats->bucket_count)
		grow_buckets(stats);
	if (queued)
		stats->unused = queued->next;
	else
		queued = arena_new(&stats->arena, struct pool_queued);
	*queued = like;
	queued->next = stats->buckets[like.hash & (stats->bucket_count - 1)];
	stats->buckets[like.hash & (stats->bucket_count - 1)] = queued;
	stats->queued_count++;
}

/* It has waited until now. */
static void dequeue(struct pool_stats *stats, const struct event_context *at,
		    enum pool_source source)
{
	const struct pool_queued like = queued_like(at, source);
	struct pool_queued **known = find_queued(stats, &like);
	struct pool_queued *queued = known ? *known : NULL;
	struct pool *pool = pool_of(stats, at);
	int64_t waited_ns;

	stats->seen += source != POOL_TASKS;
	if (!queued) {
		pool->lost += at->wanted;
		return;
	}
	waited_ns = ns_between(queued->since_ns, at->time_ns);
	*known = queued->next;
	queued->next = stats->unused;
	stats->unused = queued;
	stats->queued_count--;
	if (!at->wanted)
		return;
	histogram_add(&pool->queues[source], waited_ns > 0 ? (uint64_t)waited_ns : 0);
	if (pool_queue(pool) == &pool->queues[source])
		step_at(pool, at->time_ns)->items++;
}

static void take_enqueue(void *self, const struct event_context *at)
{
	enqueue(self, at, POOL_WORK);
}

static void take_dequeue(void *self, const struct event_context *at)
{
	thread_of(self, at->event->thread)->worker = true;
	dequeue(self, at, POOL_WORK);
}

static void take_io_enqueue(void *self, const struct event_context *at)
{
	enqueue(self, at, POOL_IO);
}

static void take_io_dequeue(void *self, const struct event_context *at)
{
	dequeue(self, at, POOL_IO);
}

static void take_task_enqueue(void *self, const struct event_context *at)
{
	enqueue(self, at, POOL_TASKS);
}

static void take_task_dequeue(void *self, const struct event_context *at)
{
	dequeue(self, at, POOL_TASKS);
}

#define WAITS_HERE 1 /* a wait that blocks its thread */

static void take_task_wait(void *self, const struct event_context *at)
{
	struct pool_stats *stats = self;
	struct pool_thread *thread = thread_of(stats, at->event->thread);

	thread->blocked = at->values[0].number == WAITS_HERE;
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
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_WORKER_THREAD_START, NULL,
	  "ActiveWorkerThreadCount", take_worker_start },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_WORKER_THREAD_STOP, NULL, "ActiveWorkerThreadCount",
	  take_worker_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_WORKER_THREAD_WAIT, NULL, "ActiveWorkerThreadCount",
	  take_worker_wait },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_WORKER_THREAD_ADJUSTMENT_SAMPLE, NULL, "Throughput",
	  take_sample },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_WORKER_THREAD_ADJUSTMENT_ADJUSTMENT, NULL,
	  adjustment_fields, take_adjustment },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_MIN_MAX_THREADS, NULL, limit_fields, take_limits },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_ENQUEUE, NULL, "WorkID", take_enqueue },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_DEQUEUE, NULL, "WorkID", take_dequeue },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_IO_ENQUEUE, NULL, "NativeOverlapped",
	  take_io_enqueue },
	{ CLR_RUNTIME_PROVIDER, CLR_THREAD_POOL_IO_DEQUEUE, NULL, "NativeOverlapped",
	  take_io_dequeue },
	{ FRAMEWORK_PROVIDER, 30, NULL, "workID", take_enqueue },
	{ FRAMEWORK_PROVIDER, 31, NULL, "workID", take_dequeue },
	{ TPL_PROVIDER, 7, NULL, "TaskID", take_task_enqueue },
	{ TPL_PROVIDER, 8, NULL, "TaskID", take_task_dequeue },
	{ TPL_PROVIDER, 10, NULL, "Behavior", take_task_wait },
	{ TPL_PROVIDER, 11, NULL, NULL, take_task_wait_end },
	{ 0 },
};

static void release(void *self)
{
	struct pool_stats *stats = self;

	for (size_t i = 0; i < stats->pool_count; i++)
		free(stats->pools[i]->adjustments);
	free(stats->pools);
	free(stats->threads);
	free(stats->buckets);
	map_release(&stats->by_process);
	arena_release(&stats->arena);
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
