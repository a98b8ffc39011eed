/* SPDX-License-Identifier: MIT */
/* Events of versions 4 to 6, with uncompressed and compressed headers. */
#include <stdio.h>

#include "trace_reading.h"

#define GUID_A "AAAAAAAAAAAAAAAA"
#define GUID_B "BBBBBBBBBBBBBBBB"

/* Up to an open block of compressed events of kinds 1 and 2; threads 5 and 6. */
static struct builder compressed_block(int version)
{
	struct builder b = build_start(version);

	build_metadata(&b);
	kind(&b, .id = 1, .name = "One");
	kind(&b, .id = 2, .name = "Two");
	build_close(&b);
	if (version >= 6) {
		build_thread(&b, 5, 50, 1);
		build_thread(&b, 6, 60, 1);
	}
	build_stacks(&b, 1, 2);
	stack(&b, 0x10);
	stack(&b, 0x20, 0x30);
	build_close(&b);
	build_events(&b, COMPRESSED);
	return b;
}

static const int both[] = { 4, 6 };

/* Kind 1, sequence number 1 of thread 5 on CPU 3, stack 1, time 100, payload "xy". */
#define FIRST_EVENT                                                                                \
	"\x8f"                                                                                     \
	"\x01"                                                                                     \
	"\0\x05\x03"                                                                               \
	"\x05"                                                                                     \
	"\x01"                                                                                     \
	"\x64"                                                                                     \
	"\x02"                                                                                     \
	"xy"

static void keeps_every_field_that_an_event_does_not_change(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = compressed_block(both[i]);
		struct reading r;

		put_bytes(&b, BYTES(FIRST_EVENT));
		put_bytes(&b, BYTES("\0\x01"
				    "zw")); /* no field at all, one tick later */
		put_bytes(&b, BYTES("\0\0"
				    "vu"));
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 3);
		for (size_t k = 0; k < 3; k++) {
			assert_string_equal(r.events[k].kind->name, "One");
			assert_int_equal(r.events[k].thread->id, both[i] == 4 ? 5 : 50);
			assert_int_equal(r.events[k].cpu, 3);
			assert_int_equal(r.events[k].stack->addresses[0], 0x10);
			assert_int_equal(r.events[k].payload_size, 2);
			assert_null(r.events[k].labels);
		}
		assert_int_equal(r.events[0].ticks, 100);
		assert_int_equal(r.events[1].ticks, 101);
		assert_int_equal(r.events[2].ticks, 101);
		assert_memory_equal(r.events[1].payload, "zw", 2);
		assert_memory_equal(r.events[2].payload, "vu", 2);
		assert_int_equal(r.totals.lost, 0);
		assert_int_equal(r.events[0].thread->events, 3);
		reading_release(&r);
	}
}

static void changes_one_field_at_a_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = compressed_block(both[i]);
		struct reading r;

		put_bytes(&b, BYTES(FIRST_EVENT));
		put_bytes(&b, BYTES("\x01\x02\x01"
				    "xy")); /* kind 2 */
		put_bytes(&b, BYTES("\x02\0\x05\x01\x01"
				    "xy")); /* CPU 1 */
		put_bytes(&b, BYTES("\x04\x06\x01"
				    "xy")); /* of thread 6 */
		put_bytes(&b, BYTES("\x08\x02\x01"
				    "xy"));	    /* stack 2 */
		put_bytes(&b, BYTES("\x80\x01\0")); /* no payload */
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 6);
		assert_string_equal(r.events[1].kind->name, "Two");
		assert_string_equal(r.events[5].kind->name, "Two");
		assert_int_equal(r.events[1].cpu, 3);
		assert_int_equal(r.events[2].cpu, 1);
		assert_int_equal(r.events[5].cpu, 1);
		assert_int_equal(r.events[2].thread->id, both[i] == 4 ? 5 : 50);
		assert_int_equal(r.events[3].thread->id, both[i] == 4 ? 6 : 60);
		assert_int_equal(r.events[3].stack->count, 1);
		assert_int_equal(r.events[4].stack->count, 2);
		assert_int_equal(r.events[4].payload_size, 2);
		assert_int_equal(r.events[5].payload_size, 0);
		assert_int_equal(r.events[5].ticks, 105);
		assert_int_equal(r.totals.lost, 0);
		reading_release(&r);
	}
}

static void keeps_activity_ids_inside_a_block(void **state)
{
	struct builder b = compressed_block(4);
	struct reading r;

	(void)state;
	put_bytes(&b, BYTES("\x97\x01\0\x05\x03\x05\x64" GUID_A "\x01x"));
	put_bytes(&b, BYTES("\0\x01x"));
	put_bytes(&b, BYTES("\x20\x01" GUID_B "x"));
	put_bytes(&b, BYTES("\x30\x01" GUID_B "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			    "x"));
	put_bytes(&b, BYTES("\x10\x01"
			    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			    "x"));
	build_close(&b);
	build_events(&b, COMPRESSED); /* a new block starts from zeros */
	put_bytes(&b, BYTES("\x87\x01\x05\x05\x03\x05\xc8\x01\x01x"));
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 6);
	assert_int_equal(r.events[0].labels->present, PP_LABEL_ACTIVITY);
	assert_memory_equal(r.events[0].labels->activity_id, GUID_A, 16);
	assert_memory_equal(r.events[1].labels->activity_id, GUID_A, 16);
	assert_int_equal(r.events[2].labels->present, PP_LABEL_ACTIVITY | PP_LABEL_RELATED);
	assert_memory_equal(r.events[2].labels->activity_id, GUID_A, 16);
	assert_memory_equal(r.events[2].labels->related_activity_id, GUID_B, 16);
	assert_int_equal(r.events[3].labels->present, PP_LABEL_ACTIVITY);
	assert_memory_equal(r.events[3].labels->activity_id, GUID_B, 16);
	assert_null(r.events[4].labels);
	assert_null(r.events[5].labels);
	reading_release(&r);
}

/* Flag 0x20 has no meaning in version 6, and no data. */
static void ignores_the_flag_that_version_6_does_not_use(void **state)
{
	struct builder b = compressed_block(6);
	struct reading r;

	(void)state;
	put_bytes(&b, BYTES(FIRST_EVENT));
	put_bytes(&b, BYTES("\x20\x01"
			    "zw"));
	put_bytes(&b, BYTES("\0\x01"
			    "vu"));
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_memory_equal(r.events[1].payload, "zw", 2);
	assert_memory_equal(r.events[2].payload, "vu", 2);
	reading_release(&r);
}

/* Time and sequence number go back, in ten and in five bytes, where another thread follows. */
static void wraps_numbers_to_go_back_in_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = compressed_block(both[i]);
		struct reading r;

		/* thread 5 writes its 9th and 10th event, then thread 6 its first */
		put_bytes(&b, BYTES("\x07\x01\x08\x05\x03\x05\x64"));
		put_bytes(&b, BYTES("\0\x05"));
		put_bytes(&b, BYTES("\x06\xf6\xff\xff\xff\x0f\x06\x03\x06"
				    "\xce\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
		put_bytes(&b, BYTES("\0\x02"));
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 4);
		assert_int_equal(r.events[0].ticks, 55);
		assert_int_equal(r.events[0].thread->id, both[i] == 4 ? 6 : 60);
		assert_int_equal(r.events[1].ticks, 57);
		assert_int_equal(r.events[2].ticks, 100);
		assert_int_equal(r.events[3].ticks, 105);
		assert_int_equal(r.totals.lost, 8);
		reading_release(&r);
	}
}

/* Overlong forms and bits beyond the width are accepted; a sixth or eleventh byte is not. */
static void accepts_varints_up_to_their_most_bytes(void **state)
{
	struct builder b = compressed_block(4);
	struct builder eleven = compressed_block(4);
	struct builder six = compressed_block(4);
	struct reading r;
	char sentence[128];

	(void)state;
	put_bytes(&b, BYTES("\x05\x81\x80\x80\x80\x70" /* kind 1, with bits beyond the 32nd */
			    "\x85\x80\x80\x80\x80\x80\x80\x80\x80\0"	  /* thread 5 */
			    "\xe4\x80\x80\x80\x80\x80\x80\x80\x80\x7e")); /* time 100 */
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 1);
	assert_int_equal(r.events[0].ticks, 100);
	assert_int_equal(r.events[0].thread->id, 5);
	reading_release(&r);
	snprintf(sentence, sizeof(sentence), "byte %zu: an event runs past the end of its block",
		 eleven.size);
	put_bytes(&eleven, BYTES("\x05\x01\x05\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0........"));
	build_close(&eleven);
	expect_error(&eleven, 0, sentence);
	put_bytes(&six, BYTES("\x05\x81\x80\x80\x80\x80\0\x05\x64.........."));
	build_close(&six);
	expect_error(&six, 0, sentence);
}

/* The same in a run of short events after an ordinary one. */
static void rejects_a_time_that_does_not_end_in_a_run(void **state)
{
	struct builder b = compressed_block(4);
	char sentence[128];

	(void)state;
	put_bytes(&b, BYTES("\x07\x01\0\x05\x03\x05\x64"));
	put_bytes(&b, BYTES("\0\x01"));
	snprintf(sentence, sizeof(sentence), "byte %zu: an event runs past the end of its block",
		 b.size);
	put_bytes(&b, BYTES("\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01........"));
	build_close(&b);
	expect_error(&b, 2, sentence);
}

static void rejects_a_payload_that_leaves_its_block(void **state)
{
	struct builder b = compressed_block(4);
	struct builder huge = compressed_block(6);
	char sentence[128];

	(void)state;
	put_bytes(&b, BYTES(FIRST_EVENT));
	put_bytes(&b, BYTES("\0\x01"
			    "zw"));
	snprintf(sentence, sizeof(sentence), "byte %zu: an event runs past the end of its block",
		 b.size);
	put_bytes(&b, BYTES("\0\x01"
			    "z"));
	build_close(&b);
	expect_error(&b, 2, sentence);
	snprintf(sentence, sizeof(sentence), "byte %zu: an event runs past the end of its block",
		 huge.size);
	put_bytes(&huge, BYTES("\x87\x01\0\x05\x03\x05\x64\xff\xff\xff\xff\x0f"
			       "xy"));
	build_close(&huge);
	expect_error(&huge, 0, sentence);
}

/* A header cut off by the end of its block is not an event. */
static void rejects_a_header_that_leaves_its_block(void **state)
{
	static const struct literal header = { "\x8f\x01\0\x05\x03\x05\x01\x64\0", 9 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++)
		for (size_t size = 1; size < header.size; size++) {
			struct builder b = compressed_block(both[i]);
			char sentence[128];

			snprintf(sentence, sizeof(sentence),
				 "byte %zu: an event runs past the end of its block", b.size);
			put_bytes(&b, (struct literal){ header.at, size });
			build_close(&b);
			expect_error(&b, 0, sentence);
		}
}

static void rejects_an_uncompressed_event_that_leaves_its_block_or_its_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		const size_t whole = both[i] == 4 ? 80 : 52;

		for (size_t size = 1; size < whole; size++) {
			struct builder b = build_ready(both[i]);
			const size_t at = b.size;
			char sentence[128];

			snprintf(sentence, sizeof(sentence),
				 "byte %zu: an event runs past the end of its block", at);
			event(&b, .kind = 1, .thread = 999, .ticks = 1);
			b.size = at + size;
			if (size >= 4 && size % 2) /* half of them: the size says the same */
				b.bytes[at] = (uint8_t)(size - 4);
			build_close(&b);
			expect_error(&b, 0, sentence);
		}
	}
}

static void reads_uncompressed_events_one_after_the_other(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = build_ready(both[i]);
		struct reading r;

		for (unsigned k = 0; k < 4; k++)
			event(&b, .kind = 1, .thread = 999, .ticks = k, .cpu = k,
			      .payload = { "abc", k }); /* without padding */
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 4);
		for (unsigned k = 0; k < 4; k++) {
			assert_int_equal(r.events[k].ticks, k);
			assert_int_equal(r.events[k].cpu, k);
			assert_int_equal(r.events[k].payload_size, k);
			assert_memory_equal(r.events[k].payload, "abc", k);
		}
		reading_release(&r);
	}
}

/* An event's size may include zeros after the payload. */
static void skips_padding_after_an_uncompressed_event(void **state)
{
	struct builder b = build_ready(4);
	struct reading r;

	(void)state;
	for (unsigned k = 1; k < 4; k++) {
		const size_t at = b.size;

		event(&b, .kind = 1, .thread = 5, .ticks = k, .payload = { "abc", k });
		put_zeros(&b, 4 - k);
		b.bytes[at] = 76 + 4;
	}
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_int_equal(r.events[2].ticks, 3);
	assert_int_equal(r.events[2].payload_size, 3);
	reading_release(&r);
}

static void reads_an_unknown_cpu_as_minus_one(void **state)
{
	struct builder b = build_ready(4);
	struct reading r;

	(void)state;
	event(&b, .kind = 1, .thread = 5, .ticks = 1, .cpu = UINT32_MAX);
	event(&b, .kind = 1, .thread = 5, .ticks = 2, .cpu = 0);
	build_close(&b);
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = 5, .ticks = 3, .cpu = UINT32_MAX);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_int_equal(r.events[0].cpu, -1);
	assert_int_equal(r.events[1].cpu, 0);
	assert_int_equal(r.events[2].cpu, -1);
	reading_release(&r);
}

static void keeps_64_bits_of_ids_and_times(void **state)
{
	struct builder b = build_ready(4);
	struct reading r;

	(void)state;
	build_close(&b);
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = UINT64_C(0x7123456789abcdef), .ticks = INT64_MAX - 1);
	event(&b, .kind = 1, .thread = 5, .ticks = INT64_MIN + 1);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_int_equal(r.events[0].ticks, INT64_MIN + 1);
	assert_int_equal(r.events[1].ticks, INT64_MAX - 1);
	assert_int_equal(r.events[1].thread->id, UINT64_C(0x7123456789abcdef));
	reading_release(&r);
}

/* A payload of more than the 65,535 bytes at which .NET's reader truncates. */
static void does_not_truncate_large_payloads(void **state)
{
	static char large[100000];
	struct builder b = build_ready(4);
	struct reading r;

	(void)state;
	large[99999] = 'x';
	event(&b, .kind = 1, .thread = 5, .ticks = 1, .payload = { large, sizeof(large) });
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 1);
	assert_int_equal(r.events[0].payload_size, 100000);
	assert_int_equal(r.events[0].payload[99999], 'x');
	reading_release(&r);
}

static void rejects_an_event_of_an_unknown_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = build_ready(both[i]);
		char sentence[128];

		event(&b, .kind = 1, .thread = 999, .ticks = 1);
		snprintf(sentence, sizeof(sentence),
			 "byte %zu: an event of a kind that is not defined", b.size);
		event(&b, .kind = 2, .thread = 999, .ticks = 2);
		build_close(&b);
		expect_error(&b, 1, sentence);
	}
}

static void rejects_an_event_without_a_kind_in_version_6(void **state)
{
	struct builder b = build_ready(6);
	char sentence[128];

	(void)state;
	snprintf(sentence, sizeof(sentence), "byte %zu: an event without a kind", b.size);
	event(&b, .kind = 0, .thread = 999, .ticks = 2);
	build_close(&b);
	expect_error(&b, 0, sentence);
}

static void rejects_impossible_sizes_of_a_block_header(void **state)
{
	static const struct {
		unsigned header, block;
	} cases[] = { { 0, 0 },	  { 0, 1 },   { 0, 40 },    { 19, 40 },
		      { 20, 19 }, { 41, 40 }, { 65535, 40 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct builder b = build_start(6);

		build_block(&b, PART_EVENTS);
		put_u16(&b, cases[i].header);
		put_zeros(&b, 40);
		b.size = b.part_at + cases[i].block;
		build_close(&b);
		expect_error(&b, 0, "byte 68: the header of an event block has an impossible size");
	}
}

static void accepts_a_block_without_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = build_ready(both[i]);
		struct reading r;

		build_close(&b);
		build_events(&b, COMPRESSED);
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 0);
		reading_release(&r);
	}
}

/* Definitions may be compressed as well; they have no numbers and leave the fields unchanged. */
static void reads_definitions_with_compressed_headers(void **state)
{
	struct builder b = build_start(4);
	struct builder payload = { 0 };
	struct reading r;

	(void)state;
	put_u32(&payload, 1);
	put_utf16z(&payload, "P");
	put_u32(&payload, 15);
	put_utf16z(&payload, "E");
	put_zeros(&payload, 8 + 4 + 4);
	build_events(&b, COMPRESSED);
	put_u8(&b, 0x80);
	put_u8(&b, 0x64); /* time 100 */
	put_u8(&b, (unsigned)payload.size);
	put_bytes(&b, built(&payload));
	put_bytes(&b, BYTES("\x87\x01\0\x05\x03\x05\x01\x01x")); /* number 1 */
	put_bytes(&b, BYTES("\0\x01y"));			 /* number 2 */
	put_u8(&b, 0x81);
	put_u8(&b, 0);
	put_u8(&b, 1);
	put_u8(&b, (unsigned)payload.size);
	put_bytes(&b, built(&payload));
	put_bytes(&b, BYTES("\x81\x01\x01\x01z")); /* number 3 */
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_int_equal(r.events[2].ticks, 104);
	assert_int_equal(r.events[2].cpu, 3);
	assert_int_equal(r.totals.lost, 0);
	reading_release(&r);
	builder_release(&payload);
}

/* More events than a batch of the reader holds, all of one kind. */
static void carries_fields_over_long_blocks(void **state)
{
	enum { EVENTS = 3 * 4096 + 5 };

	(void)state;
	for (size_t i = 0; i < COUNT(both); i++) {
		struct builder b = compressed_block(both[i]);
		struct reading r;

		put_bytes(&b, BYTES(FIRST_EVENT));
		for (unsigned k = 1; k < EVENTS; k++) {
			put_bytes(&b, BYTES("\0\x01"));
			put_u16(&b, k);
		}
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, EVENTS);
		for (unsigned k = 1; k < EVENTS; k++) {
			assert_int_equal(r.events[k].ticks, 100 + k);
			assert_int_equal(r.events[k].cpu, 3);
			assert_int_equal(r.events[k].stack->count, 1);
			assert_memory_equal(r.events[k].payload, &k, 2);
		}
		assert_int_equal(r.totals.lost, 0);
		assert_int_equal(r.events[0].thread->events, EVENTS);
		reading_release(&r);
	}
}

/* One to ten bytes for a time, forward and back, up to the end of the block. */
static void reads_times_of_any_length_in_a_run(void **state)
{
	enum { EVENTS = 1000 };

	(void)state;
	for (unsigned payload = 0; payload < 30; payload++) {
		struct builder b = compressed_block(4);
		struct reading r;
		int64_t ticks[EVENTS];
		uint64_t random = 1;

		for (unsigned i = 0; i < EVENTS; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			ticks[i] = (int64_t)random >> (random >> 20) % 64;
			event(&b, .kind = 1, .thread = 5, .ticks = ticks[i],
			      .payload = { "0123456789abcdefghijklmnopqrst", payload });
		}
		build_close(&b);
		build_end(&b);
		r = read_bytes(built(&b), (struct reading_options){ .reader.file_order = true });
		expect_whole(&r, EVENTS);
		for (unsigned i = 0; i < EVENTS; i++) {
			assert_int_equal(r.events[i].ticks, ticks[i]);
			assert_memory_equal(r.events[i].payload, "0123456789abcdefghijklmnopqrst",
					    payload);
		}
		assert_int_equal(r.totals.lost, 0);
		reading_release(&r);
		builder_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_every_field_that_an_event_does_not_change),
		cmocka_unit_test(changes_one_field_at_a_time),
		cmocka_unit_test(keeps_activity_ids_inside_a_block),
		cmocka_unit_test(ignores_the_flag_that_version_6_does_not_use),
		cmocka_unit_test(wraps_numbers_to_go_back_in_time),
		cmocka_unit_test(accepts_varints_up_to_their_most_bytes),
		cmocka_unit_test(rejects_a_time_that_does_not_end_in_a_run),
		cmocka_unit_test(rejects_a_payload_that_leaves_its_block),
		cmocka_unit_test(rejects_a_header_that_leaves_its_block),
		cmocka_unit_test(rejects_an_uncompressed_event_that_leaves_its_block_or_its_size),
		cmocka_unit_test(reads_uncompressed_events_one_after_the_other),
		cmocka_unit_test(skips_padding_after_an_uncompressed_event),
		cmocka_unit_test(reads_an_unknown_cpu_as_minus_one),
		cmocka_unit_test(keeps_64_bits_of_ids_and_times),
		cmocka_unit_test(does_not_truncate_large_payloads),
		cmocka_unit_test(rejects_an_event_of_an_unknown_kind),
		cmocka_unit_test(rejects_an_event_without_a_kind_in_version_6),
		cmocka_unit_test(rejects_impossible_sizes_of_a_block_header),
		cmocka_unit_test(accepts_a_block_without_events),
		cmocka_unit_test(reads_definitions_with_compressed_headers),
		cmocka_unit_test(carries_fields_over_long_blocks),
		cmocka_unit_test(reads_times_of_any_length_in_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
