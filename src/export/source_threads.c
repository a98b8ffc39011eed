/* SPDX-License-Identifier: MIT */
/*
 * The threads of all parts, and which samples each of them has.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/accounting.h"
#include "base/alloc.h"
#include "export/source.h"

static const char *const state_names[] = {
	[SAMPLE_ERROR] = "UNKNOWN_TIME",  [SAMPLE_EXTERNAL] = "UNMANAGED_CODE_TIME",
	[SAMPLE_MANAGED] = "CPU_TIME",	  [SAMPLE_CPU] = "CPU_TIME",
	[SAMPLE_SWITCH] = "BLOCKED_TIME", [SAMPLE_READY] = "READY_TIME",
	[SAMPLE_MARK] = "CPU_TIME",	  [SAMPLE_NOTE] = "UNKNOWN_TIME",
};

/* Where it was measured, what is not on a processor is known to wait. */
static const char *name_of_state(const struct export_part *part, unsigned kind)
{
	const bool blocked = kind == SAMPLE_EXTERNAL && cpu_was_measured(&part->model);

	return state_names[blocked ? SAMPLE_SWITCH : kind];
}

/* As in .NET's tools, the state of a thread is a frame of its own where samples differ in it. */
static void name_states(struct export_source *source, struct export_part *part, unsigned met)
{
	for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++) {
		part->states[kind] = EXPORT_NONE;
		if (met >> kind & 1 && source->view->marks)
			part->states[kind] =
				export_source_label(source, "%s", name_of_state(part, kind));
	}
}

static uint32_t process_of(struct export_source *source, uint32_t part_number, uint32_t process)
{
	struct export_part *part = source->parts[part_number];
	const struct model_process *from = &part->model.processes[process];

	part->processes =
		xroom(part->processes, &part->process_count, process, sizeof(*part->processes));
	if (part->processes[process])
		return part->processes[process] - 1;
	source->processes = xgrow(source->processes, source->process_count,
				  &source->process_capacity, sizeof(*source->processes));
	source->processes[source->process_count] =
		(struct export_process){ .id = from->id,
					 .name = from->name,
					 .command_line = from->command_line,
					 .part = part_number };
	part->processes[process] = (uint32_t)++source->process_count;
	return part->processes[process] - 1;
}

uint32_t export_source_process(struct export_source *source, uint32_t process)
{
	return process_of(source, (uint32_t)source->part_count - 1, process);
}

/* The name of a process may be read after its first span. */
static void name_processes(struct export_source *source)
{
	for (size_t i = 0; i < source->part_count; i++) {
		const struct export_part *part = source->parts[i];

		for (size_t j = 0; j < part->process_count && j < part->model.process_count; j++)
			if (part->processes[j]) {
				struct export_process *process =
					&source->processes[part->processes[j] - 1];

				process->name = part->model.processes[j].name;
				process->command_line = part->model.processes[j].command_line;
			}
	}
}

int64_t export_weigh(const struct export_part *part, const struct export_view *view,
		     const struct model_sample *sample, uint32_t *node)
{
	*node = part->has_tree ? calltree_node(&part->tree, sample->stack) : sample->stack;
	if (!(view->kinds >> sample->kind & 1) || *node == MODEL_NONE)
		return -1;
	if (view->analysis) /* as in the report, bytes and waits are not cut at the limits of time
			     */
		return sample_query_passes(&part->query, &part->model, sample) ? sample->weight
									       : -1;
	return sample_query_weight(&part->query, &part->model, sample);
}

/* The same for an await, which was selected before. */
static int64_t weigh_await(const struct export_part *part, const struct model_sample *await,
			   uint32_t *node)
{
	*node = part->has_tree ? calltree_node(&part->tree, await->stack) : await->stack;
	return *node == MODEL_NONE ? -1 : await->weight;
}

static uint32_t leaf_of(const struct export_walk *walk, const struct model_sample *sample)
{
	if (walk->awaits)
		return EXPORT_NONE;
	return sample->leaf ? walk->part->leaves[sample->leaf] : walk->part->states[sample->kind];
}

struct export_walk export_walk_of(const struct export_source *source,
				  const struct export_thread *thread)
{
	struct export_walk walk = { .part = source->parts[thread->part],
				    .view = source->view,
				    .awaits = thread->awaits };

	if (walk.awaits)
		sample_walk_thread(&walk.samples, &walk.part->awaits.samples, thread->row,
				   UNTIL_NOTHING);
	else
		sample_walk_thread(&walk.samples, walk.part->samples, thread->row,
				   walk.view->until);
	return walk;
}

bool export_walk_next(struct export_walk *walk, struct export_sample *sample)
{
	const struct export_part *part = walk->part;
	struct model_sample from;

	while (sample_walk_next(&walk->samples, &from)) {
		const int64_t weight =
			walk->awaits ? weigh_await(part, &from, &sample->stack)
				     : export_weigh(part, walk->view, &from, &sample->stack);

		if (weight < 0)
			continue;
		sample->time_ns = from.time_ns + part->offset_ns;
		sample->weight = (uint64_t)weight;
		sample->leaf = leaf_of(walk, &from);
		sample->link = from.link;
		sample->kind = from.kind;
		sample->part = from.part;
		return true;
	}
	sample_walk_end(&walk->samples);
	return false;
}

uint64_t export_sample_count(const struct export_source *source)
{
	uint64_t count = 0;

	for (size_t i = 0; i < source->thread_count; i++)
		count += source->threads[i].count;
	return count;
}

static void note_sample(struct export_thread *thread, const struct model_sample *sample,
			uint64_t weight)
{
	if (!thread->count++) {
		thread->first_ns = sample->time_ns;
		thread->first_kind = sample->kind;
	}
	thread->total += weight;
	if (sample_is_cpu(sample))
		thread->cpu += weight;
}

/* Counts the samples of each thread; returns their kinds, as bits. */
static unsigned look_at_samples(const struct export_source *source, const struct export_part *part,
				struct export_thread *threads)
{
	struct sample_walk walk;
	struct model_sample sample;
	unsigned met = 0;
	uint32_t node;

	sample_walk_begin(&walk, part->samples, source->view->until);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t weight = export_weigh(part, source->view, &sample, &node);

		if (weight < 0)
			continue;
		met |= 1u << sample.kind;
		note_sample(&threads[sample.thread], &sample, (uint64_t)weight);
	}
	sample_walk_end(&walk);
	return met;
}

static void add_thread(struct export_source *source, uint32_t part, struct export_thread thread,
		       uint32_t process)
{
	thread.part = part;
	thread.process = process_of(source, part, process);
	thread.first_ns += source->parts[part]->offset_ns;
	source->threads = xgrow(source->threads, source->thread_count, &source->thread_capacity,
				sizeof(*source->threads));
	source->threads[source->thread_count++] = thread;
}

static void add_await_track(struct export_source *source, uint32_t part_number, uint32_t row)
{
	const struct export_part *part = source->parts[part_number];
	const struct await_track *track = &part->awaits.tracks[row];
	struct export_thread thread = { .id = EXPORT_AWAITS_ID + track->number,
					.name = EXPORT_AWAITS_NAME,
					.row = row,
					.awaits = true };
	struct sample_walk walk;
	struct model_sample sample;
	uint32_t node;

	sample_walk_thread(&walk, &part->awaits.samples, row, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample)) {
		const int64_t weight = weigh_await(part, &sample, &node);

		if (weight >= 0)
			note_sample(&thread, &sample, (uint64_t)weight);
	}
	sample_walk_end(&walk);
	if (thread.count)
		add_thread(source, part_number, thread, track->process);
}

static void add_threads(struct export_source *source, uint32_t number)
{
	struct export_part *part = source->parts[number];
	const struct model *model = &part->model;
	struct export_thread *threads = xcalloc(model->thread_count + 1, sizeof(*threads));

	name_states(source, part, look_at_samples(source, part, threads));
	for (uint32_t i = 0; i < model->thread_count; i++) {
		struct export_thread *thread = &threads[i];

		if (!thread->count)
			continue;
		thread->id = model->threads[i].id;
		thread->name = model->threads[i].name;
		thread->row = i;
		add_thread(source, number, *thread, model->threads[i].process);
	}
	xfree(threads);
	for (uint32_t i = 0; i < part->awaits.track_count; i++)
		add_await_track(source, number, i);
}

/* Times count from the start of the earliest trace; a trace without a start is not moved. */
static void align_clocks(struct export_source *source)
{
	for (size_t i = 0; i < source->part_count; i++) {
		const int64_t start = source->parts[i]->start_unix_ns;

		if (start > 0 && (!source->start_unix_ns || start < source->start_unix_ns))
			source->start_unix_ns = start;
	}
	for (size_t i = 0; i < source->part_count; i++) {
		struct export_part *part = source->parts[i];

		if (part->start_unix_ns > 0)
			part->offset_ns = part->start_unix_ns - source->start_unix_ns;
		if (part->offset_ns > EXPORT_FARTHEST)
			part->offset_ns = EXPORT_FARTHEST;
		if (i == 0 || part->model.last_ns + part->offset_ns > source->last_ns)
			source->last_ns = part->model.last_ns + part->offset_ns;
	}
}

/* Awaits come after all threads. */
static int by_first_sample(const void *left, const void *right)
{
	const struct export_thread *a = left;
	const struct export_thread *b = right;

	if (a->awaits != b->awaits)
		return a->awaits - b->awaits;
	if (a->first_ns != b->first_ns)
		return a->first_ns < b->first_ns ? -1 : 1;
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

int export_source_finish(struct export_source *source, struct pp_error *err)
{
	align_clocks(source);
	for (uint32_t i = 0; i < source->part_count; i++)
		add_threads(source, i);
	name_processes(source);
	export_spans_finish(source);
	if (!source->thread_count && !source->span_count && !source->counter_count)
		return error_set(err, PP_ERROR_USAGE, "no sample is left after filtering");
	if (source->thread_count)
		qsort(source->threads, source->thread_count, sizeof(*source->threads),
		      by_first_sample);
	return 0;
}
