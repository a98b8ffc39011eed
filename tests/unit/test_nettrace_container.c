/* SPDX-License-Identifier: MIT */
/* The container: magic, versions, objects, sizes, alignment, the end. */
#include "trace_reading.h"

/* Reads what was built so far, without an end mark; it must fail with this sentence. */
static void expect_refusal(struct builder *b, enum pp_error_code code, const char *sentence)
{
	struct reading r = read_built(b);

	assert_int_equal(r.last, PP_NEXT_ERROR);
	assert_string_equal(r.err.text, sentence);
	assert_int_equal(r.err.code, code);
	assert_int_equal(r.count, 0);
	reading_release(&r);
	builder_release(b);
}

static void reads_the_least_trace_of_every_version(void **state)
{
	static const int versions[] = { 1, 2, 3, 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(versions); i++) {
		struct builder b = build_start(versions[i]);
		struct reading r = read_finished(&b);

		expect_whole(&r, 0);
		assert_int_equal(r.header->version, versions[i]);
		assert_int_equal(r.header->netperf, versions[i] < 4);
		reading_release(&r);
	}
}

static void accepts_any_minor_version(void **state)
{
	struct builder b = build_start(6);
	struct reading r;

	(void)state;
	b.bytes[16] = 25;
	r = read_finished(&b);
	assert_int_equal(r.header->version, 6);
	assert_int_equal(r.header->minor_version, 25);
	reading_release(&r);
}

static void has_no_minor_version_before_6(void **state)
{
	struct builder b = build_start(4);
	struct reading r = read_finished(&b);

	(void)state;
	assert_int_equal(r.header->minor_version, -1);
	reading_release(&r);
}

static void rejects_major_version_7(void **state)
{
	struct builder b = build_start(6);
	struct reading r;

	(void)state;
	b.bytes[12] = 7;
	r = read_built(&b);
	assert_int_equal(r.last, PP_NEXT_ERROR);
	assert_int_equal(r.err.code, PP_ERROR_UNSUPPORTED);
	assert_non_null(strstr(r.err.text, "version 7"));
	reading_release(&r);
	builder_release(&b);
}

static void rejects_a_version_below_6_in_the_header_of_6(void **state)
{
	struct builder b = build_start(6);

	(void)state;
	b.bytes[12] = 5;
	expect_refusal(&b, PP_ERROR_FORMAT,
		       "byte 0: this is NetTrace with a version below 6 in a version 6 header");
}

static void rejects_a_trace_object_newer_than_4(void **state)
{
	struct builder b = build_magic(4);
	struct reading r;

	(void)state;
	build_type(&b, "Trace", 5, 4);
	put_zeros(&b, 48);
	r = read_built(&b);
	assert_int_equal(r.last, PP_NEXT_ERROR);
	assert_int_equal(r.err.code, PP_ERROR_UNSUPPORTED);
	assert_non_null(strstr(r.err.text, "version 5"));
	reading_release(&r);
	builder_release(&b);
}

static void accepts_only_version_4_after_the_magic(void **state)
{
	struct builder nettrace = build_magic(4);
	struct builder netperf = build_magic(3);

	(void)state;
	build_type(&nettrace, "Trace", 3, 0);
	expect_refusal(&nettrace, PP_ERROR_FORMAT,
		       "byte 32: a trace of version 3 does not belong in a NetTrace file");
	build_type(&netperf, "Trace", 4, 4);
	expect_refusal(&netperf, PP_ERROR_FORMAT,
		       "byte 24: a trace of version 4 does not belong in a NetPerf file");
}

static void rejects_other_files_at_the_first_wrong_byte(void **state)
{
	static const struct literal others[] = {
		{ "x", 1 },
		{ "Nettrack", 8 },
		{ "\x14\0\0\0!FastSerialization.2", 24 },
		{ "\x7f"
		  "ELF",
		  4 },
		{ "PK\x03\x04", 4 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		struct builder b = { 0 };

		put_bytes(&b, others[i]);
		expect_refusal(&b, PP_ERROR_FORMAT,
			       "byte 0: this is not a nettrace or netperf file");
	}
}

static void rejects_a_magic_without_a_stream_header(void **state)
{
	struct builder b = { 0 };

	(void)state;
	put_bytes(&b, BYTES("Nettrace\x15\0\0\0"));
	expect_refusal(&b, PP_ERROR_FORMAT,
		       "byte 0: the NetTrace magic is not followed by a stream header");
}

static void treats_an_empty_file_as_a_truncated_trace(void **state)
{
	struct builder b = { 0 };
	struct reading r = read_built(&b);

	(void)state;
	assert_int_equal(r.last, PP_NEXT_END);
	assert_null(r.header);
	assert_false(r.totals.complete);
	assert_int_equal(r.totals.bytes, 0);
	reading_release(&r);
}

static void rejects_a_type_name_of_negative_length(void **state)
{
	struct builder b = build_magic(4);

	(void)state;
	put_bytes(&b, BYTES("\x05\x05\x01\x04\0\0\0\x04\0\0\0\xff\xff\xff\xff"
			    "Trace\x06"));
	expect_refusal(&b, PP_ERROR_FORMAT, "byte 32: an object was expected here");
}

static void rejects_a_type_name_longer_than_any_known(void **state)
{
	struct builder b = build_magic(4);

	(void)state;
	build_type(&b, "Microsoft.DotNet.Runtime.EventPipeFiles", 4, 4);
	expect_refusal(&b, PP_ERROR_FORMAT, "byte 32: an object was expected here");
}

static void rejects_a_type_it_does_not_know(void **state)
{
	struct builder b = build_start(4);
	const size_t at = b.size;

	(void)state;
	assert_int_equal(at, 102);
	build_type(&b, "TraceBlock", 2, 2);
	put_zeros(&b, 16);
	expect_refusal(&b, PP_ERROR_FORMAT, "byte 102: an object of an unknown type");
}

static void rejects_the_other_containers_begin_tag(void **state)
{
	struct builder nettrace = build_start(4);
	struct builder netperf = build_start(3);

	(void)state;
	nettrace.version = 3; /* writes tag 4 */
	build_type(&nettrace, "EventBlock", 2, 2);
	expect_refusal(&nettrace, PP_ERROR_FORMAT, "byte 102: an object was expected here");
	netperf.version = 4;
	build_type(&netperf, "EventBlock", 1, 0);
	expect_refusal(&netperf, PP_ERROR_FORMAT, "byte 94: an object was expected here");
}

static void rejects_tags_that_do_not_begin_an_object(void **state)
{
	(void)state;
	for (unsigned tag = 0; tag < 256; tag++) {
		struct builder b = build_start(4);

		put_u8(&b, tag);
		if (tag == 1 || tag == 5) /* the end, or a truncated object */
			builder_release(&b);
		else
			expect_refusal(&b, PP_ERROR_FORMAT,
				       "byte 102: an object was expected here");
	}
}

static void rejects_a_block_newer_than_version_2(void **state)
{
	struct builder b = build_start(4);

	(void)state;
	build_type(&b, "EventBlock", 3, 3);
	put_zeros(&b, 40);
	expect_refusal(&b, PP_ERROR_FORMAT, "byte 102: a block of a newer version than 2");
}

static void requires_the_trace_object_first_and_once(void **state)
{
	struct builder none = build_magic(4);
	struct builder twice = build_start(4);
	struct builder none_v6 = build_magic(6);
	struct builder twice_v6 = build_start(6);
	struct builder ended = build_magic(6);

	(void)state;
	build_type(&none, "EventBlock", 2, 2);
	put_zeros(&none, 40);
	expect_refusal(&none, PP_ERROR_FORMAT, "byte 32: the trace object is not the first");
	build_type(&twice, "Trace", 4, 4);
	put_zeros(&twice, 48);
	expect_refusal(&twice, PP_ERROR_FORMAT, "byte 102: the trace object is not the first");
	build_point(&none_v6, KEEP_ALL);
	expect_refusal(&none_v6, PP_ERROR_FORMAT, "byte 20: the trace block is not the first");
	build_block(&twice_v6, PART_TRACE);
	put_zeros(&twice_v6, 40);
	build_close(&twice_v6);
	expect_refusal(&twice_v6, PP_ERROR_FORMAT, "byte 64: the trace block is not the first");
	build_end(&ended);
	expect_refusal(&ended, PP_ERROR_FORMAT, "byte 20: the trace block is not the first");
}

/* A payload of 0 to 3 bytes moves the next object through all alignments. */
static void aligns_blocks_on_the_offset_in_the_file(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift < 4; shift++) {
		struct builder b = build_ready(4);
		struct reading r;

		event(&b, .kind = 1, .thread = 5, .ticks = 1, .payload = { "abc", shift });
		build_close(&b);
		build_stacks(&b, 1, 1);
		stack(&b, 0x10, 0x20);
		build_close(&b);
		build_events(&b, COMPRESSED);
		event(&b, .kind = 1, .thread = 5, .ticks = 2, .stack = 1);
		build_close(&b);
		r = read_finished(&b);
		expect_whole(&r, 2);
		assert_int_equal(r.events[1].stack->addresses[1], 0x20);
		reading_release(&r);
	}
}

static void rejects_a_block_whose_size_is_wrong(void **state)
{
	struct builder b = build_start(4);

	(void)state;
	build_stacks(&b, 1, 0);
	put_u8(&b, 0);
	build_close(&b);
	assert_int_equal(b.size, 142);
	b.bytes[b.size_at]--; /* it ends before the zero, which is not an end tag */
	expect_refusal(&b, PP_ERROR_FORMAT, "byte 140: the block does not end where its size says");
}

static void rejects_blocks_of_negative_or_absurd_size(void **state)
{
	static const uint32_t sizes[] = { 0xffffffff, 0x80000000, 64 * 1024 * 1024 + 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct builder b = build_start(4);

		build_type(&b, "StackBlock", 2, 2);
		put_u32(&b, sizes[i]);
		expect_refusal(&b, PP_ERROR_FORMAT,
			       "byte 102: a block of more than 64 MiB, or of a negative size");
	}
}

static void skips_blocks_of_unknown_kind(void **state)
{
	struct builder b = build_magic(6);
	struct reading r;

	(void)state;
	build_block(&b, (enum part)99); /* even before the trace block */
	put_bytes(&b, BYTES("\x01\x02\x03"));
	build_close(&b);
	build_block(&b, PART_TRACE);
	put_date(&b);
	put_u64(&b, 0);
	put_u64(&b, 1000);
	put_u32(&b, 8);
	put_u32(&b, 0);
	build_close(&b);
	build_block(&b, (enum part)99);
	put_zeros(&b, 300);
	build_close(&b);
	build_block(&b, (enum part)9);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 0);
	reading_release(&r);
}

static void ignores_bytes_after_the_end_mark(void **state)
{
	static const int versions[] = { 1, 2, 3, 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(versions); i++) {
		struct builder b = build_start(versions[i]);
		struct reading r;

		build_end(&b);
		put_bytes(&b, BYTES("\0\0\0 and more, even Nettrace"));
		r = read_built(&b);
		expect_whole(&r, 0);
		reading_release(&r);
		builder_release(&b);
	}
}

static void ignores_the_contents_of_an_end_block(void **state)
{
	struct builder b = build_start(6);
	struct reading r;

	(void)state;
	put_u32(&b, 3); /* kind 0, three bytes */
	put_bytes(&b, BYTES("\x02\x02\x02"));
	r = read_built(&b);
	expect_whole(&r, 0);
	reading_release(&r);
	builder_release(&b);
}

static void says_that_a_trace_without_end_mark_is_incomplete(void **state)
{
	static const int versions[] = { 3, 4, 6 };

	(void)state;
	for (size_t i = 0; i < COUNT(versions); i++) {
		struct builder b = build_ready(versions[i]);
		struct reading r;

		event(&b, .kind = 1, .thread = 999, .ticks = 5);
		event(&b, .kind = 1, .thread = 999, .ticks = 6);
		build_close(&b);
		r = read_built(&b);
		assert_int_equal(r.last, PP_NEXT_END);
		assert_int_equal(r.count, 2);
		assert_false(r.totals.complete);
		assert_int_equal(r.totals.bytes, b.size);
		reading_release(&r);
		builder_release(&b);
	}
}

/* Nothing changes any more, whether the caller asks again or feeds more. */
static void stays_at_its_end_and_at_its_error(void **state)
{
	struct pp_nettrace *ended = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_nettrace *failed = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	struct pp_error again = { 0 };
	const struct pp_event *e;

	(void)state;
	assert_int_equal(pp_nettrace_next(ended, &e, &err), PP_NEXT_MORE);
	assert_int_equal(pp_nettrace_next(ended, &e, &err), PP_NEXT_MORE);
	pp_nettrace_end(ended);
	assert_int_equal(pp_nettrace_next(ended, &e, &err), PP_NEXT_END);
	assert_int_equal(pp_nettrace_next(ended, &e, &err), PP_NEXT_END);
	pp_nettrace_feed(failed, "no trace", 8);
	assert_int_equal(pp_nettrace_next(failed, &e, &err), PP_NEXT_ERROR);
	assert_int_equal(pp_nettrace_next(failed, &e, &again), PP_NEXT_ERROR);
	assert_string_equal(again.text, err.text);
	assert_int_equal(again.code, PP_ERROR_FORMAT);
	pp_nettrace_free(ended);
	pp_nettrace_free(failed);
	pp_nettrace_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_least_trace_of_every_version),
		cmocka_unit_test(accepts_any_minor_version),
		cmocka_unit_test(has_no_minor_version_before_6),
		cmocka_unit_test(rejects_major_version_7),
		cmocka_unit_test(rejects_a_version_below_6_in_the_header_of_6),
		cmocka_unit_test(rejects_a_trace_object_newer_than_4),
		cmocka_unit_test(accepts_only_version_4_after_the_magic),
		cmocka_unit_test(rejects_other_files_at_the_first_wrong_byte),
		cmocka_unit_test(rejects_a_magic_without_a_stream_header),
		cmocka_unit_test(treats_an_empty_file_as_a_truncated_trace),
		cmocka_unit_test(rejects_a_type_name_of_negative_length),
		cmocka_unit_test(rejects_a_type_name_longer_than_any_known),
		cmocka_unit_test(rejects_a_type_it_does_not_know),
		cmocka_unit_test(rejects_the_other_containers_begin_tag),
		cmocka_unit_test(rejects_tags_that_do_not_begin_an_object),
		cmocka_unit_test(rejects_a_block_newer_than_version_2),
		cmocka_unit_test(requires_the_trace_object_first_and_once),
		cmocka_unit_test(aligns_blocks_on_the_offset_in_the_file),
		cmocka_unit_test(rejects_a_block_whose_size_is_wrong),
		cmocka_unit_test(rejects_blocks_of_negative_or_absurd_size),
		cmocka_unit_test(skips_blocks_of_unknown_kind),
		cmocka_unit_test(ignores_bytes_after_the_end_mark),
		cmocka_unit_test(ignores_the_contents_of_an_end_block),
		cmocka_unit_test(says_that_a_trace_without_end_mark_is_incomplete),
		cmocka_unit_test(stays_at_its_end_and_at_its_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
