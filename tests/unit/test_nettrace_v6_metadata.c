/* SPDX-License-Identifier: MIT */
/* Definitions of events in version 6: types, optional parts, lifetime. */
#include <stdio.h>

#include "trace_reading.h"

#define GUID "\x93\x7b\x0a\xca\x2d\x62\xc9\x42\xaf\xf8\x7a\x09\xfd\xa2\xe3\x0c"

/* A kind with this field list (count and fields) and optional part, and one event of it. */
static struct builder trace_of_kind(struct literal fields, struct literal optional)
{
	struct builder b = build_start(6);

	build_metadata(&b);
	kind(&b, .id = 1, .fields = fields, .optional = optional);
	build_close(&b);
	build_thread(&b, 999, 0, 0);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 999, .ticks = 1);
	build_close(&b);
	return b;
}

/* One field of this type. */
static struct reading read_type(struct literal type)
{
	struct builder fields = { 0 };
	struct builder b;

	put_u16(&fields, 1);
	field_v6(&fields, "f", type);
	b = trace_of_kind(built(&fields), BYTES(""));
	builder_release(&fields);
	return read_finished(&b);
}

static const struct pp_type *type_of(const struct reading *r, size_t index)
{
	assert_in_range(index, 0, r->events[0].kind->fields.count - 1);
	return &r->events[0].kind->fields.list[index].type;
}

/* In version 6 a malformed definition ends the reading: byte 68 is its block. */
static void expect_bad_kind(struct literal fields, struct literal optional)
{
	struct builder b = trace_of_kind(fields, optional);

	expect_error(&b, 0, "byte 68: an event definition is malformed");
}

static void expect_bad_type(struct literal type)
{
	struct builder fields = { 0 };

	put_u16(&fields, 1);
	field_v6(&fields, "f", type);
	expect_bad_kind(built(&fields), BYTES(""));
	builder_release(&fields);
}

static void reads_three_definitions(void **state)
{
	struct builder b = build_start(6);
	struct builder fields = { 0 };
	struct reading r;

	(void)state;
	put_u16(&fields, 2);
	field_v6(&fields, "Int16", BYTES("\x07"));
	field_v6(&fields, "Boolean32", BYTES("\x03"));
	build_metadata(&b);
	kind(&b, .id = 1, .fields = built(&fields));
	kind(&b, .id = 2, .name = "TestEvent2", .event_id = 16);
	kind(&b, .id = 3, .name = "TestEvent3", .event_id = 17);
	build_close(&b);
	build_thread(&b, 999, 0, 0);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 999, .payload = BYTES("\x0c\0\x01\0\0\0"));
	event(&b, .kind = 2, .thread = 999);
	event(&b, .kind = 3, .thread = 999);
	build_close(&b);
	r = read_finished(&b);
	expect_whole(&r, 3);
	assert_string_equal(r.events[0].kind->provider, "TestProvider");
	assert_int_equal(r.events[0].kind->id, 15);
	assert_int_equal(r.events[0].kind->fields.count, 2);
	assert_int_equal(type_of(&r, 0)->code, PP_TYPE_I16);
	assert_string_equal(r.events[0].kind->fields.list[0].name, "Int16");
	assert_int_equal(type_of(&r, 1)->code, PP_TYPE_BOOL32);
	assert_memory_equal(r.events[0].payload, "\x0c\0\x01\0\0\0", 6);
	assert_string_equal(r.events[1].kind->name, "TestEvent2");
	assert_string_equal(r.events[2].kind->name, "TestEvent3");
	assert_int_equal(r.events[2].kind->id, 17);
	reading_release(&r);
	builder_release(&fields);
}

static void makes_up_nothing_that_version_6_leaves_out(void **state)
{
	struct builder b = trace_of_kind(BYTES("\0\0"), BYTES(""));
	struct reading r = read_finished(&b);
	const struct pp_kind *k = r.events[0].kind;

	(void)state;
	assert_int_equal(k->opcode, -1);
	assert_int_equal(k->keywords, 0);
	assert_int_equal(k->level, 0);
	assert_int_equal(k->version, 0);
	assert_null(k->provider_guid);
	assert_null(k->message);
	assert_null(k->description);
	assert_int_equal(k->pair_count, 0);
	reading_release(&r);
}

static void knows_every_simple_type(void **state)
{
	static const uint8_t codes[] = { 3,  4,	 5,  6,	 7,  8,	 9,  10, 11, 12,
					 13, 14, 15, 16, 17, 18, 20, 21, 23, 26 };

	(void)state;
	for (size_t i = 0; i < COUNT(codes); i++) {
		struct reading r = read_type((struct literal){ &codes[i], 1 });

		assert_int_equal(type_of(&r, 0)->code, codes[i]);
		assert_null(type_of(&r, 0)->element);
		reading_release(&r);
	}
}

static void rejects_types_that_do_not_exist(void **state)
{
	(void)state;
	for (unsigned code = 0; code < 256; code++) {
		const uint8_t byte = (uint8_t)code;

		if (code == 0 || code == 2 || code > 26)
			expect_bad_type((struct literal){ &byte, 1 });
	}
}

/* i32[], UTF-8 and UTF-16 strings, an array of those; Boolean8[]. */
static void reads_counted_arrays(void **state)
{
	struct builder fields = { 0 };
	struct builder b;
	struct reading r;

	(void)state;
	put_u16(&fields, 5);
	field_v6(&fields, "numbers", BYTES("\x13\x09"));
	field_v6(&fields, "utf8", BYTES("\x13\x17"));
	field_v6(&fields, "utf16", BYTES("\x13\x04"));
	field_v6(&fields, "texts", BYTES("\x13\x13\x04"));
	field_v6(&fields, "truths", BYTES("\x13\x1a"));
	b = trace_of_kind(built(&fields), BYTES(""));
	r = read_finished(&b);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(type_of(&r, i)->code, PP_TYPE_ARRAY);
	assert_int_equal(type_of(&r, 0)->element->code, PP_TYPE_I32);
	assert_int_equal(type_of(&r, 1)->element->code, PP_TYPE_UTF8_UNIT);
	assert_int_equal(type_of(&r, 2)->element->code, PP_TYPE_UTF16_UNIT);
	assert_int_equal(type_of(&r, 3)->element->code, PP_TYPE_ARRAY);
	assert_int_equal(type_of(&r, 3)->element->element->code, PP_TYPE_UTF16_UNIT);
	assert_int_equal(type_of(&r, 4)->element->code, PP_TYPE_BOOL8);
	reading_release(&r);
	builder_release(&fields);
}

/* Type bytes: 22, the element's type, then the count. */
static void reads_fixed_arrays(void **state)
{
	struct reading numbers = read_type(BYTES("\x16\x09\x03\0"));
	struct reading texts = read_type(BYTES("\x16\x13\x04\x02\0"));
	struct reading most = read_type(BYTES("\x16\x17\xff\xff"));

	(void)state;
	assert_int_equal(type_of(&numbers, 0)->code, PP_TYPE_FIXED_ARRAY);
	assert_int_equal(type_of(&numbers, 0)->element->code, PP_TYPE_I32);
	assert_int_equal(type_of(&numbers, 0)->count, 3);
	assert_int_equal(type_of(&texts, 0)->element->code, PP_TYPE_ARRAY);
	assert_int_equal(type_of(&texts, 0)->element->element->code, PP_TYPE_UTF16_UNIT);
	assert_int_equal(type_of(&texts, 0)->count, 2);
	assert_int_equal(type_of(&most, 0)->element->code, PP_TYPE_UTF8_UNIT);
	assert_int_equal(type_of(&most, 0)->count, 65535);
	reading_release(&numbers);
	reading_release(&texts);
	reading_release(&most);
}

/* Of i32, text units, a fixed array, and an object of fixed size. */
static void reads_locations_of_elements_of_fixed_size(void **state)
{
	static const struct {
		struct literal type;
		enum pp_type_code code;
		enum pp_type_code element;
	} cases[] = {
		{ { "\x18\x09", 2 }, PP_TYPE_REL_LOC, PP_TYPE_I32 },
		{ { "\x18\x17", 2 }, PP_TYPE_REL_LOC, PP_TYPE_UTF8_UNIT },
		{ { "\x19\x04", 2 }, PP_TYPE_DATA_LOC, PP_TYPE_UTF16_UNIT },
		{ { "\x19\x16\x11\x02\0", 5 }, PP_TYPE_DATA_LOC, PP_TYPE_FIXED_ARRAY },
		{ { "\x18\x01\x01\0\x03\0\x01"
		    "a\x09",
		    9 },
		  PP_TYPE_REL_LOC,
		  PP_TYPE_OBJECT },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct reading r = read_type(cases[i].type);

		assert_int_equal(type_of(&r, 0)->code, cases[i].code);
		assert_int_equal(type_of(&r, 0)->element->code, cases[i].element);
		reading_release(&r);
	}
}

static void rejects_locations_of_elements_of_varying_size(void **state)
{
	static const struct literal types[] = {
		{ "\x18\x12", 2 },     /* RelLoc of a terminated string */
		{ "\x19\x12", 2 },     /* DataLoc */
		{ "\x18\x13\x09", 3 }, /* of an array */
		{ "\x19\x13\x09", 3 },
		{ "\x18\x14", 2 }, /* of varints */
		{ "\x19\x15", 2 },
		{ "\x18\x16\x12\x02\0", 5 }, /* of fixed arrays of strings */
		{ "\x19\x01\x01\0\x03\0\x01"
		  "a\x12",
		  9 }, /* of objects with a string */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++)
		expect_bad_type(types[i]);
}

static void reads_an_object_and_the_field_after_it(void **state)
{
	struct builder fields = { 0 };
	struct builder object = { 0 };
	struct builder b;
	struct reading r;

	(void)state;
	put_bytes(&object, BYTES("\x01\x02\0"));
	field_v6(&object, "a", BYTES("\x09"));
	field_v6(&object, "b", BYTES("\x06"));
	put_u16(&fields, 2);
	field_v6(&fields, "object", built(&object));
	field_v6(&fields, "truth", BYTES("\x03"));
	b = trace_of_kind(built(&fields), BYTES(""));
	r = read_finished(&b);
	assert_int_equal(type_of(&r, 0)->code, PP_TYPE_OBJECT);
	assert_int_equal(type_of(&r, 0)->fields.count, 2);
	assert_string_equal(type_of(&r, 0)->fields.list[0].name, "a");
	assert_int_equal(type_of(&r, 0)->fields.list[0].type.code, PP_TYPE_I32);
	assert_int_equal(type_of(&r, 0)->fields.list[1].type.code, PP_TYPE_U8);
	assert_int_equal(type_of(&r, 1)->code, PP_TYPE_BOOL32);
	assert_string_equal(r.events[0].kind->fields.list[1].name, "truth");
	reading_release(&r);
	builder_release(&fields);
	builder_release(&object);
}

/* Boolean8 and i32; varints and a counted string. */
static void reads_new_types_in_an_object(void **state)
{
	struct builder object = { 0 };
	struct reading r;
	static const enum pp_type_code codes[] = { PP_TYPE_BOOL8, PP_TYPE_I32, PP_TYPE_VARINT,
						   PP_TYPE_VARUINT, PP_TYPE_ARRAY };

	(void)state;
	put_bytes(&object, BYTES("\x01\x05\0"));
	field_v6(&object, "a", BYTES("\x1a"));
	field_v6(&object, "b", BYTES("\x09"));
	field_v6(&object, "c", BYTES("\x14"));
	field_v6(&object, "d", BYTES("\x15"));
	field_v6(&object, "e", BYTES("\x13\x17"));
	r = read_type(built(&object));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(type_of(&r, 0)->fields.list[i].type.code, codes[i]);
	reading_release(&r);
	builder_release(&object);
}

static void rejects_malformed_field_lists(void **state)
{
	static const struct literal lists[] = {
		{ "\x01\0\x03\0\x01"
		  "a",
		  6 }, /* a field of three bytes, two there */
		{ "\x02\0\x03\0\x01"
		  "a\x09",
		  7 },		       /* two fields, one there */
		{ "\xff\xff\0\0", 4 }, /* more than the row could hold */
		{ "\x01\0\x02\0\x01"
		  "a\x09",
		  7 }, /* a field that ends before its type */
		{ "\x01\0\x01\0\x05"
		  "abcd",
		  9 }, /* a name beyond its field */
		{ "\x01\0\x03\0\x01"
		  "a\x16",
		  7 }, /* a fixed array without an element */
		{ "\x01\0\x04\0\x01"
		  "a\x16\x09",
		  8 }, /* without its count */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++)
		expect_bad_kind(lists[i], BYTES(""));
}

static void rejects_fields_nested_too_deep(void **state)
{
	struct builder type = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		put_u8(&type, PP_TYPE_ARRAY);
	put_u8(&type, PP_TYPE_I32);
	expect_bad_type(built(&type));
	builder_release(&type);
}

static void reads_every_optional_part(void **state)
{
	struct builder optional = { 0 };
	const struct pp_kind *k;
	struct builder b;
	struct reading r;

	(void)state;
	put_bytes(&optional, BYTES("\x01\x14"));		     /* opcode 20 */
	put_bytes(&optional, BYTES("\x03\xff\0\xff\0\xff\0\xff\0")); /* keywords */
	put_bytes(&optional, BYTES("\x04\x07Hi {0}!\x05\x04"
				   "What")); /* message, description */
	put_bytes(&optional, BYTES("\x06\x02"
				   "k1\x02v1\x06\x02k2\x02v2")); /* pairs */
	put_bytes(&optional, BYTES("\x07" GUID));
	put_bytes(&optional, BYTES("\x08\x04\x09\x16")); /* level, version */
	b = trace_of_kind(BYTES("\0\0"), built(&optional));
	r = read_finished(&b);
	k = r.events[0].kind;
	assert_int_equal(k->opcode, 20);
	assert_int_equal(k->keywords, UINT64_C(0x00ff00ff00ff00ff));
	assert_string_equal(k->message, "Hi {0}!");
	assert_string_equal(k->description, "What");
	assert_int_equal(k->pair_count, 2);
	assert_string_equal(k->pairs[0].key, "k1");
	assert_string_equal(k->pairs[0].value, "v1");
	assert_string_equal(k->pairs[1].key, "k2");
	assert_string_equal(k->pairs[1].value, "v2");
	assert_memory_equal(k->provider_guid, GUID, 16);
	assert_int_equal(k->level, 4);
	assert_int_equal(k->version, 22);
	reading_release(&r);
	builder_release(&optional);
}

static void keeps_any_number_of_pairs(void **state)
{
	struct builder optional = { 0 };
	struct builder b;
	struct reading r;

	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		put_bytes(&optional, BYTES("\x06\x01"));
		put_u8(&optional, 'A' + i);
		put_u8(&optional, 0);
	}
	b = trace_of_kind(BYTES("\0\0"), built(&optional));
	r = read_finished(&b);
	assert_int_equal(r.events[0].kind->pair_count, 50);
	for (size_t i = 0; i < 50; i++) {
		assert_int_equal(r.events[0].kind->pairs[i].key[0], 'A' + i);
		assert_string_equal(r.events[0].kind->pairs[i].value, "");
	}
	reading_release(&r);
	builder_release(&optional);
}

static void rejects_malformed_optional_parts(void **state)
{
	(void)state;
	expect_bad_kind(BYTES("\0\0"), BYTES("\x02\0")); /* retired */
	expect_bad_kind(BYTES("\0\0"), BYTES("\x0a\0")); /* unknown */
	expect_bad_kind(BYTES("\0\0"), BYTES("\0\0"));	 /* unknown */
	expect_bad_kind(BYTES("\0\0"), BYTES("\x01"));	 /* no opcode */
	expect_bad_kind(BYTES("\0\0"), BYTES("\x04\x05"
					     "abc")); /* a text beyond the part */
	expect_bad_kind(BYTES("\0\0"), BYTES("\x07"
					     "a guid"));
}

/* The optional part is larger than its row. */
static void rejects_an_optional_part_larger_than_its_row(void **state)
{
	struct builder b = build_start(6);

	(void)state;
	build_metadata(&b);
	put_bytes(&b, BYTES("\x0a\0\x01\x01P\x0f\x01"
			    "E\0\0\x05\0"));
	build_close(&b);
	expect_error(&b, 0, "byte 68: an event definition is malformed");
}

/* In the block's header, after a field's type, after the optional part. */
static void skips_unknown_bytes(void **state)
{
	struct builder b = build_start(6);
	struct builder fields = { 0 };
	struct reading r;

	(void)state;
	put_u16(&fields, 2);
	field_v6(&fields, "a",
		 BYTES("\x07"
		       "four"));
	field_v6(&fields, "b",
		 BYTES("\x09"
		       "and eight"));
	build_block(&b, PART_METADATA);
	put_u16(&b, 17);
	put_bytes(&b, BYTES("17 bytes of what?"));
	kind(&b, .id = 1, .fields = built(&fields), .tail = BYTES("tail"));
	kind(&b, .id = 2, .name = "Next");
	build_close(&b);
	r = read_finished(&b);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->fields.count, 2);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->fields.list[0].type.code, PP_TYPE_I16);
	assert_int_equal(pp_nettrace_kind(r.trace, 0)->fields.list[1].type.code, PP_TYPE_I32);
	assert_string_equal(pp_nettrace_kind(r.trace, 1)->name, "Next");
	reading_release(&r);
	builder_release(&fields);
}

static void rejects_a_metadata_block_whose_parts_run_over(void **state)
{
	struct builder header = build_start(6);
	struct builder half = build_start(6);
	struct builder row = build_start(6);
	struct builder size = build_start(6);

	(void)state;
	build_block(&header, PART_METADATA);
	put_u16(&header, 1);
	build_close(&header);
	expect_error(&header, 0, "byte 68: the header of a metadata block is cut short");
	build_block(&half, PART_METADATA);
	put_u8(&half, 0);
	build_close(&half);
	expect_error(&half, 0, "byte 68: the header of a metadata block is cut short");
	build_metadata(&row);
	put_bytes(&row, BYTES("\x05\0\x01\0"));
	build_close(&row);
	expect_error(&row, 0, "byte 68: a row runs past the end of its block");
	build_metadata(&size);
	put_u8(&size, 5);
	build_close(&size);
	expect_error(&size, 0, "byte 68: a row runs past the end of its block");
}

static void refuses_to_define_an_id_twice(void **state)
{
	struct builder b = build_start(6);

	(void)state;
	build_metadata(&b);
	kind(&b, .id = 1);
	build_close(&b);
	assert_int_equal(b.size, 102);
	build_metadata(&b);
	kind(&b, .id = 1); /* even if identical */
	build_close(&b);
	expect_error(&b, 0, "byte 106: event definition 1 appears twice");
}

/* Two blocks with a sequence point between; the second may define `second` or nothing. */
static struct builder across_a_point(enum point_flags flags, const char *second)
{
	struct builder b = build_ready(6);

	event(&b, .kind = 1, .thread = 999, .ticks = 5);
	build_close(&b);
	build_point(&b, flags);
	if (second) {
		build_metadata(&b);
		kind(&b, .id = 1, .name = second);
		build_close(&b);
	}
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 999, .ticks = 6);
	build_close(&b);
	return b;
}

static void keeps_definitions_over_a_plain_sequence_point(void **state)
{
	struct builder b = across_a_point(KEEP_ALL, NULL);
	struct reading r = read_finished(&b);

	(void)state;
	expect_whole(&r, 2);
	assert_ptr_equal(r.events[0].kind, r.events[1].kind);
	reading_release(&r);
}

static void forgets_definitions_if_a_sequence_point_says_so(void **state)
{
	struct builder b = across_a_point(FORGET_METADATA_FLAG, "NewName");
	struct builder gone = across_a_point(FORGET_METADATA_FLAG, NULL);
	struct builder same = across_a_point(FORGET_METADATA_FLAG, "TestEvent1");
	struct reading r = read_finished(&b);
	char sentence[128];

	(void)state;
	expect_whole(&r, 2);
	assert_string_equal(r.events[0].kind->name, "TestEvent1");
	assert_string_equal(r.events[1].kind->name, "NewName");
	reading_release(&r);
	snprintf(sentence, sizeof(sentence), "byte %zu: an event of a kind that is not defined",
		 gone.size - 52);
	expect_error(&gone, 1, sentence);
	r = read_finished(&same);
	assert_ptr_equal(r.events[0].kind, r.events[1].kind);
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_three_definitions),
		cmocka_unit_test(makes_up_nothing_that_version_6_leaves_out),
		cmocka_unit_test(knows_every_simple_type),
		cmocka_unit_test(rejects_types_that_do_not_exist),
		cmocka_unit_test(reads_counted_arrays),
		cmocka_unit_test(reads_fixed_arrays),
		cmocka_unit_test(reads_locations_of_elements_of_fixed_size),
		cmocka_unit_test(rejects_locations_of_elements_of_varying_size),
		cmocka_unit_test(reads_an_object_and_the_field_after_it),
		cmocka_unit_test(reads_new_types_in_an_object),
		cmocka_unit_test(rejects_malformed_field_lists),
		cmocka_unit_test(rejects_fields_nested_too_deep),
		cmocka_unit_test(reads_every_optional_part),
		cmocka_unit_test(keeps_any_number_of_pairs),
		cmocka_unit_test(rejects_malformed_optional_parts),
		cmocka_unit_test(rejects_an_optional_part_larger_than_its_row),
		cmocka_unit_test(skips_unknown_bytes),
		cmocka_unit_test(rejects_a_metadata_block_whose_parts_run_over),
		cmocka_unit_test(refuses_to_define_an_id_twice),
		cmocka_unit_test(keeps_definitions_over_a_plain_sequence_point),
		cmocka_unit_test(forgets_definitions_if_a_sequence_point_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
