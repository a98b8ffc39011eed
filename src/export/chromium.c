/* SPDX-License-Identifier: MIT */
/*
 * The JSON of Chromium's tracing, as dotnet-trace writes it: samples as nested B and E events
 * of their threads. In addition it has the names of processes and threads, spans as asynchronous
 * events, since they need not nest with samples, exceptions as instants, and counters. Perfetto,
 * DevTools and others read it.
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
	int64_t process_id;
	int64_t thread_id;
	int64_t shift_ns; /* so that no time is negative: Perfetto drops those */
	uint64_t span;	  /* number of the last span */
	bool any;
};

/* `before`, such as a key, and the text in quotes. */
static void put_text(struct buffer *out, const char *before, const char *text)
{
	buffer_text(out, before);
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

static void begin_event(struct chromium *c)
{
	buffer_text(&c->out->bytes, c->any ? ",\n{" : "\n{");
	c->any = true;
	output_buffer_flush(c->out);
}

static void put_frame(struct buffer *out, const struct export_frame *frame, size_t number)
{
	put_text(out, "\"name\":", frame->name);
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
	put_text(out, "\"name\":", what);
	buffer_text(out, ",\"ph\":\"M\"");
	put_ids(out, process_id, thread_id);
	put_text(out, ",\"args\":{\"name\":", name);
	buffer_text(out, "}}");
}

static void put_thread(struct chromium *c, const struct export_thread *thread)
{
	c->process_id = tracks_shown_process(c->source, thread->process);
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
		put_text(out, i ? "," : "", span->notes[i].key);
		if (span->notes[i].text) {
			put_text(out, ":", span->notes[i].text);
		} else {
			buffer_u8(out, ':');
			buffer_signed(out, span->notes[i].number);
		}
	}
	buffer_u8(out, '}');
}

/* Phases: b begins, e ends, i is an instant. */
static void put_span_event(struct chromium *c, const struct export_span *span, char phase)
{
	const uint32_t process = tracks_shown_process(c->source, span->process);
	struct buffer *out = &c->out->bytes;

	begin_event(c);
	put_text(out, "\"name\":", span->name);
	put_text(out, ",\"cat\":", export_span_names[span->kind]);
	buffer_text(out, ",\"ph\":\"");
	buffer_u8(out, (uint8_t)phase);
	buffer_text(out, phase == 'i' ? "\",\"s\":\"t\"" : "\"");
	put_ids(out, process,
		span->on_thread ? tracks_shown_id(c->source, span->process, span->thread_id)
				: process);
	buffer_text(out, ",\"ts\":");
	put_time(c, out, phase == 'e' ? span->end_ns : span->start_ns);
	if (phase != 'i') {
		buffer_text(out, ",\"id\":\"");
		buffer_decimal(out, c->span);
		buffer_u8(out, '"');
	}
	if (phase != 'e')
		put_args(c, span);
	buffer_u8(out, '}');
}

static void put_span(struct chromium *c, const struct export_span *span)
{
	c->span++;
	if (span->kind == EXPORT_EXCEPTION) {
		put_span_event(c, span, 'i');
		return;
	}
	put_span_event(c, span, 'b');
	put_span_event(c, span, 'e');
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
	const int64_t process = tracks_shown_process(c->source, counter->process);
	struct buffer *out = &c->out->bytes;
	const struct export_point *point;

	while ((point = point_next(&reader))) {
		begin_event(c);
		put_text(out, "\"name\":", counter->name);
		buffer_text(out, ",\"ph\":\"C\"");
		put_ids(out, process, process);
		buffer_text(out, ",\"ts\":");
		put_time(c, out, point->time_ns);
		put_text(out, ",\"args\":{", *counter->unit ? counter->unit : "value");
		buffer_u8(out, ':');
		buffer_real(out, point->value, false);
		buffer_text(out, "}}");
	}
	reel_reader_release(&reader.reel);
}

/* The module is the frame's category. */
static void put_frames(struct chromium *c)
{
	struct buffer *out = &c->out->bytes;

	buffer_text(out, "\n],\"displayTimeUnit\":\"ms\",\"stackFrames\":{");
	for (size_t i = 0; i < c->source->frame_count; i++) {
		buffer_text(out, i ? ",\n\"" : "\n\"");
		buffer_decimal(out, i);
		put_text(out, "\":{\"name\":", c->source->frames[i].name);
		put_text(out, ",\"category\":",
			 c->source->frames[i].module ? c->source->frames[i].module : "");
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
	for (size_t i = 0; i < source->counter_count; i++) {
		const struct export_counter *counter = &source->counters[i];

		earliest = earlier(earliest,
				   counter->earliest_ns + source->parts[counter->part]->offset_ns);
	}
	span_reader_release(&reader);
	return earliest;
}

static void put_all(struct chromium *c)
{
	const struct export_source *source = c->source;
	const bool timed = source->view->unit == EXPORT_NANOSECONDS;
	struct buffer *out = &c->out->bytes;

	put_text(out, "{\"otherData\":{\"name\":", export_title(source));
	put_text(out, ",\"exporter\":", source->query->exporter);
	buffer_text(out, "},\"traceEvents\":[");
	for (size_t i = 0; i < source->process_count; i++)
		if (source->processes[i].name)
			put_name(c, "process_name", tracks_shown_process(c->source, (uint32_t)i),
				 tracks_shown_process(c->source, (uint32_t)i),
				 source->processes[i].name);
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
	.summary = "for chrome://tracing and others: a timeline with events",
	.opens = "at https://ui.perfetto.dev",
	.many = true,
	.spans = true,
	.times = true,
	.write = write_output,
};
