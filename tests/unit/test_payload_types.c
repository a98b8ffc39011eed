/* SPDX-License-Identifier: MIT */
/* Values of every metadata type, through the real reader. */
#include "payload_text.h"

/* A list of `count` fields, to be filled by field_v6() and field_v5(). */
static struct builder fields_v6(unsigned count)
{
	struct builder fields = { 0 };

	put_u16(&fields, count);
	return fields;
}

static void reads_whole_numbers(void **state)
{
	(void)state;
	expect_type(BYTES("\x05"), BYTES("\x80"), "f=-128");
	expect_type(BYTES("\x06"), BYTES("\xff"), "f=255u");
	expect_type(BYTES("\x07"), BYTES("\0\x80"), "f=-32768");
	expect_type(BYTES("\x08"), BYTES("\xff\xff"), "f=65535u");
	expect_type(BYTES("\x09"), BYTES("\xfe\xff\xff\xff"), "f=-2");
	expect_type(BYTES("\x0a"), BYTES("\xff\xff\xff\xff"), "f=4294967295u");
	expect_type(BYTES("\x0b"), BYTES("\0\0\0\0\0\0\0\x80"), "f=-9223372036854775808");
	expect_type(BYTES("\x0c"), BYTES("\xff\xff\xff\xff\xff\xff\xff\xff"),
		    "f=18446744073709551615u");
}

static void reads_real_numbers(void **state)
{
	(void)state;
	expect_type(BYTES("\x0d"), BYTES("\0\0\xc0\xbf"), "f=-1.5f");
	expect_type(BYTES("\x0e"), BYTES("\0\0\0\0\0\0\x19\x40"), "f=6.25d");
	expect_type(BYTES("\x0e"), BYTES("\0\0\0\0\0\0\xf0\x7f"), "f=infd");
}

static void reads_varints(void **state)
{
	struct builder fields = fields_v6(7);
	struct builder bytes = { 0 };

	(void)state;
	for (int i = 0; i < 4; i++)
		field_v6(&fields, "s", BYTES("\x14"));
	for (int i = 0; i < 3; i++)
		field_v6(&fields, "u", BYTES("\x15"));
	put_zigzag(&bytes, INT64_MIN);
	put_zigzag(&bytes, INT64_MAX);
	put_zigzag(&bytes, 0);
	put_zigzag(&bytes, -17982);
	put_varint(&bytes, 0);
	put_varint(&bytes, UINT64_MAX);
	put_varint(&bytes, 17982);
	expect_v6(&fields, built(&bytes),
		  "s=-9223372036854775808 s_2=9223372036854775807 s_3=0 s_4=-17982 "
		  "u=0u u_2=18446744073709551615u u_3=17982u");
	builder_release(&bytes);
	expect_type(BYTES("\x15"), BYTES("\x80"), "f=!is not a valid varint");
	expect_type(BYTES("\x14"), BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		    "f=!is not a valid varint");
}

static void reads_booleans(void **state)
{
	struct builder fields = fields_v6(2);

	(void)state;
	field_v6(&fields, "a", BYTES("\x07"));
	field_v6(&fields, "b", BYTES("\x03"));
	expect_v6(&fields, BYTES("\x0c\0\x01\0\0\0"), "a=12 b=true");
	expect_type(BYTES("\x03"), BYTES("\0\0\0\0"), "f=false");
	expect_type(BYTES("\x03"), BYTES("\0\x01\0\0"), "f=true");
	expect_type(BYTES("\x1a"), BYTES("\x01"), "f=true");
	expect_type(BYTES("\x1a"), BYTES("\0"), "f=false");
	expect_type(BYTES("\x13\x1a"), BYTES("\x03\0\x01\0\x01"), "f=[true false true]");
}

static void reads_a_guid(void **state)
{
	(void)state;
	expect_type(BYTES("\x11"),
		    BYTES("\x67\x45\x23\x01\xab\x89\xef\xcd\x01\x23\x45\x67"
			  "\x89\xab\xcd\xef"),
		    "f={01234567-89ab-cdef-0123-456789abcdef}");
}

/* 2024-02-29T12:34:56.789Z; the beginning of both calendars; the end. */
static void reads_a_date_as_unix_time(void **state)
{
	(void)state;
	expect_type(BYTES("\x10"), BYTES("\x50\x7c\xe6\xb3\x0b\x6b\xda\x01"),
		    "f=@17092100967890000");
	expect_type(BYTES("\x10"), BYTES("\x00\x80\x3e\xd5\xde\xb1\x9d\x01"), "f=@0");
	expect_type(BYTES("\x10"), BYTES("\0\0\0\0\0\0\0\0"), "f=@-116444736000000000");
	expect_type(BYTES("\x10"), BYTES("\xff\xff\xff\xff\xff\xff\xff\x7f"),
		    "f=@9106927300854775807");
}

/* Flags with the scale, then the high 32 bits, then the low 64. */
static void reads_a_decimal_exactly(void **state)
{
	(void)state;
	expect_type(BYTES("\x0f"), BYTES("\0\0\0\0\0\0\0\0\x7b\0\0\0\0\0\0\0"), "f=\"123\"");
	expect_type(BYTES("\x0f"), BYTES("\0\0\x02\x80\0\0\0\0\x7b\0\0\0\0\0\0\0"), "f=\"-1.23\"");
	expect_type(BYTES("\x0f"), BYTES("\0\0\x05\0\0\0\0\0\x7b\0\0\0\0\0\0\0"), "f=\"0.00123\"");
	expect_type(BYTES("\x0f"), BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "f=\"0\"");
	expect_type(BYTES("\x0f"),
		    BYTES("\0\0\0\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		    "f=\"-79228162514264337593543950335\"");
	expect_type(BYTES("\x0f"),
		    BYTES("\0\0\x1c\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		    "f=\"7.9228162514264337593543950335\"");
	expect_type(BYTES("\x0f"), BYTES("\0\0\x1d\0\0\0\0\0\x7b\0\0\0\0\0\0\0"),
		    "f=!is not a decimal number");
	expect_type(BYTES("\x0f"), BYTES("\x01\0\0\0\0\0\0\0\x7b\0\0\0\0\0\0\0"),
		    "f=!is not a decimal number");
}

static void reads_text_up_to_its_terminator(void **state)
{
	struct builder fields = fields_v6(3);

	(void)state;
	field_v6(&fields, "a", BYTES("\x12"));
	field_v6(&fields, "b", BYTES("\x12"));
	field_v6(&fields, "c", BYTES("\x06"));
	expect_v6(&fields, BYTES("a\0b\0c\0d\0e\0\xfc\0\0\0\0\0\x07"),
		  "a=\"abcde\xc3\xbc\" b=\"\" c=7u");
	expect_type(BYTES("\x12"), BYTES("\x3c\xd8\x89\xdf\0\0"), "f=\"\xf0\x9f\x8e\x89\"");
	expect_type(BYTES("\x12"), BYTES("\x3c\xd8\0\0"), "f=\"\xef\xbf\xbd\"");
	expect_type(BYTES("\x12"), BYTES("\x89\xdfx\0\0\0"), "f=\"\xef\xbf\xbdx\"");
	expect_type(BYTES("\x12"), BYTES("a\0b\0"), "f=!is a text without a terminator");
	expect_type(BYTES("\x12"), BYTES("a\0b\0\0"), "f=!is a text without a terminator");
	expect_type(BYTES("\x12"), BYTES("a\0b\0c\0d\0a\0b\0c\0d\0"),
		    "f=!is a text without a terminator");
}

static void reads_a_unit_of_text(void **state)
{
	(void)state;
	expect_type(BYTES("\x04"), BYTES("\xdf\0"), "f=\"\xc3\x9f\"");
	expect_type(BYTES("\x04"), BYTES("\0\xd8"), "f=\"\xef\xbf\xbd\"");
	expect_type(BYTES("\x17"), BYTES("A"), "f=\"A\"");
	expect_type(BYTES("\x17"), BYTES("\xe4"), "f=\"\xef\xbf\xbd\"");
}

static void reads_counted_arrays(void **state)
{
	struct builder fields = fields_v6(4);

	(void)state;
	field_v6(&fields, "numbers", BYTES("\x13\x09"));
	field_v6(&fields, "utf8", BYTES("\x13\x17"));
	field_v6(&fields, "utf16", BYTES("\x13\x04"));
	field_v6(&fields, "texts", BYTES("\x13\x13\x04"));
	expect_v6(&fields,
		  BYTES("\x03\0\x01\0\0\0\xfe\xff\xff\xff\x03\0\0\0"
			"\x05\0Hello"
			"\x03\0a\0\xe4\0!\0"
			"\x02\0\x01\0x\0\0\0"),
		  "numbers=[1 -2 3] utf8=\"Hello\" utf16=\"a\xc3\xa4!\" texts=[\"x\" \"\"]");
	expect_type(BYTES("\x13\x17"), BYTES("\x04\0\xc3\xa4\xff!"), "f=\"\xc3\xa4\xef\xbf\xbd!\"");
	expect_type(BYTES("\x13\x06"), BYTES("\x03\0\x01\x02\xff"), "f=<0102ff>");
	expect_type(BYTES("\x13\x06"), BYTES("\0\0"), "f=<>");
	expect_type(BYTES("\x13\x05"), BYTES("\x02\0\xff\x01"), "f=[-1 1]");
	expect_type(BYTES("\x13\x09"), BYTES("\0\0"), "f=[]");
	expect_type(BYTES("\x13\x17"), BYTES("\0\0"), "f=\"\"");
	expect_type(BYTES("\x13\x04"), BYTES("\0\0"), "f=\"\"");
	expect_type(BYTES("\x13\x12"), BYTES("\x02\0a\0\0\0\0\0"), "f=[\"a\" \"\"]");
	expect_type(BYTES("\x13\x13\x0d"), BYTES("\x02\0\x01\0\0\0\x80\x3f\0\0"), "f=[[1f] []]");
}

/* Type bytes: 22, the element's type, the count. */
static void reads_fixed_arrays(void **state)
{
	struct builder fields = fields_v6(5);

	(void)state;
	field_v6(&fields, "numbers", BYTES("\x16\x09\x03\0"));
	field_v6(&fields, "utf8", BYTES("\x16\x17\x03\0"));
	field_v6(&fields, "utf16", BYTES("\x16\x04\x03\0"));
	field_v6(&fields, "texts", BYTES("\x16\x13\x04\x02\0"));
	field_v6(&fields, "bytes", BYTES("\x16\x06\x02\0"));
	expect_v6(&fields,
		  BYTES("\x01\0\0\0\xfe\xff\xff\xff\x03\0\0\0"
			"abc"
			"d\0\xe4\0f\0"
			"\x01\0x\0\0\0"
			"\xfe\xff"),
		  "numbers=[1 -2 3] utf8=\"abc\" utf16=\"d\xc3\xa4"
		  "f\" texts=[\"x\" \"\"] bytes=<feff>");
	expect_type(BYTES("\x16\x09\0\0"), BYTES("\x01\0"), "f=[]");
	expect_type(BYTES("\x16\x09\0\0"), BYTES(""), "f=[]");
	expect_type(BYTES("\x16\x17\0\0"), BYTES(""), "f=\"\"");
	expect_type(BYTES("\x16\x04\0\0"), BYTES(""), "f=\"\"");
	expect_type(BYTES("\x16\x06\0\0"), BYTES(""), "f=<>");
	/* a text of a fixed size is padded */
	expect_type(BYTES("\x16\x17\x06\0"), BYTES("abc\0\0\0"), "f=\"abc\"");
}

/* Words are size << 16 | position: 12@16, 8@32, 5@28, 10@45; data at 20, 32, 40, 45. */
static void reads_values_at_a_location(void **state)
{
	struct builder fields = fields_v6(4);
	struct builder bytes = { 0 };

	(void)state;
	field_v6(&fields, "a", BYTES("\x18\x09"));
	field_v6(&fields, "b", BYTES("\x19\x09"));
	field_v6(&fields, "c", BYTES("\x18\x17"));
	field_v6(&fields, "d", BYTES("\x19\x04"));
	put_u32(&bytes, 12 << 16 | 16);
	put_u32(&bytes, 8 << 16 | 32);
	put_u32(&bytes, 5 << 16 | 28);
	put_u32(&bytes, 10 << 16 | 45);
	put_zeros(&bytes, 4);
	put_bytes(&bytes, BYTES("\x01\0\0\0\x02\0\0\0\x03\0\0\0"));
	put_bytes(&bytes, BYTES("\x04\0\0\0\x05\0\0\0"));
	put_bytes(&bytes, BYTES("Hello"));
	put_bytes(&bytes, BYTES("W\0o\0r\0l\0d\0"));
	expect_v6(&fields, built(&bytes), "a=[1 2 3] b=[4 5] c=\"Hello\" d=\"World\"");
	builder_release(&bytes);
}

static void continues_after_a_location(void **state)
{
	struct builder fields = fields_v6(3);
	struct builder object = { 0 };

	(void)state;
	put_bytes(&object, BYTES("\x19\x01\x02\0"));
	field_v6(&object, "x", BYTES("\x06"));
	field_v6(&object, "y", BYTES("\x07"));
	field_v6(&fields, "points", built(&object));
	field_v6(&fields, "bytes", BYTES("\x18\x06"));
	field_v6(&fields, "last", BYTES("\x06"));
	expect_v6(&fields, BYTES("\x09\0\x06\0\x03\0\x02\0\x2a\x01\x02\0\x03\x04\0"),
		  "points=[(x=1u y=2) (x=3u y=4)] bytes=<0003> last=42u");
	builder_release(&object);
}

static void says_that_a_location_is_bad(void **state)
{
	static const char *const outside = "f=!lies outside the payload";
	static const char *const uneven =
		"f=!has a size that is not a multiple of its element size";

	(void)state;
	expect_type(BYTES("\x19\x09"), BYTES("\x64\0\x04\0zzzz"), outside);
	expect_type(BYTES("\x19\x09"), BYTES("\x04\0\x03\0zzzz"), uneven);
	expect_type(BYTES("\x18\x09"), BYTES("\x64\0\x04\0zzzz"), outside);
	expect_type(BYTES("\x18\x09"), BYTES("\0\0\x03\0zzzz"), uneven);
	expect_type(BYTES("\x18\x17"), BYTES("\x04\0\x01\0zzzz"), outside);
	expect_type(BYTES("\x19\x17"), BYTES("\x08\0\x01\0zzzz"), outside);
	expect_type(BYTES("\x19\x17"), BYTES("\x08\0\0\0zzzz"), "f=\"\"");
	/* objects without size, and some bytes of them */
	expect_type(BYTES("\x19\x01\0\0"), BYTES("\x04\0\x02\0zzzz"), uneven);
	expect_type(BYTES("\x19\x01\0\0"), BYTES("\x04\0\0\0zzzz"), "f=[]");
}

static void reads_objects(void **state)
{
	struct builder fields = fields_v6(2);
	struct builder object = { 0 };

	(void)state;
	put_bytes(&object, BYTES("\x01\x02\0"));
	field_v6(&object, "a", BYTES("\x09"));
	field_v6(&object, "b", BYTES("\x06"));
	field_v6(&fields, "object", built(&object));
	field_v6(&fields, "truth", BYTES("\x03"));
	expect_v6(&fields, BYTES("\x03\0\0\0\x13\x01\0\0\0"), "object=(a=3 b=19u) truth=true");
	builder_release(&object);
}

static void reads_all_types_in_an_object(void **state)
{
	struct builder fields = fields_v6(3);
	struct builder object = { 0 };

	(void)state;
	put_bytes(&object, BYTES("\x01\x05\0"));
	field_v6(&object, "truth", BYTES("\x1a"));
	field_v6(&object, "number", BYTES("\x09"));
	field_v6(&object, "signed", BYTES("\x14"));
	field_v6(&object, "unsigned", BYTES("\x15"));
	field_v6(&object, "text", BYTES("\x13\x17"));
	field_v6(&fields, "truths", BYTES("\x13\x1a"));
	field_v6(&fields, "object", built(&object));
	field_v6(&fields, "empty", BYTES("\x01\0\0"));
	expect_v6(&fields, BYTES("\x02\0\x01\0\x01\xb8\0\0\0\x03\x7f\x02\0hi"),
		  "truths=[true false] object=(truth=true number=184 signed=-2 unsigned=127u "
		  "text=\"hi\") empty=()");
	builder_release(&object);
}

static void reads_arrays_of_objects(void **state)
{
	struct builder fields = fields_v6(2);
	struct builder object = { 0 };

	(void)state;
	put_bytes(&object, BYTES("\x13\x01\x02\0"));
	field_v6(&object, "k", BYTES("\x12"));
	field_v6(&object, "v", BYTES("\x13\x07"));
	field_v6(&fields, "pairs", built(&object));
	field_v6(&fields, "last", BYTES("\x06"));
	expect_v6(&fields, BYTES("\x02\0a\0\0\0\x01\0\x05\0b\0\0\0\0\0\x09"),
		  "pairs=[(k=\"a\" v=[5]) (k=\"b\" v=[])] last=9u");
	builder_release(&object);
}

static void reads_the_list_of_the_older_versions(void **state)
{
	struct builder fields = { 0 };

	(void)state;
	put_u32(&fields, 3);
	field_v1(&fields, "a", 9);
	field_v1(&fields, "b", 18);
	field_v1(&fields, "c", 17);
	expect_v5(&fields,
		  BYTES("\x07\0\0\0h\0i\0\0\0"
			"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
		  "a=7 b=\"hi\" c={00000000-0000-0000-0000-000000000000}");
}

/* The tag of version 5, whose size does not include its type. */
static void reads_the_list_in_a_tag(void **state)
{
	struct builder fields = { 0 };
	struct builder list = { 0 };

	(void)state;
	put_u32(&list, 2);
	field_v5(&list, "units", BYTES("\x13\0\0\0\x04\0\0\0"));
	field_v5(&list, "numbers", BYTES("\x13\0\0\0\x0c\0\0\0"));
	put_u32(&fields, 0);
	put_u32(&fields, (uint32_t)list.size);
	put_u8(&fields, 2);
	put_built(&fields, &list);
	expect_v5(&fields, BYTES("\x02\0o\0k\0\x01\0\x01\0\0\0\0\0\0\0"),
		  "units=\"ok\" numbers=[1u]");
}

static void gives_fields_of_one_name_distinct_names(void **state)
{
	struct builder fields = fields_v6(4);

	(void)state;
	field_v6(&fields, "a", BYTES("\x07"));
	field_v6(&fields, "a", BYTES("\x07"));
	field_v6(&fields, "a_2", BYTES("\x07"));
	field_v6(&fields, "a", BYTES("\x07"));
	expect_v6(&fields, BYTES("\x01\0\x02\0\x03\0\x04\0"), "a=1 a_3=2 a_2=3 a_4=4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_whole_numbers),
		cmocka_unit_test(reads_real_numbers),
		cmocka_unit_test(reads_varints),
		cmocka_unit_test(reads_booleans),
		cmocka_unit_test(reads_a_guid),
		cmocka_unit_test(reads_a_date_as_unix_time),
		cmocka_unit_test(reads_a_decimal_exactly),
		cmocka_unit_test(reads_text_up_to_its_terminator),
		cmocka_unit_test(reads_a_unit_of_text),
		cmocka_unit_test(reads_counted_arrays),
		cmocka_unit_test(reads_fixed_arrays),
		cmocka_unit_test(reads_values_at_a_location),
		cmocka_unit_test(continues_after_a_location),
		cmocka_unit_test(says_that_a_location_is_bad),
		cmocka_unit_test(reads_objects),
		cmocka_unit_test(reads_all_types_in_an_object),
		cmocka_unit_test(reads_arrays_of_objects),
		cmocka_unit_test(reads_the_list_of_the_older_versions),
		cmocka_unit_test(reads_the_list_in_a_tag),
		cmocka_unit_test(gives_fields_of_one_name_distinct_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
