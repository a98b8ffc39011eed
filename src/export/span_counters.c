/* SPDX-License-Identifier: MIT */
/*
 * Counters, each a sequence of points. The sizes of heaps come before all others.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "export/spans_kept.h"

static bool is_wanted(const struct export_source *source, int64_t process_id, int64_t time_ns)
{
	return event_query_passes_process(&source->query->samples.events, process_id, time_ns);
}

static void add_point(struct export_source *source, struct export_counter *counter, int64_t time_ns,
		      double value)
{
	const struct export_point point = { export_near(time_ns), value };
	uint8_t *at;

	if (!isfinite(value))
		return;
	at = reel_room(&counter->points, &source->spool);
	memcpy(at, &point, sizeof(point));
	reel_wrote(&counter->points, at + sizeof(point));
	if (!counter->count++ || point.time_ns < counter->earliest_ns)
		counter->earliest_ns = point.time_ns;
}

const struct export_point *point_next(struct point_reader *reader)
{
	const struct export_source *source = reader->source;

	if (!reader->reel.reel)
		reader->reel = (struct reel_reader){ .spool = &source->spool,
						     .reel = &reader->counter->points };
	if (!reel_next(&reader->reel))
		return NULL;
	memcpy(&reader->point, reader->reel.at, sizeof(reader->point));
	reader->reel.at += sizeof(reader->point);
	reader->point.time_ns += source->parts[reader->counter->part]->offset_ns;
	return &reader->point;
}

static struct export_counter *add_counter(struct export_source *source,
					  const struct export_counter *counter)
{
	source->counters = xgrow(source->counters, source->counter_count, &source->counter_capacity,
				 sizeof(*source->counters));
	source->counters[source->counter_count] = *counter;
	return &source->counters[source->counter_count++];
}

static const char heap_size[] = "GC heap size";

static struct export_counter *heap_size_of(struct export_source *source, uint32_t process)
{
	for (size_t i = 0; i < source->counter_count; i++)
		if (source->counters[i].process == process && source->counters[i].name == heap_size)
			return &source->counters[i];
	return add_counter(source,
			   &(const struct export_counter){ .process = process,
							   .part = source->processes[process].part,
							   .name = heap_size,
							   .unit = "bytes" });
}

void spans_add_heap_size(struct export_source *source, uint32_t process, int64_t time_ns,
			 uint64_t size)
{
	struct export_counter *counter = heap_size_of(source, process);

	if (is_wanted(source, source->processes[process].id, time_ns))
		add_point(source, counter, time_ns, (double)size);
}

/* "System.Runtime/cpu-usage", then tags and quantile if any. */
static const char *counter_name(struct export_source *source, const struct counter *counter)
{
	const char *parts[] = { counter->provider, "/",
				counter->name,	   *counter->tags ? " " : "",
				counter->tags,	   *counter->quantile ? " " : "",
				counter->quantile };
	struct buffer text = { 0 };
	const char *name;

	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		buffer_bytes(&text, parts[i], strlen(parts[i]));
	name = strings_intern(&source->strings, (const char *)text.bytes, text.size);
	buffer_release(&text);
	return name;
}

static uint32_t find_or_add(struct export_spans *spans, const struct counter *from)
{
	const uint32_t process = model_process(&spans->part->model, from->process_id);
	const char *name = counter_name(spans->source, from);

	for (uint32_t i = 0; i < spans->counter_count; i++)
		if (spans->counters[i].process == process && spans->counters[i].name == name)
			return i;
	spans->counters = xgrow(spans->counters, spans->counter_count, &spans->counter_capacity,
				sizeof(*spans->counters));
	spans->counters[spans->counter_count] = (struct export_counter){
		.process = process,
		.part = spans->part_number,
		.name = name,
		.unit = strings_intern(&spans->source->strings, from->unit, strlen(from->unit)),
	};
	return (uint32_t)spans->counter_count++;
}

static struct export_counter *counter_of(struct export_spans *spans, uint32_t number)
{
	spans->by_number =
		xroom(spans->by_number, &spans->by_number_count, number, sizeof(*spans->by_number));
	if (!spans->by_number[number])
		spans->by_number[number] =
			find_or_add(spans, spans->counter_stats->list[number]) + 1;
	return &spans->counters[spans->by_number[number] - 1];
}

void spans_take_reading(void *to, const void *counter_reading)
{
	const struct counter_reading *reading = counter_reading;
	struct export_spans *spans = to;
	struct export_counter *counter = counter_of(spans, reading->counter);
	const struct model_process *process = &spans->part->model.processes[counter->process];

	if (is_wanted(spans->source, process->id, reading->time_ns))
		add_point(spans->source, counter, reading->time_ns, reading->value);
}

void spans_end_counters(struct export_spans *spans)
{
	for (size_t i = 0; i < spans->counter_count; i++) {
		struct export_counter *counter = &spans->counters[i];

		counter->process = export_source_process(spans->source, counter->process);
		add_counter(spans->source, counter);
	}
	spans->counter_count = 0;
}

void spans_free_counters(struct export_spans *spans)
{
	for (size_t i = 0; i < spans->counter_count; i++)
		reel_release(&spans->counters[i].points, &spans->source->spool);
	xfree(spans->counters);
	xfree(spans->by_number);
	spans->counters = NULL;
	spans->by_number = NULL;
	spans->counter_count = 0;
}

/* Drops counters without a reading that the query wants. */
void export_spans_finish(struct export_source *source)
{
	size_t left = 0;

	for (size_t i = 0; i < source->counter_count; i++)
		if (source->counters[i].count)
			source->counters[left++] = source->counters[i];
	source->counter_count = left;
}
