/* SPDX-License-Identifier: MIT */
#include "export/spans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gc.h"
#include "analyze/jit.h"
#include "base/alloc.h"
#include "clr/enums.h"
#include "export/moments.h"
#include "export/source.h"

const char *const export_span_names[EXPORT_SPAN_KINDS] = {
	[EXPORT_GC] = "gc",	      [EXPORT_GC_PAUSE] = "gc-pause",
	[EXPORT_JIT] = "jit",	      [EXPORT_EXCEPTION] = "exception",
	[EXPORT_WAIT] = "contention", [EXPORT_ACTIVITY] = "activity",
};

struct export_spans {
	struct gc_stats gc;
	struct jit_stats jit;
	struct moments moments;
	struct moment *kept;
	size_t kept_count, kept_capacity;
};

struct export_spans *export_spans_new(void)
{
	struct export_spans *spans = xcalloc(1, sizeof(*spans));

	gc_init(&spans->gc);
	jit_init(&spans->jit);
	spans->moments = (struct moments)MOMENTS_NONE;
	return spans;
}

void export_spans_free(struct export_spans *spans)
{
	if (!spans)
		return;
	gc_release(&spans->gc);
	jit_release(&spans->jit);
	moments_release(&spans->moments);
	free(spans->kept);
	free(spans);
}

static void keep(struct export_spans *spans, const struct moment *moment)
{
	spans->kept =
		xgrow(spans->kept, spans->kept_count, &spans->kept_capacity, sizeof(*spans->kept));
	spans->kept[spans->kept_count++] = *moment;
}

void export_spans_event(struct export_spans *spans, struct export_source *source,
			const struct pp_event *event)
{
	struct export_part *part = source->parts[source->part_count - 1];
	const struct pp_trace_header *header = fill_header(part->fill);

	gc_add(&spans->gc, header, event);
	jit_add(&spans->jit, header, event);
	if (moments_wants(&spans->moments, event)) {
		const struct moment_place place = export_place(source, event);

		if (moments_take(&spans->moments, header, event, &place))
			keep(spans, &spans->moments.told);
	}
}

/* Adds it if the query wants it; returns it for the notes, or NULL. */
static struct export_span *add(struct export_source *source, const struct export_span *span)
{
	const struct sample_query *query = &source->query->samples;
	const struct export_process *process = &source->processes[span->process];
	struct export_span *added;

	if ((query->has_process && process->id != query->process_id) ||
	    (query->has_thread && (!span->on_thread || span->thread_id != query->thread_id)) ||
	    span->end_ns < query->from_ns || span->start_ns >= query->to_ns)
		return NULL;
	source->spans = xgrow(source->spans, source->span_count, &source->span_capacity,
			      sizeof(*source->spans));
	added = &source->spans[source->span_count++];
	*added = *span;
	added->part = (uint32_t)source->part_count - 1;
	added->start_ns = export_near(span->start_ns);
	added->end_ns = export_near(span->end_ns > span->start_ns ? span->end_ns : span->start_ns);
	return added;
}

static const char *kept_text(struct export_source *source, const char *text)
{
	return strings_intern(&source->strings, text, strlen(text));
}

static const char *enum_text(struct export_source *source, const char *map, uint64_t number)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value_map_name(value_map_find(map), number, text);

	return name ? kept_text(source, name) : "?";
}

static int64_t plus(int64_t start_ns, int64_t length_ns)
{
	int64_t end_ns;

	if (length_ns < 0 || __builtin_add_overflow(start_ns, length_ns, &end_ns))
		return start_ns;
	return end_ns < EXPORT_FARTHEST ? end_ns : EXPORT_FARTHEST;
}

/* The counter of that name, which is added if it is new. */
static struct export_counter *counter_of(struct export_source *source, uint32_t process,
					 const char *name, const char *unit)
{
	struct export_counter *counter;

	for (size_t i = 0; i < source->counter_count; i++)
		if (source->counters[i].process == process &&
		    !strcmp(source->counters[i].name, name))
			return &source->counters[i];
	source->counters = xgrow(source->counters, source->counter_count, &source->counter_capacity,
				 sizeof(*source->counters));
	counter = &source->counters[source->counter_count++];
	*counter = (struct export_counter){ .process = process,
					    .part = source->processes[process].part,
					    .name = kept_text(source, name),
					    .unit = kept_text(source, unit) };
	return counter;
}

/* If the query wants it. */
static void add_point(const struct export_source *source, struct export_counter *counter,
		      int64_t time_ns, double value)
{
	const struct sample_query *query = &source->query->samples;

	if (!isfinite(value) || time_ns < query->from_ns || time_ns >= query->to_ns ||
	    (query->has_process && source->processes[counter->process].id != query->process_id))
		return;

	counter->points = xgrow(counter->points, counter->count, &counter->capacity,
				sizeof(*counter->points));
	counter->points[counter->count++] = (struct export_point){ export_near(time_ns), value };
}

/* "System.Runtime/cpu-usage", with tags and quantile behind it where there are some. */
static const char *counter_name(struct export_source *source, const struct model_counter *counter)
{
	const char *parts[] = { counter->provider, "/",
				counter->name,	   *counter->tags ? " " : "",
				counter->tags,	   *counter->part ? " " : "",
				counter->part };
	struct buffer text = { 0 };
	const char *name;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		buffer_bytes(&text, parts[i], strlen(parts[i]));
	name = strings_intern(&source->strings, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return name;
}

static void add_counters(struct export_source *source, const struct model *model)
{
	size_t *numbers = xcalloc(model->counter_count + 1, sizeof(*numbers));

	for (size_t i = 0; i < model->counter_count; i++) {
		const struct model_counter *counter = &model->counters[i];

		numbers[i] =
			(size_t)(counter_of(source, export_source_process(source, counter->process),
					    counter_name(source, counter), counter->unit) -
				 source->counters);
	}
	for (size_t i = 0; i < model->reading_count; i++)
		add_point(source, &source->counters[numbers[model->readings[i].counter]],
			  model->readings[i].time_ns, model->readings[i].value);
	free(numbers);
}

static void add_gc(struct export_source *source, struct model *model, const struct gc *gc)
{
	struct export_span span = {
		.kind = EXPORT_GC,
		.process = export_source_process(source, model_process(model, gc->process_id)),
		.start_ns = gc->start_ns,
		.end_ns = plus(gc->start_ns, gc->duration_ns),
		.unfinished = !gc->complete,
		.notes = { { "generation", NULL, gc->generation },
			   { "reason", enum_text(source, "GCReason", gc->reason), 0 },
			   { "type", enum_text(source, "GCType", gc->type), 0 },
			   { "promoted", NULL, (int64_t)gc->promoted },
			   { "heap after", NULL, (int64_t)gc->heap_after } },
	};
	char name[64];

	snprintf(name, sizeof(name), "GC #%u gen %u", gc->number, gc->generation);
	span.name = kept_text(source, name);
	add(source, &span);
	if (gc->has_stats)
		add_point(source, counter_of(source, span.process, "GC heap size", "bytes"),
			  span.end_ns, (double)gc->heap_after);
	if (gc->pause_ns < 0)
		return;
	span.kind = EXPORT_GC_PAUSE;
	span.name = "GC pause";
	span.start_ns = gc->pause_start_ns;
	span.end_ns = plus(gc->pause_start_ns, gc->pause_ns);
	memset(span.notes, 0, sizeof(span.notes));
	span.notes[0] = (struct export_note){ "number", NULL, gc->number };
	add(source, &span);
}

static void set_thread(struct export_span *span, struct export_source *source,
		       const struct model *model, uint32_t thread)
{
	span->on_thread = true;
	span->thread_id = model->threads[thread].id;
	span->thread_name = model->threads[thread].name;
	span->process = export_source_process(source, model->threads[thread].process);
}

static void add_jit(struct export_source *source, struct model *model,
		    const struct jit_method *method)
{
	const uint32_t process = model_process(model, method->process_id);
	struct buffer name = { 0 };
	struct export_span span = {
		.kind = EXPORT_JIT,
		.start_ns = method->start_ns,
		.end_ns = plus(method->start_ns, method->time_ns),
		.notes = { { "tier", enum_text(source, "OptimizationTier", method->tier), 0 },
			   { "IL bytes", NULL, method->il_size },
			   { "native bytes", NULL, method->native_size } },
	};

	if (!method->started)
		return;
	buffer_bytes(&name, method->type, strlen(method->type));
	if (*method->type)
		buffer_u8(&name, '.');
	buffer_bytes(&name, method->name, strlen(method->name));
	span.name = strings_intern(&source->strings, (const char *)name.bytes, name.size);
	buffer_release(&name);
	set_thread(&span, source, model, model_thread(model, process, method->thread_id));
	add(source, &span);
}

static void add_moment(struct export_source *source, struct model *model,
		       const struct moment *moment)
{
	struct export_span span = {
		.kind = moment->kind == MOMENT_WAIT ? EXPORT_WAIT : EXPORT_EXCEPTION,
		.name = "waiting for a lock",
		.start_ns = moment->start_ns,
		.end_ns = moment->end_ns,
		.unfinished = moment->unfinished,
		.stack = model_stack_now(model, moment->place.stack),
	};

	if (moment->kind == MOMENT_EXCEPTION) {
		span.name = *moment->type ? kept_text(source, moment->type) : "exception";
		span.notes[0] =
			(struct export_note){ "message", kept_text(source, moment->message), 0 };
	}
	set_thread(&span, source, model, moment->place.thread);
	add(source, &span);
}

static void add_activity(struct export_source *source, struct model *model,
			 const struct model_span *from)
{
	const bool unfinished = from->stop_ns == INT64_MIN;
	struct export_span span = {
		.kind = EXPORT_ACTIVITY,
		.name = from->name,
		.start_ns = from->start_ns,
		.end_ns = unfinished ? model->last_ns : from->stop_ns,
		.unfinished = unfinished,
		.activity = from->activity,
		.parent = from->parent,
		.notes = { { "provider", from->provider, 0 } },
	};

	set_thread(&span, source, model, from->thread);
	add(source, &span);
}

void export_spans_stop(struct export_spans *spans, const struct model *model)
{
	gc_finish(&spans->gc);
	jit_finish(&spans->jit);
	while (moments_unfinished(&spans->moments, model->last_ns))
		keep(spans, &spans->moments.told);
}

void export_spans_end(struct export_spans *spans, struct export_source *source)
{
	struct model *model = &source->parts[source->part_count - 1]->model;

	for (size_t i = 0; i < spans->gc.count; i++)
		add_gc(source, model, &spans->gc.list[i]);
	for (size_t i = 0; i < spans->jit.count; i++)
		add_jit(source, model, &spans->jit.list[i]);
	for (size_t i = 0; i < spans->kept_count; i++)
		add_moment(source, model, &spans->kept[i]);
	add_counters(source, model);
	for (size_t i = 0; i < model->span_count; i++)
		add_activity(source, model, &model->spans[i]);
}

static int by_time(const void *left, const void *right)
{
	const struct export_span *a = left;
	const struct export_span *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->end_ns != b->end_ns)
		return a->end_ns > b->end_ns ? -1 : 1; /* the one around the other first */
	return (int)a->kind - (int)b->kind;
}

/* Those of which the query wants no reading. */
static void drop_empty_counters(struct export_source *source)
{
	size_t left = 0;

	for (size_t i = 0; i < source->counter_count; i++)
		if (source->counters[i].count)
			source->counters[left++] = source->counters[i];
		else
			free(source->counters[i].points);
	source->counter_count = left;
}

void export_spans_finish(struct export_source *source)
{
	drop_empty_counters(source);

	for (size_t i = 0; i < source->span_count; i++) {
		struct export_span *span = &source->spans[i];

		if (source->parts[span->part]->has_tree && span->stack) {
			const uint32_t node =
				calltree_node(&source->parts[span->part]->tree, span->stack);

			span->stack = node == MODEL_NONE ? STACK_EMPTY : node;
		}
		span->start_ns += source->parts[span->part]->offset_ns;
		span->end_ns += source->parts[span->part]->offset_ns;
	}
	for (size_t i = 0; i < source->counter_count; i++)
		for (size_t j = 0; j < source->counters[i].count; j++)
			source->counters[i].points[j].time_ns +=
				source->parts[source->counters[i].part]->offset_ns;
	if (source->span_count)
		qsort(source->spans, source->span_count, sizeof(*source->spans), by_time);
}
