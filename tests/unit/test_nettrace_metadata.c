/* SPDX-License-Identifier: MIT */
/* Definitions of events in versions 3 to 5: fields, tags, repetitions. */
#include <stdio.h>

#include "trace_reading.h"

/* One kind with these bytes after its level, and one event of it. */
static struct reading read_fields(struct literal fields)
{
	struct builder b = build_start(4);

	build_metadata(&b);
	kind(&b, .id = 1, .fields = fields);
	build_close(&b);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 5, .ticks = 1);
	build_close(&b);
	return read_finished(&b);
}

static const struct pp_field *field_of(const struct reading *r, size_t index)
{
	assert_in_range(index, 0, r->events[0].kind->fields.count - 1);
	return &r->events[0].kind->fields.list[index];
}

static void expect_field(const struct pp_field *field, const char *name, enum pp_type_code code)
{
	assert_string_equal(field->name, name);
	assert_int_equal(field->type.code, code);
}

static void expect_unreadable(struct builder *fields)
{
	struct reading r = read_fields(built(fields));

	expect_whole(&r, 1);
	assert_true(r.events[0].kind->fields_unreadable);
	assert_int_equal(r.events[0].kind->fields.count, 0);
	assert_string_equal(r.events[0].kind->name, "TestEvent1");
	reading_release(&r);
	builder_release(fields);
}

static void reads_everything_in_a_definition(void **state)
{
	struct builder b = build_start(4);
	struct reading r;

	(void)state;
	build_metadata(&b);
	kind(&b, .id = 7, .provider = "My-Source", .name = "Ping", .event_id = 21,
	     .keywords = UINT64_C(0xf00000000000000f), .version = 2, .level = 4);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 0);
	assert_string_equal(pp_nettrace_kind(r.trace, 0)->provider, "My-Source");
	assert_string_equal(pp_nettrace_kind(r.trace, 0)->name, "Ping");
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->index, 0);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->id, 21);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->keywords, UINT64_C(0xf00000000000000f));
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->version, 2);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->level, 4);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->opcode, -1);
	assert_null(pp_nettrace_kind(r.trace, 0)->provider_guid);
	assert_null(pp_nettrace_kind(r.trace, 0)->message);
	assert_null(pp_nettrace_kind(r.trace, 0)->description);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->pair_count, 0);
	assert_null(pp_nettrace_kind(r.trace, 1));
	reading_release(&r);
}

static void treats_a_missing_field_list_as_empty(void **state)
{
	struct reading none = read_fields(BYTES(""));
	struct reading empty = read_fields(BYTES("\0\0\0\0"));

	(void)state;
	assert_int_equal(none.events[0].kind->fields.count, 0);
	assert_false(none.events[0].kind->fields_unreadable);
	assert_int_equal(empty.events[0].kind->fields.count, 0);
	assert_false(empty.events[0].kind->fields_unreadable);
	reading_release(&none);
	reading_release(&empty);
}

static void reads_fields_of_every_simple_type(void **state)
{
	static const uint32_t codes[] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,
					  12, 13, 14, 15, 16, 17, 18, 26 };
	struct builder fields = { 0 };
	struct reading r;

	(void)state;
	put_u32(&fields, COUNT(codes));
	for (size_t i = 0; i < COUNT(codes); i++)
		field_v1(&fields, (char[]){ (char)('a' + i), '\0' }, codes[i]);
	r = read_fields(built(&fields));
	assert_int_equal(r.events[0].kind->fields.count, COUNT(codes));
	for (size_t i = 0; i < COUNT(codes); i++)
		expect_field(field_of(&r, i), (char[]){ (char)('a' + i), '\0' },
			     (enum pp_type_code)codes[i]);
	reading_release(&r);
	builder_release(&fields);
}

/* The name of an object follows its fields, as every name follows its type. */
static void reads_nested_objects(void **state)
{
	struct builder fields = { 0 };
	const struct pp_field *outer;
	struct reading r;

	(void)state;
	put_u32(&fields, 2);
	put_u32(&fields, PP_TYPE_OBJECT);
	put_u32(&fields, 2);
	field_v1(&fields, "a", PP_TYPE_GUID);
	put_u32(&fields, PP_TYPE_OBJECT);
	put_u32(&fields, 1);
	field_v1(&fields, "b", PP_TYPE_UTF16Z);
	put_utf16z(&fields, "inner");
	put_utf16z(&fields, "outer");
	field_v1(&fields, "c", PP_TYPE_I32);
	r = read_fields(built(&fields));
	assert_int_equal(r.events[0].kind->fields.count, 2);
	outer = field_of(&r, 0);
	expect_field(outer, "outer", PP_TYPE_OBJECT);
	assert_int_equal(outer->type.fields.count, 2);
	expect_field(&outer->type.fields.list[0], "a", PP_TYPE_GUID);
	expect_field(&outer->type.fields.list[1], "inner", PP_TYPE_OBJECT);
	expect_field(&outer->type.fields.list[1].type.fields.list[0], "b", PP_TYPE_UTF16Z);
	expect_field(field_of(&r, 1), "c", PP_TYPE_I32);
	reading_release(&r);
	builder_release(&fields);
}

/* A tag: bytes of its payload, kind, payload. */
static size_t open_tag(struct builder *b, unsigned tag)
{
	put_u32(b, 0);
	put_u8(b, tag);
	return b->size;
}

static void close_tag(struct builder *b, size_t at)
{
	const uint32_t size = (uint32_t)(b->size - at);

	memcpy(b->bytes + at - 5, &size, 4);
}

static void skips_unknown_tags(void **state)
{
	struct builder fields = { 0 };
	struct reading r;
	size_t tag;

	(void)state;
	put_u32(&fields, 0);
	tag = open_tag(&fields, 1); /* opcode */
	put_bytes(&fields, BYTES("\x18"
				 "extra"));
	close_tag(&fields, tag);
	tag = open_tag(&fields, 3); /* unknown */
	put_bytes(&fields, BYTES("anything"));
	close_tag(&fields, tag);
	tag = open_tag(&fields, 2); /* fields */
	put_u32(&fields, 1);
	field_v5(&fields, "a", BYTES("\x09\0\0\0"));
	put_bytes(&fields, BYTES("extra"));
	close_tag(&fields, tag);
	close_tag(&fields, open_tag(&fields, 200)); /* unknown and empty */
	r = read_fields(built(&fields));
	assert_int_equal(r.events[0].kind->opcode, 0x18);
	assert_false(r.events[0].kind->fields_unreadable);
	assert_int_equal(r.events[0].kind->fields.count, 1);
	expect_field(field_of(&r, 0), "a", PP_TYPE_I32);
	reading_release(&r);
	builder_release(&fields);
}

/* Three kinds with the same tags, and an event of each: none affects the next. */
static void continues_after_tags(void **state)
{
	static const char *const names[] = { "First", "Second", "Third" };
	static const struct literal tags[] = {
		{ "\0\0\0\0\x04\0\0\0\x01\x0axyz", 13 },      /* opcode 10 and three more bytes */
		{ "\0\0\0\0\x08\0\0\0\x02\0\0\0\0wxyz", 17 }, /* no fields and four more bytes */
		{ "\0\0\0\0\x02\0\0\0\x03xy", 11 },	      /* unknown */
	};
	struct builder b = build_start(4);
	struct reading r;

	(void)state;
	build_metadata(&b);
	for (uint32_t i = 0; i < 3; i++)
		kind(&b, .id = i + 1, .name = names[i], .event_id = i + 1, .fields = tags[i]);
	build_close(&b);
	build_events(&b, PLAIN);
	for (uint32_t i = 0; i < 3; i++)
		event(&b, .kind = i + 1, .thread = 5, .ticks = i);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(r.events[i].kind->name, names[i]);
		assert_int_equal(r.events[i].kind->opcode, i ? -1 : 10);
		assert_false(r.events[i].kind->fields_unreadable);
	}
	reading_release(&r);
}

static void skips_unknown_bytes_of_a_tagged_field(void **state)
{
	struct builder fields = { 0 };
	struct reading r;
	size_t tag;

	(void)state;
	put_u32(&fields, 0);
	tag = open_tag(&fields, 2);
	put_u32(&fields, 2);
	field_v5(&fields, "first",
		 BYTES("\x09\0\0\0"
		       "four"));
	field_v5(&fields, "second",
		 BYTES("\x07\0\0\0"
		       "and eight"));
	close_tag(&fields, tag);
	r = read_fields(built(&fields));
	assert_int_equal(r.events[0].kind->fields.count, 2);
	expect_field(field_of(&r, 0), "first", PP_TYPE_I32);
	expect_field(field_of(&r, 1), "second", PP_TYPE_I16);
	reading_release(&r);
	builder_release(&fields);
}

/* u32[], string[][], and an array of objects {Key, Value}. */
static void reads_arrays_in_tags(void **state)
{
	struct builder fields = { 0 };
	struct builder object = { 0 };
	const struct pp_type *element;
	struct reading r;
	size_t tag;

	(void)state;
	put_u32(&fields, 0);
	tag = open_tag(&fields, 2);
	put_u32(&fields, 3);
	field_v5(&fields, "numbers", BYTES("\x13\0\0\0\x0a\0\0\0"));
	field_v5(&fields, "texts", BYTES("\x13\0\0\0\x13\0\0\0\x12\0\0\0"));
	put_bytes(&object, BYTES("\x13\0\0\0\x01\0\0\0\x02\0\0\0"));
	field_v5(&object, "Key", BYTES("\x12\0\0\0"));
	field_v5(&object, "Value", BYTES("\x11\0\0\0"));
	field_v5(&fields, "pairs", built(&object));
	close_tag(&fields, tag);
	r = read_fields(built(&fields));
	assert_int_equal(r.events[0].kind->fields.count, 3);
	expect_field(field_of(&r, 0), "numbers", PP_TYPE_ARRAY);
	assert_int_equal(field_of(&r, 0)->type.element->code, PP_TYPE_U32);
	assert_int_equal(field_of(&r, 1)->type.element->code, PP_TYPE_ARRAY);
	assert_int_equal(field_of(&r, 1)->type.element->element->code, PP_TYPE_UTF16Z);
	element = field_of(&r, 2)->type.element;
	assert_int_equal(element->code, PP_TYPE_OBJECT);
	assert_int_equal(element->fields.count, 2);
	expect_field(&element->fields.list[0], "Key", PP_TYPE_UTF16Z);
	expect_field(&element->fields.list[1], "Value", PP_TYPE_GUID);
	reading_release(&r);
	builder_release(&fields);
	builder_release(&object);
}

/* As in .NET's reader, such an event has no fields, and reading continues. */
static void leaves_out_a_malformed_field_list(void **state)
{
	static const struct literal lists[] = {
		{ "\x01\0\0\0\x13\0\0\0\x09\0\0\0a\0\0\0", 16 }, /* an array: not in this list */
		{ "\x01\0\0\0\0\0\0\0a\0\0\0", 12 },		 /* type 0 */
		{ "\x01\0\0\0\x02\0\0\0a\0\0\0", 12 },		 /* type 2 */
		{ "\x01\0\0\0\x1b\0\0\0a\0\0\0", 12 },		 /* type 27 */
		{ "\x01\0\0\0\x16\0\0\0a\0\0\0", 12 },		 /* a fixed array */
		{ "\x01\0\0\0\x18\0\0\0a\0\0\0", 12 },		 /* a location */
		{ "\xff\xff\xff\xff\x09\0\0\0a\0\0\0", 12 },	 /* 4294967295 fields */
		{ "\x02\0\0\0\x09\0\0\0a\0\0\0", 12 },		 /* 2 fields, 1 there */
		{ "\x01\0\0\0\x09\0\0\0a\0", 10 },		 /* a name without a terminator */
		{ "\x01\0\0", 3 },				 /* half a count */
		{ "\0\0\0\0\x05\0\0\0\x01\x0a", 10 }, /* a tag larger than what is left */
		{ "\0\0\0\0\x00\0\0\0\x01", 9 },      /* an opcode of zero bytes */
		{ "\0\0\0\0\x01\0\0", 7 },	      /* half a tag's size */
		{ "\0\0\0\0\x0c\0\0\0\x02\x01\0\0\0\x03\0\0\0\0\0\x09\0",
		  21 }, /* a field of 3 bytes */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct builder fields = { 0 };

		put_bytes(&fields, lists[i]);
		expect_unreadable(&fields);
	}
}

static void leaves_out_fields_nested_too_deep(void **state)
{
	struct builder deep = { 0 };
	struct builder arrays = { 0 };
	size_t tag;

	(void)state;
	put_u32(&deep, 1);
	for (int i = 0; i < 1000; i++)
		put_bytes(&deep, BYTES("\x01\0\0\0\x01\0\0\0"));
	expect_unreadable(&deep);
	put_u32(&arrays, 0);
	tag = open_tag(&arrays, 2);
	put_u32(&arrays, 1);
	put_u32(&arrays, 4 + 2 + 4 * 1000);
	put_u16(&arrays, 0);
	for (int i = 0; i < 1000; i++)
		put_u32(&arrays, PP_TYPE_ARRAY);
	close_tag(&arrays, tag);
	expect_unreadable(&arrays);
}

static void accepts_fields_nested_up_to_the_limit(void **state)
{
	struct builder fields = { 0 };
	struct pp_fields at;
	struct reading r;

	(void)state;
	put_u32(&fields, 1);
	for (int i = 1; i < 30; i++)
		put_bytes(&fields, BYTES("\x01\0\0\0\x01\0\0\0"));
	field_v1(&fields, "leaf", PP_TYPE_I8);
	for (int i = 1; i < 30; i++)
		put_utf16z(&fields, "");
	r = read_fields(built(&fields));
	at = r.events[0].kind->fields;
	for (int i = 1; i < 30; i++)
		at = at.list[0].type.fields;
	expect_field(&at.list[0], "leaf", PP_TYPE_I8);
	reading_release(&r);
	builder_release(&fields);
}

static void skips_longer_headers_of_blocks(void **state)
{
	struct builder b = build_start(4);
	struct reading r;

	(void)state;
	build_block(&b, PART_METADATA);
	put_u16(&b, 28);
	put_zeros(&b, 18);
	put_bytes(&b, BYTES("8 extra."));
	kind(&b, .id = 1);
	build_close(&b);
	build_block(&b, PART_EVENTS);
	put_u16(&b, 28);
	put_zeros(&b, 18);
	put_bytes(&b, BYTES("8 extra."));
	event(&b, .kind = 1, .thread = 5, .ticks = 3);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 1);
	assert_int_equal(r.events[0].ticks, 3);
	reading_release(&r);
}

static void accepts_a_definition_that_is_repeated(void **state)
{
	struct builder b = build_start(4);
	struct reading r;

	(void)state;
	build_metadata(&b);
	kind(&b, .id = 1, .name = "Same");
	kind(&b, .id = 1, .name = "Same");
	kind(&b, .id = 2, .name = "Same");
	build_close(&b);
	build_point(&b, KEEP_ALL);
	build_metadata(&b);
	kind(&b, .id = 1, .name = "Same");
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 0);
	assert_non_null(pp_nettrace_kind(r.trace, 0));
	assert_null(pp_nettrace_kind(r.trace, 1));
	reading_release(&r);
}

static void rejects_a_second_meaning_of_an_id(void **state)
{
	struct builder b = build_start(4);
	char sentence[128];

	(void)state;
	build_metadata(&b);
	kind(&b, .id = 1, .name = "One");
	snprintf(sentence, sizeof(sentence), "byte %zu: event definition 1 appears twice", b.size);
	kind(&b, .id = 1, .name = "Two");
	build_close(&b);
	expect_error(&b, 0, sentence);
}

/* Every part of the prefix, truncated at each byte. */
static void rejects_a_definition_that_is_cut_short(void **state)
{
	struct builder payload = { 0 };

	(void)state;
	put_u32(&payload, 1);
	put_utf16z(&payload, "P");
	put_u32(&payload, 15);
	put_utf16z(&payload, "E");
	put_zeros(&payload, 8 + 4 + 4);
	for (size_t size = 0; size < payload.size; size++) {
		struct builder b = build_start(4);
		char sentence[128];

		build_metadata(&b);
		snprintf(sentence, sizeof(sentence), "byte %zu: an event definition is malformed",
			 b.size);
		event(&b, .payload = { payload.bytes, size });
		build_close(&b);
		expect_error(&b, 0, sentence);
	}
	builder_release(&payload);
}

static void keeps_kinds_over_sequence_points_in_version_4(void **state)
{
	struct builder b = build_ready(4);
	struct reading r;

	(void)state;
	event(&b, .kind = 1, .thread = 5, .ticks = 1);
	build_close(&b);
	build_point(&b, KEEP_ALL);
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = 5, .ticks = 2);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 2);
	assert_ptr_equal(r.events[0].kind, r.events[1].kind);
	reading_release(&r);
}

/* Text is valid UTF-8 whatever the file contains, such as lone surrogates. */
static void turns_any_name_into_valid_text(void **state)
{
	struct builder b = build_start(4);
	struct builder payload = { 0 };
	struct reading r;

	(void)state;
	put_u32(&payload, 1);
	put_bytes(&payload,
		  BYTES("\xe9\0\xac\x20\x3d\xd8\x00\xde\0\0")); /* e-acute, euro, an emoji */
	put_u32(&payload, 15);
	put_bytes(&payload, BYTES("\x3d\xd8"
				  "a\0\x00\xde\0\0")); /* two lone surrogates */
	put_zeros(&payload, 8 + 4 + 4);
	build_metadata(&b);
	event(&b, .payload = built(&payload));
	build_close(&b);
	r = read_finished(&b);
	assert_string_equal(pp_nettrace_kind(r.trace, 0)->provider,
			    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	assert_string_equal(pp_nettrace_kind(r.trace, 0)->name, "\xef\xbf\xbd"
								"a\xef\xbf\xbd");
	reading_release(&r);
	builder_release(&payload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_everything_in_a_definition),
		cmocka_unit_test(treats_a_missing_field_list_as_empty),
		cmocka_unit_test(reads_fields_of_every_simple_type),
		cmocka_unit_test(reads_nested_objects),
		cmocka_unit_test(skips_unknown_tags),
		cmocka_unit_test(continues_after_tags),
		cmocka_unit_test(skips_unknown_bytes_of_a_tagged_field),
		cmocka_unit_test(reads_arrays_in_tags),
		cmocka_unit_test(leaves_out_a_malformed_field_list),
		cmocka_unit_test(leaves_out_fields_nested_too_deep),
		cmocka_unit_test(accepts_fields_nested_up_to_the_limit),
		cmocka_unit_test(skips_longer_headers_of_blocks),
		cmocka_unit_test(accepts_a_definition_that_is_repeated),
		cmocka_unit_test(rejects_a_second_meaning_of_an_id),
		cmocka_unit_test(rejects_a_definition_that_is_cut_short),
		cmocka_unit_test(keeps_kinds_over_sequence_points_in_version_4),
		cmocka_unit_test(turns_any_name_into_valid_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
