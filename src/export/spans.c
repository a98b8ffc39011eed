/* SPDX-License-Identifier: MIT */
/*
 * What happens beside the samples becomes spans, one by one, as soon as it is known.
 */
#include "export/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "export/spans_kept.h"

/* A collection, for what follows from all of them: processes and sizes of heaps, by time. */
struct collection {
	int64_t start_ns;
	uint64_t order;
	int64_t end_ns;
	uint64_t heap_after;
	uint32_t process; /* of the model */
	bool has_stats;
};

static int by_start(const void *left, const void *right)
{
	const struct collection *a = left;
	const struct collection *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int by_number(const void *left, const void *right)
{
	const struct model_task *a = left;
	const struct model_task *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

void spans_meet(struct met_processes *processes, uint32_t process)
{
	processes->met =
		xroom(processes->met, &processes->met_count, process, sizeof(*processes->met));
	if (processes->met[process])
		return;
	processes->met[process] = true;
	processes->list = xgrow(processes->list, processes->count, &processes->capacity,
				sizeof(*processes->list));
	processes->list[processes->count++] = process;
}

static bool is_on_thread(const struct kept_span *span)
{
	return span->kind != EXPORT_GC && span->kind != EXPORT_GC_PAUSE;
}

static bool is_wanted(const struct export_spans *spans, const struct kept_span *span)
{
	const struct sample_query *query = &spans->source->query->samples;
	const struct model *model = &spans->part->model;
	const bool on_thread = is_on_thread(span);
	const uint32_t process = on_thread ? model->threads[span->who].process : span->who;

	return (!query->has_process || model->processes[process].id == query->process_id) &&
	       (!query->has_thread ||
		(on_thread && model->threads[span->who].id == query->thread_id)) &&
	       span->end_ns >= query->from_ns && span->start_ns < query->to_ns;
}

void spans_keep(struct export_spans *spans, const struct kept_span *span)
{
	struct kept_span kept = *span;

	if (!is_wanted(spans, span))
		return;
	kept.part = spans->part_number;
	kept.start_ns = export_near(span->start_ns);
	kept.end_ns = export_near(span->end_ns > span->start_ns ? span->end_ns : span->start_ns);
	external_sort_add(&spans->kept, &kept);
	spans->source->span_count++;
}

static int64_t plus(int64_t start_ns, int64_t length_ns)
{
	int64_t end_ns;

	if (length_ns < 0 || __builtin_add_overflow(start_ns, length_ns, &end_ns))
		return start_ns;
	return end_ns < EXPORT_FARTHEST ? end_ns : EXPORT_FARTHEST;
}

static void take_collection(void *to, const struct gc *gc)
{
	struct export_spans *spans = to;
	const struct collection collection = {
		.start_ns = gc->start_ns,
		.order = (uint64_t)gc->process_id << 32 | gc->number,
		.end_ns = plus(gc->start_ns, gc->duration_ns),
		.heap_after = gc->heap_after,
		.process = model_process(&spans->part->model, gc->process_id),
		.has_stats = gc->has_stats,
	};
	struct kept_span span = {
		.kind = EXPORT_GC,
		.who = collection.process,
		.order = collection.order,
		.start_ns = gc->start_ns,
		.end_ns = collection.end_ns,
		.unfinished = !gc->complete,
		.gc = { .promoted = gc->promoted,
			.heap_after = gc->heap_after,
			.number = gc->number,
			.generation = gc->generation,
			.reason = gc->reason,
			.type = gc->type },
	};

	external_sort_add(&spans->collections, &collection);
	spans_keep(spans, &span);
	if (gc->pause_ns < 0)
		return;
	span.kind = EXPORT_GC_PAUSE;
	span.start_ns = gc->pause_start_ns;
	span.end_ns = plus(gc->pause_start_ns, gc->pause_ns);
	spans_keep(spans, &span);
}

static const char *method_name(struct export_spans *spans, const struct jit_method *method)
{
	struct buffer text = { 0 };
	const char *name;

	buffer_bytes(&text, method->type, strlen(method->type));
	if (*method->type)
		buffer_u8(&text, '.');
	buffer_bytes(&text, method->name, strlen(method->name));
	name = strings_intern(&spans->source->strings, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return name;
}

static void take_method(void *to, const struct jit_method *method)
{
	struct export_spans *spans = to;
	struct model *model = &spans->part->model;
	const uint32_t process = model_process(model, method->process_id);

	if (!method->started)
		return;
	spans_meet(&spans->compiling, process);
	spans_keep(spans, &(const struct kept_span){
				  .kind = EXPORT_JIT,
				  .who = model_thread(model, process, method->thread_id),
				  .order = spans->order++,
				  .start_ns = method->start_ns,
				  .end_ns = plus(method->start_ns, method->time_ns),
				  .jit = { .name = method_name(spans, method),
					   .il_size = method->il_size,
					   .native_size = method->native_size,
					   .tier = method->tier },
			  });
}

static void take_moment(struct export_spans *spans, const struct moment *moment)
{
	struct kept_span span = {
		.kind = moment->kind == MOMENT_WAIT ? EXPORT_WAIT : EXPORT_EXCEPTION,
		.who = moment->place.thread,
		.order = spans->order++,
		.start_ns = moment->start_ns,
		.end_ns = moment->end_ns,
		.unfinished = moment->unfinished,
		.stack = moment->place.stack,
	};

	spans_meet(&spans->telling, spans->part->model.threads[span.who].process);
	span.other.name = *moment->type ? moment->type : "exception";
	span.other.text = moment->message;
	spans_keep(spans, &span);
}

static void take_task(void *to, const struct model_task *task)
{
	struct export_spans *spans = to;

	external_sort_add(&spans->tasks, task);
}

struct export_spans *export_spans_new(struct export_source *source)
{
	struct export_spans *spans = xcalloc(1, sizeof(*spans));
	struct external_sort plain = { .spool = &source->spool, .batch = source->query->budget };

	spans->source = source;
	spans->part_number = (uint32_t)source->part_count - 1;
	spans->part = source->parts[spans->part_number];
	spans->taker = (struct fill_taker){
		.task = source->query->tasks ? take_task : NULL,
		.span_start = spans_take_start,
		.span_stop = spans_take_stop,
		.reading = spans_take_reading,
		.to = spans,
	};
	gc_init(&spans->gc);
	spans->gc.take = take_collection;
	spans->gc.to = spans;
	jit_init(&spans->jit);
	spans->jit.take = take_method;
	spans->jit.to = spans;
	spans->moments = (struct moments)MOMENTS_NONE;
	spans->kept = spans->tasks = spans->collections = spans->halves = plain;
	spans->kept.size = sizeof(struct kept_span);
	spans->kept.compare = spans_by_time;
	spans->tasks.size = sizeof(struct model_task);
	spans->tasks.compare = by_number;
	spans->collections.size = sizeof(struct collection);
	spans->collections.compare = by_start;
	spans_init_halves(spans);
	return spans;
}

const struct fill_taker *export_spans_taker(struct export_spans *spans)
{
	return &spans->taker;
}

const struct external_sort *export_spans_tasks(const struct export_spans *spans)
{
	return &spans->tasks;
}

bool export_spans_any(const struct export_spans *spans)
{
	return spans->kept.count;
}

static void release_met(struct met_processes *processes)
{
	free(processes->list);
	free(processes->met);
	*processes = (struct met_processes){ 0 };
}

/* What is needed while the trace is read only. */
static void release_reading(struct export_spans *spans)
{
	gc_release(&spans->gc);
	jit_release(&spans->jit);
	external_sort_release(&spans->collections);
	external_sort_release(&spans->halves);
	release_met(&spans->compiling);
	release_met(&spans->telling);
	release_met(&spans->acting);
	spans_free_counters(spans);
}

void export_spans_free(struct export_spans *spans)
{
	if (!spans)
		return;
	release_reading(spans);
	external_sort_release(&spans->kept);
	external_sort_release(&spans->tasks);
	moments_release(&spans->moments);
	free(spans);
}

void export_spans_event(struct export_spans *spans, const struct pp_event *event)
{
	const struct pp_trace_header *header = fill_header(spans->part->fill);

	gc_add(&spans->gc, header, event);
	jit_add(&spans->jit, header, event);
	if (moments_wants(&spans->moments, event)) {
		const struct moment_place place = export_place(spans->source, event);

		if (moments_take(&spans->moments, header, event, &place))
			take_moment(spans, &spans->moments.told);
	}
}

void export_spans_stop(struct export_spans *spans)
{
	gc_finish(&spans->gc);
	jit_finish(&spans->jit);
	while (moments_unfinished(&spans->moments, spans->part->model.last_ns))
		take_moment(spans, &spans->moments.told);
}

void export_spans_take(struct export_spans *spans, const struct model *model)
{
	for (size_t i = 0; i < model->span_count; i++) {
		const struct model_span *span = &model->spans[i];

		spans_take_start(spans, span);
		if (span->stop_ns != INT64_MIN)
			spans_take_stop(spans, span->activity, span->stop_ns);
	}
	for (uint32_t i = 0; i < model->task_count; i++) {
		struct model_task task = model->tasks[i];

		task.number = i;
		take_task(spans, &task);
	}
	spans_take_counters(spans, model);
}

static void add_collections(struct export_spans *spans)
{
	struct external_sort_reader reader = { .sorted = &spans->collections };
	const struct collection *gc;

	external_sort_seal(&spans->collections);
	while ((gc = external_sort_next(&reader))) {
		const uint32_t process = export_source_process(spans->source, gc->process);

		if (gc->has_stats)
			spans_add_heap_size(spans->source, process, gc->end_ns, gc->heap_after);
	}
	external_sort_reader_release(&reader);
}

static void add_processes(struct export_spans *spans, const struct met_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		export_source_process(spans->source, processes->list[i]);
}

/* Processes are numbered in the order in which they are met here. */
void export_spans_end(struct export_spans *spans)
{
	add_collections(spans);
	add_processes(spans, &spans->compiling);
	add_processes(spans, &spans->telling);
	spans_end_counters(spans);
	add_processes(spans, &spans->acting);
	spans_join_halves(spans);
	external_sort_seal(&spans->kept);
	external_sort_seal(&spans->tasks);
	release_reading(spans);
}
