/* SPDX-License-Identifier: MIT */
#include "analyze/gc.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gc_process.h"
#include "base/alloc.h"

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct gc_stats *stats = self;

	(void)pass;
	stats->take = setup->take;
	stats->to = setup->to;
}

static void release(void *self)
{
	struct gc_stats *stats = self;

	for (size_t i = 0; i < stats->processes.capacity; i++) {
		struct gc_process *process = stats->processes.slots[i].value;

		if (process)
			free(process->list);
		free(process);
	}
	map_release(&stats->processes);
	free(stats->list);
}

bool gc_was_recorded(const struct gc_stats *stats)
{
	return stats->processes.count > 0;
}

struct gc_process *gc_process_of(struct gc_stats *stats, const struct pp_event *event)
{
	const int64_t id = event->thread->process_id;
	struct gc_process *process = map_find(&stats->processes, (uint64_t)id);

	if (process)
		return process;
	process = xcalloc(1, sizeof(*process));
	process->id = id;
	process->suspended_for = GC_NONE;
	process->background = GC_NONE;
	process->last_background = GC_NONE;
	map_put(&stats->processes, (uint64_t)id, process);
	return process;
}

struct gc *gc_current(struct gc_process *process)
{
	if (process->count && !process->list[process->count - 1].ended)
		return &process->list[process->count - 1];
	return process->background == GC_NONE ? NULL : &process->list[process->background];
}

static bool may_change(const struct gc_process *process, size_t i)
{
	return i + 1 == process->count || i == process->suspended_for || i == process->background ||
	       i == process->last_background;
}

void gc_settle(struct gc_stats *stats, struct gc_process *process)
{
	size_t *const places[] = { &process->suspended_for, &process->background,
				   &process->last_background };
	size_t left = 0;

	for (size_t i = 0; i < process->count; i++) {
		if (!may_change(process, i)) {
			stats->take(stats->to, &process->list[i]);
			continue;
		}
		for (size_t j = 0; j < sizeof(places) / sizeof(places[0]); j++)
			if (*places[j] == i)
				*places[j] = left;
		process->list[left++] = process->list[i];
	}
	process->count = left;
}

static void hand_over_all(struct gc_stats *stats)
{
	for (size_t i = 0; i < stats->processes.capacity; i++) {
		struct gc_process *process = stats->processes.slots[i].value;

		for (size_t j = 0; process && j < process->count; j++)
			stats->take(stats->to, &process->list[j]);
		if (process)
			process->count = 0;
	}
}

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

static void finish(void *self, const struct pass *pass)
{
	struct gc_stats *stats = self;
	size_t count = 0;

	(void)pass;
	if (stats->take) {
		hand_over_all(stats);
		return;
	}
	for (size_t i = 0; i < stats->processes.capacity; i++)
		if (stats->processes.slots[i].value)
			count += ((struct gc_process *)stats->processes.slots[i].value)->count;
	stats->list = xcalloc(count + 1, sizeof(*stats->list));
	for (size_t i = 0; i < stats->processes.capacity; i++) {
		struct gc_process *process = stats->processes.slots[i].value;

		if (!process || !process->count)
			continue;
		gc_process_finish(process);
		memcpy(stats->list + stats->count, process->list,
		       process->count * sizeof(*process->list));
		stats->count += process->count;
		free(process->list);
		process->list = NULL;
		process->count = process->capacity = 0;
	}
	qsort(stats->list, stats->count, sizeof(*stats->list), by_time);
}

const struct analysis gc_analysis = {
	.name = "gc",
	.size = sizeof(struct gc_stats),
	.rows = gc_rows,
	.begin = begin,
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
