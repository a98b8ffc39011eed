/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cursor.h"

#define OVER(text) cursor_over((text), sizeof(text) - 1)

static void reads_little_endian_numbers(void **state)
{
	struct cursor c = OVER("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
			       "\xff\xff\xff\xff\xfe\xff\xff\xff\xff\xff\xff\xff");

	(void)state;
	assert_int_equal(cursor_u8(&c), 0x01);
	assert_int_equal(cursor_u16(&c), 0x0302);
	assert_int_equal(cursor_u32(&c), 0x07060504);
	assert_int_equal(cursor_u64(&c), UINT64_C(0x0f0e0d0c0b0a0908));
	assert_int_equal(cursor_i32(&c), -1);
	assert_int_equal(cursor_i64(&c), -2);
	assert_int_equal(cursor_left(&c), 0);
	assert_false(c.failed);
}

static void reads_signed_bytes(void **state)
{
	struct cursor c = OVER("\x00\x7f\x80\xff");

	(void)state;
	assert_int_equal(cursor_i8(&c), 0);
	assert_int_equal(cursor_i8(&c), 127);
	assert_int_equal(cursor_i8(&c), -128);
	assert_int_equal(cursor_i8(&c), -1);
	assert_int_equal(cursor_i8(&c), 0); /* past the end */
	assert_true(c.failed);
}

static void reads_signed_leb(void **state)
{
	struct cursor c = OVER("\x00\x3f\x40\x7f\xff\x00\x80\x7f\x80");

	(void)state;
	assert_int_equal(cursor_sleb64(&c), 0);
	assert_int_equal(cursor_sleb64(&c), 63);
	assert_int_equal(cursor_sleb64(&c), -64);
	assert_int_equal(cursor_sleb64(&c), -1);
	assert_int_equal(cursor_sleb64(&c), 127);
	assert_int_equal(cursor_sleb64(&c), -128);
	assert_int_equal(cursor_sleb64(&c), 0);
	assert_true(c.failed);
}

static void fails_at_the_end_and_stays_failed(void **state)
{
	struct cursor c = OVER("\x01\x02\x03");

	(void)state;
	assert_int_equal(cursor_u16(&c), 0x0201);
	assert_int_equal(cursor_u32(&c), 0); /* one byte of four is available */
	assert_true(c.failed);
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_u8(&c), 0); /* that byte is consumed */
	assert_int_equal(cursor_u16(&c), 0);
	assert_int_equal(cursor_u64(&c), 0);
	assert_int_equal(cursor_varint32(&c), 0);
	assert_int_equal(cursor_varint64(&c), 0);
	assert_int_equal(cursor_zigzag64(&c), 0);
	assert_null(cursor_bytes(&c, 1));
}

/* Nothing can be read from a failed cursor, not even zero bytes. */
static void returns_no_empty_part_once_it_has_failed(void **state)
{
	struct cursor c = OVER("\x01");
	char copy[2] = "x";

	(void)state;
	cursor_u16(&c);
	assert_null(cursor_bytes(&c, 0));
	assert_true(cursor_within(&c, 0).failed);
	cursor_copy(&c, copy, 1);
	assert_int_equal(copy[0], 0);
}

static void can_be_made_to_fail(void **state)
{
	struct cursor c = OVER("abc");

	(void)state;
	cursor_fail(&c);
	assert_true(c.failed);
	assert_int_equal(cursor_u8(&c), 0);
}

static void returns_bytes_in_place(void **state)
{
	static const char text[] = "abcdef";
	struct cursor c = cursor_over(text, 6);

	(void)state;
	assert_ptr_equal(cursor_bytes(&c, 2), text);
	assert_ptr_equal(cursor_bytes(&c, 0), text + 2);
	assert_ptr_equal(cursor_bytes(&c, 4), text + 2);
	assert_ptr_equal(cursor_bytes(&c, 0), text + 6);
	assert_false(c.failed);
	assert_null(cursor_bytes(&c, SIZE_MAX));
	assert_true(c.failed);
}

static void confines_a_cursor_to_a_part(void **state)
{
	struct cursor c = OVER("abcdef");
	struct cursor part = cursor_within(&c, 2);
	struct cursor rest;

	(void)state;
	assert_int_equal(cursor_u8(&part), 'a');
	assert_int_equal(cursor_u16(&part), 0); /* does not see what follows */
	assert_true(part.failed);
	assert_false(c.failed);
	assert_int_equal(cursor_u8(&c), 'c');
	rest = cursor_within(&c, 4);
	assert_true(rest.failed);
	assert_true(c.failed);
	assert_int_equal(cursor_left(&rest), 0);
}

static void copies_zeros_where_bytes_are_missing(void **state)
{
	struct cursor c = OVER("abc");
	char copy[4];

	(void)state;
	cursor_copy(&c, copy, 2);
	assert_memory_equal(copy, "ab", 2);
	cursor_copy(&c, copy, 4);
	assert_memory_equal(copy, "\0\0\0\0", 4);
	assert_true(c.failed);
}

static void is_empty_over_nothing(void **state)
{
	struct cursor c = cursor_over(NULL, 0);

	(void)state;
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_u8(&c), 0);
	assert_true(c.failed);
}

static void reads_varints(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		uint64_t value;
	} cases[] = {
		{ "\0", 1, 0 },
		{ "\x7f", 1, 127 },
		{ "\x80\x01", 2, 128 },
		{ "\xe5\x8e\x26", 3, 624485 },
		{ "\xff\xff\xff\xff\x0f", 5, UINT32_MAX },
		{ "\x80\x80\x80\x80\0", 5, 0 }, /* overlong */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cursor narrow = cursor_over(cases[i].bytes, cases[i].size);
		struct cursor wide = narrow;

		assert_int_equal(cursor_varint32(&narrow), cases[i].value);
		assert_int_equal(cursor_varint64(&wide), cases[i].value);
		assert_int_equal(cursor_left(&narrow), 0);
		assert_int_equal(cursor_left(&wide), 0);
		assert_false(narrow.failed);
		assert_false(wide.failed);
	}
}

static void drops_bits_beyond_the_width(void **state)
{
	struct cursor narrow = OVER("\xff\xff\xff\xff\x7f");
	struct cursor wide = OVER("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f");

	(void)state;
	assert_int_equal(cursor_varint32(&narrow), UINT32_MAX);
	assert_int_equal(cursor_varint64(&wide), UINT64_MAX);
	assert_false(narrow.failed);
	assert_false(wide.failed);
}

static void fails_on_varints_that_do_not_end(void **state)
{
	struct cursor narrow = OVER("\x80\x80\x80\x80\x80\x01");
	struct cursor wide = OVER("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01");
	struct cursor cut = OVER("\xff\xff");

	(void)state;
	assert_int_equal(cursor_varint32(&narrow), 0);
	assert_true(narrow.failed);
	assert_int_equal(cursor_varint64(&wide), 0);
	assert_true(wide.failed);
	assert_int_equal(cursor_varint64(&cut), 0); /* not the part that was available */
	assert_true(cut.failed);
}

static void reads_signed_varints(void **state)
{
	struct cursor c = OVER("\0\x01\x02\x03\xfb\x98\x02"
			       "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"
			       "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");

	(void)state;
	assert_int_equal(cursor_zigzag64(&c), 0);
	assert_int_equal(cursor_zigzag64(&c), -1);
	assert_int_equal(cursor_zigzag64(&c), 1);
	assert_int_equal(cursor_zigzag64(&c), -2);
	assert_int_equal(cursor_zigzag64(&c), -17982);
	assert_int_equal(cursor_zigzag64(&c), INT64_MAX);
	assert_int_equal(cursor_zigzag64(&c), INT64_MIN);
	assert_false(c.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_little_endian_numbers),
		cmocka_unit_test(reads_signed_bytes),
		cmocka_unit_test(reads_signed_leb),
		cmocka_unit_test(fails_at_the_end_and_stays_failed),
		cmocka_unit_test(returns_no_empty_part_once_it_has_failed),
		cmocka_unit_test(can_be_made_to_fail),
		cmocka_unit_test(returns_bytes_in_place),
		cmocka_unit_test(confines_a_cursor_to_a_part),
		cmocka_unit_test(copies_zeros_where_bytes_are_missing),
		cmocka_unit_test(is_empty_over_nothing),
		cmocka_unit_test(reads_varints),
		cmocka_unit_test(drops_bits_beyond_the_width),
		cmocka_unit_test(fails_on_varints_that_do_not_end),
		cmocka_unit_test(reads_signed_varints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
