/* SPDX-License-Identifier: MIT */
/*
 * Any bytes must give the tail of a trace or an error. If it is of version 4 and can be read up
 * to that end, an event appended there must come out last, and nothing else may change.
 *
 *	byte 0: size of a piece; 0: all at once
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "perfpipe/nettrace_append.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	uint64_t events;
	bool last_is_ours;
	bool complete;
	uint64_t lost;
	bool failed;
};

static void must(bool holds)
{
	if (!holds)
		abort();
}

static int to_buffer(void *context, const void *bytes, size_t size)
{
	buffer_bytes(context, bytes, size);
	return 0;
}

/* The reader must find the same tail, unless it fails where the scan does not look. */
static void compare_tails(const struct pp_nettrace *trace, const struct pp_tail *found)
{
	struct pp_error err = { 0 };
	struct pp_tail tail;

	if (pp_nettrace_tail(trace, &tail, &err))
		return;
	must(tail.end == found->end && tail.torn == found->torn &&
	     tail.complete == found->complete);
	must(tail.version == found->version && tail.pointer_size == found->pointer_size);
	if (tail.version == 4) {
		must(tail.newest_ticks >= found->newest_ticks);
		/* 0: no id is free */
		must(!tail.free_kind || tail.free_kind >= found->free_kind);
	}
}

static struct seen read_all(const void *bytes, size_t size, const struct pp_tail *found)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	struct seen seen = { 0 };
	const struct pp_event *event;
	bool fed = false;
	enum pp_next next;

	while ((next = pp_nettrace_next(trace, &event, &err)) > PP_NEXT_END) {
		if (next == PP_NEXT_ITEM)
			seen.last_is_ours = !strcmp(event->kind->provider, "Perfpipe");
		else if (!fed)
			pp_nettrace_feed(trace, bytes, size);
		else
			pp_nettrace_end(trace);
		fed |= next == PP_NEXT_MORE;
	}
	seen.events = pp_nettrace_totals(trace).events;
	seen.lost = pp_nettrace_totals(trace).lost;
	seen.complete = pp_nettrace_totals(trace).complete;
	seen.failed = next == PP_NEXT_ERROR;
	if (found)
		compare_tails(trace, found);
	pp_nettrace_free(trace);
	return seen;
}

static int find_tail(const uint8_t *data, size_t size, size_t piece, struct pp_tail *tail)
{
	struct pp_tail_scan *scan = pp_tail_new(&(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	int result;

	piece = piece ? piece : size;
	for (size_t at = 0; at < size; at += piece) {
		const size_t left = size - at < piece ? size - at : piece;
		uint8_t *copy = memcpy(malloc(left), data + at, left);

		pp_tail_feed(scan, copy, left);
		free(copy);
	}
	result = pp_tail_close(scan, tail, &err);
	must(!result == !err.code);
	return result;
}

static void add_event(struct buffer *file, const struct pp_tail *tail)
{
	const struct pp_kind kind = { .provider = "Perfpipe",
				      .name = "RecordingEnd",
				      .opcode = -1 };
	const struct pp_sink sink = { to_buffer, file };
	const uint64_t stack = 0x1000;
	struct pp_error err = { 0 };
	struct pp_append *append = pp_append_new(&sink, tail, &err);
	struct pp_append_event event = { .stack = &stack, .stack_count = 1 };

	event.kind = pp_append_kind(append, &kind, &err);
	pp_append_event(append, &event, &err);
	must(!pp_append_close(append, &err) && !err.code);
}

static void repair(const uint8_t *data, const struct pp_tail *tail)
{
	struct buffer file = { 0 };
	struct seen before, after;

	buffer_bytes(&file, data, (size_t)tail->end);
	before = read_all(file.bytes, file.size, NULL);
	add_event(&file, tail);
	after = read_all(file.bytes, file.size, NULL);
	if (!before.failed) {
		must(!after.failed && after.complete && after.last_is_ours);
		must(after.events == before.events + 1 && after.lost == before.lost);
	}
	buffer_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pp_tail tail;

	if (size < 2 || size > 65536 || find_tail(data + 1, size - 1, data[0], &tail))
		return 0;
	must(tail.end + tail.torn == size - 1);
	read_all(data + 1, size - 1, &tail);
	if (tail.version == 4 && tail.free_kind && tail.newest_ticks != INT64_MAX)
		repair(data + 1, &tail);
	return 0;
}
