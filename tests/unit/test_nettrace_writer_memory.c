/* SPDX-License-Identifier: MIT */
/* Writers fail at each of their allocations, and nothing is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "failing_alloc.h"
#include "perfpipe/nettrace_append.h"
#include "perfpipe/nettrace_payload.h"
#include "perfpipe/nettrace_universal.h"
#include "trace_builder.h"

/* What was written, which is more than one block may take at a time. */
static struct {
	uint8_t bytes[1 << 20];
	size_t size;
} out;

static int keep(void *context, const void *bytes, size_t size)
{
	(void)context;
	assert_true(size <= sizeof(out.bytes) - out.size);
	memcpy(out.bytes + out.size, bytes, size);
	out.size += size;
	return 0;
}

static const struct pp_field fields[] = { { "Value", { .code = PP_TYPE_I32 } } };
static const struct pp_kind ping = {
	.provider = "Demo", .name = "Ping", .id = 1, .opcode = -1, .fields = { fields, 1 }
};

static void write_events(struct pp_writer *writer, uint64_t thread, uint32_t kind)
{
	const struct pp_label_pair pair = { .key = "key", .text = "value" };
	const struct pp_labels labels = {
		.present = PP_LABEL_LEVEL, .level = 3, .pairs = &pair, .pair_count = 1
	};
	struct pp_error ignored = { 0 }; /* pp_writer_close() has it */

	for (uint64_t i = 0; i < 200; i++) {
		const uint64_t stack[] = { i, i + 1, i * 1000 };
		const struct pp_new_event event = {
			.kind = kind,
			.thread = thread,
			.ticks = (int64_t)(i % 7 ? i : 200 - i), /* not in order */
			.cpu = -1,
			.stack = stack,
			.stack_count = 3,
			.labels = i % 3 ? &labels : NULL,
			.payload = "\1\2\3",
			.payload_size = 4,
		};

		pp_writer_event(writer, &event, &ignored);
	}
}

static void write_universal(struct pp_writer *writer, uint64_t thread)
{
	const struct pp_new_event at = { .thread = thread, .ticks = 300, .cpu = -1 };
	struct pp_error ignored = { 0 };

	pp_writer_process(writer, &at, PP_PROCESS_EXISTING,
			  &(struct pp_new_process){ .name = "/usr/bin/app" }, &ignored);
	pp_writer_mapping_metadata(writer, &at, &(struct pp_new_mapping_metadata){ 1, "{}", "{}" },
				   &ignored);
	pp_writer_mapping(writer, &at,
			  &(struct pp_new_mapping){ .id = 1, .file_name = "a.so", .end = 10 },
			  &ignored);
	pp_writer_symbol(writer, &at, &(struct pp_new_symbol){ .id = 1, .name = "main" }, &ignored);
	pp_writer_cpu(writer, &at, 1, &ignored);
	pp_writer_cswitch(writer, &at, 1, &ignored);
	pp_writer_process_exit(writer, &at, &ignored);
}

static uint64_t add_threads(struct pp_writer *writer)
{
	struct pp_error ignored = { 0 };
	uint64_t thread = 0;

	for (int i = 0; i < 40; i++)
		thread = pp_writer_thread(
			writer, &(struct pp_thread){ .process_id = 1, .id = i, .name = "worker" },
			&ignored);
	return thread;
}

static int write_trace(void *context, struct pp_error *err)
{
	const struct pp_pair pair = { "ProcessId", "42" };
	const struct pp_writer_options options = {
		.size = sizeof(options),
		.sink = { keep, NULL },
		.ticks_per_second = 1000,
		.pointer_size = *(int *)context,
		.properties = &pair,
		.property_count = 1,
		.group_size = 4096,
	};
	struct pp_error ignored = { 0 };
	struct pp_writer *writer;
	uint64_t thread;

	out.size = 0;
	writer = pp_writer_new(&options, err);
	if (!writer)
		return -1;
	thread = add_threads(writer);
	write_events(writer, thread, pp_writer_kind(writer, &ping, &ignored));
	write_universal(writer, thread);
	pp_writer_lost(writer, thread, 3, &ignored);
	pp_writer_thread_end(writer, thread, &ignored);
	pp_writer_flush(writer, &ignored);
	return pp_writer_close(writer, err);
}

static size_t count_events(struct literal bytes)
{
	struct pp_error err = { 0 };
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &err);
	const struct pp_event *event;
	enum pp_next next;
	size_t count = 0;

	pp_nettrace_feed(trace, bytes.at, bytes.size);
	pp_nettrace_end(trace);
	while ((next = pp_nettrace_next(trace, &event, &err)) == PP_NEXT_ITEM)
		count++;
	assert_string_equal(err.text, "");
	assert_int_equal(next, PP_NEXT_END);
	pp_nettrace_free(trace);
	return count;
}

static void fails_at_each_allocation_of_a_writer(void **state)
{
	int pointer_sizes[] = { 8, 4 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_true(fails_at_each_allocation(write_trace, &pointer_sizes[i]) > 20);
		assert_int_equal(count_events((struct literal){ out.bytes, out.size }), 207);
	}
}

/* Up to the end of its last complete block, and the events that are added. */
static int append_events(void *context, struct pp_error *err)
{
	const struct builder *b = context;
	const struct pp_sink sink = { keep, NULL };
	const uint64_t stack[] = { 1, 2, 3 };
	struct pp_tail_scan *scan = pp_tail_new(err);
	struct pp_append *append;
	struct pp_append_event event = { .cpu = -1, .stack = stack, .payload = "\1\2\3" };
	struct pp_error ignored = { 0 };
	struct pp_tail tail;

	if (!scan)
		return -1;
	for (size_t at = 0; at < b->size; at += 100)
		pp_tail_feed(scan, b->bytes + at, b->size - at < 100 ? b->size - at : 100);
	if (pp_tail_close(scan, &tail, err))
		return -1;
	out.size = 0;
	keep(NULL, b->bytes, tail.end);
	append = pp_append_new(&sink, &tail, err);
	if (!append)
		return -1;
	event.kind = pp_append_kind(append, &ping, &ignored);
	event.payload_size = 4;
	for (int i = 0; i < 30; i++, event.stack_count = (size_t)i % 4)
		pp_append_event(append, &event, &ignored);
	return pp_append_close(append, err);
}

static void fails_at_each_allocation_of_adding_events(void **state)
{
	struct builder b = build_ready(4);

	(void)state;
	for (int i = 0; i < 5; i++)
		event(&b, .kind = 1, .thread = 7, .ticks = 10 + i, .payload = BYTES("\1\2"));
	build_close(&b);
	assert_true(fails_at_each_allocation(append_events, &b) > 10);
	assert_int_equal(count_events((struct literal){ out.bytes, out.size }), 35);
	builder_release(&b);
}

/* A payload says that it has failed by having no bytes. */
static int build_payload(void *context, struct pp_error *err)
{
	struct pp_payload *payload = pp_payload_new();
	char text[2000];
	size_t size;
	int failed;

	(void)context;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	pp_payload_u32(payload, 1);
	pp_payload_utf16z(payload, text);
	pp_payload_utf8(payload, text);
	pp_payload_rel_loc(payload, pp_payload_location(payload), text, 100);
	failed = pp_payload_bytes(payload, &size) ? 0 : -1;
	if (failed)
		err->code = PP_ERROR_MEMORY;
	pp_payload_free(payload);
	return failed;
}

static void fails_at_each_allocation_of_a_payload(void **state)
{
	(void)state;
	assert_true(fails_at_each_allocation(build_payload, NULL) > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fails_at_each_allocation_of_a_writer),
		cmocka_unit_test(fails_at_each_allocation_of_adding_events),
		cmocka_unit_test(fails_at_each_allocation_of_a_payload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
