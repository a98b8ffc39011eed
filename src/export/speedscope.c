/* SPDX-License-Identifier: MIT */
/*
 * speedscope's own JSON, https://www.speedscope.app: one evented profile a thread.
 *
 * A sample lasts for its weight, from its time on or from where the one before it ends. So
 * what a frame shows adds up to what the report says, and a time is off by less than one
 * sample. Between two samples only the calls that differ are closed and opened; since nodes
 * have larger numbers than their callers, the call that both have is found without depths.
 *
 * What makes such files large are events, millions of them, that all look alike: the part with
 * the frame is made once a frame, the part with the time once a sample, and both are copied.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "export/format.h"

#define PIECE 32 /* bytes: room for ,{"type":"O","frame":4294967295, */

struct piece {
	uint8_t text[PIECE + 1];
	uint32_t size;
};

struct speedscope {
	struct export_source *source;
	struct export_out *out;
	struct piece *frames; /* by frame: of its O, then of its C */
	const struct export_stacks *stacks;
	uint32_t *path; /* of calls to be opened, the innermost first */
	size_t path_capacity;
	struct piece time;
	uint32_t open; /* the innermost call that is open */
	uint32_t leaf; /* open below it, or EXPORT_NONE */
	bool any;      /* event so far */
};

static void put(struct speedscope *s, const char *text)
{
	buffer_bytes(&s->out->bytes, text, strlen(text));
}

static void set_piece(struct piece *piece, const char *before, int64_t number, char after)
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

/* Both copies are of a fixed size: what is too much is written over. */
static void put_event(struct speedscope *s, uint32_t frame, bool close)
{
	const struct piece *piece = &s->frames[2 * (size_t)frame + close];
	uint8_t *at = buffer_room(&s->out->bytes, (size_t)3 * PIECE);

	if (!at)
		return;
	memcpy(at, piece->text + !s->any, PIECE); /* no comma before the first */
	at += piece->size - !s->any;
	s->any = true;
	memcpy(at, s->time.text, PIECE);
	buffer_wrote(&s->out->bytes, at + s->time.size);
}

static void close_leaf(struct speedscope *s)
{
	if (s->leaf != EXPORT_NONE)
		put_event(s, s->leaf, true);
	s->leaf = EXPORT_NONE;
}

/* From the calls that are open to those of `stack`. */
static void change_stack(struct speedscope *s, uint32_t stack)
{
	size_t count = 0;
	uint32_t to = stack;

	while (s->open != to) {
		if (s->open > to) {
			put_event(s, export_frame(s->stacks, s->open), true);
			s->open = export_caller(s->stacks, s->open);
		} else {
			s->path = xgrow(s->path, count, &s->path_capacity, sizeof(*s->path));
			s->path[count++] = to;
			to = export_caller(s->stacks, to);
		}
	}
	while (count)
		put_event(s, export_frame(s->stacks, s->path[--count]), false);
	s->open = stack;
}

static void set_time(struct speedscope *s, int64_t at)
{
	set_piece(&s->time, "\"at\":", at, '}');
}

static void change_to(struct speedscope *s, const struct export_sample *sample, int64_t at)
{
	if (sample->stack == s->open && sample->leaf == s->leaf)
		return;
	set_time(s, at);
	close_leaf(s);
	change_stack(s, sample->stack);
	if (sample->leaf != EXPORT_NONE)
		put_event(s, sample->leaf, false);
	s->leaf = sample->leaf;
}

static void close_all(struct speedscope *s, int64_t at)
{
	set_time(s, at);
	close_leaf(s);
	change_stack(s, STACK_EMPTY);
}

/* Where on the axis the sample begins: time, or for what is counted the sum so far. */
static int64_t place(const struct speedscope *s, const struct export_sample *sample, int64_t end)
{
	if (s->source->view->unit != EXPORT_NANOSECONDS || sample->time_ns < end)
		return end;
	/* a gap much shorter than the sample is the clock's jitter */
	return (uint64_t)(sample->time_ns - end) <= sample->weight / 2 ? end : sample->time_ns;
}

static int64_t plus(int64_t time, uint64_t weight)
{
	int64_t sum;

	return __builtin_add_overflow(time, weight, &sum) ? INT64_MAX : sum;
}

static void put_events(struct speedscope *s, const struct export_thread *thread)
{
	const struct export_sample first = export_sample_at(s->source, thread, 0);
	int64_t end = s->source->view->unit == EXPORT_NANOSECONDS ? first.time_ns : 0;
	const int64_t start = end;

	s->stacks = export_stacks(s->source, thread);
	s->open = STACK_EMPTY;
	s->leaf = EXPORT_NONE;
	s->any = false;
	for (size_t i = 0; i < thread->count; i++) {
		const struct export_sample sample = export_sample_at(s->source, thread, i);
		const int64_t at = place(s, &sample, end);

		if (!sample.weight)
			continue;
		if (at > end)
			close_all(s, end);
		change_to(s, &sample, at);
		end = plus(at, sample.weight);
		export_out_flush(s->out);
	}
	close_all(s, end);
	put(s, "],\"startValue\":");
	buffer_signed(&s->out->bytes, start);
	put(s, ",\"endValue\":");
	buffer_signed(&s->out->bytes, end);
	put(s, "}");
}

static void put_name(struct speedscope *s, const struct export_thread *thread)
{
	const struct export_process *process = &s->source->processes[thread->process];
	struct buffer name = { 0 };

	if (s->source->process_count > 1) {
		if (process->name) {
			buffer_bytes(&name, process->name, strlen(process->name));
			buffer_u8(&name, ' ');
		}
		buffer_u8(&name, '(');
		buffer_signed(&name, process->id);
		buffer_bytes(&name, ") ", 2);
	}
	buffer_bytes(&name, "Thread (", 8);
	buffer_signed(&name, thread->id);
	buffer_u8(&name, ')');
	if (thread->name && *thread->name) {
		buffer_u8(&name, ' ');
		buffer_bytes(&name, thread->name, strlen(thread->name));
	}
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
		json_open_object(&json, NULL);
		json_put_text(&json, "name", s->source->frames[i].full);
		json_close(&json);
		export_out_flush(s->out);
	}
	json_close(&json);
	json_close(&json);
	json_begin_value(&json, "profiles");
}

static int write(struct export_source *source, struct export_out *out, struct pp_error *err)
{
	struct speedscope s = { .source = source, .out = out };

	(void)err;
	make_pieces(&s);
	put_head(&s);
	put(&s, "[");
	for (size_t i = 0; i < source->thread_count; i++) {
		put(&s, i ? ",\n" : "\n");
		put_thread(&s, &source->threads[i]);
		export_out_progress(out, i + 1, source->thread_count);
	}
	put(&s, "]}\n");
	free(s.frames);
	free(s.path);
	return 0;
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.extensions = { ".speedscope.json" },
	.summary = "for www.speedscope.app: a profile for each thread",
	.many = true,
	.write = write,
};
