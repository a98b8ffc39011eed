/* SPDX-License-Identifier: MIT */
#include "analyze/gc.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gc_process.h"
#include "base/alloc.h"
#include "base/array.h"

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

void gc_pass_on(const struct gc_stats *stats, struct gc_process *process, bool all)
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
	free(process->list);
	process->list = NULL;
}

static void finish(void *self, const struct pass *pass)
{
	struct gc_stats *stats = self;

	(void)pass;
	for (size_t i = 0; i < stats->processes.count; i++) {
		struct gc_process *process = stats->processes.list[i];

		if (stats->setup.take) {
			gc_pass_on(stats, process, true);
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
		free(((struct gc_process *)stats->processes.list[i])->list);
	record_set_release(&stats->processes);
	free(stats->list);
}

static const struct gc_stats initial = { .processes = RECORD_SET(struct gc_process, id) };

const struct analysis gc_analysis = {
	.name = "gc",
	.size = sizeof(struct gc_stats),
	.initial = &initial,
	.has_items = true,
	.rows = gc_rows,
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
