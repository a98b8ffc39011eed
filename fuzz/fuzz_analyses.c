/* SPDX-License-Identifier: MIT */
/*
 * Any events of the runtime in any order must leave the analyses consistent, whatever the query
 * selects. The input is a sequence of events, each
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
#include "base/hash.h"
#include "clr/providers.h"
#include "fill/fill.h"

#define VERSIONS 16
#define THREADS	 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	const char *provider;
	uint32_t id;
} events[] = {
	{ CLR_RUNTIME_PROVIDER, 1 },   { CLR_RUNTIME_PROVIDER, 2 },   { CLR_RUNTIME_PROVIDER, 3 },
	{ CLR_RUNTIME_PROVIDER, 4 },   { CLR_RUNTIME_PROVIDER, 7 },   { CLR_RUNTIME_PROVIDER, 8 },
	{ CLR_RUNTIME_PROVIDER, 9 },   { CLR_RUNTIME_PROVIDER, 10 },  { CLR_RUNTIME_PROVIDER, 15 },
	{ CLR_RUNTIME_PROVIDER, 20 },  { CLR_RUNTIME_PROVIDER, 32 },  { CLR_RUNTIME_PROVIDER, 141 },
	{ CLR_RUNTIME_PROVIDER, 143 }, { CLR_RUNTIME_PROVIDER, 145 }, { CLR_RUNTIME_PROVIDER, 146 },
	{ CLR_RUNTIME_PROVIDER, 152 }, { CLR_RUNTIME_PROVIDER, 159 }, { CLR_RUNTIME_PROVIDER, 204 },
	{ CLR_RUNTIME_PROVIDER, 205 }, { CLR_RUNTIME_PROVIDER, 303 }, { CLR_RUNTIME_PROVIDER, 280 },
	{ CLR_RUNDOWN_PROVIDER, 154 }, { CLR_PRIVATE_PROVIDER, 201 }, { CLR_RUNTIME_PROVIDER, 80 },
	{ CLR_RUNTIME_PROVIDER, 250 }, { CLR_RUNTIME_PROVIDER, 251 }, { CLR_RUNTIME_PROVIDER, 81 },
	{ CLR_RUNTIME_PROVIDER, 91 },  { CLR_RUNTIME_PROVIDER, 301 }, { CLR_RUNTIME_PROVIDER, 302 },
	{ CLR_RUNTIME_PROVIDER, 50 },  { CLR_RUNTIME_PROVIDER, 51 },  { CLR_RUNTIME_PROVIDER, 54 },
	{ CLR_RUNTIME_PROVIDER, 55 },  { CLR_RUNTIME_PROVIDER, 57 },  { CLR_RUNTIME_PROVIDER, 59 },
	{ CLR_RUNTIME_PROVIDER, 61 },  { CLR_RUNTIME_PROVIDER, 62 },  { CLR_RUNTIME_PROVIDER, 63 },
	{ CLR_RUNTIME_PROVIDER, 64 },  { TPL_PROVIDER, 7 },	      { TPL_PROVIDER, 8 },
	{ TPL_PROVIDER, 10 },	       { TPL_PROVIDER, 11 },
};

#define EVENTS ARRAY_COUNT(events)

struct analyses {
	struct pass pass;
	struct model model;
	struct fill *fill;
	struct summary summary; /* all analyses except the following */
	uint64_t taken;		/* checksums of GCs and compilations passed on as items */
	uint64_t wait_counts[CONTENTION_KINDS], wait_ns[CONTENTION_KINDS], thrown;
	struct pp_kind kinds[EVENTS * VERSIONS];
	struct pp_thread threads[THREADS];
	uint64_t addresses[THREADS];
	struct pp_stack stacks[THREADS];
	int64_t ticks;
};

/* A checksum over all fields of a GC. */
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

static void take_gc(void *to, const void *gc)
{
	((struct analyses *)to)->taken += print_of_gc(gc);
}

static void take_method(void *to, const void *method)
{
	((struct analyses *)to)->taken += print_of_method(method);
}

static void take_wait(void *to, const void *item)
{
	const struct contention_wait *wait = item;
	struct analyses *all = to;

	all->wait_counts[wait->kind]++;
	all->wait_ns[wait->kind] += wait->length_ns;
	if (wait->thread->index >= THREADS || wait->end_ns < -PASS_FARTHEST_NS)
		abort();
}

static void take_thrown(void *to, const void *item)
{
	const struct exception_thrown *thrown = item;
	struct analyses *all = to;

	all->thrown++;
	if (!thrown->type || !thrown->message)
		abort();
}

/* The items must be those that are kept and selected. */
static void check_taken(const struct analyses *all)
{
	const struct summary *kept = &all->summary;
	uint64_t listed = 0;

	for (size_t i = 0; i < kept->gc->count; i++)
		if (kept->gc->list[i].wanted)
			listed += print_of_gc(&kept->gc->list[i]);
	for (size_t i = 0; i < kept->jit->count; i++)
		if (kept->jit->list[i].wanted)
			listed += print_of_method(&kept->jit->list[i]);
	if (listed != all->taken || all->thrown != kept->exceptions->total)
		abort();
	for (int i = 0; i < CONTENTION_KINDS; i++)
		if (all->wait_counts[i] != kept->contention->tables[i].all.count ||
		    all->wait_ns[i] != kept->contention->tables[i].all.total_ns)
			abort();
}

/* Whatever the figures, there must be no more findings than fit. */
static void check_summary(struct analyses *all)
{
	const struct sample_query query = { .events = all->pass.query };
	struct finding found[FINDINGS_MOST];
	struct summary_figures figures;

	fill_build(all->fill);
	summary_figures_of(&all->summary, &all->model, &query, &figures);
	if (findings_of(&figures, found) > FINDINGS_MOST)
		abort();
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

/* Sites and catches must add up to the exceptions thrown. */
static void check_exceptions(const struct exception_stats *stats)
{
	uint64_t at_sites = 0;
	uint64_t of_types = 0;

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
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };
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
		pass_event(&all->pass, &header,
			   &(struct pp_event){ .ticks = all->ticks,
					       .payload = copy,
					       .payload_size = (uint32_t)size,
					       .cpu = -1,
					       .kind = &all->kinds[index],
					       .thread = &all->threads[how % THREADS],
					       .stack = &all->stacks[how % THREADS] });
	free(copy);
}

/* Locks and sites count the same waits, owners some of them. */
static void check_contention(const struct contention_stats *stats)
{
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

static void check_sums(const struct summary *kept)
{
	struct gc_summary gcs = { 0 };
	struct jit_summary methods = { 0 };

	for (size_t i = 0; i < kept->gc->count; i++)
		gc_summary_add(&gcs, &kept->gc->list[i]);
	for (size_t i = 0; i < kept->jit->count; i++)
		jit_summary_add(&methods, &kept->jit->list[i]);
	if (gcs.all.count + gcs.incomplete != kept->gc->count ||
	    methods.all.count != kept->jit->count)
		abort();
	for (int i = 0; i < ALLOC_SOURCES; i++)
		for (size_t j = 0; j < kept->alloc->tables[i].type_count; j++)
			if (!kept->alloc->tables[i].types[j]->name)
				abort();
}

static void begin(struct analyses *all, const struct event_query *query)
{
	const struct fill_options options = { .model = &all->model, .marks = true };
	const struct {
		const struct analysis *analysis;
		void (*take)(void *to, const void *item);
	} handed[] = {
		{ &gc_analysis, take_gc },
		{ &jit_analysis, take_method },
		{ &contention_analysis, take_wait },
		{ &exception_analysis, take_thrown },
	};

	pass_init(&all->pass, query);
	all->fill = pass_want(&all->pass, &fill_analysis,
			      &(const struct analysis_setup){ .options = &options });
	for (size_t i = 0; summary_analyses[i]; i++)
		pass_want(&all->pass, summary_analyses[i], NULL);
	for (size_t i = 0; i < sizeof(handed) / sizeof(handed[0]); i++)
		pass_want(&all->pass, handed[i].analysis,
			  &(const struct analysis_setup){ .take = handed[i].take, .to = all });
	for (size_t i = 0; i < THREADS; i++) {
		all->threads[i] = (struct pp_thread){ .index = i,
						      .id = (int64_t)i,
						      .process_id = 1 + (i >= 4) };
		all->addresses[i] = 0x1000 * i;
		all->stacks[i] = (struct pp_stack){ i, 1, &all->addresses[i] };
	}
}

static void run(const uint8_t *data, size_t size, const struct event_query *query)
{
	struct cursor c = cursor_over(data, size);
	struct analyses *all = calloc(1, sizeof(*all));

	begin(all, query);
	while (cursor_left(&c))
		add_one(all, &c);
	pass_finish(&all->pass, NULL);
	all->summary = summary_of(&all->pass);
	check_taken(all);
	check_exceptions(all->summary.exceptions);
	check_contention(all->summary.contention);
	check_pools(all->summary.pools);
	check_sums(&all->summary);
	check_summary(all);
	pass_release(&all->pass);
	model_release(&all->model);
	free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event_query process = EVENT_QUERY_ALL;
	struct event_query thread = EVENT_QUERY_ALL;

	process.has_process = true;
	process.process_id = 1;
	process.from_ns = 100;
	thread.has_thread = true;
	thread.thread_id = 3;
	run(data, size, NULL);
	run(data, size, &process);
	run(data, size, &thread);
	return 0;
}
