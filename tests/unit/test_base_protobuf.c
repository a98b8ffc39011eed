/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cursor.h"
#include "base/protobuf.h"

#define HOLDS(b, text)                                                                             \
	do {                                                                                       \
		assert_int_equal((b).size, sizeof(text) - 1);                                      \
		assert_memory_equal((b).bytes, text, sizeof(text) - 1);                            \
		buffer_release(&(b));                                                              \
	} while (0)

/* The two examples of the format's documentation: 150 and "testing". */
static void writes_the_examples_of_the_specification(void **state)
{
	struct buffer b = { 0 };
	struct proto p = { .out = &b };

	(void)state;
	proto_u64(&p, 1, 150);
	HOLDS(b, "\x08\x96\x01");
	proto_text(&p, 2, "testing");
	HOLDS(b, "\x12\x07testing");
	proto_open(&p, 3);
	proto_u64(&p, 1, 150);
	proto_close(&p);
	HOLDS(b, "\x1a\x03\x08\x96\x01");
}

static void leaves_defaults_out_unless_they_are_requested(void **state)
{
	struct buffer b = { 0 };
	struct proto p = { .out = &b };

	(void)state;
	proto_u64(&p, 1, 0);
	proto_text(&p, 1, "");
	proto_text(&p, 1, NULL);
	proto_bytes(&p, 1, NULL, 0);
	assert_int_equal(b.size, 0);
	proto_always(&p, 1, 0);
	proto_text_always(&p, 2, NULL);
	proto_open(&p, 3);
	proto_close(&p);
	HOLDS(b, "\x08\x00\x12\x00\x1a\x00");
}

static void writes_negative_and_fixed_numbers(void **state)
{
	struct buffer b = { 0 };
	struct proto p = { .out = &b };

	(void)state;
	proto_u64(&p, 1, (uint64_t)-2);
	HOLDS(b, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	proto_fixed64(&p, 2, 1);
	HOLDS(b, "\x11\x01\0\0\0\0\0\0\0");
	proto_double(&p, 44, 1.5);
	HOLDS(b, "\xe1\x02\0\0\0\0\0\0\xf8\x3f");
}

static void replaces_invalid_characters(void **state)
{
	struct buffer b = { 0 };
	struct proto p = { .out = &b };

	(void)state;
	proto_text(&p, 1,
		   "a\xff"
		   "b");
	HOLDS(b, "\x0a\x05"
		 "a\xef\xbf\xbd"
		 "b");
}

/* Nested messages with sizes of one, two and three bytes. */
static void nests_messages_of_any_size(void **state)
{
	static const size_t sizes[] = { 0, 1, 127, 128, 129, 16383, 16384, 100000 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct buffer b = { 0 };
		struct proto p = { .out = &b };
		uint8_t *content = calloc(1, sizes[i] + 1);
		struct cursor c;
		uint64_t size;

		assert_non_null(content);
		memset(content, 'x', sizes[i]);
		proto_open(&p, 1);
		proto_open(&p, 2);
		proto_bytes(&p, 3, content, sizes[i]);
		proto_close(&p);
		proto_u64(&p, 4, 5);
		proto_close(&p);

		c = cursor_over(b.bytes, b.size);
		assert_int_equal(cursor_u8(&c), 1 << 3 | PROTO_BYTES);
		size = cursor_varint64(&c);
		assert_int_equal(size, cursor_left(&c));
		assert_int_equal(cursor_u8(&c), 2 << 3 | PROTO_BYTES);
		size = cursor_varint64(&c);
		assert_int_equal(size, cursor_left(&c) - 2);
		if (sizes[i]) {
			assert_int_equal(cursor_u8(&c), 3 << 3 | PROTO_BYTES);
			assert_int_equal(cursor_varint64(&c), sizes[i]);
			assert_memory_equal(cursor_bytes(&c, sizes[i]), content, sizes[i]);
		}
		assert_int_equal(cursor_u8(&c), 4 << 3 | PROTO_VARINT);
		assert_int_equal(cursor_u8(&c), 5);
		assert_int_equal(cursor_left(&c), 0);
		assert_false(c.failed);
		free(content);
		buffer_release(&b);
	}
}

static void does_nothing_once_the_buffer_has_failed(void **state)
{
	struct buffer b = { .failed = true };
	struct proto p = { .out = &b };

	(void)state;
	proto_open(&p, 1);
	proto_close(&p);
	proto_text(&p, 2, "text");
	assert_int_equal(b.size, 0);
	assert_true(b.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_the_examples_of_the_specification),
		cmocka_unit_test(leaves_defaults_out_unless_they_are_requested),
		cmocka_unit_test(writes_negative_and_fixed_numbers),
		cmocka_unit_test(replaces_invalid_characters),
		cmocka_unit_test(nests_messages_of_any_size),
		cmocka_unit_test(does_nothing_once_the_buffer_has_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
