/* SPDX-License-Identifier: MIT */
#include "test_nettrace_writer.h"

static void writes_an_empty_trace(void **state)
{
	struct memory m = { 0 };
	const struct pp_pair pairs[] = { { "HardwareThreadCount", "2" }, { "Zoë", "" } };
	struct pp_writer_options options = options_to(&m);
	struct pp_error err = { 0 };
	const struct pp_trace_header *header;
	struct back back;

	(void)state;
	options.properties = pairs;
	options.property_count = 2;
	options.pointer_size = 4;
	back = close_and_read(pp_writer_new(&options, &err), &m);
	header = pp_nettrace_header(back.trace);
	assert_int_equal(header->version, 6);
	assert_int_equal(header->minor_version, 0);
	assert_int_equal(header->start_ns, INT64_C(1700000000500000000));
	assert_int_equal(header->start_ticks, 1000);
	assert_int_equal(header->ticks_per_second, 1000000000);
	assert_int_equal(header->pointer_size, 4);
	assert_int_equal(header->processors, 2);
	assert_int_equal(header->property_count, 2);
	assert_string_equal(header->properties[1].key, "Zoë");
	assert_int_equal(back.count, 0);
	back_release(&back);
}

/* Byte for byte, so that a change of the encoding is noticed. */
static void writes_exactly_these_bytes(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const size_t start = m.b.size;
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 11);

	(void)state;
	assert_int_equal(start, 20 + 4 + 40);
	write_event(w, .kind = kind, .thread = thread, .ticks = 1000, .payload = "ab",
		    .payload_size = 2, .cpu = 3);
	write_event(w, .kind = kind, .thread = thread, .ticks = 1001, .payload = "cd",
		    .payload_size = 2, .cpu = 3);
	assert_int_equal(m.b.size, start); /* nothing is written before the group is full */
	assert_int_equal(pp_writer_close(w, &err), 0);
	assert_memory_equal(m.b.bytes + start,
			    "\x14\0\0\3"
			    "\0\0\x10\0\1\4Test\7\4Ping\0\0\0\0"
			    "\x07\0\0\6"
			    "\5\0\1\2\x64\3\x0b"
			    "\x23\0\0\2"
			    "\x14\0\1\0\xe8\3\0\0\0\0\0\0\xe9\3\0\0\0\0\0\0"
			    "\xc7\1\0\1\3\1\xe8\7\2"
			    "ab"
			    "\x40\1"
			    "cd"
			    "\x12\0\0\4"
			    "\xe9\3\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1\2"
			    "\0\0\0",
			    m.b.size - start);
	assert_int_equal(m.b.size - start, 24 + 11 + 39 + 22 + 4);
	buffer_release(&m.b);
}

static void reads_back_all_of_an_event(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t about = a_thread(w, 11);
	const uint64_t wrote = a_thread(w, 12);
	const uint64_t stack[] = { 0x7f0000001000, UINT64_MAX, 0 };
	const struct pp_label_pair pairs[] = { { "who", "me", 0 }, { "count", NULL, -5 } };
	const struct pp_labels labels = { .present = 0xff,
					  .opcode = 1,
					  .level = 2,
					  .version = 3,
					  .activity_id = "activity-activi",
					  .related_activity_id = "related-related",
					  .trace_id = "trace-trace-tra",
					  .span_id = 0x1122334455667788,
					  .keywords = UINT64_MAX,
					  .pairs = pairs,
					  .pair_count = 2 };
	const struct pp_event *e;
	struct back back;

	(void)state;
	write_event(w, .kind = kind, .thread = about, .capture_thread = wrote, .ticks = -1,
		    .cpu = -1, .stack = stack, .stack_count = 3, .labels = &labels, .payload = "x",
		    .payload_size = 1);
	write_event(w, .kind = kind, .thread = about, .ticks = INT64_MAX);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 2);
	e = &back.events[0];
	assert_string_equal(e->kind->name, "Ping");
	assert_int_equal(e->thread->id, 11);
	assert_int_equal(e->thread->process_id, 100);
	assert_int_equal(e->ticks, -1);
	assert_int_equal(e->cpu, -1);
	assert_int_equal(e->stack->count, 3);
	assert_memory_equal(e->stack->addresses, stack, sizeof(stack));
	assert_memory_equal(e->payload, "x", 1);
	assert_int_equal(e->labels->present, 0xff);
	assert_int_equal(e->labels->opcode, 1);
	assert_int_equal(e->labels->level, 2);
	assert_int_equal(e->labels->version, 3);
	assert_string_equal(e->labels->activity_id, "activity-activi");
	assert_string_equal(e->labels->related_activity_id, "related-related");
	assert_string_equal(e->labels->trace_id, "trace-trace-tra");
	assert_int_equal(e->labels->span_id, 0x1122334455667788);
	assert_int_equal(e->labels->keywords, UINT64_MAX);
	assert_int_equal(e->labels->pair_count, 2);
	e = &back.events[1];
	assert_int_equal(e->ticks, INT64_MAX);
	assert_int_equal(e->cpu, 0);
	assert_null(e->stack);
	assert_null(e->labels);
	assert_int_equal(e->payload_size, 0);
	assert_int_equal(back.totals.lost, 0);
	back_release(&back);
}

static void sorts_a_group(void **state)
{
	static const int64_t given[] = { 50, 10, 30, 30, 20, 60, 10 };
	static const char ordered[] = "bgecdaf";
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t threads[] = { a_thread(w, 1), a_thread(w, 2) };
	struct back back;

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		const char letter = (char)('a' + i);

		if (i == 3)
			assert_int_equal(pp_writer_lost(w, threads[1], 4, &err), 0);
		write_event(w, .kind = kind, .thread = threads[i % 2], .ticks = given[i],
			    .payload = &letter, .payload_size = 1);
	}
	assert_int_equal(pp_writer_totals(w).late, 0);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(back.events[i].payload[0], ordered[i]);
		assert_int_equal(back.events[i].thread->id, 1 + (ordered[i] - 'a') % 2);
	}
	assert_int_equal(back.totals.lost, 4);
	assert_int_equal(back.totals.late, 0);
	back_release(&back);
}

static void counts_events_that_come_after_their_group(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	struct back back;

	(void)state;
	write_event(w, .kind = kind, .thread = thread, .ticks = 100);
	assert_int_equal(pp_writer_flush(w, &err), 0);
	write_event(w, .kind = kind, .thread = thread, .ticks = 99);
	write_event(w, .kind = kind, .thread = thread, .ticks = 100);
	assert_int_equal(pp_writer_totals(w).late, 1);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 3);
	assert_int_equal(back.events[1].ticks, 99);
	assert_int_equal(back.totals.late, 1);
	assert_int_equal(back.totals.lost, 0);
	back_release(&back);
}

/* Sequence numbers continue across groups, and each group reports losses at its end. */
static void reports_lost_events(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t threads[] = { a_thread(w, 1), a_thread(w, 2) };
	struct back back;

	(void)state;
	pp_writer_lost(w, threads[0], 2, &err);
	write_event(w, .kind = kind, .thread = threads[0], .ticks = 1);
	pp_writer_lost(w, threads[0], 3, &err);
	assert_int_equal(pp_writer_flush(w, &err), 0);
	pp_writer_lost(w, threads[1], 10, &err);
	pp_writer_lost(w, threads[1], 10, &err);
	assert_int_equal(pp_writer_flush(w, &err), 0);
	write_event(w, .kind = kind, .thread = threads[0], .ticks = 2);
	write_event(w, .kind = kind, .thread = threads[1], .ticks = 2);
	pp_writer_lost(w, threads[1], 100, &err);
	assert_int_equal(pp_writer_thread_end(w, threads[1], &err), 0);
	assert_int_equal(pp_writer_totals(w).lost, 125);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 3);
	assert_int_equal(back.totals.lost, 125);
	assert_int_equal(pp_nettrace_thread(back.trace, 0)->lost, 5);
	assert_int_equal(pp_nettrace_thread(back.trace, 1)->lost, 120);
	assert_int_equal(err.code, PP_ERROR_NONE);
	back_release(&back);
}

static void saturates_losses_at_31_bits(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint64_t thread = a_thread(w, 1);
	struct back back;

	(void)state;
	pp_writer_lost(w, thread, UINT32_MAX, &err);
	pp_writer_lost(w, thread, UINT32_MAX, &err);
	back = close_and_read(w, &m);
	assert_int_equal(back.totals.lost, INT32_MAX);
	back_release(&back);
}

static void writes_each_stack_once_per_group(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	uint64_t stack[100] = { 0 };
	size_t first = 0;
	struct back back;

	(void)state;
	for (int64_t i = 0; i < 2000; i++) {
		stack[99] = (uint64_t)i % 10;
		write_event(w, .kind = kind, .thread = thread, .ticks = i, .stack = stack,
			    .stack_count = 100 - (size_t)i % 2);
		if (i == 999) {
			assert_int_equal(pp_writer_flush(w, &err), 0);
			first = m.b.size;
		}
	}
	back = close_and_read(w, &m);
	assert_true(first < 14000); /* six stacks of 800 bytes, a thousand events of 3 to 4 */
	assert_true(back.memory.b.size < 28000);
	assert_int_equal(back.totals.stacks, 6);
	for (size_t i = 0; i < 2000; i++)
		assert_int_equal(back.events[i].stack->count, 100 - i % 2);
	back_release(&back);
}

static void writes_each_label_list_once_per_group(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	struct pp_labels labels = { .present = PP_LABEL_TRACE };
	struct back back;

	(void)state;
	for (int64_t i = 0; i < 1000; i++) {
		labels.trace_id[0] = (uint8_t)(i % 3);
		write_event(w, .kind = kind, .thread = thread, .ticks = i, .labels = &labels);
	}
	back = close_and_read(w, &m);
	assert_true(back.memory.b.size < 4000);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(back.events[i].labels->trace_id[0], i % 3);
	back_release(&back);
}

static void writes_addresses_of_four_bytes(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer_options options = options_to(&m);
	const uint64_t narrow[] = { 1, UINT32_MAX };
	const uint64_t wide[] = { 1, UINT64_C(1) << 32 };
	struct pp_writer *w;
	uint32_t kind;
	uint64_t thread;
	struct back back;

	(void)state;
	options.pointer_size = 4;
	w = pp_writer_new(&options, &err);
	kind = a_kind(w);
	thread = a_thread(w, 1);
	write_event(w, .kind = kind, .thread = thread, .stack = narrow, .stack_count = 2);
	assert_int_equal(pp_writer_event(w,
					 &(struct pp_new_event){ .kind = kind,
								 .thread = thread,
								 .stack = wide,
								 .stack_count = 2 },
					 &err),
			 -1);
	assert_string_equal(err.text,
			    "address 0x100000000 does not fit into the trace's four bytes");
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 1);
	assert_memory_equal(back.events[0].stack->addresses, narrow, sizeof(narrow));
	back_release(&back);
}

static void forgets_threads_that_ended(void **state)
{
	struct memory m = { 0 };
	struct pp_error err = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t stays = a_thread(w, 1);
	struct back back;

	(void)state;
	for (int64_t i = 0; i < 100; i++) {
		const uint64_t thread = a_thread(w, 1000 + i);

		write_event(w, .kind = kind, .thread = thread, .capture_thread = stays, .ticks = i);
		write_event(w, .kind = kind, .thread = thread, .ticks = i);
		assert_int_equal(pp_writer_thread_end(w, thread, &err), 0);
		if (i % 3 == 0)
			assert_int_equal(pp_writer_flush(w, &err), 0);
		memset(&err, 0, sizeof(err));
		assert_int_equal(pp_writer_thread_end(w, thread, &err), -1);
		assert_string_equal(err.text,
				    "a thread handle is unknown, or its thread has ended");
		memset(&err, 0, sizeof(err));
	}
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 200);
	for (size_t i = 0; i < 200; i++)
		assert_int_equal(back.events[i].thread->id, 1000 + i / 2);
	assert_int_equal(back.totals.lost, 0);
	back_release(&back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_an_empty_trace),
		cmocka_unit_test(writes_exactly_these_bytes),
		cmocka_unit_test(reads_back_all_of_an_event),
		cmocka_unit_test(sorts_a_group),
		cmocka_unit_test(counts_events_that_come_after_their_group),
		cmocka_unit_test(reports_lost_events),
		cmocka_unit_test(saturates_losses_at_31_bits),
		cmocka_unit_test(writes_each_stack_once_per_group),
		cmocka_unit_test(writes_each_label_list_once_per_group),
		cmocka_unit_test(writes_addresses_of_four_bytes),
		cmocka_unit_test(forgets_threads_that_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
