/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/cursor.h"

#define HOLDS(b, text)                                                                             \
	do {                                                                                       \
		assert_int_equal((b).size, sizeof(text) - 1);                                      \
		assert_memory_equal((b).bytes, text, sizeof(text) - 1);                            \
		buffer_release(&(b));                                                              \
	} while (0)

static void writes_little_endian_numbers(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_u8(&b, 0x01);
	buffer_u16(&b, 0x0302);
	buffer_u32(&b, 0x07060504);
	buffer_u64(&b, UINT64_C(0x0f0e0d0c0b0a0908));
	assert_false(b.failed);
	HOLDS(b, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
}

static void reads_back_every_varint(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 64; bit++) {
		const uint64_t values[] = { UINT64_C(1) << bit, (UINT64_C(1) << bit) - 1,
					    ~(UINT64_C(1) << bit) };

		for (size_t i = 0; i < 3; i++) {
			struct buffer b = { 0 };
			struct cursor c;

			buffer_varint(&b, values[i]);
			buffer_zigzag(&b, (int64_t)values[i]);
			c = cursor_over(b.bytes, b.size);
			assert_true(cursor_varint64(&c) == values[i]);
			assert_true(cursor_zigzag64(&c) == (int64_t)values[i]);
			assert_int_equal(cursor_left(&c), 0);
			assert_false(c.failed);
			buffer_release(&b);
		}
	}
}

static void uses_no_more_bytes_than_a_varint_needs(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_varint(&b, 0);
	buffer_varint(&b, 127);
	buffer_varint(&b, 128);
	buffer_varint(&b, UINT64_MAX);
	buffer_zigzag(&b, -1);
	buffer_zigzag(&b, 1);
	HOLDS(b, "\0\x7f\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\x02");
}

static void counts_text_in_bytes(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_varint_text(&b, "Zo\xc3\xab");
	buffer_u16_text(&b, "ab");
	buffer_varint_text(&b, NULL);
	buffer_u16_text(&b, NULL);
	HOLDS(b, "\x04Zo\xc3\xab\x02\0ab\0\0\0");
}

static void writes_utf16(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_utf16z(&b, "a\xc3\xab\xf0\x9f\x92\xa9");
	buffer_utf16z(&b, NULL);
	HOLDS(b, "a\0\xeb\0\x3d\xd8\xa9\xdc\0\0\0\0");
}

static void replaces_invalid_characters(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_varint_text(&b, "a\xff");
	buffer_utf16z(&b, "\xed\xa0\x80"); /* a lone surrogate, byte by byte */
	HOLDS(b, "\x04"
		 "a\xef\xbf\xbd\xfd\xff\xfd\xff\xfd\xff\0\0");
}

static void writes_sizes_before_their_parts(void **state)
{
	struct buffer b = { 0 };
	const size_t outer = buffer_open_u16(&b);
	const size_t inner = buffer_open_u16(&b);

	(void)state;
	buffer_bytes(&b, "abc", 3);
	buffer_close_u16(&b, inner);
	buffer_close_u16(&b, outer);
	HOLDS(b, "\x05\0\x03\0abc");
}

static void fails_where_a_size_does_not_fit_and_can_be_rewound(void **state)
{
	struct buffer b = { 0 };
	size_t row;

	(void)state;
	buffer_u8(&b, 7);
	row = buffer_open_u16(&b);
	memset(buffer_take(&b, 65536), 0, 65536);
	assert_false(b.failed);
	buffer_close_u16(&b, row);
	assert_true(b.failed);
	buffer_u8(&b, 8);
	assert_null(buffer_take(&b, 1));
	assert_int_equal(b.size, 65539); /* nothing more is added */
	buffer_rewind(&b, row);
	assert_false(b.failed);
	buffer_u8(&b, 9);
	HOLDS(b, "\x07\x09");
}

static void accepts_the_largest_text_a_count_can_hold(void **state)
{
	struct buffer b = { 0 };
	char *text = malloc(65537);

	(void)state;
	memset(text, 'x', 65536);
	text[65536] = '\0';
	buffer_u16_text(&b, text + 1);
	assert_false(b.failed);
	assert_int_equal(b.size, 2 + 65535);
	buffer_u16_text(&b, text);
	assert_true(b.failed);
	buffer_release(&b);
	free(text);
}

static void reports_that_memory_ran_out(void **state)
{
	struct buffer b = { 0 };

	(void)state;
	buffer_u8(&b, 1);
	assert_null(buffer_take(&b, SIZE_MAX));
	assert_true(b.failed && b.no_memory);
	buffer_rewind(&b, 0);
	assert_true(b.failed); /* which is permanent */
	buffer_release(&b);
	assert_false(b.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_little_endian_numbers),
		cmocka_unit_test(reads_back_every_varint),
		cmocka_unit_test(uses_no_more_bytes_than_a_varint_needs),
		cmocka_unit_test(counts_text_in_bytes),
		cmocka_unit_test(writes_utf16),
		cmocka_unit_test(replaces_invalid_characters),
		cmocka_unit_test(writes_sizes_before_their_parts),
		cmocka_unit_test(fails_where_a_size_does_not_fit_and_can_be_rewound),
		cmocka_unit_test(accepts_the_largest_text_a_count_can_hold),
		cmocka_unit_test(reports_that_memory_ran_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
