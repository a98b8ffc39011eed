/* SPDX-License-Identifier: MIT */
#include "export/event_format.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/decimal.h"
#include "base/time.h"
#include "clr/event_name.h"
#include "clr/events.h"
#include "export/event_filter.h"
#include "export/format.h"

#define NS_PER_SECOND INT64_C(1000000000)

static const struct event_format *const formats[] = { &event_text, &event_json, &event_csv };

const struct event_format *event_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

void event_output_begin(struct event_output *output, const struct event_format *format,
			const struct pp_trace_header *header)
{
	if (output->begun)
		return;
	output->begun = true;
	output->header = header;
	if (format->begin)
		format->begin(output);
}

void event_output_release(struct event_output *output)
{
	buffer_release(&output->out);
	plans_release(&output->plans);
	payload_release(&output->payload);
	arena_release(&output->arena);
	xfree(output->kinds);
}

/* From the metadata, else the runtime's table, else the last word of the name. */
static int kind_opcode(const struct pp_kind *kind, const char *name)
{
	const struct clr_event *known = clr_event_find(kind->provider, kind->id, kind->version);
	const char *slash = strrchr(name, '/');

	if (kind->opcode >= 0)
		return kind->opcode;
	if (known)
		return known->opcode_number;
	if (slash && !strcmp(slash, "/Start"))
		return 1;
	return slash && !strcmp(slash, "/Stop") ? 2 : -1;
}

static void make_kind_text(struct event_output *output, const struct pp_kind *kind)
{
	output->kinds =
		xroom(output->kinds, &output->kind_count, kind->index, sizeof(*output->kinds));
	output->kinds[kind->index].name = event_kind_name(kind, &output->arena);
	output->kinds[kind->index].opcode = kind_opcode(kind, output->kinds[kind->index].name);
}

const struct kind_text *event_kind_text(struct event_output *output, const struct pp_kind *kind)
{
	if (kind->index >= output->kind_count || !output->kinds[kind->index].name)
		make_kind_text(output, kind);
	return &output->kinds[kind->index];
}

const char *event_name(struct event_output *output, const struct pp_event *event)
{
	if (event_has_label(event, PP_LABEL_OPCODE))
		return event_labelled_name(event->kind, event->labels->opcode, &output->arena);
	return event_kind_text(output, event->kind)->name;
}

uint32_t event_level(const struct pp_event *event)
{
	return event_has_label(event, PP_LABEL_LEVEL) ? event->labels->level : event->kind->level;
}

uint32_t event_version(const struct pp_event *event)
{
	return event_has_label(event, PP_LABEL_VERSION) ? event->labels->version
							: event->kind->version;
}

uint64_t event_keywords(const struct pp_event *event)
{
	return event_has_label(event, PP_LABEL_KEYWORDS) ? event->labels->keywords
							 : event->kind->keywords;
}

int event_opcode(struct event_output *output, const struct pp_event *event)
{
	if (event_has_label(event, PP_LABEL_OPCODE))
		return event->labels->opcode;
	return event_kind_text(output, event->kind)->opcode;
}

/* Unix time, clamped to what can be written. */
static int64_t unix_time(int64_t start_ns, int64_t time_ns)
{
	const int64_t first = INT64_MIN + NS_PER_SECOND;
	int64_t sum;

	if (__builtin_add_overflow(start_ns, time_ns, &sum))
		return time_ns < 0 ? first : INT64_MAX;
	return sum < first ? first : sum;
}

/* Most events are in the same second as the one before: only the fraction is converted. */
uint8_t *event_timestamp(struct event_output *output, int64_t time_ns, uint8_t *at)
{
	const int64_t unix_ns = unix_time(output->header->start_ns, time_ns);
	const int64_t second = unix_ns / NS_PER_SECOND - (unix_ns % NS_PER_SECOND < 0);
	char text[TIME_TEXT_SIZE];

	if (second != output->second || !*output->second_text) {
		time_text(second * NS_PER_SECOND, text);
		memcpy(output->second_text, text, 19); /* up to the point */
		output->second = second;
	}
	memcpy(at, output->second_text, 19);
	decimal_put_eight(at + 19, (uint32_t)(unix_ns - second * NS_PER_SECOND) / 100);
	at[19] = '.'; /* replaces the first of eight digits, which is a zero */
	at[27] = 'Z';
	return at + EVENT_TIMESTAMP;
}

void event_values_begin(struct event_output *output, const struct pp_event *event)
{
	output->depth = output->nesting.depth = 0;
	payload_begin(&output->payload, plans_for(&output->plans, event->kind), event,
		      output->header->pointer_size);
}

static bool is_wanted(const struct event_output *output, const struct value *value)
{
	for (size_t i = 0; i < output->field_count; i++)
		if (!strcasecmp(output->fields[i], value->name))
			return true;
	return !output->fields;
}

static unsigned depth_after(unsigned depth, const struct value *value)
{
	if (value->kind == VALUE_OBJECT || value->kind == VALUE_ARRAY)
		return depth + 1;
	return value->kind == VALUE_END ? depth - 1 : depth;
}

bool event_values_next_wanted(struct event_output *output, struct value *value)
{
	bool skipping = false;

	while (payload_next(&output->payload, value)) {
		if (!output->depth)
			skipping = !is_wanted(output, value);
		output->depth = depth_after(output->depth, value);
		if (!skipping)
			return true;
	}
	return false;
}

/* All events as a conversion. */
struct event_stream {
	struct event_output output;
	struct event_filter filter;
	const struct event_format *format;
	struct output_buffer *to;
};

static void stream_begin(void *data, const struct export_format *format,
			 const struct export_query *query, struct output_buffer *out)
{
	struct event_stream *self = data;

	self->to = out;
	self->format = format->events;
	self->filter.provider = query->provider;
}

static void stream_flush(struct event_stream *self)
{
	struct buffer *made = &self->output.out;

	buffer_bytes(&self->to->bytes, made->bytes, made->size);
	self->to->bytes.failed |= made->failed;
	buffer_rewind(made, 0);
	output_buffer_flush(self->to);
}

static void stream_event(void *data, const struct event_context *at)
{
	struct event_stream *self = data;

	event_output_begin(&self->output, self->format, at->header);
	if (!event_filter_passes(&self->filter, &self->output, at))
		return;
	self->format->event(&self->output, at->event);
	if (self->output.out.size >= OUTPUT_BUFFER_FLUSH_AT)
		stream_flush(self);
}

static int stream_end(void *data, const struct pp_nettrace *trace, struct pp_error *err)
{
	struct event_stream *self = data;
	const int failed = trace ? event_filter_check(&self->filter, err) : 0;

	if (trace)
		event_output_begin(&self->output, self->format, pp_nettrace_header(trace));
	stream_flush(self);
	event_filter_release(&self->filter);
	event_output_release(&self->output);
	return failed;
}

static const struct export_stream stream = {
	sizeof(struct event_stream),
	stream_begin,
	stream_event,
	stream_end,
};

const struct export_format export_text = {
	.name = "text",
	.extensions = { ".events.txt", ".txt" },
	.summary = "all events, one per line",
	.stream = &stream,
	.events = &event_text,
};

const struct export_format export_jsonl = {
	.name = "jsonl",
	.extensions = { ".jsonl", ".ndjson" },
	.summary = "all events, one JSON object per line",
	.stream = &stream,
	.events = &event_json,
};

const struct export_format export_csv = {
	.name = "csv",
	.extensions = { ".csv" },
	.summary = "all events as a table",
	.stream = &stream,
	.events = &event_csv,
};
