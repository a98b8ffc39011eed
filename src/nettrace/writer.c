/* SPDX-License-Identifier: MIT */
/*
 * How an event is written: its stack and labels get ids of this group, and its header, compressed
 * against the previous one, goes with its payload straight into the block for write_blocks.c.
 */
#include "base/alloc.h"
#include "perfpipe/nettrace_writer.h"

#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "nettrace/write_group.h"

#define DEFAULT_GROUP ((size_t)1024 * 1024)
#define MOST_GROUP    ((size_t)8 * 1024 * 1024)
#define MOST_TABLE                                                                                 \
	((size_t)4 * 1024 * 1024) /* stacks or labels of a group, unless one alone is larger */
#define MOST_PAYLOAD  ((size_t)MOST_BLOCK - EVENT_HEAD - HEADER_MOST)
#define MOST_CONTENT  ((size_t)MOST_BLOCK - 12) /* a stack or label list, alone in its block */
#define NS_PER_SECOND INT64_C(1000000000)
#define END_KIND      0u
#define TRACE_KIND    1u

static int check_options(const struct pp_writer_options *o, struct pp_error *err)
{
	if (!o->sink.write)
		return error_set(err, PP_ERROR_USAGE, "a trace cannot be written without a sink");
	if (o->ticks_per_second <= 0)
		return error_set(err, PP_ERROR_USAGE,
				 "a clock of %lld ticks per second is not usable",
				 (long long)o->ticks_per_second);
	if (o->pointer_size && o->pointer_size != 4 && o->pointer_size != 8)
		return error_set(err, PP_ERROR_USAGE, "addresses have 4 or 8 bytes, not %d",
				 o->pointer_size);
	if (o->group_size > MOST_GROUP)
		return error_set(err, PP_ERROR_LIMIT, "a group of over 8 MiB is too large");
	return 0;
}

/* A Windows SYSTEMTIME in UTC, with a resolution of milliseconds. */
static void put_system_time(struct buffer *b, int64_t unix_ns)
{
	const int64_t rest = unix_ns % NS_PER_SECOND;
	const int64_t ns = rest < 0 ? rest + NS_PER_SECOND : rest;
	const time_t seconds = (time_t)(unix_ns / NS_PER_SECOND - (rest < 0));
	struct tm tm;

	gmtime_r(&seconds, &tm);
	buffer_u16(b, (uint16_t)(tm.tm_year + 1900));
	buffer_u16(b, (uint16_t)(tm.tm_mon + 1));
	buffer_u16(b, (uint16_t)tm.tm_wday);
	buffer_u16(b, (uint16_t)tm.tm_mday);
	buffer_u16(b, (uint16_t)tm.tm_hour);
	buffer_u16(b, (uint16_t)tm.tm_min);
	buffer_u16(b, (uint16_t)tm.tm_sec);
	buffer_u16(b, (uint16_t)(ns / 1000000));
}

static int put_trace(struct pp_writer *w, const struct pp_writer_options *o, struct buffer *b,
		     struct pp_error *err)
{
	buffer_u32(b, 0); /* block header */
	put_system_time(b, o->start_ns);
	buffer_u64(b, (uint64_t)o->start_ticks);
	buffer_u64(b, (uint64_t)o->ticks_per_second);
	buffer_u32(b, (uint32_t)w->pointer_size);
	buffer_u32(b, (uint32_t)o->property_count);
	for (size_t i = 0; i < o->property_count; i++) {
		buffer_varint_text(b, o->properties[i].key);
		buffer_varint_text(b, o->properties[i].value);
	}
	if (b->no_memory)
		return writer_no_memory(w, err);
	if (b->size - BLOCK_HEADER > MOST_BLOCK)
		return error_set(err, PP_ERROR_LIMIT,
				 "the properties of a trace take %zu bytes; the limit is 16 MiB",
				 b->size);
	return 0;
}

/* The magic of NetTrace 6.0 and the first block. */
static int write_start(struct pp_writer *w, const struct pp_writer_options *o, struct pp_error *err)
{
	static const char start[] = "Nettrace\0\0\0\0\6\0\0\0\0\0\0";
	struct buffer b = { 0 };
	const int result = put_trace(w, o, &b, err);

	if (!result) {
		group_put(w, start, sizeof(start));
		group_write(w, &b, TRACE_KIND);
	}
	buffer_release(&b);
	return result;
}

static void writer_free(struct pp_writer *w)
{
	for (size_t i = 0; i < OUTS; i++)
		buffer_release(&w->out[i]);
	id_table_release(&w->stacks);
	id_table_release(&w->labels);
	buffer_release(&w->scratch);
	buffer_release(&w->payload);
	xfree(w->threads);
	xfree(w->active);
	xfree(w);
}

static void begin(struct pp_writer *w, const struct pp_writer_options *options)
{
	w->sink = options->sink;
	w->pointer_size = options->pointer_size ? options->pointer_size : 8;
	w->group_size = options->group_size ? options->group_size : DEFAULT_GROUP;
	w->start_ticks = options->start_ticks;
	w->newest = INT64_MIN;
	w->stacks = (struct id_table){ .block = &w->out[OUT_STACKS], .sized = true };
	w->labels = (struct id_table){ .block = &w->out[OUT_LABELS] };
}

struct pp_writer *pp_writer_new(const struct pp_writer_options *options, struct pp_error *err)
{
	struct pp_writer_options known;
	struct pp_writer *w;

	if (OPTIONS_READ(&known, options, err) || check_options(&known, err))
		return NULL;
	w = try_calloc(1, sizeof(*w));
	if (!w) {
		error_set(err, PP_ERROR_MEMORY, "out of memory for the trace writer");
		return NULL;
	}
	begin(w, &known);
	if (write_start(w, &known, err)) {
		writer_free(w);
		return NULL;
	}
	group_begin(w);
	return w;
}

int pp_writer_flush(struct pp_writer *writer, struct pp_error *err)
{
	return group_flush(writer, err);
}

int pp_writer_close(struct pp_writer *writer, struct pp_error *err)
{
	int result;

	if (!writer)
		return 0;
	if (!group_flush(writer, err)) {
		buffer_rewind(&writer->out[OUT_EVENTS], BLOCK_HEADER);
		group_write(writer, &writer->out[OUT_EVENTS], END_KIND);
	}
	result = writer->failure.code ? writer_fail(writer, err) : 0;
	writer_free(writer);
	return result;
}

struct pp_writer_totals pp_writer_totals(const struct pp_writer *writer)
{
	return writer->totals;
}

uint32_t pp_writer_kind(struct pp_writer *writer, const struct pp_kind *kind, struct pp_error *err)
{
	const uint32_t handle = writer->kind_handles + 1;
	struct buffer *b = &writer->out[OUT_METADATA];
	size_t row;

	if (group_make_room(writer, OUT_METADATA, UINT16_MAX + 2u, err) || kind_check(kind, err))
		return 0;
	row = b->size;
	kind_put(b, handle, kind);
	if (writer_take_back(writer, b, row, "the definition of an event", err))
		return 0;
	writer->kind_handles = writer->kind_count = handle;
	return handle;
}

static int check_event(const struct pp_writer *w, const struct pp_new_event *e,
		       struct pp_error *err)
{
	if (e->payload_size > MOST_PAYLOAD)
		return error_set(err, PP_ERROR_LIMIT,
				 "a payload of %zu bytes exceeds the %zu that a block holds",
				 e->payload_size, MOST_PAYLOAD);
	if (e->stack_count > MOST_CONTENT / (size_t)w->pointer_size)
		return error_set(err, PP_ERROR_LIMIT,
				 "a stack of %zu addresses does not fit into a block",
				 e->stack_count);
	for (size_t i = 0; i < e->stack_count && w->pointer_size == 4; i++)
		if (e->stack[i] > UINT32_MAX)
			return error_set(err, PP_ERROR_LIMIT,
					 "address 0x%llx does not fit into the trace's four bytes",
					 (unsigned long long)e->stack[i]);
	return 0;
}

/* Encodes the labels into `scratch`, which stays empty if there are none. */
static int encode_labels(struct pp_writer *w, const struct pp_labels *labels, struct pp_error *err)
{
	buffer_rewind(&w->scratch, 0);
	if (labels)
		labels_put(&w->scratch, labels);
	if (w->scratch.failed)
		return writer_no_memory(w, err);
	if (w->scratch.size > MOST_CONTENT)
		return error_set(err, PP_ERROR_LIMIT,
				 "a label list of %zu bytes does not fit into a block",
				 w->scratch.size);
	return 0;
}

/* Makes room in all three blocks before the event's stack and labels get ids of the group. */
static int make_room(struct pp_writer *w, const struct pp_new_event *e, struct pp_error *err)
{
	struct buffer *b = &w->out[OUT_EVENTS];
	const size_t stack_size = e->stack_count * (size_t)w->pointer_size + 4;
	const bool full = b->size + e->payload_size > w->event_limit ||
			  w->out[OUT_STACKS].size + stack_size > MOST_TABLE ||
			  w->out[OUT_LABELS].size + w->scratch.size > MOST_TABLE;

	if (full && group_flush(w, err))
		return -1;
	if (b->size + e->payload_size <= w->event_limit)
		return 0;
	w->event_limit = b->size + e->payload_size; /* a large event gets its own group */
	return buffer_grow(b, e->payload_size + HEADER_MOST) ? 0 : writer_no_memory(w, err);
}

static uint32_t intern(struct pp_writer *w, struct id_table *table, const void *bytes, size_t size,
		       struct pp_error *err)
{
	uint32_t id = id_table_find(table, bytes, size);

	if (!id)
		id = id_table_add(table, bytes, size);
	if (!id)
		writer_no_memory(w, err);
	return id;
}

static uint32_t intern_stack(struct pp_writer *w, const struct pp_new_event *e,
			     struct pp_error *err)
{
	if (w->pointer_size == 8)
		return intern(w, &w->stacks, e->stack, e->stack_count * 8, err);
	buffer_rewind(&w->scratch, 0);
	for (size_t i = 0; i < e->stack_count; i++)
		buffer_u32(&w->scratch, (uint32_t)e->stack[i]);
	if (w->scratch.failed)
		return writer_no_memory(w, err), 0;
	return intern(w, &w->stacks, w->scratch.bytes, w->scratch.size, err);
}

/* The slow path: an event with a stack or labels, or that does not fit. */
static int prepare(struct pp_writer *w, const struct pp_new_event *e, struct event_header *now,
		   struct pp_error *err)
{
	if (check_event(w, e, err) || encode_labels(w, e->labels, err) || make_room(w, e, err))
		return -1;
	if (w->scratch.size)
		now->labels = intern(w, &w->labels, w->scratch.bytes, w->scratch.size, err);
	if (e->stack_count)
		now->stack = intern_stack(w, e, err);
	return w->failure.code ? -1 : 0;
}

static int refuse(struct pp_writer *w, const struct pp_new_event *e, struct pp_error *err)
{
	if (w->failure.code)
		return writer_fail(w, err);
	if (e->kind - 1 >= w->kind_count)
		return error_set(err, PP_ERROR_USAGE,
				 "kind %u of an event was not returned by pp_writer_kind()",
				 e->kind);
	return error_set(err, PP_ERROR_USAGE,
			 "the thread handle of an event is unknown, or its thread has ended");
}

static void put(struct pp_writer *w, const struct pp_new_event *e, const struct event_header *now)
{
	struct buffer *b = &w->out[OUT_EVENTS];
	uint8_t *at = header_put(b->bytes + b->size, &w->last, now);

	if (e->payload_size)
		memcpy(at, e->payload, e->payload_size);
	b->size = (size_t)(at - b->bytes) + e->payload_size;
	if (!w->group_events++)
		w->oldest = e->ticks;
	else
		w->unordered |= e->ticks < (int64_t)w->last.ticks;
	w->last = *now;
	w->totals.events++;
	w->totals.late += e->ticks < w->newest;
}

int pp_writer_event(struct pp_writer *writer, const struct pp_new_event *event,
		    struct pp_error *err)
{
	const struct buffer *b = &writer->out[OUT_EVENTS];
	const struct thread_slot *thread = thread_find(writer, event->thread);
	struct thread_slot *capture =
		thread_find(writer, event->capture_thread ? event->capture_thread : event->thread);
	struct event_header now;

	if (!thread || !capture || event->kind - 1 >= writer->kind_count)
		return refuse(writer, event, err);
	now = (struct event_header){
		.kind = event->kind,
		.cpu = (uint32_t)event->cpu,
		.payload_size = (uint32_t)event->payload_size,
		.thread = thread->serial,
		.capture = capture->serial,
		.ticks = (uint64_t)event->ticks,
	};
	if (event->stack_count || event->labels || b->size > writer->event_limit ||
	    event->payload_size > writer->event_limit - b->size)
		if (prepare(writer, event, &now, err))
			return -1;
	if (capture->group != writer->group && thread_enter(writer, capture, err))
		return -1;
	now.sequence = capture->sequence += 1 + capture->lost;
	capture->lost = 0;
	put(writer, event, &now);
	return 0;
}
