/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/known_methods.h"
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

/* The innermost frame that is not the runtime's own code for throws and waits; or NULL. */
static const char *innermost_own(const struct model *model, uint32_t stack)
{
	const struct stack_tree *stacks = &model->stacks;

	while (stack && frame_is_known(model, stacks->nodes[stack].frame, between))
		stack = stacks->nodes[stack].parent;
	if (!stack || model->frames[stacks->nodes[stack].frame].method == MODEL_NONE)
		return NULL;
	return model->frames[stacks->nodes[stack].frame].name;
}

static void add_collections(const struct summary *summary, struct summary_figures *figures)
{
	const struct gc_stats *stats = summary->gc;

	figures->gc_recorded = gc_was_recorded(stats);
	for (size_t i = 0; i < stats->count; i++) {
		const struct gc *gc = &stats->list[i];

		if (!gc->wanted)
			continue;
		gc_summary_add(&figures->gc, gc);
		if (gc->complete && gc->pause_ns >= SUMMARY_LONG_PAUSE) {
			figures->pauses_long++;
			figures->pauses_long_ns = ns_plus(figures->pauses_long_ns, gc->pause_ns);
		}
	}
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
			innermost_own(model, model_stack_now(model, stats->sites[0]->stack));
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
			figures->waited_in = innermost_own(
				model, model_stack_now(model, table->sites[i]->stack));
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
		if (pool->workers_most > figures->workers_most)
			figures->workers_most = pool->workers_most;
		figures->queue_count += queue->count;
		if (queue->max_ns > figures->queue_max_ns)
			figures->queue_max_ns = queue->max_ns;
		figures->task_waits += pool->task_waits;
		figures->task_waits_ns += pool->blocked.total_ns;
	}
}

/* A worker that has work, and waits that block it. */
static const struct known_method working[] = {
	{ "System.Threading.ThreadPoolWorkQueue", "Dispatch" },
	{ 0 },
};

static const struct known_method blocking[] = {
	{ "System.Threading.ManualResetEventSlim", "Wait" },
	{ "System.Threading.SemaphoreSlim", "Wait" },
	{ "System.Threading.SemaphoreSlim", "WaitCore" },
	{ "System.Threading.CountdownEvent", "Wait" },
	{ "System.Threading.Tasks.Task", "SpinThenBlockingWait" },
	{ "System.Threading.Tasks.Task", "InternalWaitCore" },
	{ "System.Threading.Tasks.Task", "WaitAllBlockingCore" },
	{ 0 },
};

enum { WORKS = 1, BLOCKS = 2 };

static const struct known_bit known[] = { { working, WORKS }, { blocking, BLOCKS }, { 0 } };

/* Callers have smaller numbers: a stack has its caller's flags and its own frame's. */
static uint8_t *flags_of_stacks(const struct model *model)
{
	const struct stack_node *nodes = model->stacks.nodes;
	uint8_t *frames = known_bits_of(model, known);
	uint8_t *flags = xcalloc(model->stacks.count + 1, 1);

	for (uint32_t i = 1; i < model->stacks.count; i++) {
		const uint8_t above = flags[nodes[i].parent];
		const uint8_t own = frames[nodes[i].frame];

		/* waits outside of work items do not count */
		flags[i] = above | (above & WORKS ? own : own & WORKS);
	}
	free(frames);
	return flags;
}

/* The caller of the outermost wait: the program's own code. */
static const char *caller_of_wait(const struct model *model, uint32_t stack)
{
	const struct stack_node *nodes = model->stacks.nodes;
	uint32_t wait = 0;

	for (uint32_t at = stack; at; at = nodes[at].parent)
		if (frame_is_known(model, nodes[at].frame, blocking))
			wait = at;
	wait = wait ? nodes[wait].parent : 0;
	while (wait && !strncmp(model->frames[nodes[wait].frame].name, "System.Threading.", 17))
		wait = nodes[wait].parent;
	return wait ? model->frames[nodes[wait].frame].name : NULL;
}

static void add_pool_samples(struct summary_figures *figures, const struct model *model,
			     const struct sample_query *query)
{
	uint8_t *flags = flags_of_stacks(model);
	int64_t longest_ns = 0;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->samples, UNTIL_SAMPLE);
	while (sample_walk_next(&walk, &sample)) {
		const uint8_t has = flags[sample.stack];
		int64_t weight_ns;

		if (!(has & WORKS) || sample_is_event(&sample))
			continue;
		weight_ns = sample_query_weight(query, model, &sample);
		if (weight_ns < 0)
			continue;
		figures->pool_busy_ns += (uint64_t)weight_ns;
		if (!(has & BLOCKS))
			continue;
		figures->pool_blocked_ns += (uint64_t)weight_ns;
		if (weight_ns > longest_ns) {
			longest_ns = weight_ns;
			figures->blocked_in = caller_of_wait(model, sample.stack);
		}
	}
	sample_walk_end(&walk);
	free(flags);
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
	add_pool_samples(figures, model, query);
}
