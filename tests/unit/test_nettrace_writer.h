/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the writer share: a sink in memory, and reading back.
 *
 *	struct memory m = { 0 };
 *	struct pp_writer *w = writer_to(&m);
 *	...
 *	struct back back = close_and_read(w, &m);
 *	assert_int_equal(back.count, 1);
 *	back_release(&back);
 */
#ifndef TEST_NETTRACE_WRITER_H
#define TEST_NETTRACE_WRITER_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "perfpipe/nettrace_writer.h"

struct memory {
	struct buffer b;
	unsigned writes;
	unsigned fail_at; /* the write, from 1, that fails; 0: none */
	int error;	  /* its errno */
};

static inline int to_memory(void *context, const void *bytes, size_t size)
{
	struct memory *m = context;

	if (++m->writes == m->fail_at) {
		errno = m->error;
		return -1;
	}
	buffer_bytes(&m->b, bytes, size);
	return 0;
}

static inline struct pp_writer_options options_to(struct memory *m)
{
	return (struct pp_writer_options){ .size = sizeof(struct pp_writer_options),
					   .sink = { to_memory, m },
					   .start_ns = INT64_C(1700000000500000000),
					   .start_ticks = 1000,
					   .ticks_per_second = 1000000000 };
}

static inline struct pp_writer *writer_to(struct memory *m)
{
	struct pp_error err = { 0 };
	const struct pp_writer_options options = options_to(m);
	struct pp_writer *w = pp_writer_new(&options, &err);

	assert_non_null(w);
	return w;
}

/* tests/data/orders-cut.nettrace, which ends inside a block. */
static inline struct buffer cut_recording(void)
{
	struct buffer b = { 0 };
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/data/orders-cut.nettrace", getenv("SOURCE"));
	file = fopen(path, "rb");
	assert_non_null(file);
	buffer_take(&b, 20000);
	assert_int_equal(fread(b.bytes, 1, 20000, file), 20000);
	fclose(file);
	return b;
}

/* A minimal kind, thread and event. */
static inline uint32_t a_kind(struct pp_writer *w)
{
	struct pp_error err = { 0 };
	const struct pp_kind kind = { .provider = "Test", .name = "Ping", .id = 7, .opcode = -1 };
	const uint32_t handle = pp_writer_kind(w, &kind, &err);

	assert_true(handle);
	return handle;
}

static inline uint64_t a_thread(struct pp_writer *w, int64_t id)
{
	struct pp_error err = { 0 };
	const struct pp_thread thread = { .process_id = 100, .id = id };
	const uint64_t handle = pp_writer_thread(w, &thread, &err);

	assert_true(handle);
	return handle;
}

static inline void add(struct pp_writer *w, const struct pp_new_event *event)
{
	struct pp_error err = { 0 };

	if (pp_writer_event(w, event, &err))
		fail_msg("%s", err.text);
}

#define write_event(w, ...) add((w), &(const struct pp_new_event){ __VA_ARGS__ })

/* A trace read back; the reader is kept, since events refer to it. */
struct back {
	struct pp_nettrace *trace;
	struct pp_event *events; /* each with a copy of its payload and labels */
	size_t count;
	struct pp_trace_totals totals;
	struct memory memory;
};

static inline void keep(struct back *back, const struct pp_event *event)
{
	struct pp_event *kept;
	uint8_t *payload = malloc(event->payload_size + 1);

	back->events = realloc(back->events, (back->count + 1) * sizeof(*kept));
	kept = &back->events[back->count++];
	*kept = *event;
	kept->payload = memcpy(payload, event->payload, event->payload_size);
	if (event->labels)
		kept->labels = memcpy(malloc(sizeof(*event->labels)), event->labels,
				      sizeof(*event->labels));
}

static inline struct back read_back(const void *bytes, size_t size)
{
	struct back back = { .trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 }) };
	struct pp_error err = { 0 };
	const struct pp_event *event;
	enum pp_next next;
	bool fed = false;

	while ((next = pp_nettrace_next(back.trace, &event, &err)) > PP_NEXT_END) {
		if (next == PP_NEXT_ITEM)
			keep(&back, event);
		else if (!fed)
			pp_nettrace_feed(back.trace, bytes, size);
		else
			pp_nettrace_end(back.trace);
		fed |= next == PP_NEXT_MORE;
	}
	if (next == PP_NEXT_ERROR)
		fail_msg("%s", err.text);
	back.totals = pp_nettrace_totals(back.trace);
	return back;
}

static inline struct back close_and_read(struct pp_writer *w, const struct memory *m)
{
	struct pp_error err = { 0 };
	struct back back;

	if (pp_writer_close(w, &err))
		fail_msg("%s", err.text);
	back = read_back(m->b.bytes, m->b.size);
	assert_true(back.totals.complete);
	back.memory = *m;
	return back;
}

static inline void back_release(struct back *back)
{
	for (size_t i = 0; i < back->count; i++) {
		free((void *)back->events[i].payload);
		free((void *)back->events[i].labels);
	}
	free(back->events);
	pp_nettrace_free(back->trace);
	buffer_release(&back->memory.b);
}

#endif
