/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

#include <stdlib.h>

#include "analyze/known_methods.h"
#include "analyze/summary_parts.h"
#include "base/alloc.h"

const struct analysis *const summary_analyses[] = {
	&gc_analysis,	     &jit_analysis,	     &alloc_analysis,
	&exception_analysis, &contention_analysis,   &pool_analysis,
	&request_analysis,   &runtime_info_analysis, NULL,
};

struct summary summary_of(const struct pass *pass)
{
	return (struct summary){
		.gc = pass_find(pass, &gc_analysis),
		.jit = pass_find(pass, &jit_analysis),
		.alloc = pass_find(pass, &alloc_analysis),
		.exceptions = pass_find(pass, &exception_analysis),
		.contention = pass_find(pass, &contention_analysis),
		.pools = pass_find(pass, &pool_analysis),
		.requests = pass_find(pass, &request_analysis),
		.runtime = pass_find(pass, &runtime_info_analysis),
	};
}

void summary_filter(const struct pass *pass, const struct calltree *tree)
{
	alloc_filter(pass_find(pass, &alloc_analysis), tree);
	exception_filter(pass_find(pass, &exception_analysis), tree);
	contention_filter(pass_find(pass, &contention_analysis), tree);
}

/* Between the program and the event of a throw or a wait. */
static const struct known_method between[] = {
	{ "System.Runtime.EH", NULL },
	{ "System.Threading.Lock", NULL },
	{ "System.Threading.Monitor", NULL },
	{ "System.Threading.Condition", NULL },
	{ "System.Diagnostics.Tracing.NativeRuntimeEventSource", NULL },
	{ 0 },
};

const char *summary_own_method(const struct model *model, uint32_t stack)
{
	const struct stack_tree *stacks = &model->stacks;

	while (stack && frame_is_known(model, stacks->nodes[stack].frame, between))
		stack = stacks->nodes[stack].parent;
	if (!stack || !frame_is_named(&model->frames[stacks->nodes[stack].frame]))
		return NULL;
	return model->frames[stacks->nodes[stack].frame].name;
}

static void add_collections(const struct summary *summary, struct summary_figures *figures)
{
	const struct gc_stats *stats = summary->gc;
	struct gc_summary own = { 0 };
	struct gc_summary induced = { 0 };

	figures->gc_recorded = gc_was_recorded(stats);
	for (size_t i = 0; i < stats->count; i++) {
		const struct gc *gc = &stats->list[i];

		if (!gc->wanted)
			continue;
		gc_summary_add(&figures->gc, gc);
		gc_summary_add(gc_is_induced(gc) ? &induced : &own, gc);
		if (gc->complete && !gc_is_induced(gc) && gc->pause_ns >= SUMMARY_LONG_PAUSE) {
			figures->pauses_long++;
			figures->pauses_long_ns = ns_plus(figures->pauses_long_ns, gc->pause_ns);
		}
	}
	figures->gc_own = own.all;
	figures->gc_induced = induced.all;
	if (figures->seconds > 0)
		figures->pause_percent =
			(double)figures->gc.all.pause_total_ns / 1e7 / figures->seconds;
}

static void add_allocations(const struct summary *summary, struct summary_figures *figures)
{
	const struct alloc_table *table;
	uint64_t most = 0;

	figures->alloc_source = alloc_main_source(summary->alloc);
	table = &summary->alloc->tables[figures->alloc_source];
	figures->alloc_recorded = table->seen > 0;
	figures->alloc_bytes = table->all.bytes;
	figures->large_bytes = table->heaps[ALLOC_LARGE].bytes;
	for (size_t i = 0; i < table->type_count; i++)
		if (table->types[i]->heaps[ALLOC_LARGE].bytes > most) {
			most = table->types[i]->heaps[ALLOC_LARGE].bytes;
			figures->large_type = table->types[i]->name;
		}
}

enum { TIER_QUICK = 3, TIER_OPTIMIZED = 2 }; /* OptimizationTier */

static void add_compilations(const struct summary *summary, struct summary_figures *figures)
{
	const struct jit_stats *stats = summary->jit;

	figures->jit_recorded = stats->count > 0;
	for (size_t i = 0; i < stats->count; i++) {
		const struct jit_method *method = &stats->list[i];

		if (!method->wanted)
			continue;
		jit_summary_add(&figures->jit, method);
		figures->jit_dynamic += method->dynamic;
		figures->jit_quick += method->tier == TIER_QUICK;
		figures->jit_at_once += method->tier == TIER_OPTIMIZED && !method->dynamic;
	}
}

static void add_exceptions(const struct summary *summary, const struct model *model,
			   struct summary_figures *figures)
{
	const struct exception_stats *stats = summary->exceptions;

	figures->exceptions_recorded = stats->seen > 0;
	figures->exceptions = stats->total;
	figures->catches_recorded = stats->catches_recorded;
	for (size_t i = 0; i < stats->type_count; i++)
		figures->exceptions_caught += stats->types[i]->caught;
	if (stats->type_count)
		figures->exception_type = stats->types[0]->name;
	if (stats->site_count)
		figures->thrown_in =
			summary_own_method(model, model_stack_now(model, stats->sites[0]->stack));
}

static void add_contention(const struct summary *summary, const struct model *model,
			   struct summary_figures *figures)
{
	const struct contention_table *table = &summary->contention->tables[CONTENTION_LOCKS];

	figures->contention_recorded = table->seen > 0;
	figures->contention = table->all;
	if (table->lock_count) {
		figures->lock = table->locks[0]->sum;
		figures->lock_waiting_most =
			table->locks[0]->partly ? 0 : table->locks[0]->waiting_most;
	}
	for (size_t i = 0; i < table->site_count && !figures->waited_in; i++)
		if (table->sites[i]->lock == table->locks[0])
			figures->waited_in = summary_own_method(
				model, model_stack_now(model, table->sites[i]->stack));
}

void summary_add_stuck(struct summary_stuck *stuck, int64_t lasts_ns, const char *method)
{
	stuck->threads++;
	if ((uint64_t)lasts_ns > stuck->longest_ns)
		stuck->longest_ns = (uint64_t)lasts_ns;
	if (method)
		stuck->method = method;
}

/* Within what is asked for. */
static int64_t lasting_ns(const struct lasting_wait *wait, int64_t to_ns)
{
	return ns_between(wait->start_ns, wait->end_ns < to_ns ? wait->end_ns : to_ns);
}

/* If events were lost, waits may have ended unseen. */
static void add_lasting(const struct summary *summary, const struct model *model,
			const struct sample_query *query, struct summary_figures *figures)
{
	const struct contention_stats *stats = summary->contention;
	const int64_t to_ns = event_query_to(&query->events, model->recorded_ns);
	struct lasting_wait *waits = xcalloc(stats->lasting_count + 1, sizeof(*waits));
	size_t count = 0;

	for (size_t i = 0; i < stats->lasting_count && !figures->lost; i++)
		if (lasting_ns(&stats->lasting[i], to_ns) >= SUMMARY_STUCK)
			waits[count++] = stats->lasting[i];
	deadlock_find(waits, count);
	for (size_t i = 0; i < count; i++) {
		const int64_t lasts_ns = lasting_ns(&waits[i], to_ns);
		const char *method =
			summary_own_method(model, model_stack_now(model, waits[i].stack));

		if (waits[i].deadlocked)
			summary_add_stuck(&figures->deadlock, lasts_ns, method);
		if (summary_is_long(figures, lasts_ns))
			summary_add_stuck(&figures->stuck, lasts_ns, method);
	}
	xfree(waits);
}

static void add_pools(const struct summary *summary, const struct event_query *query,
		      struct summary_figures *figures)
{
	figures->pools_recorded = summary->pools->seen > 0;
	for (size_t i = 0; i < summary->pools->pool_count; i++) {
		const struct pool *pool = summary->pools->pools[i];
		const struct histogram *queue = pool_queue(pool);

		if (!event_query_asks_for(query, pool->process_id))
			continue;
		figures->starved += pool->reasons[POOL_STARVATION];
		figures->cooperative += pool->reasons[POOL_COOPERATIVE_BLOCKING];
		if (pool->has_limits && pool->min_workers > figures->workers_least)
			figures->workers_least = pool->min_workers;
		if (pool->workers_most > figures->workers_most)
			figures->workers_most = pool->workers_most;
		figures->queue_count += queue->count;
		if (queue->max_ns > figures->queue_max_ns)
			figures->queue_max_ns = queue->max_ns;
		figures->task_waits += pool->task_waits;
		figures->task_waits_ns += pool->blocked.total_ns;
	}
}

void summary_figures_of(const struct summary *summary, const struct model *model,
			const struct sample_query *query, struct summary_figures *figures)
{
	const int64_t length_ns = sample_query_length_ns(query, model);

	*figures = (struct summary_figures){
		.seconds = (double)length_ns / 1e9,
		.events = model->events,
		.lost = model->losses.events,
	};
	add_collections(summary, figures);
	add_allocations(summary, figures);
	add_compilations(summary, figures);
	add_exceptions(summary, model, figures);
	add_contention(summary, model, figures);
	add_pools(summary, &query->events, figures);
	add_lasting(summary, model, query, figures);
	summary_add_samples(figures, model, query);
	summary_add_requests(figures, summary->requests);
}
