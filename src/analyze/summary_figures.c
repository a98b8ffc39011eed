/* SPDX-License-Identifier: MIT */
/*
 * What the analyses come to, for the part of the trace that is asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/alloc.h"

/* The part of the trace that is asked for. */
static int64_t from_ns(const struct sample_query *query, const struct model *model)
{
	return query->from_ns > model->first_ns ? query->from_ns : model->first_ns;
}

static int64_t to_ns(const struct sample_query *query, const struct model *model)
{
	return query->to_ns < model->last_ns ? query->to_ns : model->last_ns;
}

static bool is_asked_for(const struct sample_query *query, int64_t process_id, int64_t start_ns)
{
	return (!query->has_process || process_id == query->process_id) &&
	       start_ns >= query->from_ns && start_ns < query->to_ns;
}

static void add_collections(struct summary *summary, struct summary_figures *figures)
{
	const struct gc_stats *stats = &summary->gc;

	figures->gc_told = stats->processes.count > 0;
	for (size_t i = 0; i < stats->count; i++) {
		const struct gc *gc = &stats->list[i];

		if (!is_asked_for(summary->query, gc->process_id, gc->start_ns))
			continue;
		gc_summary_add(&figures->gc, gc);
		if (gc->complete && gc->pause_ns >= SUMMARY_LONG_PAUSE) {
			figures->pauses_long++;
			figures->pauses_long_ns =
				watch_ns_plus(figures->pauses_long_ns, gc->pause_ns);
		}
	}
	if (figures->seconds > 0)
		figures->pause_percent =
			(double)figures->gc.all.pause_total_ns / 1e7 / figures->seconds;
}

static void add_allocations(struct summary *summary, struct summary_figures *figures)
{
	const struct alloc_table *tables = summary->alloc.tables;
	const struct alloc_table *table;
	uint64_t most = 0;

	figures->alloc_source = tables[ALLOC_TICKS].all.count	  ? ALLOC_TICKS
				: tables[ALLOC_SAMPLES].all.count ? ALLOC_SAMPLES
								  : ALLOC_OBJECTS;
	table = &tables[figures->alloc_source];
	figures->alloc_told = table->all.count > 0;
	figures->alloc_bytes = table->all.bytes;
	figures->large_bytes = table->heaps[ALLOC_LARGE].bytes;
	for (size_t i = 0; i < table->type_count; i++)
		if (table->types[i]->heaps[ALLOC_LARGE].bytes > most) {
			most = table->types[i]->heaps[ALLOC_LARGE].bytes;
			figures->large_type = table->types[i]->name;
		}
}

enum { TIER_QUICK = 3, TIER_OPTIMIZED = 2 }; /* OptimizationTier */

static bool is_asked_for_jit(const struct sample_query *query, const struct jit_method *method)
{
	return is_asked_for(query, method->process_id, method->start_ns) &&
	       (!query->has_thread || method->thread_id == query->thread_id);
}

static void add_compilations(struct summary *summary, struct summary_figures *figures)
{
	const struct jit_stats *stats = &summary->jit;

	figures->jit_told = stats->count > 0;
	for (size_t i = 0; i < stats->count; i++) {
		const struct jit_method *method = &stats->list[i];

		if (!is_asked_for_jit(summary->query, method))
			continue;
		jit_summary_add(&figures->jit, method);
		figures->jit_dynamic += method->dynamic;
		figures->jit_quick += method->tier == TIER_QUICK;
		figures->jit_at_once += method->tier == TIER_OPTIMIZED && !method->dynamic;
	}
}

static void add_exceptions(struct summary *summary, const struct model *model,
			   struct summary_figures *figures)
{
	const struct exception_stats *stats = &summary->exceptions;

	figures->exceptions_told = stats->seen > 0;
	figures->exceptions = stats->total;
	figures->catches_told = stats->catches_told;
	for (size_t i = 0; i < stats->type_count; i++)
		figures->exceptions_caught += stats->types[i]->caught;
	if (stats->type_count)
		figures->exception_type = stats->types[0]->name;
	if (stats->site_count)
		figures->thrown_in =
			summary_where(model, model_stack_now(model, stats->sites[0]->stack));
}

static void add_contention(struct summary *summary, const struct model *model,
			   struct summary_figures *figures)
{
	const struct contention_table *table = &summary->contention.tables[CONTENTION_LOCKS];

	figures->contention_told = table->seen > 0;
	figures->contention = table->all;
	if (table->lock_count) {
		figures->lock = table->locks[0]->sum;
		figures->lock_waiting_most = table->locks[0]->waiting_most;
	}
	for (size_t i = 0; i < table->site_count && !figures->waited_in; i++)
		if (table->sites[i]->lock == table->locks[0])
			figures->waited_in = summary_where(
				model, model_stack_now(model, table->sites[i]->stack));
}

static void add_pools(struct summary *summary, struct summary_figures *figures)
{
	const struct sample_query *query = summary->query;

	figures->pools_told = summary->pools.seen > 0;
	for (size_t i = 0; i < summary->pools.pool_count; i++) {
		const struct pool *pool = summary->pools.pools[i];
		const struct histogram *queue = pool_queue(pool);

		if (query->has_process && pool->process_id != query->process_id)
			continue;
		figures->starved += pool->reasons[POOL_STARVATION];
		figures->cooperative += pool->reasons[POOL_COOPERATIVE_BLOCKING];
		if (pool->workers_most > figures->workers_most)
			figures->workers_most = pool->workers_most;
		figures->queue_count += queue->count;
		if (queue->max_ns > figures->queue_max_ns)
			figures->queue_max_ns = queue->max_ns;
		figures->task_waits += pool->task_waits;
		figures->task_waits_ns += pool->blocked.total_ns;
	}
}

void summary_finish(struct summary *summary, const struct model *model,
		    struct summary_figures *figures)
{
	const int64_t length_ns =
		watch_ns_between(from_ns(summary->query, model), to_ns(summary->query, model));

	gc_finish(&summary->gc);
	jit_finish(&summary->jit);
	alloc_finish(&summary->alloc);
	exceptions_finish(&summary->exceptions);
	contention_finish(&summary->contention, model->last_ns);
	requests_finish(&summary->requests);
	*figures = (struct summary_figures){
		.seconds = length_ns > 0 ? (double)length_ns / 1e9 : 0,
		.events = model->events,
		.lost = model->losses.events,
	};
	add_collections(summary, figures);
	add_allocations(summary, figures);
	add_compilations(summary, figures);
	add_exceptions(summary, model, figures);
	add_contention(summary, model, figures);
	add_pools(summary, figures);
	summary_add_pool_samples(figures, model, summary->query);
}
