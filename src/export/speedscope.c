/* SPDX-License-Identifier: MIT */
/*
 * speedscope's own JSON, https://www.speedscope.app: one evented profile a thread.
 *
 * Most of a file is millions of similar events: the part with the frame is made once per frame, the
 * part with the time once per sample, and both are copied.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "export/call_intervals.h"
#include "export/format.h"

#define PIECE 32 /* bytes: room for ,{"type":"O","frame":4294967295, */

struct frame_piece {
	uint8_t text[PIECE + 1];
	uint32_t size;
};

struct speedscope {
	struct export_source *source;
	struct output_buffer *out;
	struct frame_piece *frames; /* by frame: of its O, then of its C */
	struct call_intervals calls;
	struct frame_piece time;
	bool any; /* event so far */
};

static void put(struct speedscope *s, const char *text)
{
	buffer_text(&s->out->bytes, text);
}

static void set_piece(struct frame_piece *piece, const char *before, int64_t number, char after)
{
	const size_t size = strlen(before);
	uint8_t digits[DECIMAL_ROOM];
	const size_t digit_count = (size_t)(decimal_put_signed(digits, number) - digits);

	memcpy(piece->text, before, size);
	memcpy(piece->text + size, digits, digit_count);
	piece->text[size + digit_count] = (uint8_t)after;
	piece->size = (uint32_t)(size + digit_count) + 1;
}

static void make_pieces(struct speedscope *s)
{
	s->frames = xcalloc(2 * s->source->frame_count + 2, sizeof(*s->frames));
	for (size_t i = 0; i < s->source->frame_count; i++) {
		set_piece(&s->frames[2 * i], ",{\"type\":\"O\",\"frame\":", (int64_t)i, ',');
		set_piece(&s->frames[2 * i + 1], ",{\"type\":\"C\",\"frame\":", (int64_t)i, ',');
	}
}

/* Both copies have a fixed size; the excess is overwritten. */
static void put_event(struct speedscope *s, uint32_t frame, bool close)
{
	const struct frame_piece *piece = &s->frames[2 * (size_t)frame + close];
	uint8_t *at = buffer_room(&s->out->bytes, (size_t)3 * PIECE);

	if (!at)
		return;
	memcpy(at, piece->text + !s->any, PIECE); /* no comma before the first */
	at += piece->size - !s->any;
	s->any = true;
	memcpy(at, s->time.text, PIECE);
	buffer_wrote(&s->out->bytes, at + s->time.size);
}

static void open_call(void *to, uint32_t frame)
{
	put_event(to, frame, false);
}

static void close_call(void *to, uint32_t frame)
{
	put_event(to, frame, true);
}

static void set_time(void *to, int64_t at)
{
	struct speedscope *s = to;

	set_piece(&s->time, "\"at\":", at, '}');
	output_buffer_flush(s->out);
}

static void put_events(struct speedscope *s, const struct export_thread *thread)
{
	s->any = false;
	call_intervals_walk(&s->calls, thread);
	put(s, "],\"startValue\":");
	buffer_signed(&s->out->bytes, s->calls.start);
	put(s, ",\"endValue\":");
	buffer_signed(&s->out->bytes, s->calls.end);
	put(s, "}");
}

static void put_name(struct speedscope *s, const struct export_thread *thread)
{
	const struct export_process *process = &s->source->processes[thread->process];
	struct buffer name = { 0 };

	if (s->source->process_count > 1)
		buffer_printf(&name, "%s%s(%lld) ", process->name ? process->name : "",
			      process->name ? " " : "", (long long)process->id);
	buffer_printf(&name, "Thread (%lld)", (long long)thread->id);
	if (thread->name && *thread->name)
		buffer_printf(&name, " %s", thread->name);
	json_quote(&s->out->bytes, (const char *)name.bytes, name.size);
	buffer_release(&name);
}

static void put_thread(struct speedscope *s, const struct export_thread *thread)
{
	static const char *const units[] = {
		[EXPORT_NANOSECONDS] = "nanoseconds",
		[EXPORT_BYTES] = "bytes",
		[EXPORT_COUNT] = "none",
	};

	put(s, "{\"type\":\"evented\",\"name\":");
	put_name(s, thread);
	put(s, ",\"unit\":\"");
	put(s, units[s->source->view->unit]);
	put(s, "\",\"events\":[");
	put_events(s, thread);
}

/* The thread to show first: the busiest. */
static size_t busiest(const struct export_source *source)
{
	size_t best = 0;

	for (size_t i = 1; i < source->thread_count; i++)
		if (source->threads[i].cpu > source->threads[best].cpu)
			best = i;
	return best;
}

static void put_frame(struct json *json, const struct export_frame *frame)
{
	json_open_object(json, NULL);
	json_put_text(json, "name", frame->plain);
	if (frame->line) {
		json_put_text(json, "file", frame->file);
		json_put_u64(json, "line", frame->line);
	}
	json_close(json);
}

static void put_head(struct speedscope *s)
{
	struct json json = { .out = &s->out->bytes };

	json_open_object(&json, NULL);
	json_put_text(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_put_text(&json, "exporter", s->source->query->exporter);
	json_put_text(&json, "name", export_title(s->source));

	json_put_u64(&json, "activeProfileIndex", busiest(s->source));
	json_open_object(&json, "shared");
	json_open_array(&json, "frames");
	for (size_t i = 0; i < s->source->frame_count; i++) {
		put_frame(&json, &s->source->frames[i]);
		output_buffer_flush(s->out);
	}
	json_close(&json);
	json_close(&json);
	json_begin_value(&json, "profiles");
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct speedscope s = {
		.source = source,
		.out = out,
		.calls = { .source = source,
			   .to = &s,
			   .at = set_time,
			   .open = open_call,
			   .close = close_call },
	};

	make_pieces(&s);
	put_head(&s);
	put(&s, "[");
	for (size_t i = 0; i < source->thread_count; i++) {
		put(&s, i ? ",\n" : "\n");
		put_thread(&s, &source->threads[i]);
		output_buffer_progress(out, i + 1, source->thread_count);
	}
	put(&s, "]}\n");
	xfree(s.frames);
	call_intervals_release(&s.calls);
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.extensions = { ".speedscope.json" },
	.summary = "for www.speedscope.app: a profile for each thread",
	.opens = "at https://www.speedscope.app",
	.many = true,
	.write = write_output,
};
