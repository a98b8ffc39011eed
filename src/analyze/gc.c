/* SPDX-License-Identifier: MIT */
/*
 * Which event belongs to which collection.
 *
 * A blocking collection is SuspendEE start and stop, GC start, history, GC stop, heap statistics,
 * RestartEE stop. A background one starts in the same way, but threads resume before it ends; it
 * suspends them once more, with another reason, and foreground collections may run in between. It
 * may start with an ephemeral one in the same suspension. There are thousands of suspensions with
 * other reasons, such as the sampler's: the end of one counts if it is on the thread that
 * suspended.
 *
 * The runtime may start a background collection and carry it out in a single suspension, as a
 * blocking one, and its start event still says "background". .NET's analysis then counts only the
 * time until threads were suspended as the pause; here it is all of the suspension, since threads
 * stood still.
 *
 * .NET's analysis drops a collection with a lost event; here it stays in the list with what is
 * known, but is not `complete`. A later suspension ends the open one, so that a lost event affects
 * no other collection.
 */
#include "analyze/gc.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gc_process.h"
#include "base/alloc.h"
#include "base/array.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

enum suspend_reason {
	SUSPEND_FOR_GC = 1,
	SUSPEND_FOR_GC_PREP = 6, /* in the middle of a background one */
};

bool gc_was_recorded(const struct gc_stats *stats)
{
	return stats->processes.count > 0;
}

struct gc_process *gc_process_of(struct gc_stats *stats, const struct event_context *at)
{
	return record_set_add(&stats->processes, &at->pass->arena,
			      &(struct gc_process){ .id = at->event->thread->process_id,
						    .suspended_for = GC_NONE,
						    .background = GC_NONE,
						    .last_background = GC_NONE });
}

static struct gc *last_of(struct gc_process *process)
{
	return process->count ? &process->list[process->count - 1] : NULL;
}

static struct gc *gc_at(struct gc_process *process, size_t index)
{
	return index == GC_NONE ? NULL : &process->list[index];
}

struct gc *gc_current(struct gc_process *process)
{
	struct gc *last = last_of(process);

	return last && !last->ended ? last : gc_at(process, process->background);
}

static bool may_change(const struct gc_process *process, size_t i)
{
	return i + 1 == process->count || i == process->suspended_for || i == process->background ||
	       i == process->last_background;
}

/* Passes on, as items, all collections or those that no event can change any more. */
static void pass_on(const struct gc_stats *stats, struct gc_process *process, bool all)
{
	size_t *const places[] = { &process->suspended_for, &process->background,
				   &process->last_background };
	size_t left = 0;

	for (size_t i = 0; i < process->count; i++) {
		if (all || !may_change(process, i)) {
			if (process->list[i].wanted)
				setup_take(&stats->setup, &process->list[i]);
			continue;
		}
		for (size_t j = 0; j < ARRAY_COUNT(places); j++)
			if (*places[j] == i)
				*places[j] = left;
		process->list[left++] = process->list[i];
	}
	process->count = left;
}

static void take_suspend_start(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	struct gc *last = last_of(process);
	const uint64_t reason = at->values[0].number;

	if (reason != SUSPEND_FOR_GC && reason != SUSPEND_FOR_GC_PREP)
		return;
	if (last && last->type != GC_BACKGROUND)
		last->ended = true;
	process->suspender = at->event->thread;
	process->suspend_reason = (uint32_t)reason;
	process->suspend_ns = at->time_ns;
	process->suspended = false;
	process->suspended_for = reason == SUSPEND_FOR_GC_PREP ? process->background : GC_NONE;
}

static void take_suspend_stop(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	struct gc *gc = gc_at(process, process->background);

	if (at->event->thread != process->suspender || process->suspended)
		return;
	process->suspended = true;
	process->suspend_end_ns = at->time_ns;
	if (process->suspend_reason == SUSPEND_FOR_GC_PREP && gc && gc->suspend_ns >= 0)
		gc->suspend_ns =
			ns_plus(gc->suspend_ns, ns_between(process->suspend_ns, at->time_ns));
}

enum { START_COUNT, START_DEPTH, START_REASON, START_TYPE };
static const char start_fields[] = "Count Depth Reason Type";

/* The pause up to the collection's start. */
static void begin_pause(struct gc_process *process, struct gc *gc)
{
	struct gc *before = gc_at(process, process->suspended_for);

	gc->pause_start_ns = gc->start_ns;
	gc->pause_ns = gc->suspend_ns = -1;
	if (!process->suspender)
		return;
	if (before) { /* the second one in a suspension: the rest of the pause is its own */
		gc->suspend_ns = 0;
		if (before->type != GC_BACKGROUND) {
			before->pause_ns = ns_between(before->pause_start_ns, gc->start_ns);
			before->complete = before->has_stats && before->duration_ns >= 0;
		}
		return;
	}
	gc->pause_start_ns = process->suspend_ns;
	gc->suspend_ns = ns_between(process->suspend_ns,
				    process->suspended ? process->suspend_end_ns : gc->start_ns);
}

static void take_start(void *self, const struct event_context *at)
{
	struct gc_stats *stats = self;
	struct gc_process *process = gc_process_of(stats, at);
	const struct field_value *values = at->values;
	struct gc *last = last_of(process);
	struct gc *gc;

	if (!values[START_COUNT].known || (last && last->number == values[START_COUNT].number))
		return;
	process->list =
		xgrow(process->list, process->count, &process->capacity, sizeof(*process->list));
	gc = &process->list[process->count];
	*gc = (struct gc){
		.process_id = process->id,
		.number = (uint32_t)values[START_COUNT].number,
		.generation = (uint32_t)values[START_DEPTH].number,
		.reason = (uint32_t)values[START_REASON].number,
		.type = (uint32_t)values[START_TYPE].number,
		.blocking = values[START_TYPE].number != GC_BACKGROUND,
		.wanted = event_query_passes_process(&at->pass->query, process->id, at->time_ns),
		.start_ns = at->time_ns,
		.duration_ns = -1,
		.pause_percent = -1,
	};
	begin_pause(process, gc);
	if (process->count)
		gc[-1].ended = gc[-1].ended || gc[-1].type != GC_BACKGROUND;
	/* while a background one is open all others are foreground ones */
	if (gc->type == GC_NON_CONCURRENT && process->suspended_for == GC_NONE)
		process->background = GC_NONE;
	if (gc->type == GC_BACKGROUND) {
		process->background = process->count;
		gc->pause_ns = gc->suspend_ns;
	}
	if (process->suspender && process->suspended_for == GC_NONE)
		process->suspended_for = process->count;
	process->count++;
	if (stats->setup.take)
		pass_on(stats, process, false);
}

static void take_stop(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	const struct field_value *values = at->values;
	struct gc *gc = last_of(process);

	if (!gc || !values[START_COUNT].known)
		return;
	if (gc->number != values[START_COUNT].number)
		gc = gc_at(process, process->background);
	if (!gc || gc->number != values[START_COUNT].number)
		return;
	gc->duration_ns = ns_between(gc->start_ns, at->time_ns);
	if (values[START_DEPTH].known && values[START_DEPTH].number < 3)
		gc->generation = (uint32_t)values[START_DEPTH].number;
}

enum {
	STATS_SIZE,
	STATS_PROMOTED = STATS_SIZE + GC_GENERATIONS,
	STATS_FINALIZED_SIZE = STATS_PROMOTED + GC_GENERATIONS,
	STATS_FINALIZED_COUNT,
	STATS_PINNED,
	STATS_SYNC_BLOCKS,
	STATS_HANDLES,
};
static const char stats_fields[] =
	"GenerationSize0 GenerationSize1 GenerationSize2 GenerationSize3 GenerationSize4 "
	"TotalPromotedSize0 TotalPromotedSize1 TotalPromotedSize2 TotalPromotedSize3 "
	"TotalPromotedSize4 FinalizationPromotedSize FinalizationPromotedCount PinnedObjectCount "
	"SinkBlockCount GCHandleCount";

static void set_stats(struct gc *gc, const struct field_value *values)
{
	gc->has_stats = true;
	gc->has_pinned = gc->has_pinned || values[STATS_SIZE + GC_PINNED].known;
	gc->heap_after = gc->promoted = 0;
	for (int i = 0; i < GC_GENERATIONS; i++) {
		gc->generations[i].size_after = values[STATS_SIZE + i].number;
		gc->generations[i].promoted = values[STATS_PROMOTED + i].number;
		gc->heap_after += values[STATS_SIZE + i].number;
		gc->promoted += values[STATS_PROMOTED + i].number;
	}
	gc->finalized_size = values[STATS_FINALIZED_SIZE].number;
	gc->finalized_count = values[STATS_FINALIZED_COUNT].number;
	gc->pinned_objects = (uint32_t)values[STATS_PINNED].number;
	gc->sync_blocks = (uint32_t)values[STATS_SYNC_BLOCKS].number;
	gc->handles = (uint32_t)values[STATS_HANDLES].number;
}

static bool is_complete(const struct gc *gc)
{
	return gc->has_stats && gc->duration_ns >= 0 && gc->pause_ns >= 0;
}

/* It ends in the suspension in which it started. */
static bool is_blocking(const struct gc_process *process, const struct gc *gc)
{
	return process->suspender && process->suspend_reason == SUSPEND_FOR_GC &&
	       gc->start_ns >= process->suspend_ns;
}

/* No other event marks its end, unless it was a blocking one, which ends with its pause. */
static void end_background(struct gc_process *process, struct gc *gc)
{
	gc->ended = true;
	gc->complete = !gc->blocking && is_complete(gc);
	process->last_background = process->background;
	process->background = GC_NONE;
}

static void take_heap_stats(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	struct gc *gc = gc_current(process);

	if (gc && !gc->blocking)
		gc->blocking = is_blocking(process, gc);
	if (gc && at->values[STATS_SIZE].known) {
		set_stats(gc, at->values);
		gc->since_last_ns = ns_between(process->last_end_ns,
					       gc->blocking ? gc->pause_start_ns : at->time_ns);
		for (int i = 0; i < 3; i++)
			gc->ticked[i] = process->ticked[i] - process->ticked_before[i];
	}
	if (gc && gc->type == GC_BACKGROUND)
		end_background(process, gc);
	memcpy(process->ticked_before, process->ticked, sizeof(process->ticked));
	process->last_end_ns = at->time_ns;
}

static void end_pause(struct gc_process *process, struct gc *gc, int64_t now_ns)
{
	if (gc->blocking) {
		if (gc->suspend_ns >= 0)
			gc->pause_ns = ns_between(gc->pause_start_ns, now_ns);
		gc->complete = is_complete(gc);
		gc->ended = true;
	} else if (process->suspend_reason == SUSPEND_FOR_GC_PREP) {
		gc->pause_ns = ns_plus(gc->pause_ns, ns_between(process->suspend_ns, now_ns));
	} else if (gc->suspend_ns >= 0) {
		gc->pause_ns = ns_between(gc->pause_start_ns, now_ns);
	}
}

/* The collection whose pause may end now, or NULL. */
static struct gc *paused(struct gc_process *process)
{
	struct gc *current = gc_current(process);
	struct gc *last = gc_at(process, process->last_background);

	if (current || !last || !last->blocking)
		return current;
	return is_blocking(process, last) ? last : NULL;
}

static void take_restart_stop(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	struct gc *current = paused(process);
	struct gc *first = gc_at(process, process->suspended_for);

	if (at->event->thread != process->suspender)
		return;
	if (current)
		end_pause(process, current, at->time_ns);
	if (first)
		first->stopped_ns =
			ns_plus(first->stopped_ns, ns_between(process->suspend_ns, at->time_ns));
	process->suspender = NULL;
	process->suspended_for = GC_NONE;
}

enum { TICK_AMOUNT, TICK_KIND, TICK_AMOUNT64 };
static const char tick_fields[] = "AllocationAmount AllocationKind AllocationAmount64";

static void take_tick(void *self, const struct event_context *at)
{
	struct gc_process *process = gc_process_of(self, at);
	const struct field_value *values = at->values;
	const uint64_t amount = values[TICK_AMOUNT64].number ? values[TICK_AMOUNT64].number
							     : values[TICK_AMOUNT].number;
	const uint64_t kind = values[TICK_KIND].number;

	if (amount <= INT64_MAX) /* old runtimes write impossible amounts */
		process->ticked[kind < 2 ? kind : 2] += amount;
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_GC_ALLOCATION_TICK, NULL, tick_fields, take_tick },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_SUSPEND_EE_BEGIN, NULL, "Reason", take_suspend_start },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_SUSPEND_EE_END, NULL, NULL, take_suspend_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_RESTART_EE_END, NULL, NULL, take_restart_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_START, NULL, start_fields, take_start },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_END, NULL, start_fields, take_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_HEAP_STATS, NULL, stats_fields, take_heap_stats },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_PER_HEAP_HISTORY, NULL, gc_heap_history_fields,
	  gc_take_heap_history },
	{ CLR_RUNTIME_PROVIDER, CLR_GC_GLOBAL_HEAP_HISTORY, NULL, gc_global_history_fields,
	  gc_take_global_history },
	{ 0 },
};

static int by_time(const void *left, const void *right)
{
	const struct gc *a = left;
	const struct gc *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->process_id != b->process_id)
		return a->process_id < b->process_id ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void move_to_list(struct gc_stats *stats, struct gc_process *process)
{
	stats->list = xrealloc(stats->list, stats->count + process->count, sizeof(*stats->list));
	memcpy(stats->list + stats->count, process->list, process->count * sizeof(*process->list));
	stats->count += process->count;
	xfree(process->list);
	process->list = NULL;
}

static void finish(void *self, const struct pass *pass)
{
	struct gc_stats *stats = self;

	(void)pass;
	for (size_t i = 0; i < stats->processes.count; i++) {
		struct gc_process *process = stats->processes.list[i];

		if (stats->setup.take) {
			pass_on(stats, process, true);
		} else if (process->count) {
			gc_process_finish(process);
			move_to_list(stats, process);
		}
	}
	if (stats->count)
		qsort(stats->list, stats->count, sizeof(*stats->list), by_time);
}

static void release(void *self)
{
	struct gc_stats *stats = self;

	for (size_t i = 0; i < stats->processes.count; i++)
		xfree(((struct gc_process *)stats->processes.list[i])->list);
	record_set_release(&stats->processes);
	xfree(stats->list);
}

static const struct gc_stats initial = { .processes = RECORD_SET(struct gc_process, id) };

const struct analysis gc_analysis = {
	.name = "gc",
	.size = sizeof(struct gc_stats),
	.initial = &initial,
	.has_items = true,
	.rows = rows,
	.finish = finish,
	.release = release,
};

bool gc_is_induced(const struct gc *gc)
{
	return gc->reason == GC_REASON_INDUCED || gc->reason == GC_REASON_INDUCED_NOT_FORCED ||
	       gc->reason == GC_REASON_INDUCED_LOW_MEMORY ||
	       gc->reason == GC_REASON_INDUCED_COMPACTING ||
	       gc->reason == GC_REASON_INDUCED_AGGRESSIVE;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void sum_add(struct gc_sum *sum, const struct gc *gc)
{
	const double rate =
		gc->since_last_ns > 0 ? 1e9 * (double)gc->allocated / (double)gc->since_last_ns : 0;

	sum->count++;
	sum->induced += gc_is_induced(gc);
	sum->pause_total_ns = ns_plus(sum->pause_total_ns, larger(gc->pause_ns, 0));
	sum->pause_max_ns = larger(sum->pause_max_ns, gc->pause_ns);
	sum->suspend_max_ns = larger(sum->suspend_max_ns, gc->suspend_ns);
	sum->promoted += gc->promoted;
	sum->allocated = (int64_t)((uint64_t)sum->allocated + (uint64_t)gc->allocated);
	sum->after_total += gc->heap_after;
	sum->peak_total += gc->heap_peak;
	if (gc->heap_peak > sum->peak_max)
		sum->peak_max = gc->heap_peak;
	if (rate > sum->allocated_per_second_max)
		sum->allocated_per_second_max = rate;
}

void gc_summary_add(struct gc_summary *summary, const struct gc *gc)
{
	struct gc_sum *generation =
		gc->generation < 3 ? &summary->generations[gc->generation] : NULL;

	summary->all.stopped_ns = ns_plus(summary->all.stopped_ns, gc->stopped_ns);
	if (generation)
		generation->stopped_ns = ns_plus(generation->stopped_ns, gc->stopped_ns);
	if (!gc->complete) {
		summary->incomplete++;
		return;
	}
	sum_add(&summary->all, gc);
	if (generation)
		sum_add(generation, gc);
}
