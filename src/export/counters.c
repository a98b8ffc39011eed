/* SPDX-License-Identifier: MIT */
#include "export/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "export/source.h"

void counters_release(struct counters *counters)
{
	payload_release(&counters->payload);
	plans_release(&counters->plans);
}

/* What one event tells. */
struct told {
	struct buffer name;
	struct buffer unit;
	double value;
	bool has_value;
};

static void set_text(struct buffer *to, const struct value *value)
{
	buffer_rewind(to, 0);
	buffer_bytes(to, value->text, value->size);
}

static bool is_called(const struct value *value, const char *name)
{
	return value->name && !strcmp(value->name, name);
}

static void take(struct told *told, const struct value *value)
{
	if (value->kind == VALUE_TEXT && is_called(value, "Name"))
		set_text(&told->name, value);
	else if (value->kind == VALUE_TEXT && is_called(value, "DisplayUnits"))
		set_text(&told->unit, value);
	else if ((value->kind == VALUE_DOUBLE || value->kind == VALUE_FLOAT) &&
		 (is_called(value, "Mean") || is_called(value, "Increment"))) {
		told->value = value->real;
		told->has_value = true;
	}
}

static const char *kept(struct export_source *source, struct buffer *text)
{
	return strings_intern(&source->strings, (const char *)text->bytes, text->size);
}

void export_counter_add(struct export_source *source, uint32_t process, const char *name,
			const char *unit, const struct export_point *point)
{
	struct export_counter *counter = NULL;

	if (!isfinite(point->value))
		return;
	for (size_t i = 0; i < source->counter_count && !counter; i++)
		if (source->counters[i].process == process &&
		    !strcmp(source->counters[i].name, name))
			counter = &source->counters[i];
	if (!counter) {
		source->counters = xgrow(source->counters, source->counter_count,
					 &source->counter_capacity, sizeof(*source->counters));
		counter = &source->counters[source->counter_count++];
		*counter = (struct export_counter){
			.process = process,
			.part = source->processes[process].part,
			.name = strings_intern(&source->strings, name, strlen(name)),
			.unit = strings_intern(&source->strings, unit, strlen(unit)),
		};
	}
	counter->points =
		xgrow(counter->points, counter->count, &counter->capacity, sizeof(*point));
	counter->points[counter->count++] = *point;
}

static void add(struct export_source *source, const struct pp_event *event, struct told *told)
{
	struct export_part *part = source->parts[source->part_count - 1];
	const uint32_t thread = fill_thread(part->fill, event);
	struct buffer name = { 0 };

	buffer_bytes(&name, event->kind->provider, strlen(event->kind->provider));
	buffer_u8(&name, '/');
	buffer_bytes(&name, told->name.bytes, told->name.size);
	export_counter_add(source,
			   export_source_process(source, part->model.threads[thread].process),
			   kept(source, &name), kept(source, &told->unit),
			   &(const struct export_point){ export_time(part, event), told->value });
	buffer_release(&name);
}

void counters_event(struct counters *counters, struct export_source *source,
		    const struct pp_event *event)
{
	struct export_part *part = source->parts[source->part_count - 1];
	struct told told = { 0 };
	struct value value;

	if (event->kind->name[0] != 'E' || strcmp(event->kind->name, "EventCounters") != 0)
		return;
	payload_begin(&counters->payload, plans_for(&counters->plans, event->kind), event,
		      fill_header(part->fill)->pointer_size);
	while (payload_next(&counters->payload, &value))
		take(&told, &value);
	if (told.has_value && told.name.size)
		add(source, event, &told);
	buffer_release(&told.name);
	buffer_release(&told.unit);
}
