/* SPDX-License-Identifier: MIT */
/*
 * The threads of all parts, and which samples each of them has.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "export/source.h"

static const char *const state_names[] = {
	[SAMPLE_ERROR] = "UNKNOWN_TIME",  [SAMPLE_EXTERNAL] = "UNMANAGED_CODE_TIME",
	[SAMPLE_MANAGED] = "CPU_TIME",	  [SAMPLE_CPU] = "CPU_TIME",
	[SAMPLE_SWITCH] = "BLOCKED_TIME", [SAMPLE_MARK] = "CPU_TIME",
	[SAMPLE_NOTE] = "UNKNOWN_TIME",
};

/* What a thread did is a frame of its own where not all samples say the same, as in .NET's tools.
 */
static void name_states(struct export_source *source, struct export_part *part)
{
	bool met[SAMPLE_NOTE + 1] = { false };

	for (size_t i = 0; i < part->sample_count; i++)
		if (part->samples[i].weight_ns >= 0)
			met[part->samples[i].kind] = true;
	for (int kind = 0; kind <= SAMPLE_NOTE; kind++) {
		part->states[kind] = EXPORT_NONE;
		if (met[kind] && source->view->marks)
			part->states[kind] = export_source_frame(
				source, &(const struct export_frame){ .full = state_names[kind],
								      .name = state_names[kind] });
	}
}

static uint32_t process_of(struct export_source *source, uint32_t part_number, uint32_t process)
{
	struct export_part *part = source->parts[part_number];
	const struct model_process *from = &part->model.processes[process];

	if (process >= part->process_count) {
		const size_t count = 2 * (size_t)process + 4;

		part->processes = xrealloc(part->processes, count, sizeof(*part->processes));
		memset(part->processes + part->process_count, 0,
		       (count - part->process_count) * sizeof(*part->processes));
		part->process_count = count;
	}
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

/* What is learnt of a process while the trace is read may come behind its first span. */
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

static _Thread_local const struct model_sample *sorted_samples;

static int by_time(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;

	if (sorted_samples[a].time_ns != sorted_samples[b].time_ns)
		return sorted_samples[a].time_ns < sorted_samples[b].time_ns ? -1 : 1;
	return (a > b) - (a < b);
}

/* A trace may break its promise that its events come in order. */
static void sort_if_needed(const struct export_part *part, uint32_t *samples, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (part->samples[samples[i]].time_ns < part->samples[samples[i - 1]].time_ns) {
			sorted_samples = part->samples;
			qsort(samples, count, sizeof(*samples), by_time);
			return;
		}
}

static void add_thread(struct export_source *source, const struct export_thread *thread,
		       uint32_t *samples)
{
	const struct export_part *part = source->parts[thread->part];
	struct export_thread *added;

	sort_if_needed(part, samples, thread->count);
	source->threads = xgrow(source->threads, source->thread_count, &source->thread_capacity,
				sizeof(*source->threads));
	added = &source->threads[source->thread_count++];
	*added = *thread;
	added->samples = samples;
	for (size_t i = 0; i < added->count; i++) {
		const struct model_sample *sample = &part->samples[samples[i]];

		added->total += (uint64_t)sample->weight_ns;
		if (sample_is_cpu(sample))
			added->cpu += (uint64_t)sample->weight_ns;
	}
}

/* Samples are put by thread into one array. */
static void add_threads(struct export_source *source, uint32_t number)
{
	struct export_part *part = source->parts[number];
	const struct model *model = &part->model;
	size_t *ends = xcalloc(model->thread_count + 1, sizeof(*ends));
	size_t start = 0;

	part->order = xcalloc(part->sample_count + 1, sizeof(*part->order));
	for (size_t i = 0; i < part->sample_count; i++)
		ends[part->samples[i].thread + 1] += part->samples[i].weight_ns >= 0;
	for (size_t i = 1; i <= model->thread_count; i++)
		ends[i] += ends[i - 1];
	for (size_t i = 0; i < part->sample_count; i++)
		if (part->samples[i].weight_ns >= 0)
			part->order[ends[part->samples[i].thread]++] = (uint32_t)i;
	for (size_t i = 0; i < model->thread_count; start = ends[i++]) {
		const struct model_thread *thread = &model->threads[i];

		if (ends[i] > start)
			add_thread(source,
				   &(const struct export_thread){
					   .id = thread->id,
					   .name = thread->name,
					   .process = process_of(source, number, thread->process),
					   .part = number,
					   .count = ends[i] - start,
				   },
				   part->order + start);
	}
	free(ends);
}

/* Times count from the start of the earliest trace; one without a clock reading is left as it is.
 */
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

static _Thread_local const struct export_source *sorted_source;

static int by_first_sample(const void *left, const void *right)
{
	const struct export_thread *a = left;
	const struct export_thread *b = right;
	const int64_t a_ns = export_sample_at(sorted_source, a, 0).time_ns;
	const int64_t b_ns = export_sample_at(sorted_source, b, 0).time_ns;

	if (a_ns != b_ns)
		return a_ns < b_ns ? -1 : 1;
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->samples > b->samples) - (a->samples < b->samples);
}

int export_source_finish(struct export_source *source, struct pp_error *err)
{
	align_clocks(source);
	for (uint32_t i = 0; i < source->part_count; i++) {
		name_states(source, source->parts[i]);
		add_threads(source, i);
	}
	name_processes(source);
	export_spans_finish(source);
	if (!source->thread_count && !source->span_count && !source->counter_count)
		return error_set(err, PP_ERROR_USAGE,
				 "no sample is left: the filters let none through");
	sorted_source = source;
	if (source->thread_count)
		qsort(source->threads, source->thread_count, sizeof(*source->threads),
		      by_first_sample);
	return 0;
}
