/* SPDX-License-Identifier: MIT */
#include "export/awaits.h"

#include <stdlib.h>

#include "analyze/task_time.h"
#include "base/alloc.h"
#include "base/merge_heap.h"
#include "export/source.h"

#define MOST_TRACKS 1000 /* of a trace; awaits beyond that are moved to when one is free */

/* By process: its tracks by the end of their last await. */
struct placing {
	struct export_awaits *awaits;
	struct merge_heap *ends;
};

static uint32_t add_track(struct export_awaits *awaits, uint32_t process, size_t number)
{
	awaits->tracks = xgrow(awaits->tracks, awaits->track_count, &awaits->track_capacity,
			       sizeof(*awaits->tracks));
	awaits->tracks[awaits->track_count] =
		(struct await_track){ .process = process, .number = (uint32_t)number };
	return (uint32_t)awaits->track_count++;
}

static uint32_t track_for(struct placing *p, uint32_t process, const struct model_sample *await)
{
	struct merge_heap *ends = &p->ends[process];
	const int64_t end = await->time_ns + await->weight;
	const bool full = p->awaits->track_count >= MOST_TRACKS;
	uint32_t track;

	if (ends->count && (full || ends->heap[0].time <= await->time_ns)) {
		track = ends->heap[0].number;
		merge_heap_next(ends, true, end);
	} else {
		track = add_track(p->awaits, process, ends->count);
		merge_heap_add(ends, end, track);
	}
	return track;
}

void export_awaits_take(struct export_part *part)
{
	const struct model *model = &part->model;
	struct placing p = { .awaits = &part->awaits };
	struct task_walk walk;
	struct model_task task;

	p.ends = xcalloc(model->process_count + 1, sizeof(*p.ends));
	task_walk_begin(&walk, &model->tasks);
	while (task_walk_next(&walk, &task)) {
		struct model_sample sample = task_as_sample(&task);

		if (!task_is_awaited(model, &part->query, &task))
			continue;
		sample.thread = track_for(&p, task.process, &sample);
		sample.kind = SAMPLE_NOTE;
		samples_add(&part->awaits.samples, &sample);
	}
	task_walk_end(&walk);
	samples_sort(&part->awaits.samples);
	for (size_t i = 0; i < model->process_count; i++)
		merge_heap_release(&p.ends[i]);
	xfree(p.ends);
}

void export_awaits_release(struct export_awaits *awaits)
{
	samples_release(&awaits->samples);
	xfree(awaits->tracks);
}
