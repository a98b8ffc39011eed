/* SPDX-License-Identifier: MIT */
/*
 * Objects of version 4, after those of the file:
 *
 *	SPBlock | MetadataBlock | StackBlock | EventBlock | SPBlock ... | end tag
 *
 * The first sequence point frees the stack ids that the file used. Contents are aligned to four
 * bytes of the file.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "nettrace/write_group.h"
#include "nettrace/write_append.h"
#include "perfpipe/nettrace_append.h"

#define GROUP_SIZE ((size_t)1024 * 1024)
#define MOST_APPENDED                                                                              \
	((size_t)15 * 1024 * 1024) /* payload, stack or definition, as the last of a group */
#define TAG_END_OF_STREAM 1u

struct pp_append {
	struct pp_sink sink;
	struct pp_tail tail; /* `end` and `newest_ticks` advance */
	struct pp_error failure;
	uint32_t first_kind;
	uint32_t sequence;
	uint64_t ticks; /* of the last event in the block */
	struct buffer metadata;
	struct buffer stacks;
	struct buffer events;
	struct buffer object; /* being built */
	struct id_table stack_ids;
};

static int fail(struct pp_append *a, struct pp_error *err)
{
	error_set(err, a->failure.code, "%s", a->failure.text);
	return -1;
}

static int no_memory(struct pp_append *a, struct pp_error *err)
{
	error_set(&a->failure, PP_ERROR_MEMORY, "out of memory while writing the trace");
	return fail(a, err);
}

/* Starts the blocks with their heads, whose times are filled in later. */
static void begin_blocks(struct pp_append *a)
{
	static const uint8_t head[EVENT_HEAD] = { EVENT_HEAD, 0, 1 };
	static const uint8_t ids[8] = { 1 };

	buffer_rewind(&a->metadata, 0);
	buffer_bytes(&a->metadata, head, sizeof(head));
	buffer_rewind(&a->events, 0);
	buffer_bytes(&a->events, head, sizeof(head));
	buffer_rewind(&a->stacks, 0);
	buffer_bytes(&a->stacks, ids, sizeof(ids));
	id_table_forget(&a->stack_ids);
	a->ticks = 0;
}

static void put(struct pp_append *a, const void *bytes, size_t size)
{
	if (a->failure.code)
		return;
	errno = 0;
	if (a->sink.write(a->sink.context, bytes, size))
		error_set(&a->failure, PP_ERROR_SYSTEM, "cannot write the trace%s%s",
			  errno ? ": " : "", errno ? strerror(errno) : "");
	a->tail.end += size;
}

/* The type, versions 2 and 2, then the contents. */
void object_put_v4(struct buffer *b, uint64_t offset, const char *name,
		   const struct buffer *contents)
{
	buffer_bytes(b, "\5\5\1\2\0\0\0\2\0\0\0", 11);
	buffer_u32(b, (uint32_t)strlen(name));
	buffer_text(b, name);
	buffer_u8(b, 6);
	buffer_u32(b, (uint32_t)contents->size);
	while ((offset + b->size) % 4 && !b->failed)
		buffer_u8(b, 0);
	buffer_bytes(b, contents->bytes, contents->size);
	buffer_u8(b, 6);
	b->failed |= contents->failed;
}

static void put_object(struct pp_append *a, const char *name, const struct buffer *contents)
{
	struct buffer *b = &a->object;

	buffer_rewind(b, 0);
	object_put_v4(b, a->tail.end, name, contents);
	if (b->failed)
		error_set(&a->failure, PP_ERROR_MEMORY, "out of memory while writing the trace");
	put(a, b->bytes, b->size);
}

static void put_point(struct pp_append *a)
{
	struct buffer point = { 0 };

	buffer_u64(&point, (uint64_t)a->tail.newest_ticks);
	buffer_u32(&point, 0); /* no threads */
	put_object(a, "SPBlock", &point);
	buffer_release(&point);
}

static void patch_times(struct pp_append *a, struct buffer *b)
{
	const int64_t times[] = { a->tail.newest_ticks, a->tail.newest_ticks };

	buffer_patch(b, 4, times, sizeof(times));
}

static int flush(struct pp_append *a, struct pp_error *err)
{
	const uint32_t stack_count = a->stack_ids.count;
	const bool any = a->events.size > EVENT_HEAD;

	if (a->metadata.size > EVENT_HEAD) {
		patch_times(a, &a->metadata);
		put_object(a, "MetadataBlock", &a->metadata);
	}
	if (stack_count) {
		buffer_patch(&a->stacks, 4, &stack_count, sizeof(stack_count));
		put_object(a, "StackBlock", &a->stacks);
	}
	if (any) {
		buffer_patch(&a->events, 12, &a->tail.newest_ticks, 8);
		put_object(a, "EventBlock", &a->events);
		put_point(a);
	}
	begin_blocks(a);
	return a->failure.code ? fail(a, err) : 0;
}

struct pp_append *pp_append_new(const struct pp_sink *sink, const struct pp_tail *tail,
				struct pp_error *err)
{
	struct pp_append *a;

	if (tail->version != 4) {
		error_set(err, PP_ERROR_USAGE, "events can only be added to traces of version 4");
		return NULL;
	}
	a = try_calloc(1, sizeof(*a));
	if (!a) {
		error_set(err, PP_ERROR_MEMORY, "out of memory while writing the trace");
		return NULL;
	}
	a->sink = *sink;
	a->tail = *tail;
	a->first_kind = tail->free_kind;
	a->stack_ids = (struct id_table){ .block = &a->stacks, .sized = true };
	begin_blocks(a);
	put_point(a);
	return a;
}

int pp_append_close(struct pp_append *append, struct pp_error *err)
{
	static const uint8_t end = TAG_END_OF_STREAM;
	int result;

	if (!append)
		return 0;
	flush(append, err);
	put(append, &end, 1);
	result = append->failure.code ? fail(append, err) : 0;
	buffer_release(&append->metadata);
	buffer_release(&append->stacks);
	buffer_release(&append->events);
	buffer_release(&append->object);
	id_table_release(&append->stack_ids);
	xfree(append);
	return result;
}

/* A compressed event with metadata id 0 at time 0: flags, time, size, payload. */
static int put_kind(struct pp_append *a, const struct buffer *record, struct pp_error *err)
{
	struct buffer *b = &a->metadata;

	if (record->size > MOST_APPENDED)
		return error_set(err, PP_ERROR_LIMIT,
				 "the definition of an event takes more than 15 MiB");
	buffer_u8(b, HEADER_PAYLOAD_SIZE);
	buffer_varint(b, 0);
	buffer_varint(b, record->size);
	buffer_bytes(b, record->bytes, record->size);
	return b->failed || record->failed ? no_memory(a, err) : 0;
}

uint32_t pp_append_kind(struct pp_append *append, const struct pp_kind *kind, struct pp_error *err)
{
	const uint32_t id = append->tail.free_kind;
	struct buffer record = { 0 };
	int result;

	if (append->failure.code)
		return fail(append, err), 0;
	if (!id) {
		error_set(err, PP_ERROR_LIMIT, "the trace has no metadata id left");
		return 0;
	}
	if (kind_check_v4(kind, err) || (append->metadata.size > GROUP_SIZE && flush(append, err)))
		return 0;
	kind_put_v4(&record, id, kind);
	result = put_kind(append, &record, err);
	buffer_release(&record);
	if (result)
		return 0;
	append->tail.free_kind++;
	return id;
}

static int check_event(struct pp_append *a, const struct pp_append_event *e, struct pp_error *err)
{
	if (a->failure.code)
		return fail(a, err);
	if (e->kind - a->first_kind >= a->tail.free_kind - a->first_kind)
		return error_set(err, PP_ERROR_USAGE,
				 "kind %u of an event was not returned by pp_append_kind()",
				 e->kind);
	if (e->payload_size > MOST_APPENDED || e->stack_count > MOST_APPENDED / 8)
		return error_set(err, PP_ERROR_LIMIT,
				 "the payload or stack of an event exceeds 15 MiB");
	if (a->tail.newest_ticks == INT64_MAX)
		return error_set(err, PP_ERROR_LIMIT,
				 "the trace's clock cannot advance any further");
	return 0;
}

static uint32_t stack_id(struct pp_append *a, const struct pp_append_event *e)
{
	struct buffer addresses = { 0 };
	uint32_t id = 0;

	if (!e->stack_count)
		return 0;
	for (size_t i = 0; i < e->stack_count; i++)
		buffer_bytes(&addresses, &e->stack[i], a->tail.pointer_size == 4 ? 4 : 8);
	a->stacks.failed |= addresses.failed;
	if (!a->stacks.failed)
		id = id_table_find(&a->stack_ids, addresses.bytes, addresses.size);
	if (!a->stacks.failed && !id)
		id = id_table_add(&a->stack_ids, addresses.bytes, addresses.size);
	buffer_release(&addresses);
	return id;
}

static void put_guid(struct buffer *b, const uint8_t *guid)
{
	static const uint8_t zero[16];

	buffer_bytes(b, guid ? guid : zero, 16);
}

/* Every field of every event: little is added to a trace. */
static void put_event(struct pp_append *a, const struct pp_append_event *e, uint32_t stack)
{
	struct buffer *b = &a->events;
	const bool first =
		b->size == EVENT_HEAD; /* in its block, where numbers and times start at 0 */

	buffer_u8(b, HEADER_KIND | HEADER_SEQUENCE | HEADER_THREAD | HEADER_STACK | HEADER_LABELS |
			     HEADER_RELATED | HEADER_SORTED | HEADER_PAYLOAD_SIZE);
	buffer_varint(b, e->kind);
	buffer_varint(b, first ? a->sequence : 0);
	buffer_varint(b, a->tail.free_thread);
	buffer_varint(b, (uint32_t)e->cpu);
	buffer_varint(b, (uint64_t)e->thread_id);
	buffer_varint(b, stack);
	buffer_varint(b, (uint64_t)a->tail.newest_ticks - a->ticks);
	put_guid(b, e->activity_id);
	put_guid(b, e->related_activity_id);
	buffer_varint(b, e->payload_size);
	buffer_bytes(b, e->payload, e->payload_size);
	a->ticks = (uint64_t)a->tail.newest_ticks;
	a->sequence++;
}

int pp_append_event(struct pp_append *append, const struct pp_append_event *event,
		    struct pp_error *err)
{
	struct pp_tail *tail = &append->tail;
	uint32_t stack;

	if (check_event(append, event, err))
		return -1;
	if (append->events.size + append->stacks.size > GROUP_SIZE && flush(append, err))
		return -1;
	stack = stack_id(append, event);
	tail->newest_ticks =
		event->ticks > tail->newest_ticks ? event->ticks : tail->newest_ticks + 1;
	if (append->events.size == EVENT_HEAD)
		buffer_patch(&append->events, 4, &tail->newest_ticks, 8);
	put_event(append, event, stack);
	return append->events.failed || append->stacks.failed ? no_memory(append, err) : 0;
}
