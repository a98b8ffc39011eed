/* SPDX-License-Identifier: MIT */
/* All events as `perfpipe events` prints them: text, jsonl and csv. */
#include "export/event_filter.h"
#include "export/format.h"

struct event_stream {
	struct event_output output;
	struct event_filter filter;
	const struct event_format *format;
	struct output_buffer *to;
};

static void begin(void *data, const struct export_format *format, const struct export_query *query,
		  struct output_buffer *out)
{
	struct event_stream *self = data;

	self->to = out;
	self->format = format->events;
	self->filter.provider = query->provider;
}

static void flush(struct event_stream *self)
{
	struct buffer *made = &self->output.out;

	buffer_bytes(&self->to->bytes, made->bytes, made->size);
	self->to->bytes.failed |= made->failed;
	buffer_rewind(made, 0);
	output_buffer_flush(self->to);
}

static void take_event(void *data, const struct event_context *at)
{
	struct event_stream *self = data;

	event_output_begin(&self->output, self->format, at->header);
	if (!event_filter_passes(&self->filter, &self->output, at))
		return;
	self->format->event(&self->output, at->event);
	if (self->output.out.size >= OUTPUT_BUFFER_FLUSH_AT)
		flush(self);
}

static int end(void *data, const struct pp_nettrace *trace, struct pp_error *err)
{
	struct event_stream *self = data;
	const int failed = trace ? event_filter_check(&self->filter, err) : 0;

	if (trace)
		event_output_begin(&self->output, self->format, pp_nettrace_header(trace));
	flush(self);
	event_filter_release(&self->filter);
	event_output_release(&self->output);
	return failed;
}

static const struct export_stream stream = {
	sizeof(struct event_stream),
	begin,
	take_event,
	end,
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
