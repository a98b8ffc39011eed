/* SPDX-License-Identifier: MIT */
/* Payloads that end early, lie about their counts, or are not what the metadata says. */
#include <stdlib.h>
#include <time.h>

#include "payload_text.h"

#define LIST(array)                                                                                \
	{                                                                                          \
		(array), COUNT(array)                                                              \
	}

static const struct pp_type i32 = { .code = PP_TYPE_I32 };
static const struct pp_type boolean = { .code = PP_TYPE_BOOL32 };
static const struct pp_type utf8_unit = { .code = PP_TYPE_UTF8_UNIT };
static const struct pp_type utf16z = { .code = PP_TYPE_UTF16Z };
static const struct pp_type nothing = { .code = PP_TYPE_OBJECT };

#define FIELD(name_, code_)                                                                        \
	{                                                                                          \
		.name = (name_), .type = {.code = (code_) }                                        \
	}
#define ARRAY(name_, of)                                                                           \
	{                                                                                          \
		.name = (name_), .type = {.code = PP_TYPE_ARRAY, .element = &(of) }                \
	}

static void expect_fields(struct pp_fields fields, struct literal bytes, const char *text)
{
	const struct pp_kind kind = { .provider = "P", .name = "E", .fields = fields };

	expect_payload(&kind, bytes, text);
}

static void returns_null_for_fields_after_the_end(void **state)
{
	static const struct pp_field list[] = { FIELD("a", PP_TYPE_I32), FIELD("b", PP_TYPE_I64),
						FIELD("c", PP_TYPE_UTF16Z), ARRAY("d", i32),
						FIELD("e", PP_TYPE_VARINT) };

	(void)state;
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05\0\0\0"),
		      "a=5 b=null c=null d=null e=null");
	expect_fields((struct pp_fields)LIST(list), BYTES(""),
		      "a=null b=null c=null d=null e=null");
}

static void says_which_field_is_truncated(void **state)
{
	static const struct pp_field list[] = { FIELD("a", PP_TYPE_I32), FIELD("b", PP_TYPE_I64),
						FIELD("c", PP_TYPE_U8) };

	(void)state;
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05\0\0\0\x01"),
		      "a=5 b=!is cut short c=null");
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05\0\0"),
		      "a=!is cut short b=null c=null");
}

static void ignores_bytes_after_the_last_field(void **state)
{
	static const struct pp_field list[] = { FIELD("a", PP_TYPE_U8) };

	(void)state;
	expect_fields((struct pp_fields)LIST(list), BYTES("\xff\0\0\0"), "a=255u");
}

static void says_where_an_object_is_truncated(void **state)
{
	static const struct pp_field inside[] = { FIELD("x", PP_TYPE_UTF16Z),
						  FIELD("y", PP_TYPE_I32),
						  FIELD("z", PP_TYPE_I32) };
	static const struct pp_type object = { .code = PP_TYPE_OBJECT, .fields = LIST(inside) };
	const struct pp_field list[] = { { .name = "o", .type = object } };
	static const struct pp_field lists[] = { ARRAY("o", object), FIELD("last", PP_TYPE_U8) };

	(void)state;
	expect_fields((struct pp_fields)LIST(list), BYTES("a\0b\0c\0\0\0\x01\0\0\0"),
		      "o=(x=\"abc\" y=1 z=!is cut short)");
	expect_fields((struct pp_fields)LIST(list), BYTES("a\0b\0c\0d\0\0\0"),
		      "o=(x=\"abcd\" y=!is cut short z=null)");
	expect_fields((struct pp_fields)LIST(list), BYTES("a\0"),
		      "o=(x=!is a text without a terminator y=null z=null)");
	expect_fields((struct pp_fields)LIST(list), BYTES(""), "o=null");
	/* in the second of two, so that fields after them cannot be found */
	expect_fields((struct pp_fields)LIST(lists),
		      BYTES("\x02\0a\0b\0c\0\0\0\x01\0\0\0\x02\0\0\0d\0\0\0\x07\0"),
		      "o=[(x=\"abc\" y=1 z=2) (x=\"d\" y=!is cut short z=null)] last=null");
}

static void rejects_counts_that_the_bytes_cannot_hold(void **state)
{
	static const struct pp_type text = { .code = PP_TYPE_ARRAY, .element = &utf8_unit };
	static const struct pp_field utf8[] = { ARRAY("f", utf8_unit) };
	static const struct pp_field numbers[] = { ARRAY("f", i32), FIELD("g", PP_TYPE_U8) };
	static const struct pp_field texts[] = { ARRAY("f", text) };
	static const struct pp_field zeros[] = { ARRAY("f", utf16z) };

	(void)state;
	expect_fields((struct pp_fields)LIST(utf8), BYTES("\x01"), "f=!is cut short");
	expect_fields((struct pp_fields)LIST(numbers), BYTES("\x01"), "f=!is cut short g=null");
	expect_fields((struct pp_fields)LIST(texts), BYTES("\x03\0\0\0\0"),
		      "f=!claims more elements than there are bytes");
	expect_fields((struct pp_fields)LIST(numbers), BYTES("\x02\0\x01\0\0\0\x02\0\0"),
		      "f=!claims more elements than there are bytes g=null");
	expect_fields((struct pp_fields)LIST(zeros),
		      BYTES("\xff\xff"
			    "a\0\0\0"),
		      "f=!claims more elements than there are bytes");
	/* they could hold three, but the first uses all */
	expect_fields((struct pp_fields)LIST(zeros), BYTES("\x03\0a\0b\0\0\0"),
		      "f=[\"ab\" !is cut short]");
}

static double seconds_for(const struct pp_kind *kind, struct literal bytes)
{
	const clock_t start = clock();
	struct plans plans = { 0 };

	free(payload_text(plans_for(&plans, kind), bytes, 8));
	plans_release(&plans);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Four times 65535 elements without bytes; objects with many fields in them; two bytes each. */
static void ends_where_elements_take_no_bytes(void **state)
{
	static struct pp_field empty_arrays[1000];
	static const struct pp_type none = { .code = PP_TYPE_FIXED_ARRAY, .element = &i32 };
	struct pp_type a = { .code = PP_TYPE_FIXED_ARRAY, .element = &nothing, .count = 65535 };
	struct pp_type b = { .code = PP_TYPE_FIXED_ARRAY, .element = &a, .count = 65535 };
	struct pp_type wide = { .code = PP_TYPE_OBJECT, .fields = LIST(empty_arrays) };
	const struct pp_field deep[] = { ARRAY("f", b) };
	const struct pp_field broad[] = { ARRAY("f", wide) };
	const struct pp_kind kinds[] = {
		{ .provider = "P", .name = "E", .fields = LIST(deep) },
		{ .provider = "P", .name = "E", .fields = LIST(broad) },
	};
	const struct pp_field small[] = { ARRAY("f", nothing) };

	(void)state;
	for (size_t i = 0; i < COUNT(empty_arrays); i++)
		empty_arrays[i] = (struct pp_field){ "e", none };
	for (size_t i = 0; i < COUNT(kinds); i++)
		assert_true(seconds_for(&kinds[i], BYTES("\xff\xff\0\0\0\0\0\0")) < 5);
	expect_fields((struct pp_fields)LIST(small), BYTES("\x03\0"), "f=[() () ()]");
	expect_fields((struct pp_fields)LIST(small), BYTES("\xff\xff"),
		      "f=!claims more elements than can be shown");
}

/* Every location covers all bytes, which contain locations that do the same. */
static void ends_where_locations_share_bytes(void **state)
{
	struct pp_type types[12] = { { .code = PP_TYPE_DATA_LOC, .element = &i32 } };
	struct pp_field list[] = { { .name = "f" } };
	struct pp_kind kind = { .provider = "P", .name = "E", .fields = LIST(list) };
	struct builder bytes = { 0 };

	(void)state;
	for (size_t i = 1; i < COUNT(types); i++)
		types[i] = (struct pp_type){ .code = PP_TYPE_DATA_LOC, .element = &types[i - 1] };
	list[0].type = types[COUNT(types) - 1];
	for (int i = 0; i < 8192; i++)
		put_u32(&bytes, 32768u << 16);
	assert_true(seconds_for(&kind, built(&bytes)) < 5);
	builder_release(&bytes);
}

static void limits_the_depth_of_types(void **state)
{
	struct pp_type types[PLAN_DEEPEST + 1] = { { .code = PP_TYPE_U8 } };
	struct pp_field list[] = { { .name = "f" } };

	(void)state;
	for (size_t i = 1; i < COUNT(types); i++)
		types[i] = (struct pp_type){ .code = PP_TYPE_FIXED_ARRAY,
					     .element = &types[i - 1],
					     .count = 1 };
	list[0].type = types[3];
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05"), "f=[[<05>]]");
	list[0].type = types[PLAN_DEEPEST];
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05"), "payload=<05>");
	list[0].type = (struct pp_type){ .code = 99 };
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05"), "payload=<05>");
}

/* Metadata is the same for both: the one that ends with the payload is right. */
static void distinguishes_booleans_of_one_byte_from_those_of_four(void **state)
{
	static const struct pp_field array[] = { ARRAY("f", boolean) };
	static const struct pp_field mixed[] = { FIELD("a", PP_TYPE_I32),
						 FIELD("b", PP_TYPE_UTF16Z),
						 FIELD("c", PP_TYPE_BOOL32),
						 FIELD("d", PP_TYPE_I64) };
	static const struct pp_field two[] = { FIELD("a", PP_TYPE_BOOL32),
					       FIELD("b", PP_TYPE_BOOL32),
					       FIELD("c", PP_TYPE_UTF16Z) };

	(void)state;
	expect_fields((struct pp_fields)LIST(array), BYTES("\x03\0\x01\0\x01"),
		      "f=[true false true]");
	expect_fields((struct pp_fields)LIST(array), BYTES("\x02\0\x01\0\0\0\0\0\0\0"),
		      "f=[true false]");
	expect_fields((struct pp_fields)LIST(array), BYTES("\0\0"), "f=[]");
	expect_fields((struct pp_fields)LIST(mixed),
		      BYTES("\x01\0\0\0x\0\0\0\x01\x02\0\0\0\0\0\0\0"), "a=1 b=\"x\" c=true d=2");
	expect_fields((struct pp_fields)LIST(mixed),
		      BYTES("\x01\0\0\0x\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0"),
		      "a=1 b=\"x\" c=true d=2");
	/* both end with the payload, but 0x00620061 is not a boolean */
	expect_fields((struct pp_fields)LIST(two), BYTES("\x01\0a\0b\0c\0d\0\0\0"),
		      "a=true b=false c=\"abcd\"");
	expect_fields((struct pp_fields)LIST(two), BYTES("\x01\0\0\0\0\0\0\0a\0\0\0"),
		      "a=true b=false c=\"a\"");
}

static void assumes_booleans_of_four_bytes_in_doubt(void **state)
{
	static const struct pp_field list[] = { FIELD("a", PP_TYPE_BOOL32),
						FIELD("b", PP_TYPE_U8) };

	(void)state;
	expect_fields((struct pp_fields)LIST(list), BYTES("\x01\0\0\0\x07"), "a=true b=7u");
	expect_fields((struct pp_fields)LIST(list), BYTES("\x01\0\0\0"), "a=true b=null");
	expect_fields((struct pp_fields)LIST(list), BYTES("\x01\0\0\0\x07\0\0\0"), "a=true b=7u");
	expect_fields((struct pp_fields)LIST(list), BYTES("\x05\x07"), "a=!is cut short b=null");
	expect_fields((struct pp_fields)LIST(list), BYTES("\x01\x07"), "a=true b=7u");
}

static void shows_the_bytes_of_undescribed_events(void **state)
{
	const struct pp_kind kind = { .provider = "P", .name = "E", .id = 7 };

	(void)state;
	expect_payload(&kind, BYTES("\x05\0\xff"), "payload=<0500ff>");
	expect_payload(&kind, BYTES(""), "");
}

static void knows_what_diagnostic_source_writes(void **state)
{
	static const struct pp_field own[] = { FIELD("Own", PP_TYPE_UTF16Z) };
	struct pp_kind kind = { .provider = "Microsoft-Diagnostics-DiagnosticSource",
				.name = "Activity1Start" };

	(void)state;
	expect_payload(&kind,
		       BYTES("S\0\0\0E\0\0\0\x02\0k\0\0\0v\0\0\0"
			     "l\0\0\0\0\0"),
		       "SourceName=\"S\" EventName=\"E\" Arguments=[(Key=\"k\" Value=\"v\") "
		       "(Key=\"l\" Value=\"\")]");
	kind.name = "RecursiveActivity1Stop";
	expect_payload(&kind, BYTES("S\0\0\0E\0\0\0\0\0"),
		       "SourceName=\"S\" EventName=\"E\" Arguments=[]");
	kind.fields = (struct pp_fields)LIST(own);
	expect_payload(&kind, BYTES("S\0\0\0"), "Own=\"S\"");
	kind = (struct pp_kind){ .provider = kind.provider, .name = "Message" };
	expect_payload(&kind, BYTES("S\0"), "payload=<5300>");
}

/* Its metadata declares a text of many bytes as a single unit. */
static void knows_what_universal_system_writes(void **state)
{
	static const struct pp_field wrong[] = { FIELD("Id", PP_TYPE_VARUINT),
						 FIELD("Name", PP_TYPE_UTF8_UNIT) };
	static const struct {
		uint32_t id;
		struct literal bytes;
		const char *text;
	} cases[] = {
		{ 0,
		  { "\x05\x02\0sh\x01\0n", 8 },
		  "NamespaceId=5u Name=\"sh\" NamespaceName=\"n\"" },
		{ 1, { "\x05\x02\0sh\0\0", 7 }, "NamespaceId=5u Name=\"sh\" NamespaceName=\"\"" },
		{ 2, { "", 0 }, "Id=null Name=null" },
		{ 3,
		  { "\x01\x80\x02\x80\x04\x07\x03\0a.b\x09\x01\0x\0\0", 16 },
		  "Id=1u StartAddress=256u EndAddress=512u FileOffset=7u FileName=\"a.b\" "
		  "MetadataId=9u" },
		{ 4,
		  { "\x01\x02\x03\x04\x01\0m", 7 },
		  "Id=1u MappingId=2u StartAddress=3u EndAddress=4u Name=\"m\"" },
		{ 5,
		  { "\x01\x02\0{}\x02\0{}", 9 },
		  "Id=1u SymbolMetadata=\"{}\" VersionMetadata=\"{}\"" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct pp_kind kind = { .provider = "Universal.System",
					      .name = "E",
					      .id = cases[i].id,
					      .fields = LIST(wrong) };

		expect_payload(&kind, cases[i].bytes, cases[i].text);
	}
}

static void makes_a_plan_once_for_each_kind(void **state)
{
	static const struct pp_field list[] = { FIELD("a", PP_TYPE_U8) };
	struct plans plans = { 0 };
	struct pp_kind kinds[3] = { { .provider = "", .name = "" } };
	const struct payload_plan *first;

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++)
		kinds[i] = (struct pp_kind){ .index = 100 * i, .provider = "P", .name = "E" };
	kinds[1].fields = (struct pp_fields)LIST(list);
	first = plans_for(&plans, &kinds[0]);
	assert_ptr_not_equal(first, plans_for(&plans, &kinds[2]));
	assert_string_equal(plans_for(&plans, &kinds[1])->fields[0].value.name, "a");
	assert_ptr_equal(first, plans_for(&plans, &kinds[0]));
	plans_release(&plans);
	plans_release(&plans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_null_for_fields_after_the_end),
		cmocka_unit_test(says_which_field_is_truncated),
		cmocka_unit_test(ignores_bytes_after_the_last_field),
		cmocka_unit_test(says_where_an_object_is_truncated),
		cmocka_unit_test(rejects_counts_that_the_bytes_cannot_hold),
		cmocka_unit_test(ends_where_elements_take_no_bytes),
		cmocka_unit_test(ends_where_locations_share_bytes),
		cmocka_unit_test(limits_the_depth_of_types),
		cmocka_unit_test(distinguishes_booleans_of_one_byte_from_those_of_four),
		cmocka_unit_test(assumes_booleans_of_four_bytes_in_doubt),
		cmocka_unit_test(shows_the_bytes_of_undescribed_events),
		cmocka_unit_test(knows_what_diagnostic_source_writes),
		cmocka_unit_test(knows_what_universal_system_writes),
		cmocka_unit_test(makes_a_plan_once_for_each_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
