/* SPDX-License-Identifier: MIT */
/*
 * The JSON of Chromium's tracing, as dotnet-trace writes it: samples as nested B and E events
 * of their threads. Beside them go, which there are none of there, the names of processes
 * and threads, and what happened: spans as asynchronous events, since they need not nest with
 * samples, exceptions as instants, and counters. Perfetto, DevTools and others read it.
 */
#include <string.h>

#include "base/decimal.h"
#include "base/json.h"
#include "export/call_intervals.h"
#include "export/format.h"
#include "export/frame_texts.h"
#include "export/tracks.h"

struct chromium {
	struct export_source *source;
	struct output_buffer *out;
	struct call_intervals calls;
	struct frame_texts texts;
	struct buffer tail; /* of an event: time, process and thread */
	size_t place;	    /* in it, where the time begins */
	int64_t process_id;
	int64_t thread_id;
	int64_t shift_ns; /* Perfetto drops what was before time 0, so that nothing may be */
	uint64_t span;	  /* number of the last one */
	bool any;
};

static void put_quoted(struct buffer *out, const char *text)
{
	json_quote(out, text, strlen(text));
}

/* Microseconds, with a fraction where there is one. */
static void put_time(const struct chromium *c, struct buffer *out, int64_t time_ns)
{
	int64_t ns;

	if (__builtin_add_overflow(time_ns, c->shift_ns, &ns))
		ns = INT64_MAX;
	if (ns % 1000)
		output_put_fixed(out, ns, 1000);
	else
		buffer_signed(out, ns / 1000);
}

static void put_ids(struct buffer *out, int64_t process_id, int64_t thread_id)
{
	buffer_text(out, ",\"pid\":");
	buffer_signed(out, process_id);
	buffer_text(out, ",\"tid\":");
	buffer_signed(out, thread_id);
}

static int64_t process_id(const struct chromium *c, uint32_t process)
{
	return tracks_shown_id(c->source, process, c->source->processes[process].id);
}

static void begin_event(struct chromium *c)
{
	buffer_text(&c->out->bytes, c->any ? ",\n{" : "\n{");
	c->any = true;
	output_buffer_flush(c->out);
}

static void put_frame(struct buffer *out, const struct export_frame *frame, size_t number)
{
	buffer_text(out, "\"name\":");
	put_quoted(out, frame->name);
	buffer_text(out, ",\"cat\":\"sampleEvent\",\"sf\":");
	buffer_decimal(out, number);
}

static void put_sample_event(struct chromium *c, uint32_t frame, const char *phase)
{
	struct buffer *out = &c->out->bytes;

	begin_event(c);
	frame_texts_put(&c->texts, out, frame);
	buffer_text(out, phase);
	buffer_bytes(out, c->tail.bytes, c->tail.size);
}

static void open_call(void *to, uint32_t frame)
{
	put_sample_event(to, frame, ",\"ph\":\"B\"");
}

static void close_call(void *to, uint32_t frame)
{
	put_sample_event(to, frame, ",\"ph\":\"E\"");
}

static void set_time(void *to, int64_t at)
{
	struct chromium *c = to;

	buffer_rewind(&c->tail, 0);
	put_ids(&c->tail, c->process_id, c->thread_id);
	buffer_text(&c->tail, ",\"ts\":");
	put_time(c, &c->tail, at);
	buffer_u8(&c->tail, '}');
}

static void put_name(struct chromium *c, const char *what, int64_t process_id, int64_t thread_id,
		     const char *name)
{
	struct buffer *out = &c->out->bytes;

	begin_event(c);
	buffer_text(out, "\"name\":");
	put_quoted(out, what);
	buffer_text(out, ",\"ph\":\"M\"");
	put_ids(out, process_id, thread_id);
	buffer_text(out, ",\"args\":{\"name\":");
	put_quoted(out, name);
	buffer_text(out, "}}");
}

static void put_thread(struct chromium *c, const struct export_thread *thread)
{
	c->process_id = process_id(c, thread->process);
	c->thread_id = tracks_shown_id(c->source, thread->process, thread->id);
	if (thread->name && *thread->name)
		put_name(c, "thread_name", c->process_id, c->thread_id, thread->name);
	call_intervals_walk(&c->calls, thread);
}

static void put_args(struct chromium *c, const struct export_span *span)
{
	struct buffer *out = &c->out->bytes;

	buffer_text(out, ",\"args\":{");
	for (size_t i = 0; i < EXPORT_NOTES && span->notes[i].key; i++) {
		if (i)
			buffer_u8(out, ',');
		put_quoted(out, span->notes[i].key);
		buffer_u8(out, ':');
		if (span->notes[i].text)
			put_quoted(out, span->notes[i].text);
		else
			buffer_signed(out, span->notes[i].number);
	}
	buffer_u8(out, '}');
}

static void put_span_event(struct chromium *c, const struct export_span *span, const char *phase,
			   int64_t at)
{
	const int64_t process = process_id(c, span->process);
	const int64_t thread = tracks_shown_id(c->source, span->process, span->thread_id);
	struct buffer *out = &c->out->bytes;

	begin_event(c);
	buffer_text(out, "\"name\":");
	put_quoted(out, span->name);
	buffer_text(out, ",\"cat\":\"");
	buffer_text(out, export_span_names[span->kind]);
	buffer_text(out, phase);
	put_ids(out, process, span->on_thread ? thread : process);
	buffer_text(out, ",\"ts\":");
	put_time(c, out, at);
}

static void put_id(struct chromium *c)
{
	buffer_text(&c->out->bytes, ",\"id\":\"");
	buffer_decimal(&c->out->bytes, c->span);
	buffer_u8(&c->out->bytes, '"');
}

static void put_span(struct chromium *c, const struct export_span *span)
{
	c->span++;
	if (span->kind == EXPORT_EXCEPTION) {
		put_span_event(c, span, "\",\"ph\":\"i\",\"s\":\"t\"", span->start_ns);
		put_args(c, span);
		buffer_u8(&c->out->bytes, '}');
		return;
	}
	put_span_event(c, span, "\",\"ph\":\"b\"", span->start_ns);
	put_id(c);
	put_args(c, span);
	buffer_u8(&c->out->bytes, '}');
	put_span_event(c, span, "\",\"ph\":\"e\"", span->end_ns);
	put_id(c);
	buffer_u8(&c->out->bytes, '}');
}

static void put_spans(struct chromium *c)
{
	struct span_reader reader = { .source = c->source };
	const struct export_span *span;

	while ((span = span_next(&reader)))
		put_span(c, span);
	span_reader_release(&reader);
}

static void put_counter(struct chromium *c, const struct export_counter *counter)
{
	struct point_reader reader = { .source = c->source, .counter = counter };
	const int64_t process = process_id(c, counter->process);
	struct buffer *out = &c->out->bytes;
	const struct export_point *point;

	while ((point = point_next(&reader))) {
		begin_event(c);
		buffer_text(out, "\"name\":");
		put_quoted(out, counter->name);
		buffer_text(out, ",\"ph\":\"C\"");
		put_ids(out, process, process);
		buffer_text(out, ",\"ts\":");
		put_time(c, out, point->time_ns);
		buffer_text(out, ",\"args\":{");
		put_quoted(out, *counter->unit ? counter->unit : "value");
		buffer_u8(out, ':');
		buffer_real(out, point->value, false);
		buffer_text(out, "}}");
	}
	point_reader_release(&reader);
}

/* The module is the frame's category. */
static void put_frames(struct chromium *c)
{
	struct buffer *out = &c->out->bytes;

	buffer_text(out, "\n],\"displayTimeUnit\":\"ms\",\"stackFrames\":{");
	for (size_t i = 0; i < c->source->frame_count; i++) {
		buffer_text(out, i ? ",\n\"" : "\n\"");
		buffer_decimal(out, i);
		buffer_text(out, "\":{\"name\":");
		put_quoted(out, c->source->frames[i].name);
		buffer_text(out, ",\"category\":");
		put_quoted(out, c->source->frames[i].module ? c->source->frames[i].module : "");
		buffer_u8(out, '}');
		output_buffer_flush(c->out);
	}
	buffer_text(out, "}}\n");
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t earliest_ns(const struct export_source *source)
{
	struct span_reader reader = { .source = source };
	const struct export_span *first = span_next(&reader);
	int64_t earliest = first ? earlier(0, first->start_ns) : 0;

	for (size_t i = 0; i < source->thread_count; i++)
		earliest = earlier(earliest, source->threads[i].first_ns);
	for (size_t i = 0; i < source->counter_count; i++)
		earliest = earlier(earliest, export_counter_earliest(source, &source->counters[i]));
	span_reader_release(&reader);
	return earliest;
}

static void put_all(struct chromium *c)
{
	const struct export_source *source = c->source;
	const bool timed = source->view->unit == EXPORT_NANOSECONDS;
	struct buffer *out = &c->out->bytes;

	buffer_text(out, "{\"otherData\":{\"name\":");
	put_quoted(out, export_title(source));
	buffer_text(out, ",\"exporter\":");
	put_quoted(out, source->query->exporter);
	buffer_text(out, "},\"traceEvents\":[");
	for (size_t i = 0; i < source->process_count; i++)
		if (source->processes[i].name)
			put_name(c, "process_name", process_id(c, (uint32_t)i),
				 process_id(c, (uint32_t)i), source->processes[i].name);
	for (size_t i = 0; timed && i < source->thread_count; i++) {
		put_thread(c, &source->threads[i]);
		output_buffer_progress(c->out, i + 1, source->thread_count);
	}
	put_spans(c);
	for (size_t i = 0; i < source->counter_count; i++)
		put_counter(c, &source->counters[i]);
	put_frames(c);
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct chromium c = {
		.source = source,
		.out = out,
		.calls = { .source = source,
			   .to = &c,
			   .at = set_time,
			   .open = open_call,
			   .close = close_call },
	};

	c.shift_ns = -earliest_ns(source);
	frame_texts_make(&c.texts, source, put_frame);
	put_all(&c);
	frame_texts_release(&c.texts);
	buffer_release(&c.tail);
	call_intervals_release(&c.calls);
}

const struct export_format export_chromium = {
	.name = "chromium",
	.extensions = { ".chromium.json" },
	.summary = "for Perfetto, chrome://tracing and others: a time line, with events beside it",
	.many = true,
	.spans = true,
	.times = true,
	.write = write_output,
};
