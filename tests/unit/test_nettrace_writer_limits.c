/* SPDX-License-Identifier: MIT */
#include "test_nettrace_writer.h"

#include "perfpipe/nettrace_universal.h"

#define MIB ((size_t)1024 * 1024)

static char *long_text(size_t size)
{
	char *text = malloc(size + 1);

	memset(text, 'x', size);
	text[size] = '\0';
	return text;
}

static void refuses(struct pp_writer_options options, const char *why)
{
	struct pp_error err = { 0 };

	assert_null(pp_writer_new(&options, &err));
	assert_string_equal(err.text, why);
}

static void rejects_invalid_options(void **state)
{
	struct memory m = { 0 };
	const struct pp_writer_options good = options_to(&m);
	struct pp_writer_options bad = good;

	(void)state;
	bad.sink.write = NULL;
	refuses(bad, "a trace cannot be written without a sink");
	bad = good;
	bad.ticks_per_second = 0;
	refuses(bad, "a clock of 0 ticks per second is not usable");
	bad = good;
	bad.pointer_size = 2;
	refuses(bad, "addresses have 4 or 8 bytes, not 2");
	bad = good;
	bad.group_size = 9 * MIB;
	refuses(bad, "a group of over 8 MiB is too large");
	assert_int_equal(m.writes, 0);
}

static void rejects_properties_beyond_a_block(void **state)
{
	struct memory m = { 0 };
	struct pp_writer_options options = options_to(&m);
	char *text = long_text(16 * MIB);
	const struct pp_pair pair = { "key", text };

	(void)state;
	options.properties = &pair;
	options.property_count = 1;
	refuses(options, "the properties of a trace take 16777268 bytes; the limit is 16 MiB");
	assert_int_equal(m.writes, 0);
	free(text);
}

static void rejects_kind(struct pp_kind kind, const char *why)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	struct pp_error err = { 0 };
	struct back back;
	uint32_t after;

	assert_int_equal(pp_writer_kind(w, &kind, &err), 0);
	assert_string_equal(err.text, why);
	after = a_kind(w); /* the writer is unchanged */
	write_event(w, .kind = after, .thread = a_thread(w, 1), .ticks = 1);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 1);
	assert_string_equal(back.events[0].kind->name, "Ping");
	back_release(&back);
}

static void rejects_definitions_that_do_not_fit_a_row(void **state)
{
	char *text = long_text(65536);

	(void)state;
	rejects_kind((struct pp_kind){ .name = text, .opcode = -1 },
		     "the definition of an event takes more than 65,535 bytes");
	rejects_kind((struct pp_kind){ .message = text, .opcode = -1 },
		     "the definition of an event takes more than 65,535 bytes");
	rejects_kind((struct pp_kind){ .level = 256, .opcode = -1 },
		     "level, version and opcode of an event are at most 255");
	rejects_kind((struct pp_kind){ .version = 256, .opcode = -1 },
		     "level, version and opcode of an event are at most 255");
	rejects_kind((struct pp_kind){ .opcode = 256 },
		     "level, version and opcode of an event are at most 255");
	free(text);
}

static void accepts_a_definition_of_the_largest_size(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	struct pp_error err = { 0 };
	/* handle 1, empty name and provider 2, id 1, two counts 4, kind and size of the text 4 */
	char *text = long_text(65535 - 12);
	const struct pp_kind kind = { .message = text, .opcode = -1 };
	struct back back;

	(void)state;
	for (int i = 0; i < 100; i++) /* and of a block of them */
		assert_int_equal(pp_writer_kind(w, &kind, &err), i + 1);
	write_event(w, .kind = 100, .thread = a_thread(w, 1), .ticks = 1);
	back = close_and_read(w, &m);
	assert_string_equal(back.events[0].kind->message, text);
	back_release(&back);
	free(text);
}

static void rejects_types(struct pp_type type, const char *why)
{
	const struct pp_field field = { "F", type };

	rejects_kind((struct pp_kind){ .opcode = -1, .fields = { &field, 1 } }, why);
}

static void rejects_fields_that_readers_would_reject(void **state)
{
	const struct pp_type text = { .code = PP_TYPE_UTF16Z };
	const struct pp_field fields[] = { { "In", text } };
	const struct pp_type object = { .code = PP_TYPE_OBJECT, .fields = { fields, 1 } };
	struct pp_type deep[40] = { { .code = PP_TYPE_U8 } };

	(void)state;
	rejects_types((struct pp_type){ .code = 2 },
		      "field \"F\" has a type that is not part of the format");
	rejects_types((struct pp_type){ .code = 27 },
		      "field \"F\" has a type that is not part of the format");
	rejects_types((struct pp_type){ .code = PP_TYPE_ARRAY },
		      "field \"F\" has an array or location without an element type");
	rejects_types((struct pp_type){ .code = PP_TYPE_REL_LOC, .element = &text },
		      "field \"F\" has a location of elements of varying size");
	rejects_types((struct pp_type){ .code = PP_TYPE_DATA_LOC, .element = &object },
		      "field \"F\" has a location of elements of varying size");
	rejects_types(
		(struct pp_type){ .code = PP_TYPE_FIXED_ARRAY, .element = &text, .count = 65536 },
		"field \"F\" has a fixed array of more than 65,535 elements");
	for (size_t i = 1; i < 40; i++)
		deep[i] = (struct pp_type){ .code = PP_TYPE_ARRAY, .element = &deep[i - 1] };
	rejects_types(deep[31], "field \"F\" is nested deeper than 31 types");
}

static void rejects_a_thread_that_does_not_fit_a_row(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	struct pp_error err = { 0 };
	char *name = long_text(65536);
	const struct pp_thread thread = { .name = name, .id = 1, .process_id = 1 };
	struct back back;

	(void)state;
	assert_int_equal(pp_writer_thread(w, &thread, &err), 0);
	assert_string_equal(err.text, "a thread, its name and pairs, takes more than 65,535 bytes");
	write_event(w, .kind = a_kind(w), .thread = a_thread(w, 1), .ticks = 1);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 1);
	back_release(&back);
	free(name);
}

static void rejects_event(struct pp_writer *w, const struct pp_new_event *event, const char *why)
{
	struct pp_error err = { 0 };

	assert_int_equal(pp_writer_event(w, event, &err), -1);
	assert_string_equal(err.text, why);
}

/* Blocks have 24 bits for their size: the largest payload and stack just fit. */
static void accepts_payloads_up_to_a_block(void **state)
{
	const size_t most = 0xffffff - 20 - 64;
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	char *payload = long_text(most + 1);
	struct back back;

	(void)state;
	write_event(w, .kind = kind, .thread = thread, .ticks = 1);
	write_event(w, .kind = kind, .thread = thread, .ticks = 2, .payload = payload,
		    .payload_size = most);
	write_event(w, .kind = kind, .thread = thread, .ticks = 3);
	write_event(w, .kind = kind, .thread = thread, .ticks = 4, .payload = payload,
		    .payload_size = most);
	rejects_event(w,
		      &(struct pp_new_event){ .kind = kind,
					      .thread = thread,
					      .payload = payload,
					      .payload_size = most + 1 },
		      "a payload of 16777132 bytes exceeds the 16777131 that a block holds");
	rejects_event(w,
		      &(struct pp_new_event){ .kind = kind,
					      .thread = thread,
					      .payload = payload,
					      .payload_size = SIZE_MAX },
		      "a payload of 18446744073709551615 bytes exceeds the 16777131 that a block "
		      "holds");
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 4);
	assert_int_equal(back.events[1].payload_size, most);
	assert_memory_equal(back.events[3].payload, payload, most);
	back_release(&back);
	free(payload);
}

static void accepts_stacks_and_labels_up_to_a_block(void **state)
{
	const size_t most = (0xffffff - 12) / 8;
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	uint64_t *stack = calloc(most + 1, 8);
	char *text = long_text(0xffffff);
	struct pp_label_pair pair = { .key = "", .text = text };
	const struct pp_labels labels = { .pairs = &pair, .pair_count = 1 };
	struct back back;

	(void)state;
	for (int64_t i = 0; i < 3; i++) {
		stack[0] = (uint64_t)i;
		write_event(w, .kind = kind, .thread = thread, .ticks = i, .stack = stack,
			    .stack_count = most);
	}
	rejects_event(
		w,
		&(struct pp_new_event){
			.kind = kind, .thread = thread, .stack = stack, .stack_count = most + 1 },
		"a stack of 2097151 addresses does not fit into a block");
	rejects_event(w,
		      &(struct pp_new_event){ .kind = kind, .thread = thread, .labels = &labels },
		      "a label list of 16777221 bytes does not fit into a block");
	pair.text = text + 100;
	write_event(w, .kind = kind, .thread = thread, .ticks = 4, .labels = &labels);
	write_event(w, .kind = kind, .thread = thread, .ticks = 5, .labels = &labels);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 5);
	assert_int_equal(back.events[2].stack->count, most);
	assert_int_equal(back.events[2].stack->addresses[0], 2);
	assert_int_equal(back.totals.stacks, 3);
	back_release(&back);
	free(stack);
	free(text);
}

static void rejects_invalid_handles(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	struct pp_error err = { 0 };
	static const char no_thread[] =
		"the thread handle of an event is unknown, or its thread has ended";

	(void)state;
	rejects_event(w, &(struct pp_new_event){ .kind = 0, .thread = thread },
		      "kind 0 of an event was not returned by pp_writer_kind()");
	rejects_event(w, &(struct pp_new_event){ .kind = 2, .thread = thread },
		      "kind 2 of an event was not returned by pp_writer_kind()");
	rejects_event(w, &(struct pp_new_event){ .kind = kind }, no_thread);
	rejects_event(w, &(struct pp_new_event){ .kind = kind, .thread = thread + 1 }, no_thread);
	rejects_event(w,
		      &(struct pp_new_event){ .kind = kind, .thread = thread, .capture_thread = 7 },
		      no_thread);
	assert_int_equal(pp_writer_thread_end(w, thread, &err), 0);
	rejects_event(w, &(struct pp_new_event){ .kind = kind, .thread = thread }, no_thread);
	assert_int_equal(pp_writer_flush(w, &err), 0);
	rejects_event(w, &(struct pp_new_event){ .kind = kind }, no_thread);
	a_thread(w, 2); /* has the slot of the old one, but not its handle */
	rejects_event(w, &(struct pp_new_event){ .kind = kind, .thread = thread }, no_thread);
	assert_int_equal(pp_writer_totals(w).events, 0);
	assert_int_equal(pp_writer_close(w, &err), 0);
	buffer_release(&m.b);
}

/* Whichever write fails, later calls do nothing and report why. */
static void remembers_that_the_sink_failed(void **state)
{
	static const char why[] = "cannot write the trace: No space left on device";

	(void)state;
	for (unsigned n = 1; n <= 8; n++) {
		struct memory m = { .fail_at = n, .error = ENOSPC };
		struct pp_writer *w = writer_to(&m);
		struct pp_error err = { 0 };
		const uint32_t kind = n > 2 ? a_kind(w) : 0;
		const uint64_t thread = n > 2 ? a_thread(w, 1) : 0;
		const uint64_t address = 5;
		struct pp_new_event event = {
			.kind = kind, .thread = thread, .stack = &address, .stack_count = 1
		};

		pp_writer_event(w, &event, &err);
		err = (struct pp_error){ 0 };
		if (n < 8) { /* start, trace, metadata, threads, stacks, events, point */
			assert_int_equal(pp_writer_flush(w, &err), -1);
			assert_string_equal(err.text, why);
			rejects_event(w, &event, why);
			assert_int_equal(pp_writer_kind(w, &(struct pp_kind){ .opcode = -1 }, &err),
					 0);
			assert_int_equal(pp_writer_lost(w, thread, 1, &err), -1);
			assert_int_equal(pp_writer_cpu(w, &event, 1, &err), -1);
			assert_int_equal(m.writes, n);
		}
		err = (struct pp_error){ 0 };
		assert_int_equal(pp_writer_close(w, &err), -1);
		assert_int_equal(err.code, PP_ERROR_SYSTEM);
		assert_string_equal(err.text, why);
		assert_int_equal(m.writes, n);
		buffer_release(&m.b);
	}
}

static void says_that_a_sink_failed_without_a_reason(void **state)
{
	struct memory m = { .fail_at = 1 };
	struct pp_error err = { 0 };

	(void)state;
	assert_int_equal(pp_writer_close(writer_to(&m), &err), -1);
	assert_string_equal(err.text, "cannot write the trace");
	buffer_release(&m.b);
}

/* Groups are written as they fill up, and memory does not grow with the trace. */
static void flushes_by_itself(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	static const char payload[1000];
	struct back back;

	(void)state;
	for (int64_t i = 0; i < 5000; i++) {
		write_event(w, .kind = kind, .thread = thread, .ticks = i, .payload = payload,
			    .payload_size = sizeof(payload));
		assert_true(pp_writer_totals(w).bytes + 2 * MIB > (uint64_t)i * 1000);
	}
	assert_int_equal(pp_writer_totals(w).bytes, m.b.size);
	back = close_and_read(w, &m);
	assert_int_equal(back.count, 5000);
	assert_int_equal(back.totals.lost, 0);
	back_release(&back);
}

/* A live reader has every event after a flush, although the stream continues. */
static void everything_is_readable_after_a_flush(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	const uint32_t kind = a_kind(w);
	const uint64_t thread = a_thread(w, 1);
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const struct pp_event *event;
	size_t fed = 0;

	(void)state;
	for (int64_t i = 0; i < 10; i++) {
		write_event(w, .kind = kind, .thread = thread, .ticks = i);
		assert_int_equal(pp_writer_flush(w, &err), 0);
		while (pp_nettrace_next(trace, &event, &err) == PP_NEXT_MORE) {
			assert_true(fed < m.b.size);
			pp_nettrace_feed(trace, m.b.bytes + fed, 1);
			fed++;
		}
		assert_int_equal(event->ticks, i);
	}
	assert_int_equal(pp_writer_flush(w, &err), 0); /* nothing to write */
	pp_nettrace_free(trace);
	assert_int_equal(pp_writer_close(w, &err), 0);
	buffer_release(&m.b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rejects_invalid_options),
		cmocka_unit_test(rejects_properties_beyond_a_block),
		cmocka_unit_test(rejects_definitions_that_do_not_fit_a_row),
		cmocka_unit_test(accepts_a_definition_of_the_largest_size),
		cmocka_unit_test(rejects_fields_that_readers_would_reject),
		cmocka_unit_test(rejects_a_thread_that_does_not_fit_a_row),
		cmocka_unit_test(accepts_payloads_up_to_a_block),
		cmocka_unit_test(accepts_stacks_and_labels_up_to_a_block),
		cmocka_unit_test(rejects_invalid_handles),
		cmocka_unit_test(remembers_that_the_sink_failed),
		cmocka_unit_test(says_that_a_sink_failed_without_a_reason),
		cmocka_unit_test(flushes_by_itself),
		cmocka_unit_test(everything_is_readable_after_a_flush),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
