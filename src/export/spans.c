/* SPDX-License-Identifier: MIT */
/* Turns GCs, compilations, exceptions, waits and activities into spans as they are found. */
#include "export/spans.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/contention.h"
#include "analyze/exceptions.h"
#include "analyze/gc.h"
#include "analyze/jit.h"
#include "base/alloc.h"
#include "base/array.h"
#include "export/format.h"
#include "export/spans_kept.h"

/* A GC, kept until the end for the order of processes and the sizes of heaps. */
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
	const struct event_query *query = &spans->source->query->samples.events;
	const struct model *model = &spans->part->model;
	const bool on_thread = is_on_thread(span);
	const uint32_t process = on_thread ? model->threads[span->who].process : span->who;
	/* a span that reaches into the requested time is part of it */
	const int64_t time_ns = span->start_ns < query->from_ns && span->end_ns >= query->from_ns
					? query->from_ns
					: span->start_ns;

	if (!on_thread)
		return !query->has_thread &&
		       event_query_passes_process(query, model->processes[process].id, time_ns);
	return event_query_passes_thread(query, model->processes[process].id,
					 model->threads[span->who].id, time_ns);
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

static void take_collection(void *to, const void *item)
{
	const struct gc *gc = item;
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

	buffer_text(&text, method->type);
	if (*method->type)
		buffer_u8(&text, '.');
	buffer_text(&text, method->name);
	name = strings_intern(&spans->source->strings, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return name;
}

static void take_method(void *to, const void *item)
{
	const struct jit_method *method = item;
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

static const char *keep_text(struct export_spans *spans, const char *text)
{
	return strings_intern(&spans->source->strings, text, strlen(text));
}

static void keep_on_thread(struct export_spans *spans, const struct pp_thread *thread,
			   struct kept_span *span)
{
	span->who = fill_thread(spans->part->fill, thread);
	span->order = spans->order++;
	spans_meet(&spans->reporting, spans->part->model.threads[span->who].process);
	spans_keep(spans, span);
}

static void take_wait(void *to, const void *item)
{
	const struct contention_wait *wait = item;
	struct kept_span span = {
		.kind = EXPORT_WAIT,
		.start_ns = wait->start_ns,
		.end_ns = wait->end_ns,
		.unfinished = wait->unfinished,
		.stack = wait->stack,
		.other = { .name = "exception", .text = "" },
	};

	if (wait->kind == CONTENTION_LOCKS)
		keep_on_thread(to, wait->thread, &span);
}

static void take_exception(void *to, const void *item)
{
	const struct exception_thrown *thrown = item;
	struct kept_span span = {
		.kind = EXPORT_EXCEPTION,
		.start_ns = thrown->time_ns,
		.end_ns = thrown->time_ns,
		.stack = thrown->stack,
		.other = { .name = keep_text(to, *thrown->type ? thrown->type : "exception"),
			   .text = keep_text(to, thrown->message) },
	};

	keep_on_thread(to, thrown->thread, &span);
}

static void keep_activity(struct export_spans *spans, const struct model_span *activity)
{
	const bool unfinished = activity->stop_ns == INT64_MIN;
	struct kept_span span = {
		.kind = EXPORT_ACTIVITY,
		.who = activity->thread,
		.order = activity->number,
		.start_ns = activity->start_ns,
		.end_ns = unfinished ? spans->part->model.last_ns : activity->stop_ns,
		.unfinished = unfinished,
		.other = { .name = activity->name, .text = activity->provider },
	};

	memcpy(span.other.activity, activity->activity, sizeof(span.other.activity));
	export_source_process(spans->source, spans->part->model.threads[span.who].process);
	spans_keep(spans, &span);
}

static void keep_activities(struct export_spans *spans)
{
	struct span_walk walk;
	struct model_span span;

	span_walk_begin(&walk, &spans->part->model.spans);
	while (span_walk_next(&walk, &span))
		keep_activity(spans, &span);
	span_walk_end(&walk);
}

void export_spans_want(struct export_spans *spans, struct pass *pass)
{
	const struct {
		const struct analysis *analysis;
		void (*take)(void *to, const void *item);
	} wanted[] = {
		{ &gc_analysis, take_collection },
		{ &jit_analysis, take_method },
		{ &contention_analysis, take_wait },
		{ &exception_analysis, take_exception },
	};

	for (size_t i = 0; i < ARRAY_COUNT(wanted); i++)
		pass_want(pass, wanted[i].analysis,
			  &(const struct analysis_setup){ .take = wanted[i].take, .to = spans });
	spans->counter_stats = pass_want(
		pass, &counter_analysis,
		&(const struct analysis_setup){ .take = spans_take_reading, .to = spans });
}

struct export_spans *export_spans_new(struct export_source *source)
{
	struct export_spans *spans = xcalloc(1, sizeof(*spans));
	struct external_sort plain = { .spool = &source->spool, .batch = source->query->budget };

	spans->source = source;
	spans->part_number = (uint32_t)source->part_count - 1;
	spans->part = source->parts[spans->part_number];
	spans->kept = spans->collections = plain;
	spans->kept.size = sizeof(struct kept_span);
	spans->kept.compare = spans_by_time;
	spans->collections.size = sizeof(struct collection);
	spans->collections.compare = by_start;
	return spans;
}

static void release_met(struct met_processes *processes)
{
	xfree(processes->list);
	xfree(processes->met);
	*processes = (struct met_processes){ 0 };
}

/* What is needed only while the trace is read. */
static void release_reading(struct export_spans *spans)
{
	external_sort_release(&spans->collections);
	release_met(&spans->compiling);
	release_met(&spans->reporting);
	spans_free_counters(spans);
}

void export_spans_free(struct export_spans *spans)
{
	if (!spans)
		return;
	release_reading(spans);
	external_sort_release(&spans->kept);
	xfree(spans);
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
	add_processes(spans, &spans->reporting);
	spans_end_counters(spans);
	keep_activities(spans);
	external_sort_seal(&spans->kept);
	release_reading(spans);
}
