/* SPDX-License-Identifier: MIT */
/*
 * Any runtime events in any order must leave the analyses consistent. The input is a sequence
 * of events, each
 *
 *	byte 0    which event of the table below
 *	byte 1    bits 0-1 thread | bit 2 another process | bits 4-7 version
 *	bytes 2-3 nanoseconds since the last; 65535: a jump to the end of time
 *	byte 4    size of the payload, which follows
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/allocations.h"
#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "analyze/findings.h"
#include "analyze/gc.h"
#include "analyze/jit.h"
#include "analyze/threadpool.h"
#include "base/array.h"
#include "base/cursor.h"

#define VERSIONS 16
#define TPL	 "System.Threading.Tasks.TplEventSource"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	const char *provider;
	uint32_t id;
} events[] = {
	{ WATCH_RUNTIME, 1 },
	{ WATCH_RUNTIME, 2 },
	{ WATCH_RUNTIME, 3 },
	{ WATCH_RUNTIME, 4 },
	{ WATCH_RUNTIME, 7 },
	{ WATCH_RUNTIME, 8 },
	{ WATCH_RUNTIME, 9 },
	{ WATCH_RUNTIME, 10 },
	{ WATCH_RUNTIME, 15 },
	{ WATCH_RUNTIME, 20 },
	{ WATCH_RUNTIME, 32 },
	{ WATCH_RUNTIME, 141 },
	{ WATCH_RUNTIME, 143 },
	{ WATCH_RUNTIME, 145 },
	{ WATCH_RUNTIME, 146 },
	{ WATCH_RUNTIME, 152 },
	{ WATCH_RUNTIME, 159 },
	{ WATCH_RUNTIME, 204 },
	{ WATCH_RUNTIME, 205 },
	{ WATCH_RUNTIME, 303 },
	{ WATCH_RUNTIME, 280 },
	{ WATCH_RUNDOWN, 154 },
	{ WATCH_PRIVATE, 201 },
	{ WATCH_RUNTIME, 80 },
	{ WATCH_RUNTIME, 250 },
	{ WATCH_RUNTIME, 251 },
	{ WATCH_RUNTIME, 81 },
	{ WATCH_RUNTIME, 91 },
	{ WATCH_RUNTIME, 301 },
	{ WATCH_RUNTIME, 302 },
	{ WATCH_RUNTIME, 50 },
	{ WATCH_RUNTIME, 51 },
	{ WATCH_RUNTIME, 54 },
	{ WATCH_RUNTIME, 55 },
	{ WATCH_RUNTIME, 57 },
	{ WATCH_RUNTIME, 59 },
	{ WATCH_RUNTIME, 61 },
	{ WATCH_RUNTIME, 62 },
	{ WATCH_RUNTIME, 63 },
	{ WATCH_RUNTIME, 64 },
	{ TPL, 7 },
	{ TPL, 8 },
	{ TPL, 10 },
	{ TPL, 11 },
};

#define EVENTS ARRAY_COUNT(events)

struct analyses {
	struct gc_stats gc;
	struct jit_stats jit;
	struct gc_stats handed_gc; /* the same, handed out one by one */
	struct jit_stats handed_jit;
	uint64_t taken;
	struct alloc_stats alloc;
	struct exception_stats exceptions;
	struct contention_stats contention;
	struct pool_stats pools;
	struct summary summary;
	struct pp_kind kinds[EVENTS * VERSIONS];
	struct pp_thread threads[8];
	int64_t ticks;
};

/* A checksum over what is recorded about a collection. */
static uint64_t print_of_gc(const struct gc *gc)
{
	const int64_t facts[] = { gc->process_id,  gc->number,	   gc->generation,
				  gc->start_ns,	   gc->pause_ns,   gc->pause_start_ns,
				  gc->duration_ns, gc->stopped_ns, gc->complete,
				  gc->has_stats,   gc->heaps_seen, (int64_t)gc->heap_after };

	return hash_bytes(facts, sizeof(facts));
}

static uint64_t print_of_method(const struct jit_method *method)
{
	const int64_t facts[] = { method->thread_id, (int64_t)method->method_id,
				  method->start_ns,  method->time_ns,
				  method->tier,	     method->il_size,
				  method->started,   method->has_memory };

	return hash_bytes(facts, sizeof(facts));
}

static void take_gc(void *to, const struct gc *gc)
{
	((struct analyses *)to)->taken += print_of_gc(gc);
}

static void take_method(void *to, const struct jit_method *method)
{
	((struct analyses *)to)->taken += print_of_method(method);
}

/* The list must equal the ones that were handed out. */
static void check_taken(struct analyses *all)
{
	uint64_t listed = 0;

	gc_finish(&all->handed_gc);
	jit_finish(&all->handed_jit);
	for (size_t i = 0; i < all->gc.count; i++)
		listed += print_of_gc(&all->gc.list[i]);
	for (size_t i = 0; i < all->jit.count; i++)
		listed += print_of_method(&all->jit.list[i]);
	if (listed != all->taken)
		abort();
}

/* Selects another part of the trace than the others. */
static const struct sample_query some = {
	.has_process = true, .process_id = 1, .from_ns = 100, .to_ns = INT64_MAX
};

static void add_to_summary(struct summary *summary, const struct pp_trace_header *header,
			   const struct pp_event *event)
{
	const unsigned takers = summary_takers(summary, event->kind);

	if (takers)
		summary_add(summary, header, event, &(struct summary_place){ takers, 0 });
}

/* Whatever the figures, there are no more findings than fit. */
static void check_summary(struct summary *summary, int64_t end_ns)
{
	struct finding found[FINDINGS_MOST];
	struct summary_figures figures;
	struct model model;

	model_init(&model);
	model.last_ns = end_ns;
	summary_finish(summary, &model, &figures);
	if (findings_of(&figures, found) > FINDINGS_MOST)
		abort();
	model_release(&model);
}

static void add_event(struct analyses *all, const struct pp_event *event)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };

	gc_add(&all->gc, &header, event);
	jit_add(&all->jit, &header, event);
	gc_add(&all->handed_gc, &header, event);
	jit_add(&all->handed_jit, &header, event);
	if (alloc_takes(&all->alloc, event))
		alloc_add(&all->alloc, &header, event, (uint32_t)event->thread->index);
	if (exceptions_takes(&all->exceptions, event))
		exceptions_add(&all->exceptions, &header, event,
			       &(struct exception_place){ (uint32_t)event->thread->index,
							  event->thread->index != 3 });
	if (contention_takes(&all->contention, event))
		contention_add(&all->contention, &header, event,
			       &(struct contention_place){ (uint32_t)event->thread->index,
							   event->thread->index != 3 });
	pool_add(&all->pools, &header, event, event->thread->index != 3);
	add_to_summary(&all->summary, &header, event);
}

/* The timeline must add up to the totals. */
static void check_pools(const struct pool_stats *stats)
{
	for (size_t i = 0; i < stats->pool_count; i++) {
		const struct pool *pool = stats->pools[i];
		uint64_t starved = 0;
		uint64_t adjusted = 0;

		for (size_t step = 0; step < POOL_STEPS; step++)
			starved += pool->line[step].starved;
		for (size_t reason = 0; reason < POOL_REASONS; reason++)
			adjusted += pool->reasons[reason];
		if (starved != pool->reasons[POOL_STARVATION] ||
		    adjusted != pool->adjustment_count || pool->line_count > POOL_STEPS ||
		    histogram_percentile(pool_queue(pool), 99) > pool_queue(pool)->max_ns)
			abort();
	}
}

/* Sites and catches must add up to the number thrown. */
static void check_exceptions(struct exception_stats *stats)
{
	uint64_t at_sites = 0;
	uint64_t of_types = 0;

	exceptions_finish(stats);
	for (size_t i = 0; i < stats->site_count; i++)
		at_sites += stats->sites[i]->count;
	for (size_t i = 0; i < stats->type_count; i++)
		of_types += stats->types[i]->count;
	if (at_sites != stats->total || of_types != stats->total || stats->seen < stats->total)
		abort();
}

/* The payload is in memory of exactly its size. */
static void add_one(struct analyses *all, struct cursor *c)
{
	const size_t which = cursor_u8(c) % EVENTS;
	const uint8_t how = cursor_u8(c);
	const uint16_t step = cursor_u16(c);
	const size_t size = cursor_u8(c);
	struct cursor payload = cursor_within(c, size);
	const size_t index = which * VERSIONS + how / 16;
	uint8_t *copy = malloc(size ? size : 1);

	all->ticks = step == UINT16_MAX		     ? INT64_MAX
		     : all->ticks > INT64_MAX - step ? INT64_MIN
						     : all->ticks + step;
	cursor_copy(&payload, copy, size);
	all->kinds[index] = (struct pp_kind){ .index = index,
					      .provider = events[which].provider,
					      .name = "",
					      .id = events[which].id,
					      .version = how / 16 };
	if (!c->failed)
		add_event(all, &(struct pp_event){ .ticks = all->ticks,
						   .payload = copy,
						   .payload_size = (uint32_t)size,
						   .cpu = -1,
						   .kind = &all->kinds[index],
						   .thread = &all->threads[how % 8] });
	free(copy);
}

/* Locks and sites must count the same waits, and owners a part of them. */
static void check_contention(struct contention_stats *stats, int64_t end_ns)
{
	contention_finish(stats, end_ns);
	for (int kind = 0; kind < CONTENTION_KINDS; kind++) {
		const struct contention_table *table = &stats->tables[kind];
		uint64_t of_locks = 0;
		uint64_t at_sites = 0;

		for (size_t i = 0; i < table->site_count; i++)
			at_sites += table->sites[i]->sum.count;
		for (size_t i = 0; i < table->lock_count; i++) {
			const struct contention_lock *lock = table->locks[i];
			uint64_t of_owners = 0;

			of_locks += lock->sum.count;
			for (const struct contention_owner *o = lock->owners; o; o = o->other)
				of_owners += o->sum.count;
			if (of_owners > lock->sum.count || lock->waiting)
				abort();
		}
		if (at_sites != table->all.count || of_locks != table->all.count)
			abort();
	}
}

static void finish(struct analyses *all)
{
	struct gc_summary gcs = { 0 };
	struct jit_summary methods = { 0 };

	gc_finish(&all->gc);
	jit_finish(&all->jit);
	check_taken(all);
	alloc_finish(&all->alloc);
	check_exceptions(&all->exceptions);
	check_contention(&all->contention, all->ticks);
	check_pools(&all->pools);
	check_summary(&all->summary, all->ticks);
	for (size_t i = 0; i < all->gc.count; i++)
		gc_summary_add(&gcs, &all->gc.list[i]);
	for (size_t i = 0; i < all->jit.count; i++)
		jit_summary_add(&methods, &all->jit.list[i]);
	if (gcs.all.count + gcs.incomplete != all->gc.count || methods.all.count != all->jit.count)
		abort();
	for (int i = 0; i < ALLOC_SOURCES; i++)
		for (size_t j = 0; j < all->alloc.tables[i].type_count; j++)
			if (!all->alloc.tables[i].types[j]->name)
				abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	struct analyses *all = calloc(1, sizeof(*all));

	gc_init(&all->gc);
	jit_init(&all->jit);
	gc_init(&all->handed_gc);
	jit_init(&all->handed_jit);
	all->handed_gc.take = take_gc;
	all->handed_jit.take = take_method;
	all->handed_gc.to = all->handed_jit.to = all;
	alloc_init(&all->alloc);
	exceptions_init(&all->exceptions);
	contention_init(&all->contention);
	pool_init(&all->pools);
	summary_init(&all->summary, &some);
	for (size_t i = 0; i < 8; i++)
		all->threads[i] = (struct pp_thread){ .index = i,
						      .id = (int64_t)i,
						      .process_id = 1 + (i >= 4) };
	while (cursor_left(&c))
		add_one(all, &c);
	finish(all);
	gc_release(&all->gc);
	jit_release(&all->jit);
	gc_release(&all->handed_gc);
	jit_release(&all->handed_jit);
	alloc_release(&all->alloc);
	exceptions_release(&all->exceptions);
	contention_release(&all->contention);
	pool_release(&all->pools);
	summary_release(&all->summary);
	free(all);
	return 0;
}
