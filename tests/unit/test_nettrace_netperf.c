/* SPDX-License-Identifier: MIT */
/* Events of versions 1 to 3: a stack in each, definitions between them. */
#include <stdio.h>

#include "trace_reading.h"

#define GUID "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"

static void numbers_kinds_of_version_2_by_their_offset(void **state)
{
	struct builder b = build_start(2);
	const uint32_t first = kind(&b, .name = "First", .event_id = 1);
	const uint32_t second = kind(&b, .name = "Second", .event_id = 2, .version = 3, .level = 4,
				     .keywords = UINT64_C(0x8000000000000001));
	struct reading r;

	(void)state;
	assert_int_equal(first, 0x72); /* as in files of .NET Core 2.0 */
	event(&b, .kind = second, .thread = 7, .ticks = 1000001, .payload = BYTES("xyz"));
	event(&b, .kind = first, .thread = 8, .ticks = 1000002,
	      .addresses = BYTES("\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0"));
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_string_equal(r.events[0].kind->name, "Second");
	assert_string_equal(r.events[0].kind->provider, "TestProvider");
	assert_int_equal(r.events[0].kind->id, 2);
	assert_int_equal(r.events[0].kind->version, 3);
	assert_int_equal(r.events[0].kind->level, 4);
	assert_int_equal(r.events[0].kind->keywords, UINT64_C(0x8000000000000001));
	assert_int_equal(r.events[0].kind->opcode, -1);
	assert_int_equal(r.events[0].thread->id, 7);
	assert_int_equal(r.events[0].thread->process_id, -1);
	assert_int_equal(r.events[0].cpu, -1);
	assert_int_equal(r.events[0].payload_size, 3);
	assert_memory_equal(r.events[0].payload, "xyz", 3);
	assert_null(r.events[0].stack);
	assert_null(r.events[0].labels);
	assert_int_equal(r.events[1].ticks, 1000002);
	assert_int_equal(r.events[1].stack->count, 2);
	assert_int_equal(r.events[1].stack->addresses[0], 0x10);
	assert_int_equal(r.events[1].stack->addresses[1], 0x20);
	reading_release(&r);
}

static void names_a_provider_of_version_1_by_its_guid(void **state)
{
	struct builder b = build_start(1);
	const uint32_t id = kind(&b, .provider = GUID, .name = "Ping");
	struct reading r;

	(void)state;
	event(&b, .kind = id, .thread = 7, .ticks = 5);
	r = read_finished(&b);
	expect_whole(&r, 1);
	assert_string_equal(r.events[0].kind->provider, "04030201-0605-0807-090a-0b0c0d0e0f10");
	assert_memory_equal(r.events[0].kind->provider_guid, GUID, 16);
	assert_string_equal(r.events[0].kind->name, "Ping");
	reading_release(&r);
}

/* Provider, id and version come first; the rest may be left out. */
static void accepts_a_definition_of_version_2_without_its_inner_part(void **state)
{
	struct builder b = build_start(2);
	struct builder payload = { 0 };
	struct reading r;

	(void)state;
	put_utf16z(&payload, "TestProvider");
	put_bytes(&payload, BYTES("\x09\0\0\0\x02\0\0\0\0\0\0\0"));
	event(&b, .payload = built(&payload));
	event(&b, .kind = 0x72, .ticks = 5);
	r = read_finished(&b);
	expect_whole(&r, 1);
	assert_int_equal(r.events[0].kind->id, 9);
	assert_int_equal(r.events[0].kind->version, 2);
	assert_string_equal(r.events[0].kind->name, "");
	assert_int_equal(r.events[0].kind->fields.count, 0);
	reading_release(&r);
	builder_release(&payload);
}

static void rejects_a_definition_of_version_2_that_is_cut_short(void **state)
{
	struct builder b = build_start(2);
	struct builder payload = { 0 };

	(void)state;
	put_utf16z(&payload, "TestProvider");
	put_bytes(&payload,
		  BYTES("\x09\0\0\0\x02\0\0\0\0\0\0")); /* one byte of the length missing */
	event(&b, .payload = built(&payload));
	builder_release(&payload);
	expect_error(&b, 0, "byte 114: an event definition is malformed");
}

static void keeps_a_kind_once_however_often_it_is_defined(void **state)
{
	struct builder b = build_start(2);
	const uint32_t first = kind(&b, .name = "Same");
	const uint32_t again = kind(&b, .name = "Same");
	struct reading r;

	(void)state;
	assert_int_not_equal(first, again);
	event(&b, .kind = first, .ticks = 1);
	event(&b, .kind = again, .ticks = 2);
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_ptr_equal(r.events[0].kind, r.events[1].kind);
	assert_null(pp_nettrace_kind(r.trace, 1));
	reading_release(&r);
}

/* Without a pointer size, eight bytes if the stack's size allows it. */
static void guesses_the_width_of_addresses_in_version_2(void **state)
{
	struct builder b = build_start(2);
	const uint32_t id = kind(&b, .id = 0);
	struct reading r;

	(void)state;
	event(&b, .kind = id, .ticks = 1, .addresses = BYTES("\x10\0\0\0\x20\0\0\0\x30\0\0\0"));
	event(&b, .kind = id, .ticks = 2, .addresses = BYTES("\x10\0\0\0\x20\0\0\0"));
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_int_equal(r.events[0].stack->count, 3);
	assert_int_equal(r.events[0].stack->addresses[2], 0x30);
	assert_int_equal(r.events[1].stack->count, 1);
	assert_int_equal(r.events[1].stack->addresses[0], UINT64_C(0x2000000010));
	reading_release(&r);
}

/* The payload may have any size; padding comes only after the stack. */
static void pads_events_of_version_3_at_their_very_end(void **state)
{
	struct builder b = build_ready(3);
	struct reading r;

	(void)state;
	for (unsigned size = 0; size < 8; size++)
		event(&b, .kind = 1, .thread = 5, .ticks = size, .payload = { "abcdefgh", size },
		      .addresses = BYTES("\x10\0\0\0\0\0\0\0"));
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 8);
	for (unsigned size = 0; size < 8; size++) {
		assert_int_equal(r.events[size].payload_size, size);
		assert_memory_equal(r.events[size].payload, "abcdefgh", size);
		assert_int_equal(r.events[size].stack->addresses[0], 0x10);
	}
	assert_int_equal(r.totals.stacks, 1);
	assert_int_equal(r.events[0].thread->events, 8);
	assert_int_equal(r.events[0].thread->process_id, 1);
	reading_release(&r);
}

static void shows_activity_ids_as_labels(void **state)
{
	struct builder b = build_ready(3);
	struct reading r;

	(void)state;
	event(&b, .kind = 1, .ticks = 1, .activity = GUID);
	event(&b, .kind = 1, .ticks = 2, .related = GUID);
	event(&b, .kind = 1, .ticks = 3);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_int_equal(r.events[0].labels->present, PP_LABEL_ACTIVITY);
	assert_memory_equal(r.events[0].labels->activity_id, GUID, 16);
	assert_int_equal(r.events[1].labels->present, PP_LABEL_RELATED);
	assert_memory_equal(r.events[1].labels->related_activity_id, GUID, 16);
	assert_null(r.events[2].labels);
	reading_release(&r);
}

/* One event with three sizes chosen by the test; it has 64 bytes with its size field. */
static struct builder event_with_sizes(uint32_t event_size, uint32_t payload, uint32_t stack_size)
{
	struct builder b = build_ready(3);

	put_u32(&b, event_size);
	put_u32(&b, 1);
	put_zeros(&b, 44);
	put_u32(&b, payload);
	put_u32(&b, stack_size);
	put_zeros(&b, 4);
	build_close(&b);
	return b;
}

static void accepts_parts_that_fit_into_their_event(void **state)
{
	struct builder tight = event_with_sizes(60, 0, 4);
	struct builder loose = event_with_sizes(60, 0, 0);
	struct reading r = read_finished(&tight);

	(void)state;
	expect_whole(&r, 1);
	reading_release(&r);
	r = read_finished(&loose);
	expect_whole(&r, 1);
	reading_release(&r);
}

static void rejects_parts_that_do_not_fit_into_their_event(void **state)
{
	static const struct {
		uint32_t event, payload, stack;
		const char *sentence;
	} cases[] = {
		{ 60, 0, 5, "an event's parts do not fit into it" },
		{ 60, 0, 0xffffffff, "an event's parts do not fit into it" },
		{ 60, 0, 0x80000000, "an event's parts do not fit into it" },
		{ 60, 0xffffffff, 0, "an event's parts do not fit into it" },
		{ 60, 5, 0,
		  "an event's parts do not fit into it" }, /* not enough for the stack's size */
		{ 60, 8, 0, "an event's parts do not fit into it" },
		{ 60, 9, 0, "an event's parts do not fit into it" },
		{ 64, 0, 0, "an event runs past the end of its block" },
		{ 55, 0, 0, "an event of 55 bytes" },
		{ 0, 0, 0, "an event of 0 bytes" },
		{ 0xffffffff, 0, 0, "an event of -1 bytes" },
		{ INT32_MAX, 0, 0, "an event of 2147483647 bytes" },
		{ INT32_MAX - 4, 0, 0, "an event runs past the end of its block" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct builder b =
			event_with_sizes(cases[i].event, cases[i].payload, cases[i].stack);
		char sentence[128];

		snprintf(sentence, sizeof(sentence), "byte %zu: %s", b.size - 65,
			 cases[i].sentence);
		expect_error(&b, 0, sentence);
	}
}

/* .NET's reader stops at 65,527 bytes for reasons of its own; ours does not. */
static void accepts_stacks_of_any_size(void **state)
{
	static const char many[65536 * 2];
	static const size_t sizes[] = { 65520, 65528, sizeof(many) };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct builder b = build_ready(3);
		struct reading r;

		event(&b, .kind = 1, .ticks = 1, .addresses = { many, sizes[i] });
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 1);
		assert_int_equal(r.events[0].stack->count, sizes[i] / 8);
		reading_release(&r);
	}
}

static void rejects_an_event_of_an_unknown_kind(void **state)
{
	struct builder b = build_ready(3);
	const size_t at = b.size;
	char sentence[128];

	(void)state;
	event(&b, .kind = 1, .ticks = 1);
	snprintf(sentence, sizeof(sentence), "byte %zu: an event of a kind that is not defined",
		 b.size);
	event(&b, .kind = 2, .ticks = 2);
	build_close(&b);
	assert_true(b.size > at);
	expect_error(&b, 1, sentence);
}

/* A definition may come between events of a block. */
static void finds_definitions_among_the_events(void **state)
{
	struct builder b = build_start(3);
	struct reading r;

	(void)state;
	build_events(&b, PLAIN);
	kind(&b, .id = 1, .name = "One");
	event(&b, .kind = 1, .ticks = 1);
	kind(&b, .id = 2, .name = "Two");
	event(&b, .kind = 2, .ticks = 2);
	event(&b, .kind = 1, .ticks = 3);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_string_equal(r.events[0].kind->name, "One");
	assert_string_equal(r.events[1].kind->name, "Two");
	assert_ptr_equal(r.events[2].kind, r.events[0].kind);
	reading_release(&r);
}

static void reads_the_last_version_2_event_when_the_tail_is_missing(void **state)
{
	struct builder b = build_start(2);
	const uint32_t id = kind(&b, .name = "Ping");
	struct reading r;

	(void)state;
	event(&b, .kind = id, .ticks = 1);
	event(&b, .kind = id, .ticks = 2);
	r = read_built(&b);
	assert_int_equal(r.last, PP_NEXT_END);
	assert_int_equal(r.count, 2);
	assert_false(r.totals.complete);
	reading_release(&r);
	builder_release(&b);
}

/* The first byte of the tail could be the size of an event; the label after it decides. */
static void distinguishes_the_tail_from_an_event_of_262_bytes(void **state)
{
	static const char payload[262 - 56];
	struct builder b = build_start(2);
	const uint32_t id = kind(&b, .name = "Ping");
	struct reading r;

	(void)state;
	event(&b, .kind = id, .ticks = 1, .payload = { payload, sizeof(payload) });
	event(&b, .kind = id, .ticks = 2, .payload = { payload, sizeof(payload) });
	r = read_finished(&b);
	expect_whole(&r, 2);
	reading_release(&r);
}

/* What failed before, and has nothing to do with this trace. */
static void reads_on_with_an_error_of_another_call(void **state)
{
	struct pp_error err = { .code = PP_ERROR_SYSTEM, .text = "another" };
	struct builder b = build_start(2);
	const uint32_t id = kind(&b, .name = "Ping");
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &err);
	const struct pp_event *read;

	(void)state;
	event(&b, .kind = id, .thread = 7, .ticks = 5);
	build_end(&b);
	pp_nettrace_feed(trace, b.bytes, b.size);
	pp_nettrace_end(trace);
	assert_int_equal(pp_nettrace_next(trace, &read, &err), PP_NEXT_ITEM);
	assert_int_equal(pp_nettrace_next(trace, &read, NULL), PP_NEXT_END);
	pp_nettrace_free(trace);
	builder_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_kinds_of_version_2_by_their_offset),
		cmocka_unit_test(names_a_provider_of_version_1_by_its_guid),
		cmocka_unit_test(accepts_a_definition_of_version_2_without_its_inner_part),
		cmocka_unit_test(rejects_a_definition_of_version_2_that_is_cut_short),
		cmocka_unit_test(keeps_a_kind_once_however_often_it_is_defined),
		cmocka_unit_test(guesses_the_width_of_addresses_in_version_2),
		cmocka_unit_test(pads_events_of_version_3_at_their_very_end),
		cmocka_unit_test(shows_activity_ids_as_labels),
		cmocka_unit_test(accepts_parts_that_fit_into_their_event),
		cmocka_unit_test(rejects_parts_that_do_not_fit_into_their_event),
		cmocka_unit_test(accepts_stacks_of_any_size),
		cmocka_unit_test(rejects_an_event_of_an_unknown_kind),
		cmocka_unit_test(finds_definitions_among_the_events),
		cmocka_unit_test(reads_the_last_version_2_event_when_the_tail_is_missing),
		cmocka_unit_test(distinguishes_the_tail_from_an_event_of_262_bytes),
		cmocka_unit_test(reads_on_with_an_error_of_another_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
