/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { START_MAJOR, START_MINOR, START_BUILD, START_FLAGS };
static const char *const start_fields[] = { "BclMajorVersion", "BclMinorVersion", "BclBuildNumber",
					    "StartupFlags", NULL };

static void take_runtime(void *self, const struct watched *watched)
{
	struct summary_runtime *runtime = &((struct summary *)self)->runtime;

	if (!watched->values[START_BUILD].known)
		return;
	runtime->told = true;
	for (int i = 0; i < 3; i++)
		runtime->version[i] = (uint32_t)watched->values[i].number;
	runtime->flags = (uint32_t)watched->values[START_FLAGS].number;
}

static const struct watch_row runtime_rows[] = {
	{ WATCH_RUNTIME, 187, start_fields, take_runtime },
	{ WATCH_RUNDOWN, 187, start_fields, take_runtime },
	{ 0 },
};

static bool asks_for_all(const struct sample_query *query)
{
	return !query->has_process && !query->has_thread && query->from_ns == INT64_MIN &&
	       query->to_ns == INT64_MAX;
}

void summary_init(struct summary *summary, const struct sample_query *query)
{
	*summary = (struct summary){ .query = query,
				     .all = asks_for_all(query),
				     .runtime_watch = { .rows = runtime_rows } };
	gc_init(&summary->gc);
	jit_init(&summary->jit);
	alloc_init(&summary->alloc);
	exceptions_init(&summary->exceptions);
	contention_init(&summary->contention);
	pool_init(&summary->pools);
	requests_init(&summary->requests, query);
}

void summary_release(struct summary *summary)
{
	gc_release(&summary->gc);
	jit_release(&summary->jit);
	alloc_release(&summary->alloc);
	exceptions_release(&summary->exceptions);
	contention_release(&summary->contention);
	pool_release(&summary->pools);
	requests_release(&summary->requests);
	watch_release(&summary->runtime_watch);
	free(summary->takers);
	summary->takers = NULL;
	summary->kind_count = 0;
}

static unsigned bit_if(struct watch *watch, const struct pp_kind *kind, enum summary_taker taker)
{
	return watch_kind_of(watch, kind)->row ? taker : 0;
}

unsigned summary_meet(struct summary *summary, const struct pp_kind *kind)
{
	const unsigned takers = bit_if(&summary->gc.watch, kind, SUMMARY_GC) |
				bit_if(&summary->jit.watch, kind, SUMMARY_JIT) |
				bit_if(&summary->alloc.watch, kind, SUMMARY_ALLOC) |
				bit_if(&summary->exceptions.watch, kind, SUMMARY_EXCEPTIONS) |
				bit_if(&summary->contention.watch, kind, SUMMARY_CONTENTION) |
				bit_if(&summary->pools.watch, kind, SUMMARY_POOLS) |
				bit_if(&summary->requests.watch, kind, SUMMARY_REQUESTS) |
				bit_if(&summary->runtime_watch, kind, SUMMARY_RUNTIME);

	summary->takers =
		xroom(summary->takers, &summary->kind_count, kind->index, sizeof(*summary->takers));
	summary->takers[kind->index] = (uint16_t)(takers | SUMMARY_MET);
	return takers;
}

static bool passes(const struct sample_query *query, const struct pp_event *event, int64_t now_ns)
{
	return (!query->has_process || event->thread->process_id == query->process_id) &&
	       (!query->has_thread || event->thread->id == query->thread_id) &&
	       now_ns >= query->from_ns && now_ns < query->to_ns;
}

void summary_add(struct summary *summary, const struct pp_trace_header *header,
		 const struct pp_event *event, const struct summary_place *place)
{
	const unsigned takers = place->takers;
	const bool counts = summary->all ||
			    passes(summary->query, event, pp_trace_time_ns(header, event->ticks));

	if (takers & SUMMARY_GC)
		gc_add(&summary->gc, header, event);
	if (takers & SUMMARY_JIT)
		jit_add(&summary->jit, header, event);
	if (takers & SUMMARY_ALLOC && (counts || !alloc_counts(&summary->alloc, event)))
		alloc_add(&summary->alloc, header, event, place->stack);
	if (takers & SUMMARY_EXCEPTIONS)
		exceptions_add(&summary->exceptions, header, event,
			       &(struct exception_place){ place->stack, counts });
	if (takers & SUMMARY_CONTENTION)
		contention_add(&summary->contention, header, event,
			       &(struct contention_place){ place->stack, counts });
	if (takers & SUMMARY_POOLS)
		pool_add(&summary->pools, header, event, counts);
	if (takers & SUMMARY_REQUESTS)
		requests_add(&summary->requests, header, event);
	if (takers & SUMMARY_RUNTIME && (!summary->query->has_process ||
					 event->thread->process_id == summary->query->process_id))
		watch_event(&summary->runtime_watch, header, event, summary);
}
