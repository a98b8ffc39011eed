/* SPDX-License-Identifier: MIT */
/*
 * Tracks and their events. Slices of a track must nest, but spans of a thread need not: so a thread
 * has tracks of its own for each kind of span, as many as there are spans at a time.
 * Perfetto shows tracks of one name as one.
 */
#include <string.h>

#include "base/alloc.h"
#include "export/perfetto.h"
#include "export/spans_kept.h"

enum {
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK_UUID = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,
	EVENT_DOUBLE_VALUE = 44,
	EVENT_FLOW_IDS = 47,
	EVENT_TERMINATING_FLOW_IDS = 48,
	TYPE_SLICE_BEGIN = 1,
	TYPE_SLICE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,
	ANNOTATION_NAME = 10,
	ANNOTATION_INT = 4,
	ANNOTATION_TEXT = 6,
	COUNTER_UNIT = 3,
	COUNTER_UNIT_NAME = 6,
	COUNTER_BYTES = 3,
};

#define KIND_TASK EXPORT_SPAN_KINDS /* the first kind of lanes after those of spans */

/* Returns the uuid of the new track. */
static uint64_t open_track(struct perfetto *p, uint64_t parent)
{
	const uint64_t uuid = ++p->last_uuid;

	perfetto_open(p, PACKET_TRACK_DESCRIPTOR);
	proto_u64(&p->proto, TRACK_UUID, uuid);
	proto_u64(&p->proto, TRACK_PARENT_UUID, parent);
	return uuid;
}

uint64_t perfetto_process(struct perfetto *p, uint32_t process)
{
	const struct export_process *from = &p->source->processes[process];

	if (p->processes[process])
		return p->processes[process];
	p->processes[process] = open_track(p, 0);
	proto_open(&p->proto, TRACK_PROCESS);
	proto_always(&p->proto, 1, tracks_shown_process(p->source, process));
	proto_text(&p->proto, 2, from->command_line);
	proto_text(&p->proto, 6, from->name);
	proto_close(&p->proto);
	perfetto_close(p);
	return p->processes[process];
}

uint64_t perfetto_thread(struct perfetto *p, uint32_t process, int64_t id, const char *name)
{
	const uint64_t key = tracks_key(process, id);
	uint64_t uuid = (uintptr_t)map_find(&p->threads, key);

	if (uuid)
		return uuid;
	uuid = open_track(p, perfetto_process(p, process));
	map_put(&p->threads, key, (void *)(uintptr_t)uuid);
	proto_open(&p->proto, TRACK_THREAD);
	proto_always(&p->proto, 1, tracks_shown_process(p->source, process));
	proto_always(&p->proto, 2, tracks_shown_id(p->source, process, id));
	proto_text(&p->proto, 5, name);
	proto_close(&p->proto);
	perfetto_close(p);
	return uuid;
}

static uint64_t put_child_track(struct perfetto *p, uint64_t parent, const char *name)
{
	const uint64_t uuid = open_track(p, parent);

	proto_text(&p->proto, TRACK_NAME, name);
	perfetto_close(p);
	return uuid;
}

struct slice {
	uint64_t parent; /* track */
	unsigned kind;
	const char *track;
	int64_t start_ns;
	int64_t end_ns;
};

/* A track of the parent and kind that is free at the start of the slice. One whose slice never
   ends is not kept, since no other slice can use it. */
static uint64_t lane_of(struct perfetto *p, const struct slice *slice)
{
	const uint64_t key = slice->parent << 4 | slice->kind;
	const uint32_t first = (uint32_t)(uintptr_t)map_find(&p->lane_lists, key);
	struct perfetto_lane lane = { .end_ns = slice->end_ns, .next = first };

	for (uint32_t i = first; i; i = p->lanes[i - 1].next)
		if (p->lanes[i - 1].end_ns <= slice->start_ns) {
			p->lanes[i - 1].end_ns = slice->end_ns;
			return p->lanes[i - 1].uuid;
		}
	lane.uuid = put_child_track(p, slice->parent, slice->track);
	if (slice->end_ns == INT64_MAX)
		return lane.uuid;
	p->lanes = xgrow(p->lanes, p->lane_count, &p->lane_capacity, sizeof(*p->lanes));
	p->lanes[p->lane_count++] = lane;
	map_put(&p->lane_lists, key, (void *)(uintptr_t)p->lane_count);
	return lane.uuid;
}

static void open_event(struct perfetto *p, uint64_t track, uint64_t type, int64_t time_ns)
{
	perfetto_open_at(p, PACKET_TRACK_EVENT, time_ns);
	proto_u64(&p->proto, EVENT_TYPE, type);
	proto_u64(&p->proto, EVENT_TRACK_UUID, track);
}

static void put_slice_end(struct perfetto *p, uint64_t track, int64_t time_ns)
{
	open_event(p, track, TYPE_SLICE_END, time_ns);
	perfetto_close(p);
}

static void put_annotation(struct perfetto *p, const struct export_note *note)
{
	proto_open(&p->proto, EVENT_ANNOTATIONS);
	proto_text(&p->proto, ANNOTATION_NAME, note->key);
	if (note->text)
		proto_text_always(&p->proto, ANNOTATION_TEXT, note->text);
	else
		proto_always(&p->proto, ANNOTATION_INT, (uint64_t)note->number);
	proto_close(&p->proto);
}

static void put_facts(struct perfetto *p, const struct export_span *span)
{
	proto_text(&p->proto, EVENT_CATEGORIES, export_span_names[span->kind]);
	proto_text_always(&p->proto, EVENT_NAME, span->name);
	for (size_t i = 0; i < EXPORT_NOTES && span->notes[i].key; i++)
		put_annotation(p, &span->notes[i]);
}

static void put_span(struct perfetto *p, const struct export_span *span)
{
	const struct slice slice = {
		.parent = span->on_thread ? perfetto_thread(p, span->process, span->thread_id,
							    span->thread_name)
					  : perfetto_process(p, span->process),
		.kind = span->kind,
		.track = export_span_names[span->kind],
		.start_ns = span->start_ns,
		.end_ns = span->unfinished ? INT64_MAX : span->end_ns,
	};
	const bool instant = span->kind == EXPORT_EXCEPTION;
	const uint64_t lane = lane_of(p, &slice);

	open_event(p, lane, instant ? TYPE_INSTANT : TYPE_SLICE_BEGIN, span->start_ns);
	put_facts(p, span);
	perfetto_close(p);
	/* one without an end lasts as long as the trace */
	if (!instant && !span->unfinished)
		put_slice_end(p, lane, span->end_ns);
}

void perfetto_put_spans(struct perfetto *p)
{
	struct span_reader reader = { .source = p->source };
	const struct export_span *span;

	while ((span = span_next(&reader)))
		put_span(p, span);
	span_reader_release(&reader);
}

static bool is_wanted(const struct perfetto *p, const struct export_part *part,
		      const struct model_task *task)
{
	return task->ran_on != MODEL_NONE && task->started_ns != INT64_MIN &&
	       task->process < part->process_count && part->processes[task->process] &&
	       event_query_passes_thread(&p->source->query->samples.events,
					 part->model.processes[task->process].id,
					 part->model.threads[task->ran_on].id, task->started_ns);
}

static uint64_t model_track(struct perfetto *p, const struct export_part *part, uint32_t number)
{
	const struct model_thread *thread = &part->model.threads[number];
	const uint32_t process =
		thread->process < part->process_count ? part->processes[thread->process] : 0;

	return process ? perfetto_thread(p, process - 1, thread->id, thread->name) : 0;
}

/* Where it was created, where it ran, and an arrow from one to the other. */
static void put_task(struct perfetto *p, const struct export_part *part,
		     const struct model_task *task, uint64_t flow)
{
	const char *name = task->await ? "await" : "task";
	const uint64_t maker = model_track(p, part, task->made_on);
	struct slice slice = {
		.parent = maker,
		.kind = KIND_TASK + 1,
		.track = "scheduled",
		.start_ns = task->made_ns + part->offset_ns,
		.end_ns = task->made_ns + part->offset_ns,
	};
	uint64_t lane;

	if (maker) {
		lane = lane_of(p, &slice);
		open_event(p, lane, TYPE_INSTANT, slice.start_ns);
		proto_text(&p->proto, EVENT_NAME, name);
		proto_fixed64(&p->proto, EVENT_FLOW_IDS, flow);
		perfetto_close(p);
	}
	slice.parent = model_track(p, part, task->ran_on);
	slice.kind = KIND_TASK;
	slice.track = "tasks";
	slice.start_ns = task->started_ns + part->offset_ns;
	slice.end_ns = task->ended_ns >= task->started_ns ? task->ended_ns + part->offset_ns
							  : slice.start_ns;
	if (!slice.parent)
		return;
	lane = lane_of(p, &slice);
	open_event(p, lane, TYPE_SLICE_BEGIN, slice.start_ns);
	proto_text(&p->proto, EVENT_CATEGORIES, "task");
	proto_text(&p->proto, EVENT_NAME, name);
	proto_fixed64(&p->proto, EVENT_TERMINATING_FLOW_IDS, flow);
	perfetto_close(p);
	put_slice_end(p, lane, slice.end_ns);
}

void perfetto_put_tasks(struct perfetto *p)
{
	uint64_t flow = 0;

	for (size_t i = 0; i < p->source->part_count; i++) {
		const struct export_part *part = p->source->parts[i];
		struct task_walk walk;
		struct model_task task;

		task_walk_begin(&walk, &part->model.tasks);
		while (task_walk_next(&walk, &task))
			if (is_wanted(p, part, &task))
				put_task(p, part, &task, ++flow);
		task_walk_end(&walk);
	}
}

static uint64_t put_counter_track(struct perfetto *p, const struct export_counter *counter)
{
	const uint64_t uuid = open_track(p, perfetto_process(p, counter->process));

	proto_text(&p->proto, TRACK_NAME, counter->name);
	proto_open(&p->proto, TRACK_COUNTER);
	if (!strcmp(counter->unit, "bytes") || !strcmp(counter->unit, "By"))
		proto_u64(&p->proto, COUNTER_UNIT, COUNTER_BYTES);
	else
		proto_text(&p->proto, COUNTER_UNIT_NAME, counter->unit);
	proto_close(&p->proto);
	perfetto_close(p);
	return uuid;
}

void perfetto_put_counters(struct perfetto *p)
{
	for (size_t i = 0; i < p->source->counter_count; i++) {
		const struct export_counter *counter = &p->source->counters[i];
		const uint64_t track = put_counter_track(p, counter);
		struct point_reader reader = { .source = p->source, .counter = counter };
		const struct export_point *point;

		while ((point = point_next(&reader))) {
			open_event(p, track, TYPE_COUNTER, point->time_ns);
			proto_double(&p->proto, EVENT_DOUBLE_VALUE, point->value);
			perfetto_close(p);
		}
		reel_reader_release(&reader.reel);
	}
}
