/* SPDX-License-Identifier: MIT */
/*
 * With an argument, repairs tests/data/orders-cut.nettrace into that file and prints how many
 * events it must have: interop/writer.sh lets .NET's reader check it.
 */
#include "test_nettrace_writer.h"

#include <stdio.h>

#include "perfpipe/nettrace_append.h"
#include "perfpipe/nettrace_payload.h"
#include "trace_builder.h"

static const struct pp_field stopped_by[] = { { "stopped_by", { .code = PP_TYPE_UTF16Z } } };
static const struct pp_kind recording_end = { .provider = "Perfpipe",
					      .name = "RecordingEnd",
					      .id = 1,
					      .opcode = -1,
					      .fields = { stopped_by, 1 } };

static struct pp_tail tail_of(const void *bytes, size_t size, size_t piece)
{
	struct pp_tail_scan *scan = pp_tail_new(&(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	struct pp_tail tail;

	for (size_t at = 0; at < size; at += piece)
		pp_tail_feed(scan, (const char *)bytes + at, size - at < piece ? size - at : piece);
	if (pp_tail_close(scan, &tail, &err))
		fail_msg("%s", err.text);
	return tail;
}

static void append_end(struct memory *m, const struct pp_tail *tail, const char *reason)
{
	struct pp_error err = { 0 };
	const struct pp_sink sink = { to_memory, m };
	struct pp_append *append = pp_append_new(&sink, tail, &err);
	struct pp_payload *payload = pp_payload_new();
	struct pp_append_event event = { .cpu = -1, .thread_id = 42 };

	pp_payload_utf16z(payload, reason);
	event.payload = pp_payload_bytes(payload, &event.payload_size);
	event.kind = pp_append_kind(append, &recording_end, &err);
	pp_append_event(append, &event, &err);
	assert_int_equal(pp_append_close(append, &err), 0);
	assert_int_equal(err.code, PP_ERROR_NONE);
	pp_payload_free(payload);
}

/* The recording, truncated after its last complete block, with the reason why it ends. */
static struct memory repaired(size_t *events)
{
	struct memory m = { .b = cut_recording() };
	const struct pp_tail tail = tail_of(m.b.bytes, m.b.size, m.b.size);
	struct back before;

	buffer_rewind(&m.b, (size_t)tail.end);
	before = read_back(m.b.bytes, m.b.size);
	*events = before.count + 1;
	back_release(&before);
	append_end(&m, &tail, "killed");
	return m;
}

static void repairs_a_truncated_recording(void **state)
{
	size_t events;
	struct memory m = repaired(&events);
	struct back back = read_back(m.b.bytes, m.b.size);
	const struct pp_event *last = &back.events[back.count - 1];

	(void)state;
	assert_true(back.totals.complete);
	assert_int_equal(back.totals.lost, 0);
	assert_int_equal(back.totals.late, 0);
	assert_true(events > 100);
	assert_int_equal(back.count, events);
	assert_string_equal(last->kind->provider, "Perfpipe");
	assert_string_equal(last->kind->name, "RecordingEnd");
	assert_string_equal(last->kind->fields.list[0].name, "stopped_by");
	assert_int_equal(last->thread->id, 42);
	assert_memory_equal(last->payload, "k\0i\0l\0l\0e\0d\0\0", 14);
	assert_true(last->ticks == back.events[back.count - 2].ticks + 1);
	back.memory = m;
	back_release(&back);
}

static void finds_the_end_whatever_the_pieces(void **state)
{
	struct buffer b = cut_recording();
	const struct pp_tail whole = tail_of(b.bytes, b.size, b.size);

	(void)state;
	assert_int_equal(whole.version, 4);
	assert_int_equal(whole.pointer_size, 8);
	assert_false(whole.complete);
	assert_true(whole.end > 0 && whole.torn > 0);
	assert_int_equal(whole.end + whole.torn, 20000);
	assert_int_equal(b.bytes[whole.end - 1], 6);
	assert_true(whole.free_kind > 1);
	assert_int_equal(whole.free_thread, 0x7fffffff);
	for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
		const struct pp_tail tail = tail_of(b.bytes, b.size, piece);

		assert_memory_equal(&tail, &whole, sizeof(tail));
	}
	buffer_release(&b);
}

/* A V4 trace of three events, including its end mark. */
static struct builder small_trace(void)
{
	struct builder b = build_ready(4);

	event(&b, .kind = 1, .thread = 999, .ticks = 2000050);
	event(&b, .kind = 1, .thread = 999, .ticks = 2000060);
	build_close(&b);
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = 0x7fffffff, .ticks = 2000040);
	build_close(&b);
	build_end(&b);
	return b;
}

/* Truncated at every byte: the rest can always be repaired, and loses only torn bytes. */
static void repairs_a_cut_anywhere(void **state)
{
	struct builder b = small_trace();
	size_t most = 0;

	(void)state;
	for (size_t size = 0; size <= b.size; size++) {
		struct pp_tail_scan *scan = pp_tail_new(&(struct pp_error){ 0 });
		struct memory m = { 0 };
		struct pp_error err = { 0 };
		struct pp_tail tail;
		struct back back;

		pp_tail_feed(scan, b.bytes, size);
		if (pp_tail_close(scan, &tail, &err)) {
			assert_string_equal(err.text, "the trace ends inside its header");
			continue;
		}
		assert_int_equal(tail.end + tail.torn, size);
		buffer_bytes(&m.b, b.bytes, (size_t)tail.end);
		append_end(&m, &tail, "");
		back = read_back(m.b.bytes, m.b.size);
		assert_true(back.totals.complete);
		assert_true(back.count >= 1 && back.count >= most);
		assert_int_equal(back.totals.lost, 0);
		most = back.count;
		back.memory = m;
		back_release(&back);
	}
	assert_int_equal(most, 4);
	builder_release(&b);
}

static void reports_which_ids_are_used(void **state)
{
	struct builder b = small_trace();
	const struct pp_tail tail = tail_of(b.bytes, b.size, 7);

	(void)state;
	assert_true(tail.complete);
	assert_int_equal(b.bytes[tail.end], 1); /* the end mark, which may be missing, too */
	assert_int_equal(tail.newest_ticks, 2000060);
	assert_int_equal(tail.free_kind, 2);
	assert_int_equal(tail.free_thread, 0x7ffffffe);
	builder_release(&b);
}

static void rejects_other_files(void **state)
{
	struct builder b = build_ready(3);
	struct pp_tail_scan *scan = pp_tail_new(&(struct pp_error){ 0 });
	const struct pp_sink sink = { to_memory, NULL };
	struct pp_error err = { 0 };
	struct pp_tail tail;

	(void)state;
	pp_tail_feed(scan, b.bytes, b.size);
	assert_int_equal(pp_tail_close(scan, &tail, &err), -1);
	assert_string_equal(err.text, "this is a NetPerf file; nothing can be appended");
	builder_release(&b);

	err = (struct pp_error){ 0 };
	scan = pp_tail_new(&(struct pp_error){ 0 });
	pp_tail_feed(scan, "PK\3\4 not a trace", 16);
	pp_tail_feed(scan, "at all", 6);
	assert_int_equal(pp_tail_close(scan, &tail, &err), -1);
	assert_string_equal(err.text, "byte 0: this is not a nettrace or netperf file");

	err = (struct pp_error){ 0 };
	tail = (struct pp_tail){ .version = 6, .end = 64 };
	assert_null(pp_append_new(&sink, &tail, &err));
	assert_string_equal(err.text, "events can only be added to traces of version 4");
}

/* Version 6: a truncated file needs only four zero bytes. */
static void finds_the_end_of_version_6(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	struct pp_tail tail;
	struct back back;

	(void)state;
	write_event(w, .kind = kind, .thread = thread, .ticks = 1);
	pp_writer_flush(w, &err);
	write_event(w, .kind = kind, .thread = thread, .ticks = 2);
	pp_writer_close(w, &err);
	tail = tail_of(m.b.bytes, m.b.size, 10);
	assert_true(tail.complete);
	assert_int_equal(tail.torn, 4);
	tail = tail_of(m.b.bytes, m.b.size - 40, 10);
	assert_int_equal(tail.version, 6);
	buffer_rewind(&m.b, (size_t)tail.end);
	buffer_u32(&m.b, 0);
	back = read_back(m.b.bytes, m.b.size);
	assert_true(back.totals.complete);
	assert_int_equal(back.count, 1);
	back.memory = m;
	back_release(&back);
}

/* Enough for several groups: numbers, stacks and activities continue across them. */
static void appends_more_than_a_group(void **state)
{
	const struct pp_type element = { .code = PP_TYPE_U8 };
	const struct pp_field fields[] = { { "Bytes",
					     { .code = PP_TYPE_ARRAY, .element = &element } } };
	const struct pp_kind kind = { .provider = "P",
				      .name = "Many",
				      .id = 9,
				      .level = 4,
				      .version = 300,
				      .opcode = 12,
				      .keywords = 5,
				      .fields = { fields, 1 } };
	struct builder b = build_ready(4);
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_append *append;
	struct pp_tail tail;
	static const uint8_t payload[1002] = { 0xe8, 3 };
	struct back back;

	(void)state;
	event(&b, .kind = 1, .thread = 999, .ticks = 2000050);
	build_close(&b);
	tail = tail_of(b.bytes, b.size, b.size);
	buffer_bytes(&m.b, b.bytes, b.size);
	append = pp_append_new(&(struct pp_sink){ to_memory, &m }, &tail, &err);
	assert_int_equal(pp_append_kind(append, &kind, &err), 2);
	for (uint64_t i = 0; i < 3000; i++) {
		const uint64_t stack[] = { 0x1000 + i % 3, 0x2000 };

		assert_int_equal(pp_append_event(append,
						 &(struct pp_append_event){
							 .kind = 2,
							 .thread_id = 7,
							 .ticks = (int64_t)(i * i),
							 .stack = i % 4 ? stack : NULL,
							 .stack_count = i % 4 ? 2 : 0,
							 .activity_id = i % 2 ? payload : NULL,
							 .payload = payload,
							 .payload_size = sizeof(payload) },
						 &err),
				 0);
	}
	assert_int_equal(pp_append_close(append, &err), 0);
	back = read_back(m.b.bytes, m.b.size);
	assert_true(back.totals.complete);
	assert_int_equal(back.count, 3001);
	assert_int_equal(back.totals.lost, 0);
	assert_int_equal(back.totals.late, 0);
	for (size_t i = 1; i < 3001; i++) {
		const struct pp_event *e = &back.events[i];

		assert_int_equal(e->payload_size, sizeof(payload));
		assert_true(!e->stack == !((i - 1) % 4));
		assert_true(!e->labels == !((i - 1) % 2));
		if (e->stack)
			assert_int_equal(e->stack->addresses[0], 0x1000 + (i - 1) % 3);
		assert_true(e->ticks > back.events[i - 1].ticks);
	}
	assert_int_equal(back.events[1].ticks, 2000051);
	assert_int_equal(back.events[3000].ticks, 2999 * 2999);
	assert_int_equal(back.events[5].kind->version, 300);
	assert_int_equal(back.events[5].kind->opcode, 12);
	assert_int_equal(back.events[5].kind->fields.list[0].type.element->code, PP_TYPE_U8);
	back.memory = m;
	back_release(&back);
	builder_release(&b);
}

static void rejects_what_version_4_does_not_have(void **state)
{
	const struct pp_field fields[] = { { "Small", { .code = PP_TYPE_VARUINT } } };
	const struct pp_kind kind = { .provider = "P", .opcode = -1, .fields = { fields, 1 } };
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	const struct pp_tail tail = { .version = 4, .end = 100, .free_kind = 5 };
	struct pp_append *append = pp_append_new(&(struct pp_sink){ to_memory, &m }, &tail, &err);

	(void)state;
	assert_int_equal(pp_append_kind(append, &kind, &err), 0);
	assert_string_equal(err.text,
			    "field \"Small\" has a type that traces of version 4 do not have");
	err = (struct pp_error){ 0 };
	assert_int_equal(pp_append_event(append, &(struct pp_append_event){ .kind = 5 }, &err), -1);
	assert_string_equal(err.text, "kind 5 of an event was not returned by pp_append_kind()");
	err = (struct pp_error){ 0 };
	assert_int_equal(pp_append_close(append, &err), 0);
	buffer_release(&m.b);
}

static void remembers_that_the_sink_failed(void **state)
{
	struct memory m = { .fail_at = 1, .error = ENOSPC };
	struct pp_error err = { 0 };
	const struct pp_tail tail = { .version = 4, .end = 100, .free_kind = 5 };
	struct pp_append *append = pp_append_new(&(struct pp_sink){ to_memory, &m }, &tail, &err);

	(void)state;
	assert_int_equal(pp_append_kind(append, &recording_end, &err), 0);
	err = (struct pp_error){ 0 };
	assert_int_equal(pp_append_close(append, &err), -1);
	assert_string_equal(err.text, "cannot write the trace: No space left on device");
	assert_int_equal(m.writes, 1);
	buffer_release(&m.b);
}

static int write_repaired(const char *path)
{
	size_t events;
	struct memory m = repaired(&events);
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(m.b.bytes, 1, m.b.size, file) != m.b.size || fclose(file))
		return 1;
	printf("%zu\n", events);
	buffer_release(&m.b);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repairs_a_truncated_recording),
		cmocka_unit_test(finds_the_end_whatever_the_pieces),
		cmocka_unit_test(repairs_a_cut_anywhere),
		cmocka_unit_test(reports_which_ids_are_used),
		cmocka_unit_test(rejects_other_files),
		cmocka_unit_test(finds_the_end_of_version_6),
		cmocka_unit_test(appends_more_than_a_group),
		cmocka_unit_test(rejects_what_version_4_does_not_have),
		cmocka_unit_test(remembers_that_the_sink_failed),
	};

	return argc == 2 ? write_repaired(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
